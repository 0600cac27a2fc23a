# SPDX-License-Identifier: BSD-3-Clause
# What the README tests read from a README. Source it.

# commands FILE: every command in it, each once.
commands() {
  awk '
    /^ *```/ { inside = !inside; shell = /```(sh)?$/; next }
    inside && shell { sub(/^ +/, ""); if ($0 != "") print }
    inside { next }
    { n = split($0, part, "`"); for (i = 2; i <= n; i += 2) if (part[i] ~ /^(mpirun|ompi_info|configure|wanctl|bench\/[a-z\/-]+|tests\/[a-z]+) /) print part[i] }
  ' "$1" | awk '!seen[$0]++'
}

# block FILE LANGUAGE: the lines of the blocks in that language.
block() { awk -v mark='```'"$2" '/^ *```/ { inside = ($0 ~ mark "$"); next } inside { sub(/^   /, ""); print }' "$1"; }
