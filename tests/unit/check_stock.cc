// SPDX-License-Identifier: BSD-3-Clause
// check/stock.h: every algorithm is a correct Schedule, takes the latencies that it is known for, and is the
// one that the rules of tuned name.
#include <gtest/gtest.h>

#include "check/simulate.h"
#include "check/stock.h"
#include "check/verify.h"

namespace wan {
namespace {

using Kind = StockAlgorithm;

GlobalCall call_of(Collective collective, Rank size, Count block, Rank root = 0, Bytes unit_bytes = 1) {
  return {collective, size, root, OperandOrder::any, block, {}, {}, unit_bytes};
}

/// Each rank is a site of its own.
Layout sites_of(Rank size) {
  std::vector<Path> paths;
  for (Rank rank = 0; rank < size; ++rank) paths.push_back({"s" + std::to_string(rank)});
  return Layout(paths);
}

struct Case {
  Collective collective;
  Kind algorithm;
  bool needs_power_of_two = false;
};
const Case kCases[] = {{Collective::bcast, Kind::linear},
                       {Collective::bcast, Kind::pipeline},
                       {Collective::bcast, Kind::binary},
                       {Collective::bcast, Kind::binomial},
                       {Collective::bcast, Kind::knomial},
                       {Collective::bcast, Kind::scatter_allgather, true},
                       {Collective::reduce, Kind::linear},
                       {Collective::reduce, Kind::pipeline},
                       {Collective::reduce, Kind::binary},
                       {Collective::reduce, Kind::binomial},
                       {Collective::allreduce, Kind::recursive_doubling},
                       {Collective::allreduce, Kind::ring},
                       {Collective::allreduce, Kind::rabenseifner},
                       {Collective::allgather, Kind::recursive_doubling, true},
                       {Collective::allgather, Kind::ring},
                       {Collective::alltoall, Kind::linear},
                       {Collective::alltoall, Kind::pairwise},
                       {Collective::gather, Kind::linear},
                       {Collective::gather, Kind::binomial},
                       {Collective::scatter, Kind::linear},
                       {Collective::scatter, Kind::binomial},
                       {Collective::barrier, Kind::linear},
                       {Collective::barrier, Kind::recursive_doubling}};

TEST(Stock, EveryScheduleIsCorrect) {
  for (const Case& each : kCases)
    for (Rank size = 2; size <= 17; ++size)
      for (const Rank root : {0, size / 2, size - 1}) {
        if (each.needs_power_of_two && (size & (size - 1)) != 0) continue;
        if (root > 0 && !traits(each.collective).rooted) continue;
        const Count block = each.collective == Collective::barrier ? 0 : 19;
        const GlobalCall call = call_of(each.collective, size, block, root);
        const Verdict verdict = verify(stock_schedule(call, each.algorithm), call, sites_of(size));
        EXPECT_TRUE(verdict.is_correct())
            << traits(each.collective).name << ' ' << name_of(each.algorithm) << " on " << size << " root "
            << root << ": " << (verdict.defects.empty() ? "" : verdict.defects.front());
      }
}

/// Inter-site messages on the longest path, among 16 ranks at 16 sites.
int latencies(Collective collective, Kind algorithm) {
  const GlobalCall call = call_of(collective, 16, collective == Collective::barrier ? 0 : 32);
  return verify(stock_schedule(call, algorithm), call, sites_of(16)).latencies;
}

TEST(Stock, AlgorithmsHaveTheirKnownLatencies) {
  EXPECT_EQ(latencies(Collective::bcast, Kind::linear), 1);
  EXPECT_EQ(latencies(Collective::bcast, Kind::pipeline), 15);
  EXPECT_EQ(latencies(Collective::bcast, Kind::binary), 4);
  EXPECT_EQ(latencies(Collective::bcast, Kind::binomial), 4);
  EXPECT_EQ(latencies(Collective::bcast, Kind::knomial), 2);
  EXPECT_EQ(latencies(Collective::bcast, Kind::scatter_allgather), 8);
  EXPECT_EQ(latencies(Collective::reduce, Kind::binomial), 4);
  EXPECT_EQ(latencies(Collective::allreduce, Kind::recursive_doubling), 4);
  EXPECT_EQ(latencies(Collective::allreduce, Kind::ring), 30);
  EXPECT_EQ(latencies(Collective::allreduce, Kind::rabenseifner), 8);
  EXPECT_EQ(latencies(Collective::allgather, Kind::ring), 15);
  EXPECT_EQ(latencies(Collective::alltoall, Kind::linear), 1);
  EXPECT_EQ(latencies(Collective::gather, Kind::binomial), 4);
  EXPECT_EQ(latencies(Collective::scatter, Kind::binomial), 4);
  EXPECT_EQ(latencies(Collective::barrier, Kind::linear), 2);
  EXPECT_EQ(latencies(Collective::barrier, Kind::recursive_doubling), 4);
}

/// Of Open MPI 4.1.4.
TEST(Stock, RulesAreThoseOfTuned) {
  EXPECT_EQ(stock_algorithm(call_of(Collective::bcast, 16, 65536)), Kind::binomial);
  EXPECT_EQ(stock_algorithm(call_of(Collective::bcast, 16, 1 << 20)), Kind::scatter_allgather);
  EXPECT_EQ(stock_algorithm(call_of(Collective::bcast, 15, 1 << 20)), Kind::linear);
  EXPECT_EQ(stock_algorithm(call_of(Collective::bcast, 17, 1 << 20)), std::nullopt);
  EXPECT_EQ(stock_algorithm(call_of(Collective::reduce, 16, 1 << 18, 0, 4)), Kind::binomial);
  EXPECT_EQ(stock_algorithm(call_of(Collective::allreduce, 16, 1 << 18, 0, 4)), Kind::rabenseifner);
  EXPECT_EQ(stock_algorithm(call_of(Collective::allreduce, 16, 2, 0, 4)), Kind::recursive_doubling);
  EXPECT_EQ(stock_algorithm(call_of(Collective::allgather, 16, 65536)), Kind::recursive_doubling);
  EXPECT_EQ(stock_algorithm(call_of(Collective::alltoall, 16, 65536)), Kind::linear);
  EXPECT_EQ(stock_algorithm(call_of(Collective::alltoall, 16, 8)), std::nullopt);
  EXPECT_EQ(stock_algorithm(call_of(Collective::gather, 16, 65536)), Kind::binomial);
  EXPECT_EQ(stock_algorithm(call_of(Collective::barrier, 16, 0)), Kind::recursive_doubling);
  EXPECT_EQ(stock_algorithm(call_of(Collective::scan, 16, 8)), std::nullopt);
  EXPECT_EQ(stock_algorithm(call_of(Collective::bcast, 256, 8)), std::nullopt);
}

TEST(Stock, OrderedOperandsAndIntercommunicatorsAreNotForecast) {
  GlobalCall call = call_of(Collective::allreduce, 16, 8);
  call.order = OperandOrder::rank;
  EXPECT_EQ(stock_algorithm(call), std::nullopt);
  call.order = OperandOrder::any;
  call.split = 8;
  EXPECT_EQ(stock_algorithm(call), std::nullopt);
}

/// 16 ranks dealt out to four sites, host by host: each of the four exchanges of a doubling crosses or does
/// not.
TEST(Stock, TheForecastIsTheTimeOfTheSchedule) {
  std::vector<Path> paths;
  for (Rank rank = 0; rank < 16; ++rank)
    paths.push_back({std::string(1, static_cast<char>('a' + rank / 4)), "h"});
  const Topology topology{Layout(paths), Network(4, Link{10'000'000, 12'500'000, 0})};
  const Model model(topology, {});
  const auto forecast = forecast_stock(model, call_of(Collective::allreduce, 16, 4, 0, 8));
  ASSERT_TRUE(forecast);
  EXPECT_EQ(forecast->algorithm, Kind::recursive_doubling);
  EXPECT_NEAR(static_cast<double>(forecast->time_ns), 20.1e6, 0.2e6);  // two of them cross
  GlobalCall in_place = call_of(Collective::allreduce, 16, 4, 0, 8);
  in_place.placements.assign(16, Placement::in_place);
  EXPECT_EQ(forecast_stock(model, in_place)->time_ns, forecast->time_ns);
  EXPECT_FALSE(forecast_stock(model, call_of(Collective::exscan, 16, 4)));
}

}  // namespace
}  // namespace wan
