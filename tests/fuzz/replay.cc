// SPDX-License-Identifier: BSD-3-Clause
// Runs a fuzz target once over each file of its corpus, tests/fuzz/corpus/TARGET, where TARGET is the
// program's name; so the corpus is checked with any compiler. Prints TAP. Exit status 99 where there is no
// corpus.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
constexpr int kTestIsBroken = 99;

fs::path corpus_of(const fs::path& program) {
  const char* top = std::getenv("top_srcdir");
  return fs::path(top ? top : ".") / "tests/fuzz/corpus" / program.filename();
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::error_code missing;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, missing)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// A crash of the target ends the program, which the test driver counts as a failure.
void replay(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int, char** arguments) {
  const auto files = files_in(corpus_of(arguments[0]));
  if (files.empty()) return kTestIsBroken;
  std::printf("1..%zu\n", files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    replay(files[i]);
    std::printf("ok %zu - %s\n", i + 1, files[i].filename().c_str());
    std::fflush(stdout);
  }
}
