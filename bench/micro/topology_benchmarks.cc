// SPDX-License-Identifier: BSD-3-Clause
// layout/SITESxRANKS: from all ranks' paths. network/SITESxRANKS/LINKS: from all links. Items are ranks and
// links.
#include <benchmark/benchmark.h>

#include "bench/micro/groups.h"
#include "bench/micro/topologies.h"

namespace wan::bench {

namespace {

void make_layout(benchmark::State& state, const Shape& shape) {
  const std::vector<Path> paths = paths_of(shape);
  for (auto _ : state) benchmark::DoNotOptimize(Layout(paths));
  state.SetItemsProcessed(state.iterations() * std::ssize(paths));
}

void make_network(benchmark::State& state, const Shape& shape) {
  const std::vector<Link> links = links_of(shape);
  const std::vector<std::optional<BytesPerSecond>> uncapped(static_cast<std::size_t>(shape.sites));
  for (auto _ : state) benchmark::DoNotOptimize(Network(shape.sites, links, uncapped, uncapped));
  state.SetItemsProcessed(state.iterations() * std::ssize(links));
}

}  // namespace

void register_topologies() {
  for (const Shape& shape : all_shapes()) {
    if (shape.links == Links::equal)
      benchmark::RegisterBenchmark(("layout/" + shape.name()).c_str(), make_layout, shape)
          ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("network/" + shape.name()).c_str(), make_network, shape)
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace wan::bench
