// SPDX-License-Identifier: MIT
// The table of benchmarks.
#include "bench.h"

static const rvBenchEntry entries[] = {
    {"solver", "chains under a heavy load, side by side with other engines", rv_bench_solver},
    {"contact", "heaps in a pit and stacks of containers, side by side with other engines", rv_bench_contact},
    {"massless", "one massless cable over many bodies", rv_bench_massless},
    {"accuracy", "motion against closed forms", rv_bench_accuracy},
    {"random", "random machines, seeded: their energy does not grow", rv_bench_random},
    {"servin", "stretch and twist of two boxes on a cable, as Servin and Lacoursiere test them", rv_bench_servin},
    {"westin", "ANCF cables: Tables 2 to 7 of Westin and Irani, and our own step in them", rv_bench_westin},
    {"ancf", "ANCF cables: time of a step by phases, random cables", rv_bench_ancf},
    {"ale", "rope that flows through finite elements: time of a step beside ANCF, a crane", rv_bench_ale},
    {"route", "what each kind of place on a route costs, beside MuJoCo's spatial tendon", rv_bench_route},
    {"change", "what a load feels when another model fills its rope", rv_bench_change},
    {"reeving", "one hoist by three models of its rope: alike where physics is shared, different where not",
     rv_bench_reeving},
    {"layered", "cables with mass: time of their waves and steps, running rope", rv_bench_layered},
    {"cranes", "a step of a tower crane and of a gantry crane at work: median, one in a thousand, worst",
     rv_bench_cranes},
    {"wakamatsu", "an inextensible curve pushed, hit and looped, as Wakamatsu et al. simulate it", rv_bench_wakamatsu},
    {"sweep-scaling", "parameter studies: workers and ranks beside bare loops, what handing out costs", rv_bench_sweep},
    {"hosts", "one crane in our own world and in other engines through their adapters", rv_bench_hosts},
};

const rvBenchEntry* rv_bench_entries(int* count)
{
    *count = sizeof entries / sizeof entries[0];
    return entries;
}
