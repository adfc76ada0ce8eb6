#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# golden.sh [--record | --against REV]: see `./dev help`. Runs the program build/release/bin/golden.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
groups=(scenes machines threads elements)

# golden BUILD ACTION GROUP...
golden() { "$1/bin/golden" --scenes scenes "${@:2}"; }

# The first ten differences between the stored numbers and those of now, with the values of both revisions.
against()
{
    local revision folder group run object step shown=0
    revision=$(git rev-parse --verify --short "$1^{commit}")
    folder=build/golden-$revision
    if [[ ! -x $folder/build/release/bin/golden ]]; then
        git worktree prune
        [[ -d $folder ]] || git worktree add --detach --quiet "$folder" "$revision"
        (cd "$folder" && cmake --preset release >build.log && cmake --build build/release --target golden >>build.log) ||
            { tail -n 20 "$folder/build.log" >&2; exit 1; }
    fi
    for group in "${groups[@]}"; do
        # numbers of that revision by its own program: what is stored may be older than it
        (cd "$folder" && golden build/release record "$group" "build/$group.txt") || exit 1
        golden build/release check "$group" "$folder/build/$group.txt" >build/golden.log || true
        while IFS=$'\t' read -r run object step; do
            [[ -n $step ]] || { echo "$run"; continue; }
            ((shown++ < 10)) || continue
            printf '%s, %s, step %d\n  %-9s' "$run" "$object" "$step" "$revision"
            (cd "$folder" && golden build/release values "$group" "$run" "$step") | sed -n "s/^$object //p"
            printf '  %-9s' now
            golden build/release values "$group" "$run" "$step" | sed -n "s/^$object //p"
        done <build/golden.log
    done
    ((shown <= 10)) || echo "and $((shown - 10)) more"
    ((shown == 0)) || exit 1
    echo "golden: all numbers are those of $revision"
}

case ${1-} in
--against)
    against "${2?a revision}"
    ;;
--record)
    for group in "${groups[@]}"; do
        golden build/release record "$group" "test/golden/$group.txt"
    done
    ;;
'')
    status=0
    for group in "${groups[@]}"; do
        golden build/release check "$group" "test/golden/$group.txt" || status=$?
    done
    exit $status
    ;;
*)
    echo "golden.sh: unexpected argument '$1'" >&2
    exit 2
    ;;
esac
