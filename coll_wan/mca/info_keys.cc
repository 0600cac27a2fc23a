// SPDX-License-Identifier: BSD-3-Clause
#include "mca/info_keys.h"

#include "mca/report.h"
#include "process/info_value.h"

namespace wan {
namespace {

constexpr const char* post_load_key = "coll_wan_post_load";
constexpr const char* reproducible_key = "coll_wan_reproducible";

/// Who follows the keys of which communicator: Open MPI tells its callbacks no more than the communicator.
class Followers {
 public:
  void add(const opal_infosubscriber_t* comm, InfoKeys* keys) {
    std::lock_guard lock(mutex_);
    keys_[comm] = keys;
  }
  /// Only `keys`: a new communicator may have the address of one whose module is kept for longer.
  void remove(const opal_infosubscriber_t* comm, const InfoKeys* keys) {
    std::lock_guard lock(mutex_);
    if (const auto found = keys_.find(comm); found != keys_.end() && found->second == keys)
      keys_.erase(found);
  }
  InfoKeys* of(const opal_infosubscriber_t* comm) {
    std::lock_guard lock(mutex_);
    const auto found = keys_.find(comm);
    return found == keys_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<const opal_infosubscriber_t*, InfoKeys*> keys_;
};

Followers& followers() {
  static Followers instance;
  return instance;
}

std::string text_of_load(std::int64_t load) {
  return std::to_string(load);
}
std::string text_of_truth(std::int64_t truth) {
  return truth != 0 ? "true" : "false";
}

/// What a key's values are.
struct KeyKind {
  std::optional<std::int64_t> (*parse)(std::string_view text);
  std::string (*text)(std::int64_t value);
  const char* expected;
};

KeyKind kind_of(std::string_view key) {
  if (key == post_load_key)
    return {[](std::string_view text) { return std::optional<std::int64_t>(load_named(text)); }, text_of_load,
            "a whole number, 0 or more"};
  return {[](std::string_view text) { return std::optional<std::int64_t>(truth_named(text)); }, text_of_truth,
          "true, false, 1 or 0"};
}

}  // namespace

InfoKeys::~InfoKeys() {
  if (comm_ != nullptr) followers().remove(&comm_->super, this);
}

int InfoKeys::follow(ompi_communicator_t* comm) {
  comm_ = comm;
  followers().add(&comm->super, this);
  const int rc = ompi::follow_info(comm, post_load_key, heard);
  return rc == OMPI_SUCCESS ? ompi::follow_info(comm, reproducible_key, heard) : rc;
}

std::optional<Count> InfoKeys::post_load() const {
  const std::int64_t load = post_load_;
  return load == not_given ? std::nullopt : std::optional<Count>(load);
}

std::optional<bool> InfoKeys::reproducible() const {
  const std::int64_t truth = reproducible_;
  return truth == not_given ? std::nullopt : std::optional(truth != 0);
}

ompi::InfoText* InfoKeys::heard(opal_infosubscriber_t* comm, ompi::InfoText* key,
                                ompi::InfoText* value) noexcept {
  InfoKeys* keys = followers().of(comm);
  return keys == nullptr || value == nullptr || *value == '\0' ? nullptr : keys->take(key, value);
}

ompi::InfoText* InfoKeys::take(std::string_view key, ompi::InfoText* value) {
  const KeyKind kind = kind_of(key);
  std::atomic<std::int64_t>& stored = key == post_load_key ? post_load_ : reproducible_;
  if (key == post_load_key) ++post_loads_given_;
  if (const auto parsed = kind.parse(value)) {
    stored = *parsed;
    return value;
  }
  if (shall_complain(key)) report_info_value(std::string(key), value, kind.expected);
  if (stored == not_given) return nullptr;
  standing_ = kind.text(stored);
  return standing_.data();
}

bool InfoKeys::shall_complain(std::string_view key) const {
  static std::atomic<bool> has_complained = false;
  return ompi_comm_rank(comm_) == 0 || (key == post_load_key && !has_complained.exchange(true));
}

}  // namespace wan
