#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A job gets what the presets of mca_params/*.conf say, by `mpirun --tune` and from ~/.openmpi/mca-params.conf: Open MPI knows each
# parameter, has its value, and has it from there. A preset with a wrong name, or in a form that one of the two ways does not read, fails.
# timeout-seconds: 60
. "$top_srcdir/tests/readme/app.sh" || exit 99

"$MPICC" -o "$scratch/values" "$top_srcdir/tests/readme/parameter_values.c" || exit 99

# WAY FILE NAME...: the values of these parameters in a job of two ranks with the preset FILE, and what ompi_info says there.
by_tune() {
  local file=$1
  shift
  HOME=$scratch in_job "$*" --tune "$file"
}
by_parameter_file() {
  mkdir -p "$scratch/home/.openmpi"
  cp "$1" "$scratch/home/.openmpi/mca-params.conf"
  shift
  HOME=$scratch/home in_job "$*"
}
# in_job NAMES OPTIONS...
in_job() {
  local names=$1
  shift
  timeout 30 "$MPIRUN" --oversubscribe "${wan_component_arguments[@]}" "$@" -n 2 sh -c \
    '"$0" $2 || exit; [ "$OMPI_COMM_WORLD_RANK" != 0 ] || exec "$1" --all --parsable' "$scratch/values" "$OMPI_INFO" "$names" 2>&1
}

# lines FILE: its parameters, NAME=VALUE.
lines() { grep -vE '^(#|$)' "$1"; }

# violations WAY FILE [RUN]: a line for each parameter of FILE that is not in force in a job with the preset RUN (FILE).
violations() {
  local way=$1 file=$2 line name value names
  mapfile -t names < <(lines "$file" | sed 's/[ =].*//')
  "$way" "${3:-$2}" "${names[@]}" >"$scratch/said"
  grep -q '^right on 2 ranks$' "$scratch/said" || { echo "the job failed:"; head -n 20 "$scratch/said"; }
  while IFS= read -r line; do
    [[ $line =~ ^[a-z][a-z0-9_]*=[^[:space:]]+$ ]] || { echo "$line: not NAME=VALUE without blanks"; continue; }
    name=${line%%=*}
    value=$(sed -n "s/^$name=//p" "$scratch/said")
    [ -n "$value" ] || { echo "$name: Open MPI $OMPI_VERSION has no such parameter"; continue; }
    [ "${line/%=true/=1}" = "$name=$value" ] || echo "$name: is $value, not ${line#*=}"
    # 5.0's ompi_info does not know all that a job has.
    ! grep -q "^mca:[^:]*:[^:]*:param:$name:source:default" "$scratch/said" || echo "$name: has its default, not what the preset says"
  done < <(lines "$file")
}

presets=("$top_srcdir"/mca_params/*.conf)
for preset in "${presets[@]}"; do
  name=${preset##*/}
  tap_ok "$name has parameters" test -n "$(lines "$preset")"
  tap_ok "$name by --tune" is_silent violations by_tune "$preset"
  tap_ok "$name as parameter file" is_silent violations by_parameter_file "$preset"
done

# Wrong ones are found.
{ cat "${presets[0]}"; echo btl_tcp_sendbuf=0; echo btl_tcp_links = 2; echo coll_wan_learnt=1; echo btl_tcp_use_nagle=1; } >"$scratch/wrong.conf"
violations by_parameter_file "$scratch/wrong.conf" >"$scratch/found"
tap_ok "a name that Open MPI does not have is found" complains '^btl_tcp_sendbuf: Open MPI .* no such' cat "$scratch/found"
tap_ok "a name that coll_wan does not have is found" complains '^coll_wan_learnt: Open MPI .* no such' cat "$scratch/found"
tap_ok "blanks are found" complains '^btl_tcp_links = 2: not NAME' cat "$scratch/found"
tap_ok "and nothing else is" test "$(wc -l <"$scratch/found")" = 3
lines "$scratch/wrong.conf" | grep -E '^btl_tcp_use_nagle=' >"$scratch/planted.conf"
tap_ok "a value that is not in force is found" complains '^btl_tcp_use_nagle: is 0, not 1' \
  violations by_tune "$scratch/planted.conf" "${presets[0]}"
sed 's/=.*/=0/' "$scratch/planted.conf" >"$scratch/default.conf"
tap_ok "a value that does not come from the preset is found" complains '^btl_tcp_use_nagle: has its default' \
  violations by_tune "$scratch/default.conf" "${presets[0]}"
tap_done
