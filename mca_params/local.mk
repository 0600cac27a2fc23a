# SPDX-License-Identifier: BSD-3-Clause
# Parameters, presets and example topologies.
