// SPDX-License-Identifier: MIT
// Stands in for the viewer where it could not be built (cmake/view.cmake).
#include "command.h"
#include "view/page.h"

const unsigned char rvReportScript[] = "", rvReportStyle[] = "";
const size_t rvReportScriptSize = 0, rvReportStyleSize = 0;

int rv_cmd_view(int argc, char** argv)
{
    (void)argc, (void)argv;
    fprintf(stderr, "reeve view: this reeve was built without the viewer, which needs libwebsockets, node and npm\n");
    return RV_EXIT_USAGE;
}
