// SPDX-License-Identifier: BSD-3-Clause
// The part of wanctl probe on each host: it takes orders (tools/doctor/orders.h), and measures as the hosts
// of a job do (probe/agent.h).
//
//   {"do": "greet", "environment": {NAME: VALUE}}        {"host": NAME, "addresses": [ADDRESS]}
//   {"do": "listen"}                                     {"endpoint": Endpoint}
//   {"do": "probe", "me": NUMBER, "hosts": [Endpoint]}   {"errands": [Errand], "findings": [Finding]}
//
// "greet" comes first: the environment is what mpirun would pass on, and the addresses are those that Open
// MPI would use. "probe" follows "listen", in which each host says where it can be called; all hosts get the
// same list. Host 0 leads, and its answer has what all have measured; those of the others are empty. Both may
// come again and again. Threads: one. Tested by tests/unit/survey_helper.cc.
#pragma once

namespace wan::tools::survey {

void run_helper(int in, int out);

}  // namespace wan::tools::survey
