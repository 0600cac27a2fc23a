# SPDX-License-Identifier: BSD-3-Clause
# Parsers against random bytes.
