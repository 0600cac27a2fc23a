// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/lab_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace wan::lab {
namespace {

constexpr const char* kPrefix = "wan-lab-";

bool is_dead(const std::string& path) {
  const Fd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return directory.get() >= 0 && ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

LabDirectory::LabDirectory()
    : path_(std::filesystem::temp_directory_path() / fmt::format("{}{}", kPrefix, ::getpid())) {
  ::rmdir(path_.c_str());  // left by a dead lab with our process id
  checked(::mkdir(path_.c_str(), 0755), path_);
  lock_ = open_file(path_, O_RDONLY | O_DIRECTORY);
  checked(::flock(lock_.get(), LOCK_EX | LOCK_NB), path_);
}

LabDirectory::~LabDirectory() {
  ::rmdir(path_.c_str());
}

std::vector<std::string> remove_dead_labs() {
  std::vector<std::string> removed;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
    const std::string path = entry.path();
    if (!entry.path().filename().string().starts_with(kPrefix) || !is_dead(path)) continue;
    if (::rmdir(path.c_str()) == 0) removed.push_back(path);
  }
  return removed;
}

}  // namespace wan::lab
