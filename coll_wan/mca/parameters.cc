// SPDX-License-Identifier: BSD-3-Clause
#include "mca/parameters.h"

#include "algo/algorithm.h"
#include "discover/source.h"
#include "mca/component.h"

namespace wan {
namespace {

// Where Open MPI stores the values. It owns the strings.
#define WAN_NUMBER(name, initial, lowest, highest, level, help) int number_##name = initial;
#define WAN_CHOICE(name, initial, choices, level, help) \
  char* text_##name = const_cast<char*>(initial);  // read only: Open MPI copies the default
#define WAN_TEXT(name, level, help) char* text_##name = nullptr;
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT

int register_variable(const char* name, const std::string& help, mca_base_var_type_t type, int level,
                      void* storage) {
  int index = mca_base_component_var_register(
      &mca_coll_wan_component.collm_version, name, help.c_str(), type, nullptr, 0,
      static_cast<mca_base_var_flag_t>(0), static_cast<mca_base_var_info_lvl_t>(OPAL_INFO_LVL_1 + level - 1),
      MCA_BASE_VAR_SCOPE_READONLY, storage);
  return index < 0 ? index : 0;
}

std::string text_of(const char* value) {
  return value == nullptr ? "" : value;
}

}  // namespace

int register_parameters() {
  int rc = 0;
#define WAN_NUMBER(name, initial, lowest, highest, level, help)                                        \
  if (rc == 0)                                                                                         \
    rc = register_variable(#name, std::string(help) + " (range: " + range_text(lowest, highest) + ")", \
                           MCA_BASE_VAR_TYPE_INT, level, &number_##name);
#define WAN_CHOICE(name, initial, choices, level, help)                             \
  if (rc == 0)                                                                      \
    rc = register_variable(#name, std::string(help) + " (one of: " + choices + ")", \
                           MCA_BASE_VAR_TYPE_STRING, level, &text_##name);
#define WAN_TEXT(name, level, help) \
  if (rc == 0) rc = register_variable(#name, help, MCA_BASE_VAR_TYPE_STRING, level, &text_##name);
#define WAN_ALGORITHMS(name, level, help) \
  WAN_TEXT(name, level, (std::string(help) + " (known: " + known_algorithms() + ")"))
#define WAN_SOURCES(name, level, help) \
  WAN_TEXT(name, level, (std::string(help) + " (list of: " + known_sources() + ")"))
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  return rc;
}

Result<Parameters> read_parameters() {
  Parameters values;
#define WAN_NUMBER(name, initial, lowest, highest, level, help) values.name = number_##name;
#define WAN_CHOICE(name, initial, choices, level, help) values.name = text_of(text_##name);
#define WAN_TEXT(name, level, help) values.name = text_of(text_##name);
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
  if (const auto mistake = mistake_in(values)) return tl::unexpected(*mistake);
  return values;
}

}  // namespace wan
