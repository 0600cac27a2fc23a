// SPDX-License-Identifier: BSD-3-Clause
#include "process/count_memory.h"

#include <algorithm>

#include "algo/services/survey.h"
#include "base/invariant.h"

namespace wan {

/// A call that has been completed here.
struct Remembered {
  std::vector<Count> versions;  ///< of the site's ranks
  std::vector<Count> entry;     ///< of this rank
  CountMemory::Known known;
};

std::size_t CountMemory::index_in_site(Rank rank) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(site_, rank) - site_.begin());
}

CountMemory::Survey::Survey(CountMemory& memory, std::vector<Count> entry)
    : memory_(memory), entry_(std::move(entry)) {
  const std::lock_guard lock(memory.mutex_);
  number_ = ++memory.calls_;
  memory.latest_.push_front(nullptr);
  if (memory.latest_.size() > kCalls) memory.latest_.pop_back();
}

/// The calls before this one that have been completed are bits, the latest the lowest. A call that is made
/// long before it starts finds none.
std::vector<Count> CountMemory::Survey::notice() {
  candidates_.assign(kCalls, nullptr);
  {
    const std::lock_guard lock(memory_.mutex_);
    const auto later = static_cast<std::size_t>(memory_.calls_ - number_);
    for (std::size_t i = later + 1; i < memory_.latest_.size(); ++i)
      candidates_[i - later - 1] = memory_.latest_[i];
  }
  Count completed = 0, version = number_;
  const std::size_t own = memory_.index_in_site(memory_.me_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!candidates_[i]) continue;
    completed |= Count{1} << i;
    if (version == number_ && candidates_[i]->entry == entry_) version = candidates_[i]->versions[own];
  }
  return {version, completed, std::ssize(entry_)};
}

std::vector<Count> CountMemory::Survey::hear_notices(std::span<const Count> notices) {
  const std::size_t ranks = memory_.site_.size();
  invariant(notices.size() == ranks * kNotice, "the notices of a survey");
  Count completed = -1;
  versions_.clear();
  lengths_.clear();
  for (std::size_t i = 0; i < ranks; ++i) {
    versions_.push_back(notices[i * kNotice]);
    completed &= notices[i * kNotice + 1];
    lengths_.push_back(notices[i * kNotice + 2]);
  }
  common_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if ((completed >> i & 1) != 0) common_.push_back(candidates_[i].get());
  for (std::size_t i = 0; i < ranks; ++i)
    if (std::ranges::any_of(common_,
                            [&](const Remembered* call) { return call->versions[i] == versions_[i]; }))
      lengths_[i] = 0;
  return lengths_;
}

std::vector<Count> CountMemory::Survey::told() const {
  return lengths_[memory_.index_in_site(memory_.me_)] == 0 ? std::vector<Count>{} : entry_;
}

void CountMemory::Survey::hear_entries(std::span<const Count> entries) {
  Known known;
  const auto same = std::ranges::find(common_, versions_, &Remembered::versions);
  if (same != common_.end()) {
    known = (*same)->known;
  } else {
    for (std::size_t i = 0; i < memory_.below_.size(); ++i) {
      const std::size_t rank = memory_.index_in_site(memory_.below_[i]);
      const auto length = static_cast<std::size_t>(lengths_[rank]);
      if (length > 0) {
        known.members.push_back(std::make_shared<const MemberCounts>(
            member_of(memory_.below_[i], memory_.size_, entries.first(length))));
        entries = entries.subspan(length);
      } else {
        const auto told = std::ranges::find_if(
            common_, [&](const Remembered* call) { return call->versions[rank] == versions_[rank]; });
        known.members.push_back((*told)->known.members[i]);
      }
    }
  }
  known_ = known;
  auto remembered = std::make_shared<const Remembered>(
      Remembered{std::move(versions_), std::move(entry_), std::move(known)});
  candidates_.clear();
  common_.clear();
  const std::lock_guard lock(memory_.mutex_);
  const auto later = static_cast<std::size_t>(memory_.calls_ - number_);
  if (later < memory_.latest_.size()) memory_.latest_[later] = std::move(remembered);
}

}  // namespace wan
