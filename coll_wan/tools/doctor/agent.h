// SPDX-License-Identifier: BSD-3-Clause
// The doctor's part on each host: it reads orders, a line of JSON each, and answers each with a line.
//
//   {"do": "facts", "environment": {NAME: VALUE}, "names": [...], "topology": FILE}   {"facts": HostFacts}
//   {"do": "reach", "targets": [Target]}                                              {"reaches": [Reach]}
//   {"do": "measure", "target": Target}                                               {"measured":
//   Measurement}
//
// The first order is "facts"; from then on other hosts' agents may connect (peer_server.h). It ends with its
// input. An order that it does not understand is answered by {"error": TEXT}. The environment's variables are
// set first: what mpirun would pass on.
#pragma once

namespace wan::tools::doctor {

void run_agent(int in, int out);

}  // namespace wan::tools::doctor
