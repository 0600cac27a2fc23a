// SPDX-License-Identifier: BSD-3-Clause
// libwan_multicast over MPI: a plain MPI program that knows its header only. Every process draws the same
// multicasts from a seed, so it knows what it has to receive.
//   mpi_multicast TEST [--seed N] [--multicasts N] [--most BYTES] [--thread] [--known]
// TEST: many (random sources, sets, lengths and datatypes, and receives in any order), handlers (the same,
// all by a handler), ids (the same, with topology IDs given), sleeper (one process does not receive for a
// while), lost (one process ends in the midst of it; needs MPI that tells), calls (each function, and its
// errors). Run by tests/mpi/multicast_test.sh and
// tests/mpi/sanitizers_test.sh.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "api/wan_multicast.h"

namespace {

struct Options {
  std::string test;
  unsigned seed = 1;
  int multicasts = 200;
  int most = 200'000;
  bool thread = false;
  bool known = false;  ///< to whom half of all multicasts go
};

int me, size;
std::atomic<int> failures, checks;  // of the library's thread too

void check(bool holds, const std::string& what) {
  ++checks;
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "rank %d: %s\n", me, what.c_str());
}

int class_of(int error) {
  int kind = MPI_ERR_LASTCODE;
  MPI_Error_class(error, &kind);
  return kind;
}

void expect(int error, int kind, const std::string& what) {
  check(class_of(error) == kind, what + " returns an error of class " + std::to_string(class_of(error)) +
                                     " instead of " + std::to_string(kind));
}

struct Multicast {
  int source, tag;
  std::vector<int> to;
  int bytes;  ///< a multiple of 4
  bool derived_there, derived_here, all_know = false;
  bool is_for(int rank) const { return std::find(to.begin(), to.end(), rank) != to.end(); }
};

std::vector<Multicast> drawn(const Options& options) {
  std::mt19937 random(options.seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<Multicast> all;
  for (int tag = 0; tag < options.multicasts; ++tag) {
    Multicast one{below(size), tag, {}, 0, below(5) == 0, below(5) == 0};
    const int part = 1 + below(100);
    for (int rank = 0; rank < size; ++rank)
      if (below(100) < part) one.to.push_back(rank);
    std::shuffle(one.to.begin(), one.to.end(), random);
    // Short ones as often as long ones.
    one.bytes = below(4) == 0 ? 0 : 4 * below(1 + options.most / 4 / (1 + below(200)));
    one.all_know = options.known && tag % 2 == 0;
    all.push_back(std::move(one));
  }
  return all;
}

std::uint32_t value(int tag, int index) {
  return static_cast<std::uint32_t>(tag) * 2'654'435'761u + static_cast<std::uint32_t>(index) * 40'503u;
}

/// Numbers of a multicast in memory: one after the other, or with a gap behind each.
class Numbers {
 public:
  Numbers(int count, bool derived) : count_(count), stride_(derived ? 2 : 1) {
    memory_.assign(static_cast<std::size_t>(count) * static_cast<std::size_t>(stride_) + 1, kGap);
    if (derived) {
      MPI_Type_create_resized(MPI_UINT32_T, 0, 8, &type_);
      MPI_Type_commit(&type_);
    }
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() {
    if (stride_ == 2) MPI_Type_free(&type_);
  }
  void fill(int tag) {
    for (int i = 0; i < count_; ++i) memory_[place(i)] = value(tag, i);
  }
  bool are_of(int tag) const {
    for (int i = 0; i < count_; ++i)
      if (memory_[place(i)] != value(tag, i) || (stride_ == 2 && memory_[place(i) + 1] != kGap)) return false;
    return memory_.back() == kGap;
  }
  void* data() { return memory_.data(); }
  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  static constexpr std::uint32_t kGap = 0xabadcafe;
  std::size_t place(int i) const { return static_cast<std::size_t>(i) * static_cast<std::size_t>(stride_); }
  int count_, stride_;
  MPI_Datatype type_ = MPI_UINT32_T;
  std::vector<std::uint32_t> memory_;
};

MPI_Info info_of(const Options& options, const char* inbox = nullptr) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  if (options.thread) MPI_Info_set(info, "wan_progress", "thread");
  if (inbox != nullptr) MPI_Info_set(info, "wan_inbox", inbox);
  return info;
}

WAN_Domain domain_of(const Options& options, const char* inbox = nullptr) {
  MPI_Info info = info_of(options, inbox);
  WAN_Domain domain = WAN_DOMAIN_NULL;
  expect(WAN_Domain_create(MPI_COMM_WORLD, info, &domain), MPI_SUCCESS, "WAN_Domain_create");
  MPI_Info_free(&info);
  if (domain == WAN_DOMAIN_NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return domain;
}

using Kept = std::vector<std::unique_ptr<Numbers>>;

void send(const Multicast& one, WAN_Domain domain, Kept& kept, std::vector<WAN_Request>& requests) {
  kept.push_back(std::make_unique<Numbers>(one.bytes / 4, one.derived_there));
  kept.back()->fill(one.tag);
  requests.push_back(WAN_REQUEST_NULL);
  expect(WAN_Imulticast(kept.back()->data(), kept.back()->count(), kept.back()->type(),
                        one.all_know ? WAN_DESTINATIONS_KNOWN : static_cast<int>(one.to.size()),
                        one.all_know ? nullptr : one.to.data(), one.tag, domain, &requests.back()),
         MPI_SUCCESS, "WAN_Imulticast");
}

int destinations_of(int source, int tag, int ranks[], void* context) {
  const auto& all = *static_cast<const std::vector<Multicast>*>(context);
  const Multicast& one = all[static_cast<std::size_t>(tag)];
  check(one.source == source, "another source is asked for");
  std::copy(one.to.begin(), one.to.end(), ranks);
  return static_cast<int>(one.to.size());
}

/// All multicasts, with receives that are posted before, meanwhile and after, in an order of each process.
void many(const Options& options, WAN_Domain domain) {
  auto all = drawn(options);
  if (options.known)
    expect(WAN_Know_destinations(destinations_of, &all, domain), MPI_SUCCESS, "WAN_Know_destinations");
  std::mt19937 random(options.seed + 17u * static_cast<unsigned>(me));
  std::vector<std::pair<bool, const Multicast*>> acts;  ///< sends and receives
  for (const Multicast& each : all) {
    if (each.source == me) acts.emplace_back(true, &each);
    if (each.is_for(me)) acts.emplace_back(false, &each);
  }
  std::shuffle(acts.begin(), acts.end(), random);
  Kept kept, received;
  std::vector<WAN_Request> sends, receives;
  std::vector<const Multicast*> of_receives;
  for (const auto& [sends_it, each] : acts) {
    if (sends_it) {
      send(*each, domain, kept, sends);
      continue;
    }
    received.push_back(std::make_unique<Numbers>(each->bytes / 4, each->derived_here));
    receives.push_back(WAN_REQUEST_NULL);
    of_receives.push_back(each);
    expect(WAN_Irecv(received.back()->data(), received.back()->count(), received.back()->type(),
                     random() % 2 == 0 ? each->source : MPI_ANY_SOURCE, each->tag, domain, &receives.back()),
           MPI_SUCCESS, "WAN_Irecv");
    if (random() % 16 == 0) usleep(1'000 * (static_cast<unsigned>(random()) % 8));
  }
  std::vector<MPI_Status> statuses(receives.size());
  expect(WAN_Waitall(static_cast<int>(receives.size()), receives.data(), statuses.data()), MPI_SUCCESS,
         "WAN_Waitall of receives");
  for (std::size_t i = 0; i < of_receives.size(); ++i) {
    const Multicast& of = *of_receives[i];
    int count = -1;
    MPI_Get_count(&statuses[i], MPI_UINT32_T, &count);
    check(received[i]->are_of(of.tag), "wrong data of multicast " + std::to_string(of.tag));
    check(statuses[i].MPI_SOURCE == of.source && statuses[i].MPI_TAG == of.tag && count == of.bytes / 4,
          "wrong status of multicast " + std::to_string(of.tag));
  }
  expect(WAN_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS,
         "WAN_Waitall of multicasts");
  // Until nobody asks for destinations any more.
  expect(WAN_Flush(domain), MPI_SUCCESS, "WAN_Flush");
  MPI_Barrier(MPI_COMM_WORLD);
  for (const WAN_Request each : sends)
    check(each == WAN_REQUEST_NULL, "a request that has ended is not null");
}

struct Seen {
  const std::vector<Multicast>& all;
  std::vector<int> times;
  int left = 0;
};

void on_arrival(const MPI_Status* status, const void* data, MPI_Count bytes, void* context) {
  Seen& seen = *static_cast<Seen*>(context);
  const auto tag = static_cast<std::size_t>(status->MPI_TAG);
  const Multicast& of = seen.all[tag];
  check(++seen.times[tag] == 1 && of.is_for(me) && status->MPI_SOURCE == of.source && bytes == of.bytes,
        "a handler gets multicast " + std::to_string(tag) + ", which is not for it");
  for (int i = 0; i < of.bytes / 4; ++i) {
    std::uint32_t number = 0;
    std::memcpy(&number, static_cast<const char*>(data) + 4 * i, 4);
    if (number != value(of.tag, i)) return check(false, "a handler gets wrong data");
  }
  --seen.left;
}

void handlers(const Options& options, WAN_Domain domain) {
  const auto all = drawn(options);
  Seen seen{all, std::vector<int>(all.size())};
  for (const Multicast& each : all) seen.left += each.is_for(me) ? 1 : 0;
  expect(WAN_Handle(MPI_ANY_SOURCE, MPI_ANY_TAG, on_arrival, &seen, domain), MPI_SUCCESS, "WAN_Handle");
  Kept kept;
  std::vector<WAN_Request> sends;
  for (const Multicast& each : all)
    if (each.source == me) send(each, domain, kept, sends);
  expect(WAN_Flush(domain), MPI_SUCCESS, "WAN_Flush");
  for (WAN_Request& each : sends) {
    int flag = 0;
    WAN_Test(&each, &flag, MPI_STATUS_IGNORE);
    check(flag == 1, "a multicast has not ended though it was flushed");
  }
  expect(WAN_Domain_free(&domain), MPI_SUCCESS, "WAN_Domain_free");
  check(seen.left == 0, std::to_string(seen.left) + " multicasts did not come");
}

/// The last process neither receives nor passes on until the others tell it to, which they do when all that
/// they send each other has come; and they send to the sleeper too, more than it keeps.
void sleeper(WAN_Domain domain) {
  constexpr int kEach = 40, kBytes = 100'000;
  const int last = size - 1;
  std::vector<int> others(static_cast<std::size_t>(last));
  std::iota(others.begin(), others.end(), 0);
  std::vector<char> data(kBytes, static_cast<char>(me)), buffer(kBytes);
  std::vector<WAN_Request> to_all, among;
  if (me == last) {
    MPI_Recv(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    for (int i = 0; i < kEach; ++i) {
      WAN_Imulticast(data.data(), kBytes, MPI_CHAR, 1, &last, 1, domain,
                     &to_all.emplace_back(WAN_REQUEST_NULL));
      WAN_Imulticast(data.data(), kBytes, MPI_CHAR, last, others.data(), 2, domain,
                     &among.emplace_back(WAN_REQUEST_NULL));
    }
    for (int i = 0; i < kEach * last; ++i) {
      MPI_Status status;
      expect(WAN_Recv(buffer.data(), kBytes, MPI_CHAR, MPI_ANY_SOURCE, 2, domain, &status), MPI_SUCCESS,
             "WAN_Recv");
      check(buffer == std::vector<char>(kBytes, static_cast<char>(status.MPI_SOURCE)), "wrong data");
    }
    WAN_Waitall(kEach, among.data(), MPI_STATUSES_IGNORE);
    int flag = 1, first = 0;
    WAN_Test(&to_all.back(), &flag, MPI_STATUS_IGNORE);
    check(flag == 0, "the sleeper has it already");
    WAN_Imulticast(nullptr, 0, MPI_INT, 1, &first, 3, domain, &to_all.emplace_back(WAN_REQUEST_NULL));
  }
  if (me == 0 && last > 0) {
    for (int i = 0; i < last; ++i) WAN_Recv(nullptr, 0, MPI_INT, i, 3, domain, MPI_STATUS_IGNORE);
    MPI_Send(nullptr, 0, MPI_INT, last, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; me == last && i < kEach * last; ++i) {
    MPI_Status status;
    WAN_Recv(buffer.data(), kBytes, MPI_CHAR, MPI_ANY_SOURCE, 1, domain, &status);
    check(buffer == std::vector<char>(kBytes, static_cast<char>(status.MPI_SOURCE)),
          "wrong data for the sleeper");
  }
  WAN_Waitall(static_cast<int>(to_all.size()), to_all.data(), MPI_STATUSES_IGNORE);
}

/// The last process kills itself when it has sent some and received some. All others get what they send each
/// other, and none waits for it.
void lost(const Options& options, WAN_Domain domain) {
  const auto all = drawn(options);
  const int last = size - 1;
  Kept kept, received;
  std::vector<WAN_Request> sends, receives;
  std::vector<const Multicast*> of_sends, of_receives;
  for (const Multicast& each : all) {
    if (each.source == me) {
      send(each, domain, kept, sends);
      of_sends.push_back(&each);
    }
    if (!each.is_for(me)) continue;
    received.push_back(std::make_unique<Numbers>(each.bytes / 4, each.derived_here));
    receives.push_back(WAN_REQUEST_NULL);
    of_receives.push_back(&each);
    expect(WAN_Irecv(received.back()->data(), received.back()->count(), received.back()->type(), each.source,
                     each.tag, domain, &receives.back()),
           MPI_SUCCESS, "WAN_Irecv");
    if (me == last && receives.size() == 20) {
      WAN_Wait(&receives[10], MPI_STATUS_IGNORE);
      std::raise(SIGKILL);
    }
  }
  int ended_so = 0;
  for (std::size_t i = 0; i < receives.size(); ++i) {
    const int error = WAN_Wait(&receives[i], MPI_STATUS_IGNORE);
    const bool has_it = error == MPI_SUCCESS;
    check(has_it || of_receives[i]->source == last, "what a living process has sent does not come");
    check(!has_it || received[i]->are_of(of_receives[i]->tag), "wrong data");
    ended_so += has_it ? 0 : 1;
  }
  for (std::size_t i = 0; i < sends.size(); ++i) {
    const int error = WAN_Wait(&sends[i], MPI_STATUS_IGNORE);
    check(error == MPI_SUCCESS || of_sends[i]->is_for(last), "a multicast to living processes fails");
    ended_so += error == MPI_SUCCESS ? 0 : 1;
  }
  check(ended_so > 0, "nobody has noticed that a process is lost");
  int to[] = {last}, number = 0;
  WAN_Request request = WAN_REQUEST_NULL;
  expect(WAN_Imulticast(&number, 1, MPI_INT, 1, to, options.multicasts, domain, &request), MPI_SUCCESS,
         "WAN_Imulticast");
  check(WAN_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS, "a multicast to a lost process succeeds");
}

/// A rank that is none, or more than there are.
int wrong_destinations(int, int tag, int ranks[], void*) {
  ranks[0] = size;
  return tag == 0 ? 1 : size + 1;
}

/// What one process sends to itself, and mistakes.
void calls(WAN_Domain domain) {
  int number = 4 + me, got = 0, flag = 7, next = (me + 1) % size;
  WAN_Request request = WAN_REQUEST_NULL, other = WAN_REQUEST_NULL;
  MPI_Status status;
  expect(WAN_Iprobe(me, 3, domain, &flag, &status), MPI_SUCCESS, "WAN_Iprobe");
  check(flag == 0, "there is something before it is sent");
  expect(WAN_Imulticast(&number, 1, MPI_INT, 1, &me, 3, domain, &request), MPI_SUCCESS, "WAN_Imulticast");
  expect(WAN_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, domain, &status), MPI_SUCCESS, "WAN_Probe");
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  check(status.MPI_SOURCE == me && status.MPI_TAG == 3 && count == 1, "a wrong status of WAN_Probe");
  expect(WAN_Recv(&got, 1, MPI_INT, me, 3, domain, MPI_STATUS_IGNORE), MPI_SUCCESS, "WAN_Recv");
  check(got == number, "a process gets something else from itself");
  expect(WAN_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "WAN_Wait");
  expect(WAN_Wait(&request, &status), MPI_SUCCESS, "WAN_Wait of no request");
  expect(WAN_Imulticast(nullptr, 0, MPI_INT, 0, nullptr, 0, domain, &request), MPI_SUCCESS,
         "a multicast to nobody");
  expect(WAN_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "WAN_Wait of it");
  MPI_Barrier(MPI_COMM_WORLD);  // what another process sends next shall not be what is probed above

  // Of two, the longer one is cut off, and the null one comes whole.
  const int two[] = {1 + me, 2 + me};
  expect(WAN_Imulticast(two, 2, MPI_INT, 1, &next, 4, domain, &request), MPI_SUCCESS, "WAN_Imulticast");
  expect(WAN_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 4, domain, &status), MPI_ERR_TRUNCATE, "a short buffer");
  check(got == 1 + (me + size - 1) % size, "a short buffer gets something else");
  expect(WAN_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "WAN_Wait");

  expect(WAN_Irecv(&got, 1, MPI_INT, next, 5, domain, &other), MPI_SUCCESS, "WAN_Irecv");
  expect(WAN_Test(&other, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS, "WAN_Test");
  check(flag == 0, "what nobody sends is received");
  expect(WAN_Cancel(&other, &flag), MPI_SUCCESS, "WAN_Cancel");
  check(flag == 1 && other == WAN_REQUEST_NULL, "a receive that nothing matches cannot be cancelled");

  const int wrong = size, none = -1;
  expect(WAN_Imulticast(&number, 1, MPI_INT, 1, &wrong, 3, domain, &request), MPI_ERR_RANK,
         "a rank that is none");
  expect(WAN_Imulticast(&number, 1, MPI_INT, 1, &none, 3, domain, &request), MPI_ERR_RANK, "a negative rank");
  expect(WAN_Imulticast(&number, 1, MPI_INT, 1, &me, -1, domain, &request), MPI_ERR_TAG, "a negative tag");
  expect(WAN_Imulticast(&number, -1, MPI_INT, 1, &me, 3, domain, &request), MPI_ERR_COUNT,
         "a negative count");
  expect(WAN_Imulticast(&number, 1, MPI_DATATYPE_NULL, 1, &me, 3, domain, &request), MPI_ERR_TYPE, "no type");
  expect(WAN_Imulticast(nullptr, 1, MPI_INT, 1, &me, 3, domain, &request), MPI_ERR_BUFFER, "no buffer");
  expect(WAN_Imulticast(&number, 1, MPI_INT, 1, &me, 3, WAN_DOMAIN_NULL, &request), MPI_ERR_ARG, "no domain");
  expect(WAN_Imulticast(&number, 1, MPI_INT, WAN_DESTINATIONS_KNOWN, nullptr, 3, domain, &request),
         MPI_ERR_ARG, "destinations that nobody knows");
  expect(WAN_Know_destinations(nullptr, nullptr, domain), MPI_ERR_ARG, "no function");
  expect(WAN_Know_destinations(wrong_destinations, nullptr, domain), MPI_SUCCESS, "WAN_Know_destinations");
  expect(WAN_Know_destinations(wrong_destinations, nullptr, domain), MPI_ERR_ARG, "a second function");
  for (const int tag : {0, 1})
    expect(WAN_Imulticast(&number, 1, MPI_INT, WAN_DESTINATIONS_KNOWN, nullptr, tag, domain, &request),
           MPI_ERR_RANK, "a function that is wrong");
  expect(WAN_Irecv(&got, 1, MPI_INT, size, 3, domain, &request), MPI_ERR_RANK, "a source that is none");
  expect(WAN_Handle(me, 3, nullptr, nullptr, domain), MPI_ERR_ARG, "no handler");
  WAN_Domain made = WAN_DOMAIN_NULL;
  expect(WAN_Domain_create(MPI_COMM_NULL, MPI_INFO_NULL, &made), MPI_ERR_COMM, "no communicator");
  expect(WAN_Domain_create_with_ids(MPI_COMM_WORLD, -1, nullptr, MPI_INFO_NULL, &made), MPI_ERR_ARG,
         "-1 digits");
  const int digits[] = {me, 0};
  if (size > 1)
    expect(WAN_Domain_create_with_ids(MPI_COMM_WORLD, me == 0 ? 1 : 2, digits, MPI_INFO_NULL, &made),
           MPI_ERR_ARG, "IDs of different lengths");
  for (const char* key : {"wan_segment", "wan_inbox", "wan_progress", "wan_discover"}) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    if (me == 0 || std::strcmp(key, "wan_discover") == 0) MPI_Info_set(info, key, "x");
    expect(WAN_Domain_create(MPI_COMM_WORLD, info, &made), MPI_ERR_INFO_VALUE, std::string("a wrong ") + key);
    MPI_Info_free(&info);
  }
  check(made == WAN_DOMAIN_NULL, "a domain is made though there is an error");
}

Options options_of(int argc, char** argv) {
  Options options{argc > 1 ? argv[1] : ""};
  for (int i = 2; i < argc; ++i) {
    const std::string name = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::atoi(argv[++i]) : 0; };
    if (name == "--seed")
      options.seed = static_cast<unsigned>(next());
    else if (name == "--multicasts")
      options.multicasts = next();
    else if (name == "--most")
      options.most = next();
    else if (name == "--thread")
      options.thread = true;
    else if (name == "--known")
      options.known = true;
    else
      options.test.clear();
  }
  return options;
}

bool run(const Options& options) {
  WAN_Domain domain = WAN_DOMAIN_NULL;
  if (options.test == "many") {
    domain = domain_of(options, "300000");
    many(options, domain);
  } else if (options.test == "handlers") {
    handlers(options, domain_of(options, "100000"));
    return true;
  } else if (options.test == "ids") {
    MPI_Info info = info_of(options);
    const int id[] = {me * 7 % 3, me % 2};
    expect(WAN_Domain_create_with_ids(MPI_COMM_WORLD, 2, id, info, &domain), MPI_SUCCESS,
           "WAN_Domain_create_with_ids");
    MPI_Info_free(&info);
    many(options, domain);
  } else if (options.test == "sleeper") {
    domain = domain_of(options, "1000000");
    sleeper(domain);
  } else if (options.test == "lost") {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    domain = domain_of(options, "300000");
    lost(options, domain);
  } else if (options.test == "calls") {
    domain = domain_of(options);
    calls(domain);
  } else {
    return false;
  }
  expect(WAN_Domain_free(&domain), MPI_SUCCESS, "WAN_Domain_free");
  check(domain == WAN_DOMAIN_NULL, "a domain that is freed is not null");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, options.thread ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool is_known = run(options);
  if (options.test == "lost") {
    std::printf("mpi_multicast: rank %d has lived, %d failures\n", me, failures.load());
    std::fflush(stdout);
    alarm(5);  // Open MPI 5.0.7 sometimes stays in MPI_Finalize where a process has died
    MPI_Finalize();
    return failures > 0 ? 1 : 0;
  }
  int own[] = {failures.load(), checks.load()}, all[] = {0, 0};
  MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) std::printf("mpi_multicast: %d cases on %d ranks, %d failures\n", all[1], size, all[0]);
  if (me == 0 && !is_known)
    std::fprintf(stderr,
                 "mpi_multicast TEST [--seed N] [--multicasts N] [--most BYTES] [--thread] [--known]\n");
  MPI_Finalize();
  return failures > 0 || !is_known ? 1 : 0;
}
