// SPDX-License-Identifier: BSD-3-Clause
#include "process/record.h"

#include <charconv>
#include <iterator>
#include <sstream>
#include <vector>

namespace wan {
namespace {

constexpr std::string_view process_format = "coll_wan process 6";
constexpr std::string_view job_format = "coll_wan job 6";

/// Format, parameters, topology file, cache, machine, limits of layers.
constexpr std::size_t job_fields = 4 + 4 * kMessageLayers
#define WAN_NUMBER(name, initial, lowest, highest, level, help) +1
#define WAN_CHOICE(name, initial, choices, level, help) +1
#define WAN_TEXT(name, level, help) +1
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
    ;

std::optional<std::vector<std::string>> fields_of(std::string_view bytes, std::string_view format) {
  std::vector<std::string> fields;
  while (!bytes.empty()) {
    auto field = take_field(bytes);
    if (!field) return std::nullopt;
    fields.push_back(std::move(*field));
  }
  if (fields.empty() || fields[0] != format) return std::nullopt;
  return fields;
}

template <class Number>
std::optional<Number> parsed_number(const std::string& text) {
  Number value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool assign(int& value, const std::string& text) {
  auto parsed = parsed_number<int>(text);
  value = parsed.value_or(value);
  return parsed.has_value();
}

/// Empty: not stated.
std::string text_of(std::optional<Nanoseconds> time) {
  return time ? std::to_string(*time) : "";
}

bool assign(std::optional<Nanoseconds>& time, const std::string& text) {
  time = parsed_number<Nanoseconds>(text);
  return time || text.empty();
}

/// The fields of a record, in turn; whether all that was asked for was there.
class Fields {
 public:
  explicit Fields(const std::vector<std::string>& fields) : fields_(fields) {}
  bool has_more() const { return next_ < fields_.size(); }
  bool is_whole() const { return is_whole_; }
  void refuse() { is_whole_ = false; }
  std::string next() {
    if (has_more()) return fields_[next_++];
    refuse();
    return "";
  }
  std::size_t number() {
    const auto parsed = parsed_number<std::size_t>(next());
    if (!parsed) refuse();
    return parsed.value_or(0);
  }

 private:
  const std::vector<std::string>& fields_;
  std::size_t next_ = 0;
  bool is_whole_ = true;
};

void append_finding(std::string& bytes, const Finding& finding) {
  append_field(bytes, name_of(finding.source));
  append_field(bytes, std::to_string(static_cast<int>(finding.weight)));
  append_field(bytes, std::to_string(finding.proven));
  append_field(bytes, finding.evidence);
  append_field(bytes, std::to_string(finding.names.size()));
  for (const std::string& name : finding.names) append_field(bytes, name);
}

Finding take_finding(Fields& fields) {
  Finding finding;
  const auto source = source_named(fields.next());
  const std::size_t weight = fields.number(), proven = fields.number();
  finding.evidence = fields.next();
  for (std::size_t left = fields.number(); left > 0 && fields.is_whole(); --left)
    finding.names.push_back(fields.next());
  const bool is_right = source && weight <= static_cast<std::size_t>(Weight::stated) &&
                        !finding.names.empty() && proven <= finding.names.size();
  if (!is_right) {
    fields.refuse();
    return finding;
  }
  finding.source = *source;
  finding.weight = static_cast<Weight>(weight);
  finding.proven = static_cast<int>(proven);
  return finding;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace

void append_field(std::string& bytes, std::string_view field) {
  bytes += std::to_string(field.size());
  bytes += ':';
  bytes += field;
}

std::optional<std::string> take_field(std::string_view& bytes) {
  std::size_t length = 0;
  auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), length);
  auto digits = static_cast<std::size_t>(end - bytes.data());
  if (error != std::errc() || digits == bytes.size() || *end != ':') return std::nullopt;
  bytes.remove_prefix(digits + 1);
  if (length > bytes.size()) return std::nullopt;
  std::string field(bytes.substr(0, length));
  bytes.remove_prefix(length);
  return field;
}

std::string encode(const ProcessRecord& record) {
  std::string bytes;
  append_field(bytes, process_format);
  append_field(bytes, record.file_digest);
  append_field(bytes, record.complaint);
  append_field(bytes, text_of(record.send_overhead_ns));
  append_field(bytes, text_of(record.receive_overhead_ns));
  append_field(bytes, record.endpoint);
  std::string addresses;
  for (const std::string& address : record.addresses) addresses += (addresses.empty() ? "" : " ") + address;
  append_field(bytes, addresses);
  append_field(bytes, record.streams);
  append_field(bytes, std::to_string(record.near_network ? 1 : 0));
  append_field(bytes, std::to_string(record.findings.size()));
  for (const Finding& finding : record.findings) append_finding(bytes, finding);
  for (const std::string& label : record.place) append_field(bytes, label);
  return bytes;
}

std::optional<ProcessRecord> decode_process(std::string_view bytes) {
  const auto fields = fields_of(bytes, process_format);
  if (!fields) return std::nullopt;
  Fields rest(*fields);
  rest.next();  // the format
  ProcessRecord record;
  record.file_digest = rest.next();
  record.complaint = rest.next();
  const bool are_times =
      assign(record.send_overhead_ns, rest.next()) && assign(record.receive_overhead_ns, rest.next());
  record.endpoint = rest.next();
  record.addresses = words_of(rest.next());
  record.streams = rest.next();
  const std::size_t nearness = rest.number();
  record.near_network = nearness == 1;
  for (std::size_t left = rest.number(); left > 0 && rest.is_whole(); --left)
    record.findings.push_back(take_finding(rest));
  while (rest.has_more()) record.place.push_back(rest.next());
  if (!rest.is_whole() || !are_times || nearness > 1 || record.place.empty()) return std::nullopt;
  return record;
}

std::string encode(const JobRecord& record) {
  std::string bytes;
  append_field(bytes, job_format);
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  append_field(bytes, std::to_string(record.parameters.name));
#define WAN_CHOICE(name, initial, choices, level, help) append_field(bytes, record.parameters.name);
#define WAN_TEXT(name, level, help) append_field(bytes, record.parameters.name);
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  append_field(bytes, record.file_text);
  append_field(bytes, record.cached);
  append_field(bytes, record.machine);
  for (const MessageLimits& limits : record.limits) {
    append_field(bytes, std::to_string(limits.eager));
    append_field(bytes, std::to_string(limits.flow_window));
    append_field(bytes, std::to_string(limits.idle_window));
    append_field(bytes, std::to_string(limits.under_way));
  }
  return bytes;
}

std::optional<JobRecord> decode_job(std::string_view bytes) {
  auto fields = fields_of(bytes, job_format);
  JobRecord record;
  if (!fields || fields->size() != job_fields) return std::nullopt;
  auto next = fields->begin() + 1;
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  if (!assign(record.parameters.name, *next++)) return std::nullopt;
#define WAN_CHOICE(name, initial, choices, level, help) record.parameters.name = *next++;
#define WAN_TEXT(name, level, help) record.parameters.name = *next++;
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  record.file_text = *next++;
  record.cached = *next++;
  record.machine = *next++;
  for (MessageLimits& limits : record.limits) {
    const bool are_numbers = assign(limits.eager, *next++) && assign(limits.flow_window, *next++) &&
                             assign(limits.idle_window, *next++) && assign(limits.under_way, *next++);
    if (!are_numbers || limits.eager < 1 || limits.flow_window < 0 || limits.idle_window < 0 ||
        limits.under_way < 0)
      return std::nullopt;
  }
  return record;
}

std::string digest(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char hex[17];
  auto end = std::to_chars(hex, hex + sizeof hex, hash, 16).ptr;
  return {hex, end};
}

}  // namespace wan
