// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any bytes from another process are a record that survives being sent on, or none; and a record
// of any texts survives being sent.
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "process/record.h"

namespace {

using wan::invariant;

/// The lines of a text, in turn.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool is_at_end() const { return is_at_end_; }
  /// Empty at the end.
  std::string next() {
    const auto end = rest_.find('\n');
    const std::string line(rest_.substr(0, end));
    is_at_end_ = end == rest_.npos;
    rest_.remove_prefix(is_at_end_ ? rest_.size() : end + 1);
    return line;
  }

 private:
  std::string_view rest_;
  bool is_at_end_ = false;
};

/// A number that the line decides, or none.
std::optional<wan::Nanoseconds> time_of(const std::string& line) {
  if (line.empty()) return std::nullopt;
  std::uint64_t bits = 0;
  for (const char c : line) bits = bits << 8 | static_cast<unsigned char>(c);
  return static_cast<wan::Nanoseconds>(bits);
}

void check_survives(const wan::ProcessRecord& sent) {
  const auto received = wan::decode_process(encode(sent));
  invariant(received.has_value(), "the record of a process is lost");
  invariant(received->findings == sent.findings, "a finding is another one");
  invariant(received->place == sent.place, "a place is another one");
  invariant(received->file_digest == sent.file_digest, "a digest is another one");
  invariant(received->complaint == sent.complaint, "a complaint is another one");
  invariant(received->endpoint == sent.endpoint, "an endpoint is another one");
  invariant(received->addresses == sent.addresses, "an address is another one");
  invariant(received->near_network == sent.near_network, "who is near the network is another one");
  invariant(received->send_overhead_ns == sent.send_overhead_ns, "a send overhead is another one");
  invariant(received->receive_overhead_ns == sent.receive_overhead_ns, "a receive overhead is another one");
}

void check_survives(const wan::JobRecord& sent) {
  const auto received = wan::decode_job(encode(sent));
  invariant(received.has_value(), "the record of a job is lost");
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  invariant(received->parameters.name == sent.parameters.name, "coll_wan_" #name " is another number");
#define WAN_CHOICE(name, initial, choices, level, help) \
  invariant(received->parameters.name == sent.parameters.name, "coll_wan_" #name " is another word");
#define WAN_TEXT(name, level, help) \
  invariant(received->parameters.name == sent.parameters.name, "coll_wan_" #name " is another text");
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  invariant(received->file_text == sent.file_text, "a topology file is another one");
  invariant(received->cached == sent.cached, "what was cached is another text");
  invariant(received->machine == sent.machine, "a machine is another text");
  invariant(received->limits == sent.limits, "the limits of a layer are others");
}

void check_received(std::string_view bytes) {
  if (const auto process = wan::decode_process(bytes)) {
    invariant(!process->place.empty(), "a process is nowhere");
    for (const wan::Finding& finding : process->findings)
      invariant(finding.proven >= 0 && finding.proven <= std::ssize(finding.names) && !finding.names.empty(),
                "a finding proves names that it has not");
    check_survives(*process);
  }
  if (const auto job = wan::decode_job(bytes)) check_survives(*job);
}

/// A finding of the next lines, whose lengths are its numbers.
wan::Finding finding_of(Lines& lines) {
  const std::string evidence = lines.next(), name = lines.next();
  return {static_cast<wan::Source>(evidence.size() % wan::kSources),
          static_cast<wan::Weight>(name.size() % 3),
          {name, lines.next()},
          static_cast<int>(evidence.size() % 3),
          evidence};
}

wan::ProcessRecord process_of(std::string_view text) {
  Lines lines(text);
  wan::ProcessRecord record;
  record.file_digest = lines.next();
  record.complaint = lines.next();
  record.endpoint = lines.next();
  record.near_network = text.size() % 2 == 1;
  for (const std::size_t most = text.size() % 3; record.addresses.size() < most;)
    record.addresses.push_back("10.0.0." + std::to_string(record.addresses.size()));
  record.send_overhead_ns = time_of(lines.next());
  record.receive_overhead_ns = time_of(lines.next());
  for (std::size_t left = text.size() % 4; left > 0; --left) record.findings.push_back(finding_of(lines));
  do record.place.push_back(lines.next());
  while (!lines.is_at_end());
  return record;
}

wan::JobRecord job_of(std::string_view text) {
  Lines lines(text);
  wan::JobRecord record;
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  record.parameters.name = static_cast<int>(time_of(lines.next()).value_or(initial));
#define WAN_CHOICE(name, initial, choices, level, help) record.parameters.name = lines.next();
#define WAN_TEXT(name, level, help) record.parameters.name = lines.next();
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  record.file_text = std::string(text);
  record.cached = std::string(text.substr(text.size() / 2));
  record.machine = std::string(text.substr(text.size() / 3));
  for (wan::MessageLimits& limits : record.limits)
    limits = {std::max<int>(1, static_cast<int>(time_of(lines.next()).value_or(1))),
              static_cast<int>(text.size()), static_cast<int>(text.size() / 2)};
  return record;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_received(bytes);
  check_survives(process_of(bytes));
  check_survives(job_of(bytes));
  return 0;
}
