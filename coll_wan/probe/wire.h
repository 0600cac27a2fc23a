// SPDX-License-Identifier: BSD-3-Clause
// What agents say to each other: frames of a header of 16 bytes (a mark, kind, number, length; in network
// order) and as many bytes as it says. Anything else is refused, whatever it is. Pure functions and state
// without sockets; one thread. Tested by tests/unit/probe_wire.cc and tests/fuzz/probe_wire.cc.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/measurement.h"

namespace wan::probe {

enum class Kind : std::uint32_t {
  visit = 1,  ///< first of a connection that measures; bytes: the key of who is called
  report,     ///< first of a connection to the first host; number: the caller; bytes: the key
  wait,       ///< first of a connection of a process of the same host; bytes: the key
  ping,       ///< number: which
  pong,       ///< number: of the ping
  train,      ///< number: how many bytes are wanted back; bytes: anything
  seen,       ///< bytes: how a train came
  back,       ///< a train that was wanted
  errands,    ///< number: milliseconds until they must be reported; bytes: the errands
  findings,   ///< bytes: what the errands found
  done        ///< the exploration is over
};

inline constexpr std::size_t kHeaderBytes = 16;
inline constexpr std::uint32_t kMostTrainBytes = 2 << 20, kMostListBytes = 16 << 20;

struct Frame {
  Kind kind = Kind::ping;
  std::uint32_t number = 0;
  std::string bytes;  ///< none of a train, whose bytes mean nothing
  Train train;        ///< how a train came

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// A frame as it is sent.
std::string frame(Kind kind, std::uint32_t number = 0, std::string_view bytes = {});
/// A train of so many bytes, header included; at least the header.
std::string train_frame(Kind kind, std::uint32_t number, Bytes bytes);

std::string encode(const Train& train);
std::string encode(const std::vector<Errand>& errands);
std::string encode(const std::vector<Finding>& findings);
/// nullopt if `bytes` are not what encode() makes.
std::optional<Train> decode_train(std::string_view bytes);
std::optional<std::vector<Errand>> decode_errands(std::string_view bytes);
std::optional<std::vector<Finding>> decode_findings(std::string_view bytes);

/// The frames of a connection, out of what is read from it.
class Inbox {
 public:
  /// Takes what was read at `now_ns`, and appends the frames that it completes. False if no agent sends such
  /// bytes; the connection is of no use then.
  bool take(std::string_view bytes, Nanoseconds now_ns, std::vector<Frame>& frames);

 private:
  std::string_view piece_of(std::string_view& bytes, std::size_t most, Nanoseconds now_ns);
  bool begin_body();
  Frame end_frame(Nanoseconds now_ns);
  bool is_train() const { return kind_ == Kind::train || kind_ == Kind::back; }

  std::string header_, body_;
  bool in_body_ = false;
  Kind kind_ = Kind::ping;
  std::uint32_t number_ = 0, left_ = 0;
  bool is_first_read_ = true;  ///< does what is read now hold the frame's first byte?
  Nanoseconds first_ns_ = 0;
  Bytes after_first_ = 0;
};

}  // namespace wan::probe
