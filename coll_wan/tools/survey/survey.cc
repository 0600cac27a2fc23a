// SPDX-License-Identifier: BSD-3-Clause
#include "tools/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "tools/doctor/session.h"
#include "tools/survey/wire_json.h"

namespace wan::tools::survey {
namespace {

using namespace std::chrono_literals;
using doctor::Session;
using doctor::SortedJson;
using std::chrono::steady_clock;

constexpr auto kGreetTime = 60s, kListenTime = 20s, kProbeTime = 30s;

struct RunningHelper {
  SurveyedHost host;
  std::unique_ptr<Session> session;
  std::vector<std::string> addresses;
};

class Expedition {
 public:
  explicit Expedition(const Helpers& helpers) : job_(helpers) {
    for (const std::string& host : job_.hosts) helpers_.push_back({{host, ""}, nullptr, {}});
  }

  void greet() {
    for (RunningHelper& each : helpers_)
      with(each, [&] {
        each.session =
            std::make_unique<Session>(job_.launcher, each.host.asked, job_.program + " probe --serve");
        each.session->order({{"do", "greet"}, {"environment", job_.environment}});
      });
    for (RunningHelper& each : helpers_)
      with(each, [&] {
        const SortedJson answer = each.session->answer(kGreetTime);
        each.host.name = answer.at("host").get<std::string>();
        each.addresses = answer.at("addresses").get<std::vector<std::string>>();
      });
    keep_each_once();
  }

  Measurements round() {
    const auto endpoints = listen();
    const auto order = [&](std::size_t me) {
      with(helpers_[me], [&] {
        helpers_[me].session->order({{"do", "probe"}, {"me", me}, {"hosts", endpoints}});
      });
    };
    for (std::size_t me = 1; me < helpers_.size(); ++me) order(me);
    std::this_thread::sleep_for(way_);
    order(0);
    return collect();
  }

  std::vector<SurveyedHost> hosts() const {
    std::vector<SurveyedHost> hosts;
    for (const RunningHelper& each : helpers_) hosts.push_back(each.host);
    return hosts;
  }
  const std::vector<SurveyedHost>& again() const { return again_; }

 private:
  template <class Action>
  void with(const RunningHelper& helper, Action action) {
    try {
      action();
    } catch (const doctor::SessionError& error) {
      fail(helper, error.what());
    } catch (const SortedJson::exception& error) {
      fail(helper, fmt::format("its wanctl is of another version: {}", error.what()));
    }
  }

  [[noreturn]] void fail(const RunningHelper& helper, std::string why) const {
    while (why.ends_with('.')) why.pop_back();
    const std::string& host = helper.host.asked;
    const std::string& other = host == job_.hosts[0] ? job_.hosts[1] : job_.hosts[0];
    throw SurveyError(
        fmt::format("{}: {}; no topology file is written, and `wanctl doctor --hosts {},{}` says more", host,
                    why, other, host));
  }

  /// A host may have been named twice, by its name and by its address.
  void keep_each_once() {
    std::vector<RunningHelper> kept;
    for (RunningHelper& each : helpers_) {
      const auto same =
          std::ranges::find(kept, each.host.name, [](const RunningHelper& other) { return other.host.name; });
      if (same == kept.end())
        kept.push_back(std::move(each));
      else if (same->addresses == each.addresses)
        again_.push_back(each.host);
      else
        throw SurveyError(
            fmt::format("{} and {} both call themselves {}: no topology file can tell them apart. Give them "
                        "different names.",
                        same->host.asked, each.host.asked, each.host.name));
    }
    helpers_ = std::move(kept);
  }

  /// Where each can be called; and how long a word is on its way to the farthest helper.
  std::vector<probe::Endpoint> listen() {
    const auto begin = steady_clock::now();
    for (RunningHelper& each : helpers_) with(each, [&] { each.session->order({{"do", "listen"}}); });
    std::vector<probe::Endpoint> endpoints;
    for (RunningHelper& each : helpers_)
      with(each, [&] {
        endpoints.push_back(each.session->answer(kListenTime).at("endpoint").get<probe::Endpoint>());
      });
    way_ = (steady_clock::now() - begin) / 2;
    return endpoints;
  }

  Measurements collect() {
    Measurements measured;
    for (RunningHelper& each : helpers_)
      with(each, [&] {
        const SortedJson answer = each.session->answer(kProbeTime);
        append(measured, {answer.at("errands").get<std::vector<probe::Errand>>(),
                          answer.at("findings").get<std::vector<probe::Finding>>()});
      });
    return measured;
  }

  const Helpers& job_;
  std::vector<RunningHelper> helpers_;
  std::vector<SurveyedHost> again_;
  steady_clock::duration way_{};
};

}  // namespace

Survey survey(const Helpers& helpers, int rounds, const std::function<void(const std::string&)>& progress) {
  progress("starting a helper on each host");
  Expedition expedition(helpers);
  expedition.greet();
  Survey result{expedition.hosts(), expedition.again(), rounds, {}};
  for (int round = 1; round <= rounds && result.hosts.size() > 1; ++round) {
    progress(fmt::format("measuring between {} hosts (round {} of {})", result.hosts.size(), round, rounds));
    append(result.measured, expedition.round());
  }
  return result;
}

}  // namespace wan::tools::survey
