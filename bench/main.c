// SPDX-License-Identifier: MIT
// The program behind `reeve bench`.
#include "bench.h"

int main(int argc, char** argv)
{
    return rv_bench_command(argc, argv);
}
