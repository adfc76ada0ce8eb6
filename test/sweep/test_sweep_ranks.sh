#!/bin/sh
# SPDX-License-Identifier: MIT
# Ranks of Open MPI give the results of one machine, bit for bit; a rank that dies ends the job, and --resume goes on.
#   test_sweep_ranks.sh REEVE SOURCES HAS_HDF5 HAS_MPI
reeve=$1 sources=$2 has_hdf5=$3 has_mpi=$4
skip() { echo "SKIPPED: $1"; exit 77; }
case $has_mpi in ON | 1 | TRUE) ;; *) skip "built without MPI: install libopenmpi-dev" ;; esac
command -v mpirun >/dev/null || skip "no mpirun: install openmpi-bin"
! ldd "$reeve" | grep -q libmpi || { echo "reeve itself is linked to MPI"; exit 1; }

set -e
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# sanitizers: Open MPI keeps memory until the end
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
study="$sources/test/sweep/ranks.yaml"
"$reeve" sweep "$study" --out alone --quiet
for ranks in 2 3; do
    mpirun --oversubscribe -n $ranks "$reeve" sweep "$study" --out ranks$ranks >printed 2>&1 || { cat printed; exit 1; }
    grep -q "300 of 300 done" printed
    grep -q "by $ranks workers" printed
done
same() {
    # all but wall times
    case $has_hdf5 in
    ON | 1 | TRUE)
        h5diff --exclude-path=/timing "$1/results.h5" "$2/results.h5" >differences || {
            cat differences
            echo "$1 and $2 differ"
            exit 1
        }
        ;;
    esac
}
if command -v h5diff >/dev/null; then
    same alone ranks2
    same alone ranks3
else
    echo "h5diff is not installed: results were not compared"
fi

# one rank dies: the job ends with an error, and no run that was done is lost
mpirun --oversubscribe -n 3 "$reeve" sweep "$study" --set 'time_limit=1 min' --out dead --log >log 2>&1 &
job=$!
while ! grep -qs 'run 30:' log; do sleep 0.02; done
victim=$(pgrep -P "$job" | tail -n 1)
kill -KILL "$victim"
if wait "$job"; then echo "the job went on without a rank"; exit 1; fi
done_before=$(grep -c '^run [0-9]*: ok' log)
mpirun --oversubscribe -n 2 "$reeve" sweep "$study" --out dead --resume >printed 2>&1 || { cat printed; exit 1; }
grep -q '300 of 300 done' printed
now=$(sed -n 's/.*done, \([0-9]*\) now.*/\1/p' printed)
[ $((now + done_before)) -le 300 ] || { echo "$done_before were done, $now were done again"; exit 1; }
! command -v h5diff >/dev/null || same alone dead

# ranks that see different studies are told
cp "$study" other.yaml
sed -i "s|\.\./\.\./scenes|$sources/scenes|" other.yaml
if mpirun --oversubscribe -n 1 "$reeve" sweep other.yaml --out two : -n 1 "$reeve" sweep other.yaml --out two --set seed=5 \
    >printed 2>&1; then
    echo "ranks of different studies worked together"
    exit 1
fi
grep -q "another rank reads another study or scene" printed
echo "ranks work as one machine does"
