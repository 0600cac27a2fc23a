# SPDX-License-Identifier: BSD-3-Clause
# Symbolic verifier. Includes nothing of algo.
