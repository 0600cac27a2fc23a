// SPDX-License-Identifier: BSD-3-Clause
#include "algo/algorithm.h"

#include <algorithm>

#include "base/invariant.h"

namespace wan {

namespace {

constexpr std::string_view kNames[] = {"auto", "direct", "spread", "aggregate", "relayed", "tree"};
constexpr Algorithm kOfRooted[] = {Algorithm::automatic, Algorithm::direct, Algorithm::spread,
                                   Algorithm::tree};
constexpr Algorithm kOfVectors[] = {Algorithm::automatic, Algorithm::direct, Algorithm::spread,
                                    Algorithm::relayed};
constexpr Algorithm kOfBlocks[] = {Algorithm::automatic, Algorithm::direct, Algorithm::aggregate,
                                   Algorithm::relayed};
constexpr Algorithm kOfAll[] = {Algorithm::automatic, Algorithm::direct, Algorithm::relayed};

}  // namespace

std::string_view name_of(Algorithm algorithm) {
  return kNames[static_cast<std::size_t>(algorithm)];
}

std::span<const Algorithm> algorithms_of(Collective collective) {
  switch (collective) {
    case Collective::bcast:
    case Collective::reduce:
      return kOfRooted;
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return kOfVectors;
    case Collective::gather:
    case Collective::scatter:
    case Collective::alltoall:
      return kOfBlocks;
    case Collective::alltoallv:
    case Collective::alltoallw:
      return std::span(kOfBlocks).first(3);
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return kOfAll;
    default:
      return std::span(kOfVectors).first(1);
  }
}

bool has_algorithm(Collective collective, Algorithm algorithm) {
  return std::ranges::find(algorithms_of(collective), algorithm) != algorithms_of(collective).end();
}

std::optional<Algorithm> algorithm_named(std::string_view name, Collective collective) {
  const auto known = algorithms_of(collective);
  const auto found = std::ranges::find(known, name, name_of);
  return found == known.end() ? std::nullopt : std::optional(*found);
}

void AlgorithmChoice::force(Collective collective, Algorithm algorithm) {
  invariant(algorithm_named(name_of(algorithm), collective).has_value(),
            "an algorithm that the collective has not");
  chosen_[static_cast<std::size_t>(collective)] = algorithm;
}

}  // namespace wan
