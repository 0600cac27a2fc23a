#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes configure and the Makefile.in files. Needs autoconf, automake and libtool.
set -e
cd "$(dirname "$0")"
exec autoreconf --install --force "$@"
