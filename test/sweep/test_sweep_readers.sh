#!/bin/sh
# SPDX-License-Identifier: MIT
# Other programs read the HDF5 file: h5py checks all of it against the journal's runs, h5dump prints it.
#   test_sweep_readers.sh REEVE SOURCES HAS_HDF5 HAS_MPI
reeve=$1 sources=$2 has_hdf5=$3
python=''
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import h5py' 2>/dev/null && python=$candidate && break
done
skip() { echo "SKIPPED: $1"; exit 77; }
case $has_hdf5 in ON | 1 | TRUE) ;; *) skip "built without HDF5: install libhdf5-dev" ;; esac
[ -n "$python" ] || skip "no h5py: install python3-h5py"
command -v h5dump >/dev/null || skip "no h5dump: install hdf5-tools"

set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$reeve" sweep "$sources/test/sweep/readers.yaml" --out out --quiet
"$reeve" sweep "$sources/test/sweep/readers.yaml" --out one --workers 1 --quiet
"$python" "$sources/test/sweep/readers.py" out/results.h5 one/results.h5
h5dump -n out/results.h5 >names
grep -q 'dataset    /parameters/mass' names
h5dump -d /runs/status out/results.h5 | grep -q '1, 1, 1'
h5dump -a /figures/peak/unit out/results.h5 | grep -q '"N"'
h5dump out/results.h5 >/dev/null

# while runs go on there is a file of those that are done, too
"$reeve" sweep "$sources/test/sweep/readers.yaml" --out long --set runs=1000000 --rebuild 1 --quiet &
sweep=$!
tries=0
while [ ! -e long/results.h5 ] && [ $tries -lt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
"$python" -c 'import h5py, sys
status = h5py.File("long/results.h5")["runs/status"][:]
done = int((status > 0).sum())
sys.exit(0 if len(status) == 1000000 and 0 < done < 1000000 else f"{done} of {len(status)} runs")' || early=bad
kill -KILL $sweep
[ -z "${early-}" ]
echo "h5py and h5dump read all of it"
