# SPDX-License-Identifier: BSD-3-Clause
# Properties of schedules, over random topologies and calls.
