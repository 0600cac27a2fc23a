# SPDX-License-Identifier: BSD-3-Clause
# wanctl on the command line, a script for each subcommand; `plan` is tested by tests/golden/plan_test.sh as well.
wanctl_scripts = \
  %D%/completion_test.sh \
  %D%/draw_test.sh \
  %D%/forward_test.sh \
  %D%/here_test.sh \
  %D%/manual_test.sh \
  %D%/plan_json_test.sh \
  %D%/probe_test.sh \
  %D%/simulate_test.sh \
  %D%/topology_test.sh \
  %D%/usage_test.sh
fast_tests += $(wanctl_scripts)
EXTRA_DIST += $(wanctl_scripts) %D%/wanctl.sh
