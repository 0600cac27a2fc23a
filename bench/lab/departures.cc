// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/departures.h"

#include <linux/bpf.h>
#include <net/if.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace wan::lab {
namespace {

// Linux 6.6; the header may be older.
constexpr std::uint32_t kTcxEgress = 47;
constexpr std::int32_t kTcxNext = -1;

int bpf(bpf_cmd command, bpf_attr& attributes) {
  return static_cast<int>(::syscall(SYS_bpf, command, &attributes, sizeof attributes));
}

constexpr bpf_insn instruction(int code, std::uint8_t to, std::uint8_t from, std::int16_t offset,
                               std::int32_t value) {
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(to & 0xf),
          static_cast<std::uint8_t>(from & 0xf), offset, value};
}
constexpr bpf_insn copy(std::uint8_t to, std::uint8_t from) {
  return instruction(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}
constexpr bpf_insn set(std::uint8_t to, std::int32_t value) {
  return instruction(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value);
}
constexpr bpf_insn call(std::int32_t helper) {
  return instruction(BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/// now = ktime_get_ns(); skb_store_bytes(frame, 0, &now, 8, 0); go on with whatever else looks at the frame.
Fd load_program() {
  constexpr std::int16_t kNow = -8;
  const std::array program = {copy(6, 1),
                              call(BPF_FUNC_ktime_get_ns),
                              instruction(BPF_STX | BPF_MEM | BPF_DW, 10, 0, kNow, 0),
                              copy(1, 6),
                              set(2, 0),
                              copy(3, 10),
                              instruction(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, kNow),
                              set(4, sizeof(std::uint64_t)),
                              set(5, 0),
                              call(BPF_FUNC_skb_store_bytes),
                              set(0, kTcxNext),
                              instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)};
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_SCHED_CLS;
  attributes.expected_attach_type = kTcxEgress;
  attributes.insns = reinterpret_cast<std::uintptr_t>(program.data());
  attributes.insn_cnt = program.size();
  attributes.license = reinterpret_cast<std::uintptr_t>("Dual BSD/GPL");
  return Fd(bpf(BPF_PROG_LOAD, attributes));
}

}  // namespace

const char* name_of(Departures departures) {
  return departures == Departures::kernel ? "kernel" : "emulator";
}

std::optional<DepartureStamps> DepartureStamps::of(const std::string& name) {
  const Fd program = load_program();
  if (program.get() < 0) return std::nullopt;
  bpf_attr attributes{};
  attributes.link_create.prog_fd = static_cast<std::uint32_t>(program.get());
  attributes.link_create.target_ifindex = ::if_nametoindex(name.c_str());
  attributes.link_create.attach_type = kTcxEgress;
  Fd link(bpf(BPF_LINK_CREATE, attributes));
  if (link.get() < 0) return std::nullopt;
  return DepartureStamps(std::move(link));
}

Nanoseconds departure_of(std::span<const std::byte> frame) {
  std::uint64_t time = 0;
  std::memcpy(&time, frame.data(), sizeof time);
  return static_cast<Nanoseconds>(time);
}

}  // namespace wan::lab
