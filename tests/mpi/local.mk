# SPDX-License-Identifier: BSD-3-Clause
# Real mpirun runs, every collective and form.
