// SPDX-License-Identifier: BSD-3-Clause
// What a lab will look like: which sites and hosts, their names, addresses and slots, and the links between
// the sites; made from a topology file and the user's wishes. Pure. Tested by
// bench/lab/tests/emulator_test.cc.
//
// Addresses: site s (from 0) is 10.(s+1).0.0/16, its host h is 10.(s+1).(h/250).(h%250+1), its router
// 10.(s+1).255.254, and the host whose traffic is not the job's (other_traffic.h) 10.(s+1).254.1.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/lab/fabric.h"
#include "topo/site_file.h"

namespace wan::lab {

struct HostPlan {
  std::string name;
  std::string address;  ///< IPv4
  int slots = 0;        ///< processes that mpirun places here
};

struct SitePlan {
  std::string name;
  std::string router;   ///< address of its router
  std::string other;    ///< address of the host that takes no part in the job; empty: there is none
  std::string network;  ///< CIDR block
  std::vector<HostPlan> hosts;
};

struct LabPlan {
  std::vector<SitePlan> sites;
  FabricConfig fabric;
};

/// A number for every site ("4") or for those named ("paris=7,tokyo=5").
class PerSite {
 public:
  /// `name` stands in error messages ("--ranks").
  static Result<PerSite> parse(std::string_view text, std::string name);
  /// The number for a site; nullopt if the text names sites and not this one.
  std::optional<int> of(const std::string& site) const;
  /// An error if a named site is not in the file.
  Result<void> check_names(const SiteFile& file) const;

 private:
  std::string option_;
  std::optional<int> all_;
  std::map<std::string, int> named_;
};

/// The user's wishes.
struct LabWishes {
  std::optional<PerSite>
      ranks;  ///< ranks a site; sites not named take no part; absent: the slots of the file
  std::optional<PerSite> hosts;  ///< hosts a site over which its ranks spread; absent: at most kDefaultHosts
  std::optional<int> loss_ppm;   ///< instead of the links' own loss
  std::uint64_t seed = 1;
  int jitter_ppm = 0;
  std::optional<int> queue_ppm = {};             ///< fabric.h says what it is a part of
  std::optional<BytesPerSecond> flow_rate = {};  ///< at most, of each TCP connection
  bool has_other_traffic = false;                ///< other_traffic.h
};

inline constexpr int kDefaultHosts = 2;

/// The site of an address by the scheme above; nullopt for any other address.
std::optional<SiteIndex> site_of_address(std::uint32_t address, SiteIndex sites);
/// Is it that of a host that takes no part in the job?
bool is_of_others(std::uint32_t address);
/// The address of a site's router.
std::uint32_t router_of(SiteIndex site);

/// The lab for `file` (named `file_name` in error messages). With wishes.ranks, the ranks of a site are
/// spread evenly over its first hosts; without, every host that the file lists takes the slots of its
/// [[node]] entry, or one.
Result<LabPlan> plan_lab(const SiteFile& file, const std::string& file_name, const LabWishes& wishes);

/// Packets of `mtu` bytes that are on their way on the fullest link while an answer is awaited; at least the
/// kernel's own initial window of 10 and at most 65535.
int packets_of_a_round_trip(const FabricConfig& fabric, int mtu);

/// Bytes a second that all links together carry at most.
BytesPerSecond fastest_sum(const FabricConfig& fabric);

}  // namespace wan::lab
