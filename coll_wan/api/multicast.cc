// SPDX-License-Identifier: BSD-3-Clause
// The functions of wan_multicast.h: checks arguments, and hands them to the Domain. No exception leaves them.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "api/domain.h"
#include "api/knowledge.h"
#include "api/mpi_versions.h"
#include "api/wan_multicast.h"
#include "base/rate.h"
#include "probe/cache.h"

struct WAN_Domain_s {
  wan::multicast::Domain domain;
};

namespace wan::multicast {
namespace {

/// What is set by a key of an info object, or by an environment variable.
std::string setting(MPI_Info info, const char* key, const char* variable) {
  const auto value = info == MPI_INFO_NULL ? std::nullopt : value_of(info, key);
  if (value) return *value;
  const char* const text = variable == nullptr ? nullptr : std::getenv(variable);
  return text == nullptr ? "" : text;
}

int refuse(const std::string& message) {
  std::fprintf(stderr, "libwan_multicast: %s\n", message.c_str());
  return MPI_ERR_INFO_VALUE;
}

/// What the keys say that are not about places.
struct Options {
  bool has_thread = false;
  std::optional<Bytes> segment{}, inbox{};
};

int read_bytes(MPI_Info info, const char* key, Bytes least, std::optional<Bytes>& value) {
  const std::string text = setting(info, key, nullptr);
  if (text.empty()) return MPI_SUCCESS;
  Bytes number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least)
    return refuse(std::string(key) + " = \"" + text + "\": expected a number of bytes, at least " +
                  std::to_string(least));
  value = number;
  return MPI_SUCCESS;
}

int read_options(MPI_Info info, Options& options) {
  if (const int error = read_bytes(info, "wan_segment", 1, options.segment); error != MPI_SUCCESS)
    return error;
  if (options.segment > Bytes{1 << 20}) return refuse("wan_segment: expected at most 1048576 bytes");
  if (const int error = read_bytes(info, "wan_inbox", 0, options.inbox); error != MPI_SUCCESS) return error;
  const std::string progress = setting(info, "wan_progress", nullptr);
  options.has_thread = progress == "thread";
  if (!progress.empty() && progress != "calls" && progress != "thread")
    return refuse("wan_progress = \"" + progress + "\": expected \"calls\" or \"thread\"");
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return options.has_thread && provided < MPI_THREAD_MULTIPLE ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/// What each process says, on all of them.
std::vector<std::string> of_all(MPI_Comm comm, const std::string& own) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  std::vector<int> lengths(static_cast<std::size_t>(size)), begins(lengths.size());
  const int length = static_cast<int>(own.size());
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm);
  int total = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    begins[i] = total;
    total += lengths[i];
  }
  std::string bytes(static_cast<std::size_t>(total), '\0');
  MPI_Allgatherv(own.data(), length, MPI_CHAR, bytes.data(), lengths.data(), begins.data(), MPI_CHAR, comm);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    all.push_back(bytes.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(lengths[i])));
  return all;
}

/// An error of any process is one of all.
int agree(MPI_Comm comm, int error) {
  int worst = MPI_SUCCESS;
  MPI_Allreduce(&error, &worst, 1, MPI_INT, MPI_MAX, comm);
  return worst;
}

std::string own_host() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

/// Room for what is under way on a link while it is answered, twice.
std::function<Bytes(Position)> windows(const Map& map, const std::vector<Rank>& ranks, Rank me) {
  std::vector<Bytes> of_site;
  const SiteIndex here = map.layout.site_of(me);
  for (SiteIndex site = 0; site < map.layout.sites(); ++site) {
    const Bytes bytes = site == here ? 0
                                     : passed(map.network.link(here, site).bandwidth_bytes_per_s,
                                              2 * map.network.round_trip_ns(here, site));
    of_site.push_back(std::clamp<Bytes>(bytes, 512 << 10, 1 << 30));
  }
  return [of_site, sites = StridedMap([&] {
                     std::vector<std::int32_t> site_of;
                     for (const Rank rank : ranks) site_of.push_back(map.layout.site_of(rank));
                     return site_of;
                   }())](Position to) { return of_site[static_cast<std::size_t>(sites.at(to))]; };
}

/// With the slowest link between sites.
Ground ground_of(const Map& map) {
  Ground ground{.machine = map.machine};
  for (SiteIndex site = 0; site < map.layout.sites(); ++site)
    for (SiteIndex other = 0; other < map.layout.sites(); ++other)
      if (const auto rate = map.network.link(site, other).bandwidth_bytes_per_s;
          other != site && (ground.wide_rate == 0 || rate < ground.wide_rate))
        ground.wide_rate = rate;
  return ground;
}

std::vector<Range> sites_of(const Places& places) {
  const std::vector<Position> borders = places.borders(0, {0, places.size()});
  std::vector<Range> sites;
  for (std::size_t i = 1; i < borders.size(); ++i) sites.push_back({borders[i - 1], borders[i]});
  return sites;
}

int make_domain(MPI_Comm comm, const Plan& plan, const Options& options, WAN_Domain* domain) {
  MPI_Comm own = MPI_COMM_NULL;
  if (const int error = MPI_Comm_dup(comm, &own); error != MPI_SUCCESS) return error;
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  *domain = new WAN_Domain_s{{own, plan, options.has_thread}};
  return MPI_SUCCESS;
}

int create(MPI_Comm comm, MPI_Info info, WAN_Domain* domain) {
  Options options;
  const int refused = agree(comm, read_options(info, options));
  if (refused != MPI_SUCCESS) return refused;
  const Place place{setting(info, "wan_site", "OMPI_MCA_coll_wan_site"),
                    setting(info, "wan_topology", "OMPI_MCA_coll_wan_topology"),
                    setting(info, "wan_discover", "OMPI_MCA_coll_wan_discover"),
                    setting(info, "wan_topograph", "OMPI_MCA_coll_wan_topograph"), probe::own_cache_folder()};
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto map =
      map_of(of_all(comm, statement(place, own_host(), rank == 0 ? Standing::first : Standing::other)),
             place.discover);
  if (!map && rank == 0) refuse(map.error());
  const int error = agree(comm, map ? MPI_SUCCESS : MPI_ERR_INFO_VALUE);
  if (error != MPI_SUCCESS) return error;
  Plan plan{Places::of(map->layout), ground_of(*map)};
  plan.sites = sites_of(plan.places);
  plan.segment = options.segment;
  plan.inbox = options.inbox.value_or(plan.inbox);
  plan.window = windows(*map, plan.places.ranks(), rank);
  return make_domain(comm, plan, options, domain);
}

int create_with_ids(MPI_Comm comm, std::span<const int> digits, MPI_Info info, WAN_Domain* domain) {
  Options options;
  const int refused = agree(comm, read_options(info, options));
  if (refused != MPI_SUCCESS) return refused;
  const int count = static_cast<int>(digits.size());
  std::array<int, 2> range{count, -count}, most{};
  MPI_Allreduce(range.data(), most.data(), 2, MPI_INT, MPI_MAX, comm);
  if (most[0] != -most[1]) return MPI_ERR_ARG;
  int size = 0;
  MPI_Comm_size(comm, &size);
  std::vector<int> all(digits.size() * static_cast<std::size_t>(size));
  MPI_Allgather(digits.data(), count, MPI_INT, all.data(), count, MPI_INT, comm);
  std::vector<std::vector<std::int32_t>> groups(digits.size());
  for (std::size_t i = 0; i < all.size(); ++i) groups[i % digits.size()].push_back(all[i]);
  Plan plan{Places(size, std::move(groups))};
  plan.sites = {{0, size}};
  plan.window = [](Position) { return Bytes{1 << 20}; };
  plan.segment = options.segment;
  plan.inbox = options.inbox.value_or(plan.inbox);
  return make_domain(comm, plan, options, domain);
}

bool is_intracommunicator(MPI_Comm comm) {
  int is_inter = 1;
  return comm != MPI_COMM_NULL && MPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter == 0;
}

int check_receive(int source, int tag, WAN_Domain domain) {
  if (domain == nullptr) return MPI_ERR_ARG;
  if (source != MPI_ANY_SOURCE && (source < 0 || source >= domain->domain.size())) return MPI_ERR_RANK;
  return tag != MPI_ANY_TAG && tag < 0 ? MPI_ERR_TAG : MPI_SUCCESS;
}

/// Memory that cannot be had is an error. Where `body` also returns MPI_SUCCESS, it says that it returns int:
/// with some MPI that is of an enumeration.
template <class Body>
int guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
}

/// Begins what needs a request.
template <class Begin>
int begin(void* buffer, int count, MPI_Datatype type, WAN_Domain domain, WAN_Request* request, Begin start) {
  auto made = std::make_unique<WAN_Request_s>();
  made->domain = &domain->domain;
  int error = MPI_SUCCESS;
  made->elements = std::make_unique<Elements>(buffer, count, type, error);
  if (error == MPI_SUCCESS) error = start(*made);
  if (error == MPI_SUCCESS) *request = made.release();
  return error;
}

int finish(WAN_Request* request, MPI_Status* status) {
  const int error = (*request)->error;
  (*request)->domain->set(status, (*request)->envelope, error);
  delete *request;
  *request = WAN_REQUEST_NULL;
  return error;
}

void set_empty(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
}

}  // namespace
}  // namespace wan::multicast

using namespace wan::multicast;

int WAN_Domain_create(MPI_Comm comm, MPI_Info info, WAN_Domain* domain) {
  if (!is_intracommunicator(comm)) return MPI_ERR_COMM;
  if (domain == nullptr) return MPI_ERR_ARG;
  return guarded([&] { return create(comm, info, domain); });
}

int WAN_Domain_create_with_ids(MPI_Comm comm, int count, const int digits[], MPI_Info info,
                               WAN_Domain* domain) {
  if (!is_intracommunicator(comm)) return MPI_ERR_COMM;
  if (domain == nullptr || count < 0 || (count > 0 && digits == nullptr)) return MPI_ERR_ARG;
  return guarded([&] {
    return create_with_ids(comm, {digits, static_cast<std::size_t>(count)}, info, domain);
  });
}

int WAN_Domain_free(WAN_Domain* domain) {
  if (domain == nullptr || *domain == WAN_DOMAIN_NULL) return MPI_ERR_ARG;
  return guarded([&]() -> int {
    const int error = (*domain)->domain.close();
    if (error != MPI_SUCCESS) return error;
    delete *domain;
    *domain = WAN_DOMAIN_NULL;
    return MPI_SUCCESS;
  });
}

int WAN_Imulticast(const void* buffer, int count, MPI_Datatype type, int n, const int ranks[], int tag,
                   WAN_Domain domain, WAN_Request* request) {
  const bool all_know = n == WAN_DESTINATIONS_KNOWN;
  if (domain == nullptr || request == nullptr || (!all_know && (n < 0 || (n > 0 && ranks == nullptr))))
    return MPI_ERR_ARG;
  if (tag < 0) return MPI_ERR_TAG;
  if (all_know && !domain->domain.knows_destinations()) return MPI_ERR_ARG;
  return guarded([&]() -> int {
    const auto to = all_know ? domain->domain.own_destinations(tag)
                             : domain->domain.destinations({ranks, static_cast<std::size_t>(n)});
    if (!to) return MPI_ERR_RANK;
    return begin(const_cast<void*>(buffer), count, type, domain, request,
                 [&](WAN_Request_s& made) { return domain->domain.multicast(made, *to, tag, all_know); });
  });
}

int WAN_Know_destinations(WAN_Destinations_function* function, void* context, WAN_Domain domain) {
  if (domain == nullptr || function == nullptr || domain->domain.knows_destinations()) return MPI_ERR_ARG;
  return guarded([&] { return domain->domain.know_destinations(function, context); });
}

int WAN_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, WAN_Domain domain,
              WAN_Request* request) {
  if (request == nullptr) return MPI_ERR_ARG;
  if (const int error = check_receive(source, tag, domain); error != MPI_SUCCESS) return error;
  return guarded([&] {
    return begin(buffer, count, type, domain, request, [&](WAN_Request_s& made) {
      domain->domain.receive(made, source, tag);
      return MPI_SUCCESS;
    });
  });
}

int WAN_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, WAN_Domain domain,
             MPI_Status* status) {
  WAN_Request request = WAN_REQUEST_NULL;
  const int error = WAN_Irecv(buffer, count, type, source, tag, domain, &request);
  return error == MPI_SUCCESS ? WAN_Wait(&request, status) : error;
}

int WAN_Iprobe(int source, int tag, WAN_Domain domain, int* flag, MPI_Status* status) {
  if (flag == nullptr) return MPI_ERR_ARG;
  if (const int error = check_receive(source, tag, domain); error != MPI_SUCCESS) return error;
  return guarded([&] {
    bool found = false;
    const int error = domain->domain.probe(source, tag, found, status);
    *flag = found ? 1 : 0;
    return error;
  });
}

int WAN_Probe(int source, int tag, WAN_Domain domain, MPI_Status* status) {
  for (int flag = 0; flag == 0;)
    if (const int error = WAN_Iprobe(source, tag, domain, &flag, status); error != MPI_SUCCESS) return error;
  return MPI_SUCCESS;
}

int WAN_Test(WAN_Request* request, int* flag, MPI_Status* status) {
  if (request == nullptr || flag == nullptr) return MPI_ERR_ARG;
  *flag = 1;
  if (*request == WAN_REQUEST_NULL) {
    set_empty(status);
    return MPI_SUCCESS;
  }
  return guarded([&] {
    bool has_ended = false;
    const int error = (*request)->domain->test(**request, has_ended);
    *flag = has_ended ? 1 : 0;
    return has_ended ? finish(request, status) : error;
  });
}

int WAN_Wait(WAN_Request* request, MPI_Status* status) {
  for (;;) {
    int flag = 0;
    const int error = WAN_Test(request, &flag, status);
    if (flag != 0 || error != MPI_SUCCESS) return error;
  }
}

int WAN_Waitall(int n, WAN_Request requests[], MPI_Status statuses[]) {
  if (n < 0 || (n > 0 && requests == nullptr)) return MPI_ERR_ARG;
  int first = MPI_SUCCESS;
  for (int i = 0; i < n; ++i) {
    const int error =
        WAN_Wait(&requests[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
    if (first == MPI_SUCCESS) first = error;
  }
  return first;
}

int WAN_Cancel(WAN_Request* request, int* flag) {
  if (request == nullptr || *request == WAN_REQUEST_NULL || flag == nullptr) return MPI_ERR_ARG;
  return guarded([&] {
    *flag = (*request)->domain->cancel(**request) ? 1 : 0;
    if (*flag == 0) return MPI_SUCCESS;
    delete *request;
    *request = WAN_REQUEST_NULL;
    return MPI_SUCCESS;
  });
}

int WAN_Handle(int source, int tag, WAN_Handler_function* handler, void* context, WAN_Domain domain) {
  if (const int error = check_receive(source, tag, domain); error != MPI_SUCCESS) return error;
  if (handler == nullptr) return MPI_ERR_ARG;
  return guarded([&] {
    domain->domain.handle(source, tag, handler, context);
    return MPI_SUCCESS;
  });
}

int WAN_Progress(WAN_Domain domain) {
  if (domain == nullptr) return MPI_ERR_ARG;
  return guarded([&] { return domain->domain.progress(); });
}

int WAN_Flush(WAN_Domain domain) {
  if (domain == nullptr) return MPI_ERR_ARG;
  return guarded([&] { return domain->domain.flush(); });
}
