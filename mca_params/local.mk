# SPDX-License-Identifier: BSD-3-Clause
# Parameters, presets and example topologies.
example_topologies = \
  %D%/cities.toml \
  %D%/far-4x4.toml \
  %D%/fat-4x4.toml \
  %D%/magpie-8x5.toml \
  %D%/three-levels.toml \
  %D%/unequal-5.toml \
  %D%/uniform-4x4.toml
presets = \
  %D%/oversubscribed.conf \
  %D%/wan.conf \
  %D%/wan-tuned.conf
pkgdata_DATA += $(example_topologies) $(presets)
EXTRA_DIST += $(example_topologies) $(presets)
