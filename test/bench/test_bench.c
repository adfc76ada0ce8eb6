// SPDX-License-Identifier: MIT
// Benchmarks: the form of their rows and of their JSON, and the chain that other engines carry. Never their times.
#include "bench.h"
#include "bench/read_back.h"
#include "cases/chain.h"
#include "check.h"

static void NumbersThatDoNotExistAreNull(void** state)
{
    (void)state;
    rvBench bench = {.name = "none"};
    rv_bench_add(&bench, rv_bench_row("m", 1.0, RV_NO_NUMBER, "", "a \"quoted\" \\ case"));
    rv_bench_add(&bench, rv_bench_row("m", HUGE_VAL, 0.0, "", "line\nbreak"));
    rv_bench_leave_out(&bench, "peer", "not %s", "there");
    rv_bench_leave_out(&bench, "peer", "not %s", "there");
    struct fy_document* document = read_back(&bench);
    assert_non_null(document);
    struct fy_node* rows = field(fy_document_root(document), "rows");
    struct fy_node *first = fy_node_sequence_get_by_index(rows, 0), *second = fy_node_sequence_get_by_index(rows, 1);
    static const char* const none[] = {"ratio", "goal", "holds"};
    for (int i = 0; i < 3; i++) {
        assert_true(is_text(first, none[i], "null"));
        assert_true(is_text(second, none[i], "null"));
    }
    assert_true(is_text(first, "case", "a \"quoted\" \\ case"));
    assert_true(is_text(first, "ours", "1"));
    assert_true(is_text(first, "reference", "null"));
    assert_true(is_text(second, "case", "line\nbreak"));
    assert_true(is_text(second, "ours", "null"));
    assert_true(is_text(second, "reference", "0"));
    struct fy_node* missing = field(fy_document_root(document), "left_out");
    assert_int_equal(fy_node_sequence_item_count(missing), 1); // named once
    assert_true(is_text(fy_node_sequence_get_by_index(missing, 0), "why", "not there"));
    fy_document_destroy(document);
    rv_bench_release(&bench);
}

static void GoalsAreJudgedByTheirKind(void** state)
{
    (void)state;
    rvBenchRow row = rv_bench_row("s", 2.0, 4.0, "", "two of four");
    CHECK_NEAR(rv_bench_ratio(&row), 0.5, 0.0); // exact in binary
    assert_int_equal(rv_bench_holds(&row), -1);
    static const struct {
        rvGoalKind kind;
        double holds, fails;
    } cases[] = {
        {RV_GOAL_OURS_AT_MOST, 2.0, 1.9},
        {RV_GOAL_OURS_AT_LEAST, 2.0, 2.1},
        {RV_GOAL_RATIO_AT_MOST, 0.5, 0.4},
        {RV_GOAL_RATIO_WITHIN, 0.5, 0.4},
    };
    for (int i = 0; i < 4; i++) {
        rvBenchRow good = rv_bench_goal(row, cases[i].kind, cases[i].holds);
        rvBenchRow bad = rv_bench_goal(row, cases[i].kind, cases[i].fails);
        assert_int_equal(rv_bench_holds(&good), 1);
        assert_int_equal(rv_bench_holds(&bad), 0);
        good.ours = RV_NO_NUMBER; // no number, no success
        assert_int_equal(rv_bench_holds(&good), 0);
    }
}

static void WrongArgumentsAreRefused(void** state)
{
    (void)state;
    char* unknown[] = {"bench", "nothing"};
    char* option[] = {"bench", "--fast"};
    char* twice[] = {"bench", "solver", "massless"};
    assert_int_equal(rv_bench_command(2, unknown), 2);
    assert_int_equal(rv_bench_command(2, option), 2);
    assert_int_equal(rv_bench_command(3, twice), 2);
    char* other[] = {"bench", "solver", "--walk", "5"}; // of another benchmark
    char* all[] = {"bench", "--walk", "5"};             // of one, given to all
    char* alone[] = {"bench", "route", "--first", "5"};
    char* first[] = {"bench", "ancf", "--first", "5"};
    char* bare[] = {"bench", "cranes", "--steps"};
    assert_int_equal(rv_bench_command(4, other), 2);
    assert_int_equal(rv_bench_command(3, all), 2);
    assert_int_equal(rv_bench_command(4, alone), 2);
    assert_int_equal(rv_bench_command(4, first), 2);
    assert_int_equal(rv_bench_command(3, bare), 2);
    char* only[] = {"bench", "solver", "--only", "tower"};
    char* none[] = {"bench", "cranes", "--quick", "--only", "no such crane"};
    assert_int_equal(rv_bench_command(4, only), 2);
    char* family[] = {"bench", "random", "--quick", "--only", "no such family"};
    assert_int_equal(rv_bench_command(5, none), 1); // nothing ran
    assert_int_equal(rv_bench_command(5, family), 1);
    char* plot[] = {"bench", "westin", "--plot", "/dev/null/plots"}; // no folder; told before it runs
    assert_int_equal(rv_bench_command(4, plot), 2);
    char* list[] = {"bench", "--list"};
    assert_int_equal(rv_bench_command(2, list), 0);
}

static void EveryPeerIsMeasuredOrNamedAsMissing(void** state)
{
    (void)state;
    const rvChainEngine* peers[RV_CHAIN_MAX_ENGINES];
    const char* missing[RV_CHAIN_MAX_ENGINES];
    int present = rv_chain_peers(peers, RV_CHAIN_MAX_ENGINES);
    assert_int_equal(present + rv_chain_missing(missing, RV_CHAIN_MAX_ENGINES), 4);
}

static void PeriodOfTheChainIsThatOfAPhysicalPendulum(void** state)
{
    (void)state;
    double pi = acos(-1.0);
    rvChain point = {1, 10.0, 0.0, 100.0, pi / 6.0};
    double small = 2.0 * pi * sqrt(10.0 / 9.81);
    CHECK_NEAR(rv_chain_period(&point) / small, 1.017409, 5e-7); // digits of the table of closed forms
    point.angle = pi / 2.0;
    CHECK_NEAR(rv_chain_period(&point) / small, 1.180341, 5e-7); // digits of the table of closed forms
    rvChain rod = {5, 10.0, 2.0, 0.0, 0.0};
    CHECK_NEAR(rv_chain_period(&rod), small * sqrt(2.0 / 3.0), 1e-9); // a rod without load; round-off
}

// Shows that the drivers of the peers set up the same chain as the closed form has.
static void DirectPeersSwingWithTheExactPeriod(void** state)
{
    (void)state;
    rvChain chain = {10, 10.0, 0.1, 100.0, 0.5};
    const rvChainEngine* peers[RV_CHAIN_MAX_ENGINES];
    int count = rv_chain_peers(peers, RV_CHAIN_MAX_ENGINES);
    for (int i = 0; i < count; i++) {
        if (!strcmp(peers[i]->name, "ODE dWorldQuickStep"))
            continue; // loses a load of 1000 link masses
        rvChainRun run = rv_chain_run(&chain, peers[i], 0.3 * rv_chain_step_limit(&chain), 5.2, 0.01);
        CHECK_NEAR(run.period, rv_chain_period(&chain), 1e-3); // the links, 1 % of the load, hardly bend the chain
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NumbersThatDoNotExistAreNull),
        cmocka_unit_test(GoalsAreJudgedByTheirKind),
        cmocka_unit_test(WrongArgumentsAreRefused),
        cmocka_unit_test(EveryPeerIsMeasuredOrNamedAsMissing),
        cmocka_unit_test(PeriodOfTheChainIsThatOfAPhysicalPendulum),
        cmocka_unit_test(DirectPeersSwingWithTheExactPeriod),
    };
    return RUN_TESTS(tests);
}
