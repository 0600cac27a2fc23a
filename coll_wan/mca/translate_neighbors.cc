// SPDX-License-Identifier: BSD-3-Clause
#include "mca/translate_neighbors.h"

#include "mca/translate.h"

namespace wan::translate {
namespace {

/// One end of an edge: the neighbour, which block of the buffer belongs to it, and, where it is known, how
/// many it sends to itself.
struct Neighbor {
  Rank peer;
  Rank block;
  Rank sends = 0;
};
/// In pairing order (algo/collectives/neighbor.h).
struct Neighbors {
  std::vector<Neighbor> sources, destinations;
};

Rank peer_or_nobody(int rank) {
  return rank == MPI_PROC_NULL ? -1 : rank;
}

/// In a grid: its neighbours but for itself, in a period of two the same one twice.
Rank cartesian_sends_of(ompi_communicator_t* comm, Rank rank) {
  if (rank < 0) return 0;
  const auto& grid = *comm->c_topo->mtc.cart;
  std::vector<int> at(elements(grid.ndims));
  comm->c_topo->topo.cart.cart_coords(comm, rank, grid.ndims, at.data());
  Rank sends = 0;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (grid.dims[d] == 1) continue;
    const bool has_both = grid.periods[d] != 0 || (at[d] > 0 && at[d] + 1 < grid.dims[d]);
    sends += has_both ? 2 : 1;
  }
  return sends;
}

Neighbors cartesian_neighbors(ompi_communicator_t* comm) {
  Neighbors all;
  for (int dimension = 0; dimension < comm->c_topo->mtc.cart->ndims; ++dimension) {
    int down = MPI_PROC_NULL, up = MPI_PROC_NULL;
    comm->c_topo->topo.cart.cart_shift(comm, dimension, 1, &down, &up);
    const Rank lower = peer_or_nobody(down), upper = peer_or_nobody(up);
    Neighbor below{lower, 2 * dimension, cartesian_sends_of(comm, lower)},
        above{upper, 2 * dimension + 1, cartesian_sends_of(comm, upper)};
    all.destinations.insert(all.destinations.end(), {below, above});
    all.sources.insert(all.sources.end(), {above, below});
  }
  return all;
}

std::vector<Neighbor> listed(const int* ranks, int number) {
  std::vector<Neighbor> neighbors;
  for (int i = 0; i < number; ++i) neighbors.push_back({peer_or_nobody(ranks[i]), i});
  return neighbors;
}

Rank graph_sends_of(ompi_communicator_t* comm, Rank rank) {
  int number = 0;
  if (rank >= 0) comm->c_topo->topo.graph.graph_neighbors_count(comm, rank, &number);
  return number;
}

Neighbors graph_neighbors(ompi_communicator_t* comm) {
  const int number = graph_sends_of(comm, ompi_comm_rank(comm));
  std::vector<int> ranks(elements(number));
  comm->c_topo->topo.graph.graph_neighbors(comm, ompi_comm_rank(comm), number, ranks.data());
  std::vector<Neighbor> neighbors = listed(ranks.data(), number);
  for (Neighbor& neighbor : neighbors) neighbor.sends = graph_sends_of(comm, neighbor.peer);
  return {neighbors, neighbors};
}

/// In a distributed graph nobody knows how many edges others have, and asking would cost the first call a
/// latency: the application may say more with coll_wan_post_load.
Neighbors neighbors_of(ompi_communicator_t* comm) {
  if (OMPI_COMM_IS_CART(comm)) return cartesian_neighbors(comm);
  if (OMPI_COMM_IS_GRAPH(comm)) return graph_neighbors(comm);
  const mca_topo_base_comm_dist_graph_t& graph = *comm->c_topo->mtc.dist_graph;
  return {listed(graph.in, graph.indegree), listed(graph.out, graph.outdegree)};
}

Rank number(const std::vector<Neighbor>& neighbors) {
  return static_cast<Rank>(neighbors.size());
}

/// The edges with their parts of a buffer that holds blocks of these lengths.
std::vector<Edge> edges(const std::vector<Neighbor>& neighbors, Buffer buffer,
                        const std::vector<Count>& lengths) {
  std::vector<Count> begin(lengths.size() + 1, 0);
  std::partial_sum(lengths.begin(), lengths.end(), begin.begin() + 1);
  std::vector<Edge> all;
  for (const Neighbor& neighbor : neighbors) {
    auto block = static_cast<std::size_t>(neighbor.block);
    all.push_back({neighbor.peer, {buffer, begin[block], lengths[block]}, neighbor.sends});
  }
  return all;
}

/// One block for all destinations.
std::vector<Edge> same_for_all(const std::vector<Neighbor>& neighbors, Count length) {
  std::vector<Edge> all;
  for (const Neighbor& neighbor : neighbors)
    all.push_back({neighbor.peer, {Buffer::input, 0, length}, neighbor.sends});
  return all;
}

/// What those have to do afterwards that this rank sends to; this one has `load`.
Inquiry inquiry_for_loads(Communicator& comm, const Neighborhood& neighborhood, int given, Count load) {
  const auto survey = std::make_shared<const Survey>(plan_load_survey(comm.me(), comm.size(), neighborhood));
  return {{survey, &survey->program}, {load}, [&comm, given, survey](std::span<const Count> heard) {
            comm.loads_of_neighbors().learn(given, survey->ranks, heard);
          }};
}

/// The lengths of what this rank passes on.
Inquiry inquiry_for_lengths(Communicator& comm, std::shared_ptr<NeighborCall> call) {
  const Bundles& bundles = comm.edge_survey().bundles();
  const LengthSurvey& survey = comm.edge_survey().lengths(call->traits);
  return {{std::shared_ptr<void>(), &survey.program()},
          survey.told(comm.layout(), comm.me(), bundles, call->edges),
          [&comm, &bundles, &survey, call](std::span<const Count> heard) {
            call->bundled = survey.bundled_lengths(comm.layout(), comm.me(), bundles, call->edges, heard);
          }};
}

/// Asks what has to be asked first, and sends in the order that follows from it, if that is wanted.
Task planned(Communicator& comm, Task task, NeighborTraits traits, bool is_ordered, Neighborhood edges) {
  const BufferLengths lengths{task.input.bytes(), task.output.bytes(), 0};
  const auto call = std::make_shared<NeighborCall>(NeighborCall{traits, lengths, std::move(edges)});
  task.channel = comm.channel_for_neighbors();
  comm.edge_survey().begin(comm.channel(), comm.tags(), call->edges);
  const bool is_surveyed = comm.edge_survey().over().status() == OMPI_SUCCESS;
  if (!is_surveyed) task.awaits = &comm.edge_survey().over();
  const int given = comm.info().post_loads_given();
  const Count load = comm.info().post_load().value_or(0);
  if (is_ordered && comm.loads_of_neighbors().are_due(given))
    task.inquiries.push_back(
        [&comm, call, given, load] { return inquiry_for_loads(comm, call->edges, given, load); });
  if (traits.vector && (!is_surveyed || comm.edge_survey().asks_for_lengths(traits)))
    task.inquiries.push_back([&comm, call] { return inquiry_for_lengths(comm, call); });
  task.plan = [&comm, call, is_ordered] {
    if (is_ordered)
      for (Edge& edge : call->edges.destinations) edge.load = comm.loads_of_neighbors().of(edge.peer);
    if (call->bundled.empty())
      call->bundled =
          bundled_lengths(comm.layout(), comm.me(), comm.edge_survey().bundles(), call->traits, call->edges);
    return comm.plan_for_neighbors(*call);
  };
  if (is_surveyed && task.inquiries.empty()) task.program = task.plan();
  return task;
}

/// neighbor_alltoallv, neighbor_alltoallw.
template <class Arguments>
Task exchange(Communicator& comm, const Neighbors& neighbors, const Arguments& send,
              const Arguments& receive) {
  Task task;
  send.add_inputs(task);
  receive.add_outputs(task);
  return planned(comm, std::move(task), {false, true}, true,
                 {edges(neighbors.sources, Buffer::output, receive.lengths()),
                  edges(neighbors.destinations, Buffer::input, send.lengths())});
}

/// As many equal blocks as there are neighbours.
std::vector<Count> equal_blocks(const std::vector<Neighbor>& neighbors, Count length) {
  return std::vector<Count>(neighbors.size(), length);
}

}  // namespace

Task neighbor_allgather(Communicator& comm, const void* send, Elements send_count, Type send_type,
                        void* receive, Elements receive_count, Type receive_type) {
  if (bytes(send_count, send_type) == 0 && bytes(receive_count, receive_type) == 0) return nothing(comm);
  Task task;
  Neighbors neighbors = neighbors_of(comm.ompi());
  task.add_input(send, elements(send_count), send_type);
  task.add_output(receive, elements(receive_count, number(neighbors.sources)), receive_type);
  auto blocks = equal_blocks(neighbors.sources, bytes(receive_count, receive_type));
  return planned(comm, std::move(task), {true, false}, false,
                 {edges(neighbors.sources, Buffer::output, blocks),
                  same_for_all(neighbors.destinations, bytes(send_count, send_type))});
}

Task neighbor_allgatherv(Communicator& comm, const void* send, Elements send_count, Type send_type,
                         void* receive, ElementArray receive_counts, Displacements displacements,
                         Type receive_type) {
  Task task;
  Neighbors neighbors = neighbors_of(comm.ompi());
  VectorArgument blocks{receive, receive_counts, displacements, receive_type, number(neighbors.sources)};
  task.add_input(send, elements(send_count), send_type);
  blocks.add_outputs(task);
  return planned(comm, std::move(task), {true, true}, false,
                 {edges(neighbors.sources, Buffer::output, blocks.lengths()),
                  same_for_all(neighbors.destinations, bytes(send_count, send_type))});
}

Task neighbor_alltoall(Communicator& comm, const void* send, Elements send_count, Type send_type,
                       void* receive, Elements receive_count, Type receive_type) {
  if (bytes(send_count, send_type) == 0 && bytes(receive_count, receive_type) == 0) return nothing(comm);
  Task task;
  Neighbors neighbors = neighbors_of(comm.ompi());
  task.add_input(send, elements(send_count, number(neighbors.destinations)), send_type);
  task.add_output(receive, elements(receive_count, number(neighbors.sources)), receive_type);
  auto in = equal_blocks(neighbors.destinations, bytes(send_count, send_type));
  auto out = equal_blocks(neighbors.sources, bytes(receive_count, receive_type));
  return planned(
      comm, std::move(task), {false, false}, false,
      {edges(neighbors.sources, Buffer::output, out), edges(neighbors.destinations, Buffer::input, in)});
}

Task neighbor_alltoallv(Communicator& comm, const void* send, ElementArray send_counts,
                        Displacements send_displacements, Type send_type, void* receive,
                        ElementArray receive_counts, Displacements receive_displacements, Type receive_type) {
  Neighbors neighbors = neighbors_of(comm.ompi());
  return exchange(
      comm, neighbors,
      VectorArgument{send, send_counts, send_displacements, send_type, number(neighbors.destinations)},
      VectorArgument{receive, receive_counts, receive_displacements, receive_type,
                     number(neighbors.sources)});
}

Task neighbor_alltoallw(Communicator& comm, const void* send, ElementArray send_counts,
                        ByteDisplacements send_displacements, Types send_types, void* receive,
                        ElementArray receive_counts, ByteDisplacements receive_displacements,
                        Types receive_types) {
  Neighbors neighbors = neighbors_of(comm.ompi());
  return exchange(
      comm, neighbors,
      VectorArgument{send, send_counts, send_displacements, send_types, number(neighbors.destinations)},
      VectorArgument{receive, receive_counts, receive_displacements, receive_types,
                     number(neighbors.sources)});
}

}  // namespace wan::translate
