// SPDX-License-Identifier: BSD-3-Clause
// What a process publishes about itself through the modex before anybody makes a communicator, so that every
// process decides from the same facts. Plain text fields, each with its length in front; no pointers, no
// padding. Tested by: tests/unit (encode and decode), tests/mpi (sites by label and by file).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "discover/finding.h"
#include "process/message_layer.h"
#include "process/parameters.h"
#include "topo/layout.h"

namespace wan {

/// One process.
struct ProcessRecord {
  std::vector<Finding> findings;  ///< what the sources of sites say of it
  Path place;                     ///< below its site: host, and the NUMA domain where it is bound to one
  std::string file_digest;        ///< of the topology file it read; empty without one
  std::string complaint;  ///< what is wrong with its input; not empty: coll_wan is off wherever it takes part
  /// What the topology file's [[node]] entries state of its host.
  std::optional<Nanoseconds> send_overhead_ns = {}, receive_overhead_ns = {};
  std::string endpoint = {};  ///< of its host's agent, if that is in this process (probe/endpoint.h)
  /// Of its host, without loopback; none where nothing is learnt of links (coll_wan_learn).
  std::vector<std::string> addresses = {};
  std::string streams = {};  ///< where it takes calls for streams (streams/streams.h); empty: nowhere
  /// Is it bound to the NUMA domain of the network interface that leads to other hosts?
  bool near_network = false;
};

/// What all processes of a job take from its first one.
struct JobRecord {
  Parameters parameters;
  std::string file_text;     ///< of the topology file, if it names one
  std::string cached = {};   ///< what earlier jobs measured (probe/cache.h)
  std::string machine = {};  ///< what messages cost its host (cost/machine_file.h); empty: not measured
  LimitsOfLayers limits = {};
};

std::string encode(const ProcessRecord& record);
std::string encode(const JobRecord& record);
/// nullopt if `bytes` are not what encode() of this version makes.
std::optional<ProcessRecord> decode_process(std::string_view bytes);
std::optional<JobRecord> decode_job(std::string_view bytes);

/// A field of such bytes: a text with its length in front.
void append_field(std::string& bytes, std::string_view field);
/// Takes the first field off `bytes`; nullopt if they do not begin with one.
std::optional<std::string> take_field(std::string_view& bytes);

/// A 64-bit digest (FNV-1a) as text: equal texts have equal digests.
std::string digest(std::string_view text);

}  // namespace wan
