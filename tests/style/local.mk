# SPDX-License-Identifier: BSD-3-Clause
# Rules about the source tree and the build, each tested with a wrong example as well.
