// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "bench/common/fields.h"

namespace wan::bench {
namespace {

constexpr Form kForms[] = {Form::blocking, Form::nonblocking, Form::persistent, Form::overlapped};
constexpr std::string_view kHosts = "# hosts ";
constexpr std::size_t kColumns = 15;

std::optional<Collective> collective_named(std::string_view text) {
  for (const CollectiveTraits& each : all_collectives()) {
    if (each.name == text) return each.collective;
  }
  return std::nullopt;
}

std::optional<Form> form_named(std::string_view text) {
  for (Form form : kForms) {
    if (name(form) == text) return form;
  }
  return std::nullopt;
}

/// The named values, or the unknown name.
template <class T, class Find>
tl::expected<std::vector<T>, std::string> find_all(const std::vector<std::string>& names, Find find) {
  std::vector<T> found;
  for (const std::string& each : names) {
    const std::optional<T> value = find(each);
    if (!value) return tl::unexpected(each);
    found.push_back(*value);
  }
  return found;
}

std::optional<Row> parse_row(std::string_view line) {
  Fields fields(line, kColumns);
  Row row;
  row.cell.collective = fields.named(collective_named(fields.text()));
  row.cell.form = fields.named(form_named(fields.text()));
  row.cell.bytes = fields.number();
  row.cell.root = static_cast<Rank>(fields.number());
  fields.skip(6);  // number and quantiles of the times, which follow from the rest
  row.measurement.start_lateness_ns = fields.number();
  row.measurement.late = static_cast<int>(fields.number());
  row.measurement.wrong = static_cast<int>(fields.number());
  row.measurement.others = fields.number();
  row.measurement.times = fields.numbers();
  return fields.good() ? std::optional(row) : std::nullopt;
}

}  // namespace

std::string_view name(Form form) {
  switch (form) {
    case Form::blocking:
      return "blocking";
    case Form::nonblocking:
      return "nonblocking";
    case Form::persistent:
      return "persistent";
    case Form::overlapped:
      break;
  }
  return "overlapped";
}

std::vector<Cell> cells_of(const std::vector<Collective>& collectives, const std::vector<Form>& forms,
                           const std::vector<Bytes>& sizes, const std::vector<Rank>& roots) {
  std::vector<Cell> cells;
  for (Collective collective : collectives) {
    for (Bytes bytes : collective == Collective::barrier ? std::vector<Bytes>{0} : sizes) {
      for (Form form : forms) {
        for (Rank root : traits(collective).rooted ? roots : std::vector<Rank>{0}) {
          cells.push_back({collective, form, bytes, root});
        }
      }
    }
  }
  return cells;
}

Result<std::vector<Collective>> parse_collectives(const std::vector<std::string>& names,
                                                  const std::string& option) {
  std::vector<std::string> wanted = names;
  if (names == std::vector<std::string>{"all"}) {
    wanted.clear();
    for (const CollectiveTraits& each : all_collectives()) wanted.emplace_back(each.name);
  }
  return find_all<Collective>(wanted, collective_named).map_error([&](const std::string& wrong) {
    return InputError{option, 0, "", wrong, "expected all, or names of collectives such as bcast,alltoallv"};
  });
}

Result<std::vector<Form>> parse_forms(const std::vector<std::string>& names, const std::string& option) {
  std::vector<std::string> wanted = names;
  if (names == std::vector<std::string>{"all"}) wanted = {"blocking", "nonblocking", "persistent"};
  return find_all<Form>(wanted, form_named).map_error([&](const std::string& wrong) {
    return InputError{option, 0, "", wrong,
                      "expected all, or some of blocking,nonblocking,persistent,overlapped"};
  });
}

std::string csv_header() {
  return "collective,form,bytes,root,repetitions,min_ns,q1_ns,median_ns,q3_ns,max_ns,start_lateness_ns,late,"
         "wrong,others_bytes_per_s,times_ns";
}

std::string to_csv(const Row& row) {
  const Cell& cell = row.cell;
  const Measurement& m = row.measurement;
  const auto at = [&](double fraction) { return quantile(m.times, fraction); };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", traits(cell.collective).name,
                     name(cell.form), cell.bytes, cell.root, m.times.size(), at(0), at(0.25), at(0.5),
                     at(0.75), at(1), m.start_lateness_ns, m.late, m.wrong, m.others,
                     fmt::join(m.times, " "));
}

std::string hosts_line(const std::vector<std::string>& hosts) {
  return fmt::format("{}{}", kHosts, fmt::join(hosts, " "));
}

Result<Output> parse_output(std::string_view text, const std::string& file) {
  Output output;
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty() || line == csv_header()) continue;
    if (line.starts_with(kHosts)) {
      for (std::string_view host : split(line.substr(kHosts.size()), ' ')) output.hosts.emplace_back(host);
      continue;
    }
    const std::optional<Row> row = parse_row(line);
    if (!row)
      return tl::unexpected(InputError{file, number, "", std::string(line), "expected a row of wan-bench"});
    output.rows.push_back(*row);
  }
  return output;
}

Result<Output> load_output(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return parse_output(text.str(), path);
}

}  // namespace wan::bench
