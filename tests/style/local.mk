# SPDX-License-Identifier: BSD-3-Clause
# Rules about the source tree and the build, each tested with a wrong example as well.
style_scripts = \
  %D%/dist_test.sh \
  %D%/driver_test.sh \
  %D%/exports_test.sh \
  %D%/format_test.sh \
  %D%/in_tree_test.sh \
  %D%/includes_test.sh \
  %D%/machine_test.sh \
  %D%/release_test.sh \
  %D%/reproducible_test.sh \
  %D%/spdx_test.sh
fast_tests += $(style_scripts)
system_tests += %D%/install_test.sh
EXTRA_DIST += $(style_scripts) %D%/install_test.sh %D%/tap.sh
