# SPDX-License-Identifier: BSD-3-Clause
# Text dumps compared with files.
fast_tests += %D%/wan_plan_test.sh
EXTRA_DIST += %D%/wan_plan_test.sh
