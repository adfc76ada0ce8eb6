// SPDX-License-Identifier: MIT
// Random machines never explode, 10 s of 400; thousands and longer runs by `reeve bench sweep`.
#include "check.h"

#include "../app/random_machine.h"

#define MOST_GROWTH 0.01 // of the energy above the lowest place in reach, with the work done

static void RandomMachinesNeverExplode(void** state)
{
    (void)state;
    int failed = 0;
    for (uint64_t n = 1; n <= 400; ++n) {
        rvRandomMachine machine = rv_random_machine(n);
        assert_false(machine.failed);
        double when, grown = rv_random_machine_run(&machine, 10.0, &when);
        if (!(grown <= MOST_GROWTH)) {
            failed += 1;
            print_error("machine %llu:%s, h %.4g: energy grows by %.3g at %g s\n", (unsigned long long)n, machine.kind,
                        machine.h, grown, when);
        }
        rvDestroyWorld(machine.world);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RandomMachinesNeverExplode),
    };
    return RUN_TESTS(tests);
}
