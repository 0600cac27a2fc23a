// SPDX-License-Identifier: BSD-3-Clause
// run/WHAT/MESSAGES: an Execution over a transport whose messages cost nothing and complete one after the
// other, after the call that started them. chain: each receive releases a send of what came. star: all at
// once. "fresh": made anew for each run, as blocking and nonblocking calls have it; "again": started again,
// as persistent calls have it. Items are messages.
#include <benchmark/benchmark.h>

#include <optional>

#include "bench/micro/groups.h"
#include "plan/builder.h"
#include "run/execution.h"

namespace wan::bench {

namespace {

class FreeTransport final : public Transport {
 public:
  void attach(Execution& execution) { execution_ = &execution; }
  void send(StepIndex index, const Step&) override { started_.push_back(index); }
  void receive(StepIndex index, const Step&) override { started_.push_back(index); }
  int copy(const Step&) override { return 0; }
  int reduce(const Step&) override { return 0; }
  void cancel(StepIndex) override {}

  void complete_all() {
    for (std::size_t i = 0; i < started_.size(); ++i) execution_->completed(started_[i], 0);
    started_.clear();
  }

 private:
  Execution* execution_ = nullptr;
  std::vector<StepIndex> started_;
};

enum class Kind : std::uint8_t { chain, star };

Program program_of(Kind kind, Rank messages) {
  Builder b(Unit::bytes, 0, messages + 1, {0, messages, 0});
  for (Rank i = 0; i < messages; ++i) {
    const Rank peer = kind == Kind::chain ? 1 : 1 + i / 2;
    i % 2 == 0 ? b.receive(peer, b.output().slice(i / 2, 1))
               : b.send(peer, b.output().slice(kind == Kind::chain ? i / 2 : messages - 1, 1));
  }
  return std::move(b).finish();
}

void run_fresh(benchmark::State& state, Kind kind, Rank messages) {
  const Program program = program_of(kind, messages);
  for (auto _ : state) {
    FreeTransport transport;
    Execution execution(program, transport, [](int) {});
    transport.attach(execution);
    execution.start();
    transport.complete_all();
  }
  state.SetItemsProcessed(state.iterations() * messages);
}

void run_again(benchmark::State& state, Kind kind, Rank messages) {
  const Program program = program_of(kind, messages);
  FreeTransport transport;
  Execution execution(program, transport, [](int) {});
  transport.attach(execution);
  for (auto _ : state) {
    execution.start();
    transport.complete_all();
  }
  state.SetItemsProcessed(state.iterations() * messages);
}

}  // namespace

void register_executions() {
  for (const auto& [kind, name] : {std::pair(Kind::chain, "chain"), std::pair(Kind::star, "star")})
    for (const Rank messages : {2, 64, 4096}) {
      const std::string suffix = std::string(name) + "/" + std::to_string(messages);
      benchmark::RegisterBenchmark(("run/fresh/" + suffix).c_str(), run_fresh, kind, messages);
      benchmark::RegisterBenchmark(("run/again/" + suffix).c_str(), run_again, kind, messages);
    }
}

}  // namespace wan::bench
