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

std::string text_of(const SortedJson& json) {
  return json.dump(-1, ' ', false, SortedJson::error_handler_t::replace);
}

}  // namespace

void answer_orders(int in, int out, const std::function<SortedJson(const SortedJson&)>& answer) {
  ::signal(SIGPIPE, SIG_IGN);
  LineChannel channel(in, out);
  while (const auto line = channel.line(after(kPatience))) {
    SortedJson text;
    try {
      text = answer(SortedJson::parse(*line));
    } catch (const SortedJson::exception& error) {
      text = {{"error", error.what()}};
    }
    if (!channel.write(text_of(text), after(kPatience))) return;
  }
}

}  // namespace wan::tools::doctor
