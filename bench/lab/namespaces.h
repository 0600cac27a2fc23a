// SPDX-License-Identifier: BSD-3-Clause
// Network and UTS namespaces, held by file descriptors: they live as long as the owner or a process inside.
// Threads: entering changes the calling thread only. Model: mahimahi. Tested through
// bench/lab/tests/lab_*_test.sh.
#pragma once

#include <string>

#include "bench/lab/system.h"

namespace wan::lab {

enum class NamespaceKind { kNetwork, kUts };

/// A namespace that the lab made.
class Namespace {
 public:
  /// Makes a new one; the calling thread stays where it is.
  static Namespace create(NamespaceKind kind);
  /// Opens one that was published under `path`.
  static Namespace open(NamespaceKind kind, const std::string& path);

  /// Moves the calling thread into it for good.
  void join() const;
  /// Makes it openable under `path` (a bind mount in the lab's mount namespace).
  void publish(const std::string& path) const;

 private:
  friend class Inside;
  Namespace(NamespaceKind kind, Fd fd) : kind_(kind), fd_(std::move(fd)) {}

  NamespaceKind kind_;
  Fd fd_;
};

/// The calling thread is inside a namespace while this lives.
class Inside {
 public:
  explicit Inside(const Namespace& place);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Namespace home_;
};

}  // namespace wan::lab
