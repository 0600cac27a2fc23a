#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every command in README.md and docs/ does what it is there for. A command is a line of a ```sh or ``` block, or words in `...` that
# begin with mpirun, ompi_info, configure, wanctl, or with a program of bench/ or tests/. Those that build and test coll_wan are run by
# tests/run itself: here it is checked that they are. The others are run here, with files in the place of the names that stand
# for files. A command that this test does not know is a failure.
# timeout-seconds: 400
. "$top_srcdir/tests/readme/app.sh" || exit 99
. "$top_srcdir/tests/readme/commands.sh"
readme=$scratch/pages.md  # all pages for users, as one
cat "$top_srcdir/README.md" "$top_srcdir"/docs/*.md >"$readme"
wan_lab=$top_builddir/bench/lab/wan-lab
wan_bench_compare=$top_builddir/bench/collectives/wan-bench-compare

# What to do about each command.
declare -A what=(
  ['bench/demo']=demo
  ['tests/run']=run_by_ci
  ['tests/run --sanitizers']=run_by_ci
  ['tests/run --ompi5']=run_by_ci
  ['bench/collectives/wan-bench-compare --setting uniform-sizes --sizes 8,4096,65536 --repetitions 9']=measure
  ['bench/lab/wan-lab run --topology /path/to/sites.toml --ranks 2 -- mpirun ./app']=over_emulated_sites
  ['./autogen.sh']='run_by_tests step.autogen.*[[:space:]]\./autogen\.sh'
  ['./configure']='run_by_tests step.configure.*/configure'
  ['make']='run_by_tests make.*\$programs'
  ['make check']='run_by_tests make.*check-\$half'
  ['make install']=run_by_install_test
  ['configure --help']=configure_help
  ['configure --with-ompi-source=DIR']='run_by_test negative/openmpi_source --with-ompi-source'
  ['coll_wan/in-tree/add OPENMPI-SOURCE']='run_by_test style/in_tree coll_wan/in-tree/add'
  ['mpirun --mca mca_base_component_path DIR:SYSTEM_DEFAULT:USER_DEFAULT ...']='load 4'
  ['mpirun ... env OMPI_MCA_mca_base_component_path=DIR:SYSTEM_DEFAULT:USER_DEFAULT ./app']='load 5'
  ['mpirun --hostfile hosts --mca coll_wan_topology /path/to/sites.toml ./app']=over_sites
  ['mpirun --tune P/share/coll_wan/wan.conf --hostfile hosts ./app']=over_preset
  ['mpirun --hostfile hosts --mca coll_wan_verbose 1 ./app']=over_found_sites
  ['mpirun --hostfile hosts --mca coll ^wan ./app']=over_sites
  ["mpirun --hostfile hosts sh -c 'OMPI_MCA_coll_wan_site=\$(hostname | cut -c 1-3) exec ./app'"]=over_labelled_sites
  ['mpirun --mca coll_wan_discover pmix --host a1,a2 ./app : --host b1,b2 ./app']=over_programs
  ['ompi_info --param coll wan --level 9']=ask_ompi_info
  ['make deb']='run_by_packages make.*[[:space:]]deb([[:space:]]|$)'
  ['apt-get install ./deb/openmpi-coll-wan_*.deb']='run_by_packages apt.*[[:space:]]install[[:space:]].*/openmpi-coll-wan_\*\.deb'
  ['make rpm']='run_by_packages make.*[[:space:]]rpm([[:space:]]|$)'
  ['tests/packages bookworm']='run_by_release packages.bookworm$'
  ['tests/packages trixie']='run_by_release packages.trixie$'
  ['tests/release']='run_by_release openmpi$'
  ['wanctl --help']='wanctl ^..topology'
  ['wanctl topology check sites.toml']='wanctl correct,.2.sites$'
  ['wanctl topology show sites.toml']='wanctl ^paris.+tokyo.+ms'
  ['wanctl topology convert sites.toml --output sites.json']='wanctl ^$'
  ['wanctl topology here']='wanctl ^host.+site.+by$'
  ['wanctl topology here --hosts hosts --topology sites.toml']=over_known_hosts
  ['wanctl plan allreduce --topology sites.toml --ranks 4 --count 262144 --simulate']='wanctl ^simulated:'
  ['wanctl draw tree bcast --topology sites.toml --ranks 8 --output tree.svg']='wanctl ^$'
  ['wanctl draw timeline allreduce --topology sites.toml --ranks 4 --count 262144 --output timeline.svg']='wanctl ^$'
  ['wanctl simulate all --topology sites.toml --ranks 4 --sizes 8,1MiB --latency paris:tokyo=x0.5']='wanctl ^what.if.+[0-9]$|^what.if.+direct'
  ['wanctl doctor --hosts hosts']=over_hosts
  ['wanctl probe --hosts hosts --output measured.toml']=probe_hosts
  ['mpirun --hostfile hosts -N 1 wanctl probe --output measured.toml']=probe_hosts
  ['mpicc results.c $(pkg-config --cflags --libs wan_multicast) -o results']='run_by_multicast_test'
  ['wanctl bench --help']='wanctl --sizes'
  ['wanctl lab --help']='wanctl wan-lab'
)

# What is run elsewhere ---------------------------------------------------------------------------------------------------

# run_by_tests PATTERN: tests/run has a line that matches.
run_by_tests() { complains "$1" cat "$top_srcdir/tests/run"; }
# run_by_test TEST PATTERN: tests/TEST_test.sh has one.
run_by_test() { complains "$2" cat "$top_srcdir/tests/$1_test.sh"; }
# run_by_ci COMMAND: .ci/run has it.
run_by_ci() { complains "^part [0-9]+ (env ([A-Z_]+=[a-z0-9_=]+ )+)?$1\$" cat "$top_srcdir/.ci/run"; }
run_by_packages() { complains "$1" cat "$top_srcdir/tests/packages"; }
run_by_release() { complains "^part .*tests/$1" cat "$top_srcdir/tests/release"; }
run_by_multicast_test() { complains 'mpicc results\.c' cat "$top_srcdir/tests/mpi/multicast_test.sh"; }
run_by_install_test() {
  complains 'make .*[[:space:]]install([[:space:]]|$)' cat "$top_srcdir/tests/style/install_test.sh" &&
    complains '/style/install_test\.sh$' env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$top_builddir" list-system
}

# What is run here --------------------------------------------------------------------------------------------------------

# says PATTERN SECONDS COMMAND...: the command succeeds in the scratch directory and prints a line that matches.
says() {
  local pattern=$1 limit=$2 output status
  shift 2
  output=$(cd "$scratch" && timeout -k 5 "$limit" "$@" 2>&1 </dev/null)
  status=$?
  [ $status = 0 ] && grep -qE -e "$pattern" <<<"$output" && return
  printf 'exit status %s, pattern %s:\n%s\n' $status "$pattern" "$output"
  return 1
}

configure_help() { says '--with-ompi' 60 "$top_srcdir/configure" --help; }
ask_ompi_info() { says 'coll_wan_topology' 60 env OMPI_MCA_mca_base_component_path="$component:SYSTEM_DEFAULT" sh -c "$1"; }
# Two collectives, in the build folder of this test.
demo() {
  says '^barrier .*' 200 env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL WAN_DEMO_BUILD="$top_builddir" \
    "$top_srcdir/bench/demo" --collectives barrier,bcast --sizes 8
}

# wanctl PATTERN COMMAND: with the README's own topology file; dots of the pattern stand for spaces.
wanctl() { says "$1" 100 sh -c "PATH=$top_builddir:\$PATH; $2"; }

# measure COMMAND: with one collective, size and repetition. How quick it is on a busy machine does not matter: status 1 says
# that a goal was missed.
measure() {
  local command="$wan_bench_compare ${1#* }"
  command="${command%% --sizes*} --sizes 8 --collectives barrier --peers coll_wan --passes 1 --repetitions 1 --warm-up 0"
  says '^barrier .*[0-9]' 100 sh -c "$command --output $scratch/results || [ \$? = 1 ]"
}
# over_emulated_sites COMMAND: with the component found as if it were installed, and at work.
over_emulated_sites() {
  local command="$wan_lab ${1#* }"
  local settings="OMPI_MCA_mca_base_component_path=$component:SYSTEM_DEFAULT:USER_DEFAULT OMPI_MCA_coll_wan_verbose=1"
  command=${command//\/path\/to/$scratch}
  says "$serves paris \(2\) tokyo \(2\)" 100 sh -c "${command/ mpirun .\/app/ mpirun env $settings .\/app}"
}

# load MAJOR COMMAND: with no other collective component than ours the program starts only if ours is found.
load() {
  local command=$2
  command=${command//.../--oversubscribe --mca mpi_yield_when_idle 1 --mca coll wan -n 2 ./app}
  [[ $2 == *./app ]] && command=${command/ .\/app env/ env}
  says '^right on 2 ranks$' 60 sh -c "${command//DIR/$component}"
}

# in_lab PATTERN COMMAND: the command on two emulated sites of one host each, those of the README's own topology file, with the
# component found as if it were installed; it prints a line that matches.
in_lab() {
  local command=${2//\/path\/to/$scratch}
  if [ "$OMPI_MAJOR" -ge 5 ]; then
    command=${command//.\/app/env OMPI_MCA_mca_base_component_path=$component:SYSTEM_DEFAULT:USER_DEFAULT .\/app}
  else
    command="export OMPI_MCA_mca_base_component_path=$component:SYSTEM_DEFAULT:USER_DEFAULT; $command"
  fi
  says "$1" 100 "$wan_lab" run --topology sites.toml --ranks 2 --hosts 1 -- \
    sh -c 'unset OMPI_MCA_coll_wan_topology; cp "$WAN_LAB_HOSTFILE" hosts; '"$command"
}
serves='coll_wan: serves MPI_COMM_WORLD; sites \(ranks\):'
over_sites() { in_lab '^right on 4 ranks$' "$1"; }
over_preset() { in_lab '^right on 4 ranks$' "${1/P\/share\/coll_wan/$top_srcdir\/mca_params}"; }
over_found_sites() { in_lab "$serves par \(2\) tky \(2\)" "$1"; }
over_labelled_sites() { in_lab "$serves par \(2\) tky \(2\)" "export OMPI_MCA_coll_wan_verbose=1; $1"; }

over_programs() {
  local command=$1 first='$(head -n 1 hosts | cut -d " " -f 1):2' second='$(tail -n 1 hosts | cut -d " " -f 1):2'
  command=${command/a1,a2/$first}
  in_lab 'sites \(ranks\): application 0 \(2\) application 1 \(2\)' "export OMPI_MCA_coll_wan_verbose=1; ${command/b1,b2/$second}"
}

# The hosts find Open MPI, and with 5.0 no coll_wan: a fault, and so not the status 0.
over_hosts() { in_lab '^par-01 +tky1 +yes ' "PATH=$top_builddir:\$PATH; $1; [ \$? -le 1 ]"; }

# What is measured between them is what they are emulated with.
probe_hosts() { in_lab '^par +tky +11[0-9.]+ ms ' "PATH=$top_builddir:\$PATH; $1"; }

# The hosts of the lab, from within it.
over_known_hosts() { in_lab '^par-01 +paris +file$' "PATH=$top_builddir:\$PATH; $1"; }

# Why a command cannot be run here; nothing if it can.
obstacle() {
  case $1 in
    over_programs) if [ "$OMPI_MAJOR" -ne 5 ]; then echo "$no_lab"; else echo "Open MPI 5.0.7 crashes when it is given two programs"; fi ;;
    'load 4') [ "$OMPI_MAJOR" -lt 5 ] || echo "for Open MPI 4.1" ;;
    'load 5') [ "$OMPI_MAJOR" -ge 5 ] || echo "for Open MPI 5.0 and 6.0" ;;
    over_* | measure | probe_hosts) [ -z "$no_lab" ] || echo "$no_lab" ;;
    run_by_ci) [ -e "$top_srcdir/.ci" ] || echo "not in the tarball" ;;
  esac
}

block "$readme" toml >"$scratch/sites.toml"
no_lab=
lab_answer=$(cd "$scratch" && timeout 60 "$wan_lab" run --topology sites.toml --ranks 1 -- true 2>&1)
[ $? = 77 ] && no_lab=$lab_answer

# The test itself ---------------------------------------------------------------------------------------------------------

run_command() {
  local words
  read -r -a words <<<"${what[$1]:-unknown}"
  "${words[@]}" "$1"
}
unknown() { echo "README.md or docs/ has a command that this test does not know: $1"; return 1; }

# The commands that this test knows and FILE no longer has.
vanished() { comm -13 <(commands "$1" | sort) <(printf '%s\n' "${!what[@]}" | sort); }
# The commands that FILE has and this test does not know.
unknown_in() { comm -23 <(commands "$1" | sort) <(printf '%s\n' "${!what[@]}" | sort); }

while IFS= read -r command; do
  reason=$(obstacle "${what[$command]:-}")
  if [ -n "$reason" ]; then tap_skip "$command" "$reason"; else tap_ok "$command" run_command "$command"; fi
done < <(commands "$readme")
tap_ok "no command that is tested has left the pages" is_silent vanished "$readme"

# The files that the pages link, and those that CONTRIBUTING.md names.
links_of() { grep -ohE '\]\([^):#]+[)#]' "$@" | sed 's/^](\(.*\)[)#]$/\1/'; }
links() {
  links_of "$top_srcdir"/{README,CONTRIBUTING,SECURITY}.md
  links_of "$top_srcdir"/docs/*.md | sed 's,^,docs/,'
}
sources() { grep -oE '`(bench|coll_wan|mca_params|tests)/[^ `]*`' "$1" | tr -d '`'; }
missing() { while read -r file; do [ -e "$top_srcdir/$file" ] || echo "$file"; done; }
missing_files() { { links; sources "$top_srcdir/CONTRIBUTING.md"; } | missing; }
programs() { sed -n '/^## Tools/,/^## /p' "$readme" | grep '^| `' | cut -d'|' -f2 | grep -o '`[^`]*`' | tr -d '`'; }
program_path() {
  case $1 in
    wan-bench* | wan-model-error) echo "$top_builddir/bench/collectives/$1" ;;
    *) echo "$top_builddir/$1" ;;
  esac
}
# The example is read by the component too: all it finds is that this host is not in it.
example_is_read() {
  says 'does not know these hosts' 60 "$MPIRUN" "${wan_component_arguments[@]}" \
    --mca coll_wan_topology "$scratch/sites.toml" -n 1 ./app
}

tap_ok "the component reads the topology file of the pages" example_is_read
tap_ok "the files that the pages name are there" is_silent missing_files
tap_ok "one that is not there is found" complains '^tests/tea$' missing <<<tests/tea
while read -r program; do
  tap_ok "$program answers --help" says '--' 60 "$(program_path "$program")" --help
done < <(programs)

# Wrong ones are found.
{ cat "$readme"; printf '```sh\nbench/lab/wan-lab explode\n```\n'; } >"$scratch/more.md"
tap_ok "a command that is not known is found" complains '^bench/lab/wan-lab explode$' unknown_in "$scratch/more.md"
sed 's/`ompi_info --param/`ompi_info --all --param/' "$readme" >"$scratch/changed.md"
tap_ok "a command that has changed is found" complains '^ompi_info --all' unknown_in "$scratch/changed.md"
tap_ok "one that has left is found" complains '^ompi_info --param coll' vanished "$scratch/changed.md"
fails() { ! "$@" >/dev/null; }
tap_ok "a command without an entry fails" fails run_command 'make coffee'
tap_ok "a step that tests/run lacks is found" fails run_by_tests 'step.*brew'
tap_ok "one that a test lacks is found" fails run_by_test style/in_tree brew
tap_done
