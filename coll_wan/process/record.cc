// SPDX-License-Identifier: BSD-3-Clause
#include "process/record.h"

#include <charconv>
#include <iterator>
#include <sstream>
#include <vector>

namespace wan {
namespace {

constexpr std::string_view process_format = "coll_wan process 3";
constexpr std::string_view job_format = "coll_wan job 2";

/// Format, parameters, topology file.
constexpr std::size_t job_fields = 2
#define WAN_NUMBER(name, initial, lowest, highest, level, help) +1
#define WAN_CHOICE(name, initial, choices, level, help) +1
#define WAN_TEXT(name, level, help) +1
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
    ;

void append(std::string& bytes, std::string_view field) {
  bytes += std::to_string(field.size());
  bytes += ':';
  bytes += field;
}

/// Takes the first field off `bytes`.
std::optional<std::string> take(std::string_view& bytes) {
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

std::optional<std::vector<std::string>> fields_of(std::string_view bytes, std::string_view format) {
  std::vector<std::string> fields;
  while (!bytes.empty()) {
    auto field = take(bytes);
    if (!field) return std::nullopt;
    fields.push_back(std::move(*field));
  }
  if (fields.empty() || fields[0] != format) return std::nullopt;
  return fields;
}

template <class Number>
std::optional<Number> number(const std::string& text) {
  Number value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool assign(int& value, const std::string& text) {
  auto parsed = number<int>(text);
  value = parsed.value_or(value);
  return parsed.has_value();
}

/// Empty: not stated.
std::string text_of(std::optional<Nanoseconds> time) {
  return time ? std::to_string(*time) : "";
}

bool assign(std::optional<Nanoseconds>& time, const std::string& text) {
  time = number<Nanoseconds>(text);
  return time || text.empty();
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace

std::string encode(const ProcessRecord& record) {
  std::string bytes;
  append(bytes, process_format);
  append(bytes, std::to_string(static_cast<int>(record.origin)));
  append(bytes, record.file_digest);
  append(bytes, record.complaint);
  append(bytes, text_of(record.send_overhead_ns));
  append(bytes, text_of(record.receive_overhead_ns));
  std::string addresses;
  for (const std::string& address : record.addresses) addresses += (addresses.empty() ? "" : " ") + address;
  append(bytes, addresses);
  for (const std::string& label : record.path) append(bytes, label);
  return bytes;
}

std::optional<ProcessRecord> decode_process(std::string_view bytes) {
  auto fields = fields_of(bytes, process_format);
  if (!fields || fields->size() < 8) return std::nullopt;
  auto origin = number<int>((*fields)[1]);
  if (!origin || *origin < 0 || *origin > static_cast<int>(SiteOrigin::nowhere)) return std::nullopt;
  ProcessRecord record{static_cast<SiteOrigin>(*origin), Path(fields->begin() + 7, fields->end()),
                       (*fields)[2], (*fields)[3]};
  const bool is_whole =
      assign(record.send_overhead_ns, (*fields)[4]) && assign(record.receive_overhead_ns, (*fields)[5]);
  record.addresses = words_of((*fields)[6]);
  return is_whole ? std::optional(record) : std::nullopt;
}

std::string encode(const JobRecord& record) {
  std::string bytes;
  append(bytes, job_format);
#define WAN_NUMBER(name, initial, lowest, highest, level, help) \
  append(bytes, std::to_string(record.parameters.name));
#define WAN_CHOICE(name, initial, choices, level, help) append(bytes, record.parameters.name);
#define WAN_TEXT(name, level, help) append(bytes, record.parameters.name);
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  append(bytes, record.file_text);
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
  record.file_text = *next;
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
