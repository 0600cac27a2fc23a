# SPDX-License-Identifier: BSD-3-Clause
# The emulated wide area.
