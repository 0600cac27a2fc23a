// SPDX-License-Identifier: BSD-3-Clause
// cost/machine_file.h: what is written is read; what nobody wrote is refused, and named.
#include <gtest/gtest.h>

#include <limits>

#include "cost/machine_file.h"

namespace wan {
namespace {

TEST(MachineFile, WhatIsWrittenIsRead) {
  Machine machine;
  machine.shared_memory = {{1, 2}, 3, 4, machine.shared_memory.eager_limit};
  machine.tcp = {{5, 6}, 7, 8, machine.tcp.eager_limit};
  machine.host_link = {9, 10, 0};
  machine.site_link = {11, 12, 0};
  machine.copy_ps_per_byte = 13;
  machine.reduce_ps_per_byte = 14;
  machine.processors = 15;
  machine.turn_ns = 16;
  machine.flow_window = 17;
  const auto read = parse_machine(machine_text(machine), "file");
  ASSERT_TRUE(read);
  EXPECT_EQ(machine_text(*read), machine_text(machine));
  EXPECT_EQ(read->tcp.receive_ps_per_byte, 8);
  EXPECT_EQ(read->site_link.latency_ns, 11);
  EXPECT_EQ(read->processors, 15);
  EXPECT_EQ(read->flow_window, 17);
}

TEST(MachineFile, WhatIsNotThereHasItsDefault) {
  const auto read = parse_machine("copy_ps_per_byte,77\n", "file");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->copy_ps_per_byte, 77);
  EXPECT_EQ(read->reduce_ps_per_byte, Machine{}.reduce_ps_per_byte);
}

TEST(MachineFile, RefusesWhatIsNoValueOfAMachine) {
  for (const char* line : {"speed,1", "turn_ns", "turn_ns,x", "turn_ns,-1", "turn_ns,1,2"}) {
    const auto read = parse_machine(std::string("copy_ps_per_byte,77\n") + line + "\n", "some-file");
    ASSERT_FALSE(read) << line;
    EXPECT_NE(read.error().message().find("some-file"), std::string::npos);
    EXPECT_NE(read.error().message().find(line), std::string::npos);
  }
}

TEST(MachineFile, WhatABusyHostMeasuredIsBelievedWithinBounds) {
  Machine measured;
  measured.tcp.overheads = {measured.tcp.overheads.send_ns * 3, measured.tcp.overheads.receive_ns * 1'000};
  measured.host_link.bandwidth_bytes_per_s = 1;
  measured.copy_ps_per_byte = std::numeric_limits<PicosecondsPerByte>::max();
  const Machine usual, believed = believable(measured);
  EXPECT_EQ(believed.tcp.overheads.send_ns, usual.tcp.overheads.send_ns * 3);
  EXPECT_EQ(believed.tcp.overheads.receive_ns, usual.tcp.overheads.receive_ns * 32);
  EXPECT_EQ(believed.host_link.bandwidth_bytes_per_s, usual.host_link.bandwidth_bytes_per_s / 32);
  EXPECT_EQ(believed.copy_ps_per_byte, usual.copy_ps_per_byte * 32);
  EXPECT_EQ(believable(usual), usual);
}

TEST(MachineFile, WhatHoldsForAJobOnlyIsNotBelieved) {
  Machine measured;
  measured.processors = 2;
  measured.turn_ns = 100'000;
  measured.flow_window = 1 << 20;
  EXPECT_EQ(believable(measured), Machine{});
}

}  // namespace
}  // namespace wan
