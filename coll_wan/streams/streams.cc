// SPDX-License-Identifier: BSD-3-Clause
#include "streams/streams.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/time.h"

namespace wan {
namespace {

constexpr std::size_t kRoom = 256 << 10;  // bytes that are read at once
/// After so long without an answer the next address is called.
constexpr Nanoseconds kPatience = 3 * kSecond;
constexpr Nanoseconds kBetweenLooks = 100 * kMillisecond;
constexpr std::size_t kLongestKey = 64;
constexpr std::size_t kMostStrangers = 64;

}  // namespace

Streams::Streams(ProcessName me, probe::Listener listener, Settings settings)
    : me_(me),
      listener_(std::move(listener)),
      settings_(settings),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      room_(kRoom) {
  epoll_event event{EPOLLIN | EPOLLET, {.ptr = nullptr}};
  epoll_ctl(epoll_, EPOLL_CTL_ADD, listener_.socket.descriptor(), &event);
}

Streams::~Streams() {
  if (epoll_ >= 0) close(epoll_);
}

void Streams::watch(Stream& stream) {
  epoll_event event{EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, {.ptr = &stream}};
  epoll_ctl(epoll_, EPOLL_CTL_ADD, stream.descriptor(), &event);
}

int Streams::streams() const {
  std::size_t sum = strangers_.size();
  for (const auto& [name, called] : called_) sum += called.outgoing.streams().size();
  for (const auto& [name, incoming] : callers_) sum += incoming.streams().size();
  return static_cast<int>(sum);
}

bool Streams::lead_to(ProcessName peer, const probe::Endpoint& endpoint, Bytes at_once) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = called_.try_emplace(peer);
  Called& called = at->second;
  called.at_once = std::max(called.at_once, static_cast<std::size_t>(at_once));
  if (is_new) {
    called.endpoint = endpoint;
    connect(called);
    is_active_ = true;
  }
  return called.outgoing.is_ready();
}

Ticket Streams::send(ProcessName peer, std::span<const char> bytes, StreamUser& user, std::int32_t index,
                     StreamPace* pace) {
  const std::lock_guard lock(mutex_);
  Called& called = called_.at(peer);
  const bool others_wait = std::ranges::any_of(called_, [](const auto& each) {
    return each.second.outgoing.is_busy() && each.second.outgoing.is_held();
  });
  const Ticket ticket =
      called.outgoing.add(bytes, user, index, pace, carried_.load(std::memory_order_relaxed));
  is_active_ = true;
  carried_.fetch_add(1, std::memory_order_relaxed);
  try {
    take_events();  // what had no room in the last call may have now
    if (!others_wait) advance(called);
  } catch (const std::bad_alloc&) {  // poll() tries again
  }
  return ticket;
}

void Streams::receive(ProcessName peer, const Ticket& ticket, std::span<char> into, StreamUser& user,
                      std::int32_t index) {
  const std::lock_guard lock(mutex_);
  callers_.try_emplace(peer, settings_.unasked).first->second.ask(ticket, into, user, index, ended_);
  is_active_ = true;
}

/// One more stream to the address that is called; where that cannot even begin, there is none.
void Streams::connect(Called& called) {
  if (streams() >= settings_.most_of_all) return;
  probe::Socket socket =
      probe::Socket::connecting(called.endpoint.addresses[called.address], called.endpoint.port);
  if (!socket.is_open()) return;
  called.called_at = probe::now();
  expect_news();
  watch(called.outgoing.streams().emplace_back(std::move(socket), Stream::State::connecting));
  ++opened_;
}

void Streams::open_more(Called& called) {
  Outgoing& outgoing = called.outgoing;
  if (!outgoing.is_ready() || called.has_all) return;
  const std::size_t most = static_cast<std::size_t>(settings_.most), have = outgoing.streams().size();
  const std::size_t planned = (called.at_once + settings_.window - 1) / settings_.window;
  std::size_t wanted = outgoing.wanted(settings_.window);
  if (wanted > 0) wanted = std::max(wanted, have);  // soon they are enough
  wanted = std::max(wanted, planned - std::min(planned, have));
  for (std::size_t more = std::min(wanted, most - std::min(most, have)); more > 0; --more) connect(called);
}

/// Before a stream leads to the process nothing is lost.
void Streams::try_next_address(Called& called) {
  called.outgoing.streams().clear();
  if (++called.address == called.endpoint.addresses.size()) return called.outgoing.lose(ended_);
  connect(called);
}

/// False if the stream is over.
bool Streams::hear(Called& called, Stream& stream) {
  Outgoing& outgoing = called.outgoing;
  if (stream.state() == Stream::State::connecting) {
    if (stream.is_full()) return true;
    if (!stream.has_connected()) return false;
    stream.say({FrameKind::hello, static_cast<std::uint32_t>(called.endpoint.key.size()), me_, 0, 0},
               called.endpoint.key);
    // Whom one stream leads to knows the next ones, too.
    stream.set_state(outgoing.is_ready() ? Stream::State::ready : Stream::State::greeting);
    if (outgoing.is_ready()) outgoing.opened();
  }
  while (stream.may_have_more())
    if (!outgoing.hear(stream, room_)) return false;
  return true;
}

/// False if what is under way is lost. One more stream that is refused is no loss.
bool Streams::hear(Called& called) {
  std::list<Stream>& streams = called.outgoing.streams();
  for (auto stream = streams.begin(); stream != streams.end();) {
    if (hear(called, *stream)) {
      ++stream;
    } else if (called.outgoing.is_ready() && !stream->has_carried() && streams.size() > 1) {
      called.has_all = true;
      stream = streams.erase(stream);
    } else {
      return false;
    }
  }
  return true;
}

void Streams::advance(Called& called) {
  Outgoing& outgoing = called.outgoing;
  if (outgoing.is_lost()) return;
  if (!hear(called) || !outgoing.write(ended_)) {
    if (outgoing.is_ready()) return outgoing.lose(ended_);
    return try_next_address(called);
  }
  const bool is_too_late =
      outgoing.has(Stream::State::connecting) && probe::now() - called.called_at > kPatience;
  if (!outgoing.is_ready() && (outgoing.streams().empty() || is_too_late)) return try_next_address(called);
  open_more(called);
}

void Streams::advance(Incoming& incoming) {
  if (incoming.is_lost()) return;
  for (Stream& stream : incoming.streams())
    if (stream.may_have_more() && !incoming.hear(stream, room_, ended_)) return incoming.lose(ended_);
  if (!incoming.write()) incoming.lose(ended_);
}

/// The first frame of a stream.
struct Streams::Hello {
  const std::string& key;
  std::string said = {};
  std::optional<ProcessName> name = {};

  bool begin(const Frame& frame) {
    return !name && frame.kind == FrameKind::hello && frame.length <= kLongestKey && frame.length > 0;
  }
  void take(const Frame& frame, std::uint32_t, std::span<const char> bytes) {
    said.append(bytes.begin(), bytes.end());
    if (said.size() == frame.length && said == key) name = frame.number;
  }
};

/// Those that are too many at once wait.
void Streams::accept() {
  while (may_have_callers_ && strangers_.size() < kMostStrangers) {
    probe::Socket socket = listener_.socket.accepted();
    may_have_callers_ = socket.is_open();
    if (!socket.is_open() || streams() >= settings_.most_of_all) continue;
    watch(strangers_.emplace_back(std::move(socket), Stream::State::greeting));
    expect_news();
  }
}

bool Streams::know(std::list<Stream>::iterator stranger, ProcessName name) {
  Incoming& incoming = callers_.try_emplace(name, settings_.unasked).first->second;
  if (incoming.is_lost()) return false;
  stranger->set_state(Stream::State::ready);
  stranger->say({FrameKind::welcome, 0, 0, 0, incoming.unasked()});
  incoming.streams().splice(incoming.streams().end(), strangers_, stranger);
  return true;
}

/// Of a caller no more is read than a hello, which has come as a whole or not at all: data may follow.
void Streams::greet_strangers() {
  for (auto stranger = strangers_.begin(); stranger != strangers_.end();) {
    const auto next = std::next(stranger);
    Hello hello{listener_.endpoint.key};
    if (stranger->may_have_more()) {
      const bool is_right =
          stranger->read(std::span(room_).first(kFrameHeader + listener_.endpoint.key.size()), hello);
      const bool is_known = is_right && hello.name && know(stranger, *hello.name);
      if (!is_known && (!is_right || hello.name || !hello.said.empty())) strangers_.erase(stranger);
    }
    stranger = next;
  }
}

void Streams::take_events() {
  std::array<epoll_event, 64> events;
  for (;;) {
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      auto* const stream = static_cast<Stream*>(event.data.ptr);
      if (stream == nullptr) {
        may_have_callers_ = true;
        continue;
      }
      if ((event.events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) stream->can_read();
      if ((event.events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) stream->can_write();
    }
    if (count < static_cast<int>(events.size())) return;
  }
}

/// Somebody connects: for a while it is worth looking.
void Streams::expect_news() {
  news_until_ = probe::now() + kPatience;
}

bool Streams::is_busy() const {
  return !ended_.empty() || probe::now() < news_until_ ||
         std::ranges::any_of(called_, [](const auto& each) { return each.second.outgoing.is_busy(); }) ||
         std::ranges::any_of(callers_, [](const auto& each) { return each.second.is_busy(); });
}

/// Where messages share a rate, such as that of an access link, the older one goes first.
void Streams::advance_called() {
  in_order_.clear();
  for (auto& [name, called] : called_)
    if (called.outgoing.is_busy())
      in_order_.push_back(&called);
    else
      advance(called);
  std::ranges::sort(in_order_, {}, [](const Called* each) { return each->outgoing.oldest(); });
  for (Called* const each : in_order_) advance(*each);
}

void Streams::advance_all() {
  take_events();
  accept();
  greet_strangers();
  advance_called();
  for (auto& [name, incoming] : callers_) advance(incoming);
  const Nanoseconds now = probe::now();
  if (now < next_look_) return;
  next_look_ = now + kBetweenLooks;
  for (auto& [name, called] : called_) called.outgoing.end_what_is_in_vain(ended_);
  for (auto& [name, incoming] : callers_) incoming.end_what_is_in_vain(ended_);
}

int Streams::poll() {
  std::vector<Ended> ended;
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return 0;
    try {
      advance_all();
    } catch (const std::bad_alloc&) {  // what it was for comes again
    }
    ended.swap(ended_);
    is_active_ = is_busy();
  }
  for (const Ended& each : ended) each.user->stream_ended(each.index, each.is_lost);
  return static_cast<int>(ended.size());
}

}  // namespace wan
