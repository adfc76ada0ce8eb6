// SPDX-License-Identifier: MIT
// The program of somebody who installed Reeve.
#include <reeve/reeve.h>
#include <stdio.h>

int main(void)
{
    printf("reeve %s, %s\n", rvVersion(), rvStatus_Name(RV_OK));
    return 0;
}
