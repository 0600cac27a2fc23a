// SPDX-License-Identifier: BSD-3-Clause
#include "mca/task.h"

namespace wan {

Retained::~Retained() {
  for (ompi_datatype_t* type : types_) OBJ_RELEASE(type);
  for (ompi_op_t* op : ops_) OBJ_RELEASE(op);
}

void Retained::keep(ompi_datatype_t* type) {
  if (ompi_datatype_is_predefined(type)) return;
  types_.push_back(type);
  OBJ_RETAIN(type);
}

void Retained::keep(ompi_op_t* op) {
  if (ompi_op_is_intrinsic(op)) return;
  ops_.push_back(op);
  OBJ_RETAIN(op);
}

void Task::set_operator(ompi_op_t* combine, ompi_datatype_t* type) {
  op = combine;
  element = type;
  retained.keep(op);
  retained.keep(type);
}

void Task::add_input(const void* address, std::size_t count, ompi_datatype_t* type) {
  input.append(address, count, type);
  if (count > 0) retained.keep(type);
}

void Task::add_output(const void* address, std::size_t count, ompi_datatype_t* type) {
  output.append(address, count, type);
  if (count > 0) retained.keep(type);
}

}  // namespace wan
