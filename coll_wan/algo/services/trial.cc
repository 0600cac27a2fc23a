// SPDX-License-Identifier: BSD-3-Clause
#include "algo/services/trial.h"

#include <utility>
#include <vector>

#include "algo/choice/segments.h"
#include "base/invariant.h"
#include "plan/builder.h"

namespace wan {
namespace {

/// The steps of a message, one for each segment: none asks the receiver first.
template <class Add>
std::vector<StepIndex> add_segments(const Builder& b, Range whole, Add add) {
  std::vector<StepIndex> steps;
  Count length = 0;
  for (Count offset = 0; offset < whole.length; offset += length) {
    length = b.segmentation().length_at(offset, whole.length);
    steps.push_back(add(Range{whole.buffer, offset, length}));
  }
  return steps;
}

}  // namespace

Program plan_trial(const Topology& topology, const Tuning& tuning, Rank me, const TrialMessage& message) {
  const bool sends = me == message.from;
  invariant(message.from != message.to && (sends || me == message.to), "a trial of others");
  const Rank other = sends ? message.to : message.from;
  const BufferLengths lengths =
      sends ? BufferLengths{message.length, 0, 0} : BufferLengths{0, message.length, 0};
  Builder b(Unit::bytes, me, topology.layout.size(), lengths, segmentation_of(topology, tuning, Call{}));
  b.set_senders(1);
  if (sends) {
    add_segments(b, b.input(), [&](Range piece) { return b.add(StepKind::send, other, {&piece, 1}, {}); });
    b.receive_signal(other);
  } else {
    b.send_signal(other, add_segments(b, b.output(), [&](Range piece) {
                    return b.add(StepKind::receive, other, {}, {&piece, 1});
                  }));
  }
  return std::move(b).finish();
}

}  // namespace wan
