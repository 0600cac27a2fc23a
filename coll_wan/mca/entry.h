// SPDX-License-Identifier: BSD-3-Clause
// The three forms of a collective, each from the same translation. Open MPI calls these functions through the
// module. No exception leaves them. Threads: any. Tested by: tests/mpi.
#pragma once

#include <new>

#include "mca/module.h"
#include "mca/request.h"

namespace wan {

/// Runs `body`, which returns an Open MPI code, behind the border to C.
template <class Body>
int behind_border(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return OMPI_ERR_OUT_OF_RESOURCE;
  }
}

template <auto Translate>
struct Forms;

template <class... Arguments, Task (*Translate)(Communicator&, Arguments...)>
struct Forms<Translate> {
  static ompi_request_t* make(Form form, Arguments... arguments, mca_coll_base_module_t* module) {
    return make_request(form, Translate(communicator_of(module), arguments...));
  }

  static int blocking(Arguments... arguments, ompi_communicator_t*, mca_coll_base_module_t* module) noexcept {
    return behind_border([&] {
      ompi_request_t* request = make(Form::blocking, arguments..., module);
      start(request);
      return finish(request);
    });
  }

  static int nonblocking(Arguments... arguments, ompi_communicator_t*, ompi_request_t** request,
                         mca_coll_base_module_t* module) noexcept {
    return behind_border([&] {
      *request = make(Form::nonblocking, arguments..., module);
      start(*request);
      return OMPI_SUCCESS;
    });
  }

  static int persistent(Arguments... arguments, ompi_communicator_t*, ompi_info_t*, ompi_request_t** request,
                        mca_coll_base_module_t* module) noexcept {
    return behind_border([&] {
      *request = make(Form::persistent, arguments..., module);
      return OMPI_SUCCESS;
    });
  }
};

}  // namespace wan
