# SPDX-License-Identifier: BSD-3-Clause
# Wrong input and mutants that must be rejected.
