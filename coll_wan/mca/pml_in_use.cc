// SPDX-License-Identifier: BSD-3-Clause
#include "mca/pml_in_use.h"

#include <algorithm>
#include <limits>

#include "discover/own_surroundings.h"
#include "process/flow_window.h"
#include "process/probing.h"

namespace wan {
namespace {

constexpr std::size_t kMost = std::numeric_limits<int>::max();

std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// What a BTL sends at once, headers included; nullopt if it is not there.
std::optional<std::size_t> eager_limit_of_btl(const std::string& btl) {
  return ompi::variable<std::size_t>(("btl_" + btl + "_eager_limit").c_str());
}

/// Between sites TCP carries messages where it is there; elsewhere any of those that lead to other hosts may.
int eager_limit_of_ob1() {
  constexpr std::size_t kLongestHeader = 128;  // of pml/ob1: 56 bytes
  std::size_t limit = kMost;
  if (const auto of_tcp = eager_limit_of_btl("tcp"))
    limit = *of_tcp;
  else
    for (const char* const btl : {"ofi", "openib", "portals4", "uct", "ugni", "usnic"})
      limit = std::min(limit, eager_limit_of_btl(btl).value_or(kMost));
  return static_cast<int>(std::clamp(limit, kLongestHeader + 1, kMost) - kLongestHeader);
}

/// The window of a TCP connection between hosts like this one, where the layer requests such buffers; 0: not
/// known.
int window_with(int send_buffer, int receive_buffer) {
  const Bytes window = flow_window(sending_limits(send_buffer), receiving_limits(receive_buffer));
  return static_cast<int>(std::min<Bytes>(window, kMost));
}

MessageLayer requested_layer() {
  const std::string pml = ompi::text_variable("pml");
  const MessageLayer layer = layer_named(pml);
  return layer == MessageLayer::other ? MessageLayer::ob1 : layer;
}

probe::Ports ports_in_use() {
  constexpr int kAllPorts = 64'511, kUnprivileged = 1'024;  // as Open MPI has them by default
  const int first = ompi::variable<int>("btl_tcp_port_min_v4").value_or(kUnprivileged),
            count = ompi::variable<int>("btl_tcp_port_range_v4").value_or(kAllPorts);
  if (first == kUnprivileged && count >= kAllPorts) return {};
  return {std::clamp(first, 1, 65'535), std::clamp(count, 1, 65'536 - std::clamp(first, 1, 65'535))};
}

}  // namespace

LimitsOfLayers own_limits_of_layers() {
  const int system_decides = window_with(0, 0);
  const int after_pause = static_cast<int>(std::min<Bytes>(idle_window(), kMost));
  return {{
      {eager_limit_of_ob1(),
       window_with(ompi::variable<int>("btl_tcp_sndbuf").value_or(0),
                   ompi::variable<int>("btl_tcp_rcvbuf").value_or(0)),
       after_pause, 0},
      {eager_limit_of_ucx(environment),
       window_with(buffer_of_ucx(environment, "UCX_TCP_SNDBUF"),
                   buffer_of_ucx(environment, "UCX_TCP_RCVBUF")),
       after_pause, 0},
      {eager_limit_of_libfabric(environment), system_decides, after_pause,
       most_under_way_of_libfabric(environment)},
      {kCautiousEagerLimit, system_decides, after_pause, 0},
  }};
}

InterfaceChoice interface_choice(const std::vector<InterfaceAddress>& own) {
  const MessageLayer layer = requested_layer();
  if (layer == MessageLayer::ob1)
    return {ompi::text_variable("btl_tcp_if_include"), ompi::text_variable("btl_tcp_if_exclude")};
  const std::string named = interfaces_of(layer, environment);
  // Devices that are no network interfaces, such as mlx5_0, say nothing of how TCP connects.
  const bool is_there = std::ranges::any_of(own, [&](const auto& each) { return is_listed(each, named); });
  return {is_there ? named : "", ""};
}

std::optional<probe::Listener> listener_for_others() {
  const std::vector<InterfaceAddress> own = own_addresses();
  const InterfaceChoice choice = interface_choice(own);
  return probe::Listener::open(addresses_to_call(own, choice.included, choice.excluded), ports_in_use());
}

std::string pml_of(opal_process_name_t member) {
  member.vpid = 0;
  // Open MPI's own notice of the selection, by which it checks that processes have selected the same.
  if (const auto notice = ompi::modex_get("pml.base.2.0", member)) return notice->c_str();
  return mca_pml_base_selected_component.pmlm_version.mca_component_name;
}

}  // namespace wan
