// SPDX-License-Identifier: BSD-3-Clause
// Facts as JSON, both ways. Reading throws nlohmann::json::exception on what is no such JSON. Tested by
// tests/unit/doctor_text.cc.
#pragma once

#include <nlohmann/json.hpp>

#include "tools/doctor/facts.h"

namespace wan::tools::doctor {

using SortedJson = nlohmann::json;

NLOHMANN_JSON_SERIALIZE_ENUM(Purpose, {{Purpose::messages, "messages"},
                                       {Purpose::launcher, "launcher"},
                                       {Purpose::sample, "sample"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Answer, {{Answer::silent, "silent"},
                                      {Answer::answered, "answered"},
                                      {Answer::refused, "refused"},
                                      {Answer::unreachable, "unreachable"},
                                      {Answer::another_host, "another host"}})

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Interface, name, address, prefix_bits, mtu, is_default)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Resolution, name, addresses, error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Listener, purpose, port)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TcpSettings, receive_buffer, send_buffer, slow_start_after_idle,
                                   window_scaling)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Software, open_mpi, error, coll_wan, if_include, if_exclude, port_min,
                                   port_range)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TopologyFacts, path, error, is_missing, text, site)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFacts, name, failure, hostname, token, interfaces, own, peers,
                                   listeners, tcp, software, topology)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Reach, address, port, purpose, answer, error, source, seen)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, round_trip_ns, rate, clock_offset_ns, path_mtu,
                                   congestion_control, is_stalled, passing_segment)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StatedLink, round_trip_ns, rate)

/// `measured` and `stated` are left out where they are not known.
void to_json(SortedJson& json, const PairFacts& pair);

}  // namespace wan::tools::doctor
