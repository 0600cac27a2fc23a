# SPDX-License-Identifier: BSD-3-Clause
# The benchmark of collectives.
