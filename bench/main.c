// SPDX-License-Identifier: MIT
// The program behind `reeve bench`.
#include "bench.h"

#include "support/file.h"

#include <errno.h>
#include <string.h>

int main(int argc, char** argv)
{
    int code = rv_bench_command(argc, argv);
    if (rv_flush_output())
        return code;
    fprintf(stderr, "reeve bench: standard output: %s\n", strerror(errno));
    return code != 0 ? code : 1;
}
