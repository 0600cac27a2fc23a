// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/control.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "bench/lab/link_command.h"

namespace wan::lab {
namespace {

constexpr std::size_t kLongest = 4096;  ///< bytes of a command or an answer
constexpr int kWaiting = 16;            ///< connections
constexpr int kPatienceMs = 30'000;     ///< of the lab, with one who says nothing

Fd new_socket() {
  return Fd(checked(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket"));
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw LabError(path + ": too long for the address of a socket");
  path.copy(address.sun_path, path.size());
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

Fd listening_socket(const std::string& path) {
  Fd socket = new_socket();
  const sockaddr_un address = address_of(path);
  checked(::bind(socket.get(), generic(address), sizeof address), path);
  checked(::listen(socket.get(), kWaiting), path);
  return socket;
}

/// A message: every word with a NUL behind it.
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + '\0';
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// Answers begin with a byte of their own, so that none is empty.
constexpr char kAnswer = '=';

}  // namespace

Control::Control(const std::string& path, std::vector<std::string> sites, Emulator& emulator)
    : sites_(std::move(sites)),
      emulator_(emulator),
      socket_(listening_socket(path)),
      stop_event_(checked(::eventfd(0, EFD_CLOEXEC), "eventfd")),
      thread_([this] { run(); }) {}

Control::~Control() {
  ::eventfd_write(stop_event_.get(), 1);
  thread_.join();
}

/// Waits until there is something to read from `from`; false if there is not for so long, or the lab ends.
bool Control::awaits(const Fd& from, int milliseconds) const {
  std::array<pollfd, 2> polls{{{from.get(), POLLIN, 0}, {stop_event_.get(), POLLIN, 0}}};
  return ::poll(polls.data(), polls.size(), milliseconds) > 0 && polls[1].revents == 0;
}

void Control::run() {
  while (awaits(socket_, -1)) serve_next();
}

void Control::serve_next() {
  const Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (peer.get() < 0 || !awaits(peer, kPatienceMs)) return;
  std::array<char, kLongest> buffer;
  const auto bytes = ::recv(peer.get(), buffer.data(), buffer.size(), 0);
  if (bytes <= 0) return;
  const std::string answer = kAnswer + carry_out(words_of({buffer.data(), static_cast<std::size_t>(bytes)}));
  ::send(peer.get(), answer.data(), std::min(answer.size(), kLongest), MSG_NOSIGNAL);
}

/// What is wrong with it, else nothing.
std::string Control::carry_out(const std::vector<std::string>& words) {
  const auto command = parse_link_command(words, sites_);
  if (!command) return command.error().message();
  for (const auto& [from, to] : command->pairs) emulator_.change(from, to, command->change);
  return {};
}

std::string ask_for_link(const std::string& path, const std::vector<std::string>& words) {
  const Fd socket = new_socket();
  const sockaddr_un address = address_of(path);
  checked(::connect(socket.get(), generic(address), sizeof address), path);
  const std::string message = joined(words);
  if (message.empty() || message.size() > kLongest) return std::string("link: expected ") + kLinkUsage;
  checked(static_cast<int>(::send(socket.get(), message.data(), message.size(), MSG_NOSIGNAL)), path);
  std::array<char, kLongest> answer;
  const auto bytes = ::recv(socket.get(), answer.data(), answer.size(), 0);
  if (bytes <= 0 || answer[0] != kAnswer) throw LabError(path + ": the lab does not answer");
  return {answer.data() + 1, static_cast<std::size_t>(bytes) - 1};
}

}  // namespace wan::lab
