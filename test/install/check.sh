#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh CHECK SOURCE ROOT WORK CC GENERATOR: one check of the library installed in ROOT; see CMakeLists.txt.
set -eu
check=$1 source=$2 root=$3 work=$4/$1 cc=$5 generator=$6
libdir=$(dirname "$(find "$root" -name libreeve.a)")
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# Runs the program and compares what it says.
run()
{
    LD_LIBRARY_PATH=$libdir ./program >said
    cat said
    grep -q '^reeve 0\.2\.0: the rope pulls with 490\.5 N$' said
}

by_cmake()
{
    cmake -S "$source/external" -B . -G "$generator" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$root" \
        -DLINKAGE="$1" >log 2>&1 || { cat log; exit 1; }
    cmake --build . >log 2>&1 || { cat log; exit 1; }
    run
}

by_pkgconfig()
{
    PKG_CONFIG_PATH=$libdir/pkgconfig
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    if [ "$1" = static ]; then
        # The archive by name: without it the linker prefers the shared library.
        "$cc" "$source/external/program.c" -o program $(pkg-config --cflags --libs --static reeve |
            sed "s|-lreeve|-l:libreeve.a|")
    elif [ "$1" = reference ]; then
        "$cc" -DWITH_REFERENCE "$source/external/program.c" -o program $(
            pkg-config --cflags --libs --static reeve-reference | sed "s|-lreeve |-l:libreeve.a |")
    else
        "$cc" "$source/external/program.c" -o program $(pkg-config --cflags --libs reeve)
    fi
    run
}

# Does the program ask for the shared library: yes or no, as it should.
uses_shared()
{
    if readelf -d program | grep -q 'NEEDED.*libreeve'; then echo yes; else echo no; fi
}

case $check in
headers)
    for header in "$root"/include/reeve/*.h; do
        name=reeve/$(basename "$header")
        echo "#include \"$name\"" >alone.c
        echo "$name"
        "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$root/include" alone.c
        if command -v clang >/dev/null; then
            clang -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$root/include" alone.c
        fi
    done
    ;;
symbols)
    # All that is exported is public: rvVerb, never rv_internal nor a plain name.
    for library in "$libdir"/libreeve*.so; do
        nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^rv[A-Z]' >private || true
        if [ -s private ]; then
            echo "$library exports private names:"
            cat private
            exit 1
        fi
        nm -D --defined-only "$library" | grep -q ' rv[A-Z]'
    done
    ;;
cmake-shared) by_cmake shared; [ "$(uses_shared)" = yes ] ;;
cmake-static) by_cmake static; [ "$(uses_shared)" = no ] ;;
cmake-reference) by_cmake reference; [ "$(uses_shared)" = no ] ;;
pkgconfig-shared) by_pkgconfig shared; [ "$(uses_shared)" = yes ] ;;
pkgconfig-static) by_pkgconfig static; [ "$(uses_shared)" = no ] ;;
pkgconfig-reference) by_pkgconfig reference; [ "$(uses_shared)" = no ] ;;
*)
    echo "no such check: $check"
    exit 2
    ;;
esac
