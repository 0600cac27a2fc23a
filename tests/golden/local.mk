# SPDX-License-Identifier: BSD-3-Clause
# Text dumps compared with files.
