// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/namespaces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>

#include "base/invariant.h"

namespace wan::lab {
namespace {

int clone_flag(NamespaceKind kind) {
  return kind == NamespaceKind::kNetwork ? CLONE_NEWNET : CLONE_NEWUTS;
}

std::string own_path(NamespaceKind kind) {
  return kind == NamespaceKind::kNetwork ? "/proc/thread-self/ns/net" : "/proc/thread-self/ns/uts";
}

}  // namespace

Namespace Namespace::create(NamespaceKind kind) {
  const Namespace home = open(kind, own_path(kind));
  checked_available(::unshare(clone_flag(kind)), "cannot make a namespace");
  Namespace made = open(kind, own_path(kind));
  home.join();
  return made;
}

Namespace Namespace::open(NamespaceKind kind, const std::string& path) {
  return {kind, open_file(path, O_RDONLY)};
}

void Namespace::join() const {
  checked(::setns(fd_.get(), clone_flag(kind_)), "cannot enter a namespace");
}

void Namespace::publish(const std::string& path) const {
  write_file(path, "");
  const std::string source = fmt::format("/proc/thread-self/fd/{}", fd_.get());
  checked(::mount(source.c_str(), path.c_str(), nullptr, MS_BIND, nullptr), path);
}

Inside::Inside(const Namespace& place) : home_(Namespace::open(place.kind_, own_path(place.kind_))) {
  place.join();
}

Inside::~Inside() {
  invariant(::setns(home_.fd_.get(), clone_flag(home_.kind_)) == 0, "way home from a namespace");
}

}  // namespace wan::lab
