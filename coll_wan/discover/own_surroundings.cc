// SPDX-License-Identifier: BSD-3-Clause
#include "discover/own_surroundings.h"

#include <cstdlib>
#include <utility>

namespace wan {
namespace {

std::string variable_named(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::optional<std::string> text_of(const std::string& path) {
  auto text = SiteFile::read(path);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace

Surroundings own_surroundings(std::string host) {
  Surroundings here;
  here.variable = variable_named;
  here.text_of = text_of;
  here.host = std::move(host);
  return here;
}

void add_own_addresses(Surroundings& here) {
  const std::vector<InterfaceAddress> own = own_addresses();
  here.subnet = own_subnet(own);
  for (const InterfaceAddress& each : own) here.addresses.push_back(each.address);
}

}  // namespace wan
