# SPDX-License-Identifier: BSD-3-Clause
# The emulated wide area, and schedules over it.
