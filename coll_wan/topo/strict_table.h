// SPDX-License-Identifier: BSD-3-Clause
// Strict reading of TOML: every key must be known and every value right; what is not is collected as a
// mistake with line, dotted key, value and remedy. The one header that includes toml++. No threads. Tested by
// tests/unit/topo_site_file.cc.
#pragma once

// toml++ 3.3 asserts that a key begins after '[' before it checks that one does ("[=" ends the process). The
// check that follows gives the right error, so the assertions are left out; with NDEBUG they would become
// assumptions.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wan {

/// 1-based line where a key or value begins.
int line_of(const toml::source_region& source);
int line_of(const toml::node& node);

/// The value as the user wrote it; a table or array is only hinted at.
std::string shown(const toml::node& node);

/// The mistakes found so far, in any order.
class Mistakes {
 public:
  explicit Mistakes(std::string file) : file_(std::move(file)) {}

  void add(int line, std::string key, std::string value, std::string remedy);
  bool none() const { return found_.empty(); }
  /// The one that stands first in the file. There must be one.
  InputError first() const;

 private:
  std::string file_;
  std::vector<InputError> found_;
};

/// One table of the file. A getter returns nullopt for a key that is absent, and for one that is wrong after
/// noting it.
class StrictTable {
 public:
  /// Notes every key of `table` that `keys` does not name. The referred-to objects must outlive this one.
  StrictTable(const toml::table& table, std::string path, std::span<const std::string_view> keys,
              Mistakes& mistakes);

  bool has(std::string_view key) const { return table_.contains(key); }
  int line() const { return line_of(table_); }
  /// The line of the key's value; of the table where the key is absent.
  int line_of_key(std::string_view key) const;
  /// "site.paris.uplink"
  std::string dotted(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }

  std::optional<std::string> text(std::string_view key, const std::string& expected) const;
  std::optional<bool> flag(std::string_view key) const;
  std::optional<int> whole_number(std::string_view key, int least, int most) const;
  template <class T>
  std::optional<T> quantity(std::string_view key, Result<T> (*parse)(std::string_view)) const;
  const toml::table* table(std::string_view key, const std::string& expected) const;
  /// The tables of `[[key]]`; empty where there is none.
  std::vector<const toml::table*> tables(std::string_view key, const std::string& expected) const;
  const toml::array* array(std::string_view key, const std::string& expected) const;

  /// Notes a mistake at the value of `key`, or at the table where the key is absent.
  void note(std::string_view key, std::string remedy) const;
  /// Notes a mistake at `node`, which stands under `key`.
  void note(std::string_view key, const toml::node& node, std::string remedy) const;

 private:
  const toml::table& table_;
  std::string path_;
  Mistakes& mistakes_;
};

template <class T>
std::optional<T> StrictTable::quantity(std::string_view key, Result<T> (*parse)(std::string_view)) const {
  const toml::node* node = table_.get(key);
  if (!node) return std::nullopt;
  const auto value = parse(node->value<std::string_view>().value_or(""));
  if (value) return *value;
  note(key, *node, value.error().remedy);
  return std::nullopt;
}

}  // namespace wan
