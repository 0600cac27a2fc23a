// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any bytes from another agent are frames or refused, however they are cut into pieces; and what
// the lists of frames decode to survives being sent on.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "probe/endpoint.h"
#include "probe/wire.h"

namespace {

using wan::invariant;
using namespace wan::probe;

struct Received {
  std::vector<Frame> frames;
  bool is_right = true;
};

Received received(std::string_view bytes, std::size_t piece) {
  Inbox inbox;
  Received all;
  wan::Nanoseconds now = 0;
  while (!bytes.empty() && all.is_right) {
    all.is_right = inbox.take(bytes.substr(0, piece), ++now, all.frames);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  return all;
}

/// How a train came depends on the pieces.
bool says_the_same(const Frame& a, const Frame& b) {
  return a.kind == b.kind && a.number == b.number && a.bytes == b.bytes;
}

void check_pieces(std::string_view bytes) {
  const Received whole = received(bytes, bytes.size());
  for (const std::size_t piece : {1, 7, 16}) {
    const Received pieces = received(bytes, static_cast<std::size_t>(piece));
    invariant(whole.is_right == pieces.is_right, "bytes are refused in one piece only");
    invariant(std::ranges::equal(whole.frames, pieces.frames, says_the_same), "pieces are other frames");
  }
  for (const Frame& each : whole.frames)
    invariant(each.train.bytes == 0 && each.train.spread_ns == 0, "what came at once has a spread");
}

void check_lists(std::string_view bytes) {
  if (const auto errands = decode_errands(bytes)) {
    invariant(encode(*errands) == bytes, "errands are other bytes");
    for (const Errand& each : *errands) invariant(each.from >= 0 && each.to >= 0, "a host has no index");
  }
  if (const auto findings = decode_findings(bytes))
    invariant(encode(*findings) == bytes, "findings are other bytes");
  if (const auto train = decode_train(bytes)) invariant(encode(*train) == bytes, "a train is other bytes");
  if (const auto endpoint = decode_endpoint(bytes))
    invariant(decode_endpoint(encode(*endpoint)) == endpoint, "an endpoint is another one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_pieces(bytes);
  check_lists(bytes);
  return 0;
}
