#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl probe on the command line. What it measures is tested by tests/lab/wanctl_probe_test.sh.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99
# What is set around the test shall not count.
unset SLURM_JOB_NODELIST PBS_NODEFILE OMPI_MCA_orte_default_hostfile PRTE_MCA_prte_default_hostfile

further() { (export OMPI_COMM_WORLD_RANK=1 && wanctl probe >"$scratch/out" 2>&1) && [ ! -s "$scratch/out" ]; }
helper() { echo '{"do": "listen"}' | wanctl probe --serve | grep -q '"error"'; }
# An agent that starts nothing, and a file of hosts that nobody has.
printf '#!/bin/sh\necho "no host $1" >&2; exit 1\n' >"$scratch/agent"
chmod +x "$scratch/agent"
kept() {
  echo mine >"$scratch/mine"
  wanctl probe --agent "$scratch/agent" --hosts a,b --output "$scratch/mine" >/dev/null 2>&1
  [ $? = 1 ] && [ "$(cat "$scratch/mine")" = mine ]
}
error_as_json() { wanctl probe --agent "$scratch/agent" --hosts a,b --json 2>/dev/null | grep -qE '^  "error": "(a: .*no host a; .*doctor --hosts b,a|b: .*no host b; .*doctor --hosts a,b)'; }

tap_ok "no hosts" ends 2 'wanctl probe: --hosts: .*expected a list' probe
tap_ok "one host" ends 2 '"a": expected at least two different hosts' probe --hosts a
tap_ok "no such host file" ends 2 'cannot be read' probe --hosts /nowhere/hosts
tap_ok "no round" ends 2 'wanctl probe: --rounds: .*see wanctl probe --help' probe --hosts a,b --rounds 0
tap_ok "a misspelt option" ends 2 '"--host": did you mean "--hosts"' probe --host a,b
tap_ok "a further process of mpirun has nothing to do" further
tap_ok "the helper takes orders" helper
tap_ok "hosts that cannot be had, as JSON" error_as_json
tap_ok "a file stays as it is where nothing is measured" kept
tap_done
