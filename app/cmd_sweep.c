// SPDX-License-Identifier: MIT
// `reeve sweep STUDY`: a parameter study on all processors of this machine.
#include "command.h"
#include "sweep/sweep.h"

int rv_cmd_sweep(int argc, char** argv)
{
    return rv_sweep_command(argc, argv, NULL);
}
