# SPDX-License-Identifier: BSD-3-Clause
# Test Anything Protocol for shell scripts. Source it, call the cases, end with tap_done.
tap_count=0
tap_failed=0

# tap_ok NAME COMMAND...: one case, which passes if the command succeeds; what a failing command prints is shown.
tap_ok() {
  local name=$1 output
  shift
  tap_count=$((tap_count + 1))
  if output=$("$@" 2>&1); then
    echo "ok $tap_count - $name"
  else
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $name"
    printf '%s\n' "$output" | sed 's/^/# /'
  fi
}

# tap_skip NAME REASON
tap_skip() {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $1 # SKIP $2"
}

# is_silent COMMAND...: succeeds if the command prints nothing; checks print one line for each violation.
is_silent() {
  local output
  output=$("$@" 2>&1)
  [ -z "$output" ] || { printf '%s\n' "$output"; return 1; }
}

# complains PATTERN COMMAND...: succeeds if the command prints a line that matches.
complains() {
  local pattern=$1
  shift
  "$@" 2>&1 | grep -E -e "$pattern" >/dev/null || { echo "no line matches $pattern"; return 1; }
}

# misses PATTERN COMMAND...: succeeds if the command says which of its goals it has missed, and ends with status 1.
misses() {
  local pattern=$1 output status
  shift
  output=$("$@" 2>&1)
  status=$?
  [ $status = 1 ] && grep -qE -e "^missed: $pattern" <<<"$output" || { printf 'status %s\n%s\n' $status "$output"; return 1; }
}

# refused PATTERN COMMAND...: the command ends with status 2 and says what matches.
refused() {
  local pattern=$1 said status
  shift
  said=$("$@" 2>&1)
  status=$?
  [ $status = 2 ] && grep -qE -e "$pattern" <<<"$said" || { echo "status $status: $said"; return 1; }
}

tap_done() {
  echo "1..$tap_count"
  [ "$tap_failed" -eq 0 ]
  exit
}

# files ROOT: the project's own files, one a line, relative to ROOT; those that git would add, or of a tarball all sources,
# without what `make distcheck` builds in it.
files() (
  cd "$1" || exit 1
  if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
    git ls-files -co --exclude-standard | while read -r file; do [ -f "$file" ] && echo "$file"; done
  else
    find . \( -path './build*' -o -path ./_build -o -path ./_inst -o -name .git -o -name autom4te.cache -o -name .libs -o -name .deps \) -prune -o -type f -print |
      sed 's,^\./,,' |
      grep -vE '(^|/)(Makefile(\.in)?|configure~?|aclocal\.m4|config\.(log|status)|libtool|m4/l(ib)?t.*\.m4|tests/environment)$|\.(o|lo|la|log|trs|so)$'
  fi
)
