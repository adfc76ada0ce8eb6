// SPDX-License-Identifier: MIT
// Stands in for the viewer where it could not be built (cmake/view.cmake).
#include "command.h"

int rv_cmd_view(int argc, char** argv)
{
    (void)argc, (void)argv;
    fprintf(stderr, "reeve view: this reeve was built without the viewer, which needs libwebsockets, node and npm\n");
    return RV_EXIT_USAGE;
}
