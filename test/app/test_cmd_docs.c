// SPDX-License-Identifier: MIT
// The manual page in docs/ is the one that the help gives now.
#include "check.h"

#include <stdlib.h>

static void TheManualPageIsUpToDate(void** state)
{
    (void)state;
    char line[1000];
    snprintf(line, sizeof line, "'%s' docs man | cmp - '%s/../docs/reeve.1'", REEVE_COMMAND, REEVE_SCENES);
    if (system(line) != 0)
        fail_msg("docs/reeve.1 is not up to date: run `reeve docs man > docs/reeve.1`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(TheManualPageIsUpToDate)};
    return RUN_TESTS(tests);
}
