// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/orders.h"

#include <signal.h>

#include <chrono>
#include <string>

#include "tools/doctor/sockets.h"

namespace wan::tools::doctor {
namespace {

/// Nobody waits for so long: who gave orders has died without closing the connection.
constexpr std::chrono::hours kPatience{1};

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void answer_orders(int in, int out, const std::function<Json(const Json&)>& answer) {
  ::signal(SIGPIPE, SIG_IGN);
  LineChannel channel(in, out);
  while (const auto line = channel.line(after(kPatience))) {
    Json text;
    try {
      text = answer(Json::parse(*line));
    } catch (const Json::exception& error) {
      text = {{"error", error.what()}};
    }
    if (!channel.write(text_of(text), after(kPatience))) return;
  }
}

}  // namespace wan::tools::doctor
