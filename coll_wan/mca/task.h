// SPDX-License-Identifier: BSD-3-Clause
// One translated MPI call: what to do (a Program), on which memory, with which operator, and what must stay
// alive.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "mca/buffers.h"
#include "mca/channel.h"
#include "mca/inquiry.h"
#include "mca/ompi.h"
#include "plan/program.h"
#include "process/event.h"
#include "process/plan_record.h"

namespace wan {

/// References to the user's datatypes and operators: the user may free them while a call is under way, and a
/// persistent call outlives that (Open MPI itself keeps them for nonblocking calls only). Predefined ones
/// need no reference.
class Retained {
 public:
  Retained() = default;
  Retained(Retained&&) = default;
  Retained& operator=(Retained&&) = delete;
  ~Retained();

  void keep(ompi_datatype_t* type);
  void keep(ompi_op_t* op);

 private:
  std::vector<ompi_datatype_t*> types_;
  std::vector<ompi_op_t*> ops_;
};

struct Task {
  Channel channel;                      ///< of its messages
  std::shared_ptr<const Plan> program;  ///< if it is known now; otherwise plan() makes it in the end
  Event* awaits = nullptr;              ///< comes first: outlives the communicator's calls
  std::vector<std::function<Inquiry()>>
      inquiries;  ///< come then, one after the other, each made when its turn has come
  std::function<std::shared_ptr<const Plan>()> plan = {};
  UserBuffer input, output;
  ompi_op_t* op = nullptr;
  ompi_datatype_t* element = nullptr;  ///< of a reduction; nullptr: the program's units are bytes
  Retained retained;

  /// Makes it a reduction, and keeps both.
  void set_operator(ompi_op_t* combine, ompi_datatype_t* type);
  /// Appends to input or output and keeps the datatype.
  void add_input(const void* address, std::size_t count, ompi_datatype_t* type);
  void add_output(const void* address, std::size_t count, ompi_datatype_t* type);
};

}  // namespace wan
