// SPDX-License-Identifier: BSD-3-Clause
// process/tcp_sight.h over loopback.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "process/tcp_sight.h"

namespace wan {
namespace {

/// Two ends of a connection.
struct Connection {
  int listening = socket(AF_INET, SOCK_STREAM, 0), here = socket(AF_INET, SOCK_STREAM, 0), there = -1;
  Connection() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(listening, any, length) != 0 || listen(listening, 1) != 0 ||
        getsockname(listening, any, &length) != 0 || connect(here, any, length) != 0)
      ADD_FAILURE() << "there is no loopback";
    there = accept(listening, nullptr, nullptr);
  }
  ~Connection() {
    for (const int each : {listening, here, there}) close(each);
  }
};

bool lists(int descriptor, Loopback loopback) {
  return std::ranges::any_of(connected_sockets(loopback), [&](const ConnectedSocket& each) {
    return each == ConnectedSocket{descriptor, "127.0.0.1"};
  });
}

TEST(TcpSight, ListsConnectedSocketsAlone) {
  const Connection connection;
  EXPECT_TRUE(lists(connection.here, Loopback::included));
  EXPECT_TRUE(lists(connection.there, Loopback::included));
  EXPECT_FALSE(lists(connection.listening, Loopback::included));
  EXPECT_FALSE(lists(connection.here, Loopback::left_out));
}

TEST(TcpSight, CountsWhatHasBeenDelivered) {
  const Connection connection;
  const auto before = sight_of(connection.here);
  ASSERT_TRUE(before);
  EXPECT_TRUE(before->is_empty());
  const std::string text(10'000, 'x');
  ASSERT_EQ(write(connection.here, text.data(), text.size()), std::ssize(text));
  auto after = sight_of(connection.here);
  for (int i = 0; i < 1'000 && after && !after->is_empty(); ++i, after = sight_of(connection.here))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->delivered - before->delivered, std::ssize(text));
  EXPECT_GT(after->round_trip, 0);
  EXPECT_GT(after->least_round_trip, 0);
}

TEST(TcpSight, CountsWhatTheOtherEndDoesNotTake) {
  const Connection connection;
  const std::string text(1 << 16, 'x');
  Bytes written = 0;
  for (ssize_t bytes = 1; bytes > 0; written += std::max<ssize_t>(bytes, 0))
    bytes = send(connection.here, text.data(), text.size(), MSG_DONTWAIT);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto sight = sight_of(connection.here);
  ASSERT_TRUE(sight);
  EXPECT_GT(sight->unsent, 0);
  EXPECT_NEAR(static_cast<double>(sight->delivered + sight->under_way + sight->unsent),
              static_cast<double>(written), 10);
  EXPECT_GT(sight->held_by_hosts, 0);
}

TEST(TcpSight, KnowsWhatIsNoConnection) {
  const Connection connection;
  EXPECT_FALSE(sight_of(connection.listening));
  EXPECT_FALSE(sight_of(0x7fff));
  shutdown(connection.there, SHUT_RDWR);
  close(dup(connection.there));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(sight_of(connection.here));
}

}  // namespace
}  // namespace wan
