// SPDX-License-Identifier: BSD-3-Clause
// bench/common/machine_file.h: what is written is read; what nobody wrote is refused, and named.
#include <gtest/gtest.h>

#include "bench/common/machine_file.h"

namespace wan::bench {
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

}  // namespace
}  // namespace wan::bench
