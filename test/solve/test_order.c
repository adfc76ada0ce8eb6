// SPDX-License-Identifier: MIT
#include "rig.h"

#include "solve/system.h"

static const rvStructure* order(Rig* rig)
{
    rv_structure_update(&rig->solver->structure, &rig->rows, &rig->bodies);
    return &rig->solver->structure;
}

static int count_blocks(const rvStructure* s)
{
    int count = 0;
    for (int c = 0; c < s->groupCount; ++c)
        count += s->columns[c].belowCount;
    return count;
}

// Pairs of groups that share a pushed body: the blocks of S below its diagonal.
static int count_pairs(const Rig* rig)
{
    int count = 0;
    for (int g = 0; g < rig->rows.groupCount; ++g)
        for (int h = 0; h < g; ++h) {
            bool meet = false;
            for (int i = 0; i < rig->rows.groups[g].slotCount; ++i)
                for (int j = 0; j < rig->rows.groups[h].slotCount; ++j) {
                    int body = rig->rows.slots[rig->rows.groups[g].firstSlot + i].body;
                    meet |=
                        body == rig->rows.slots[rig->rows.groups[h].firstSlot + j].body && rig->inverse[body][0] > 0.0;
                }
            count += meet;
        }
    return count;
}

static void ChainHasNoFill(void** state)
{
    (void)state;
    Rig rig = rig_make(200, 600, 200, 0.0, 1);
    rig_add_chain(&rig, 0, 199);
    const rvStructure* s = order(&rig);
    for (int c = 0; c < 200; ++c)
        assert_int_equal(s->columns[c].belowCount, c < 199);
    assert_int_equal(s->islands[0].size, 200 * 9 + 199 * 9); // block tridiagonal
    rig_release(&rig);
}

static void TreesHaveNoFill(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; ++seed) {
        Rig rig = rig_make(60, 400, 60, 0.0, seed);
        for (int b = 1; b < 60; ++b) {
            int bodies[2] = {b, rig_pick(&rig, seed % 2 ? b : b < 8 ? b : 8)}; // bushy ones too
            rig_add(&rig, RV_GROUP_JOINT, 1 + rig_pick(&rig, 6), bodies, 2);
        }
        assert_int_equal(count_blocks(order(&rig)), count_pairs(&rig));
        rig_release(&rig);
    }
}

static void CableOverAllBodiesComesLast(void** state)
{
    (void)state;
    Rig rig = rig_make(100, 301, 101, 0.0, 1);
    int bodies[100];
    for (int i = 0; i < 100; ++i)
        bodies[i] = i;
    rig_add(&rig, RV_GROUP_CABLE, 1, bodies, 100);
    rig_add_chain(&rig, 0, 99);
    const rvStructure* s = order(&rig);
    assert_true(s->columns[99].group == 0 || s->columns[100].group == 0); // the last two meet: either may come first
    assert_int_equal(count_blocks(s), 99 + 100);                          // an arrow
    rig_release(&rig);
}

static void ManyGroupsOnOneBodyAreOneClique(void** state)
{
    (void)state;
    Rig rig = rig_make(1, 300, 300, 0.0, 1);
    int body = 0;
    for (int i = 0; i < 300; ++i)
        rig_add(&rig, RV_GROUP_CONTACT, 1, &body, 1);
    const rvStructure* s = order(&rig);
    assert_int_equal(count_blocks(s), 300 * 299 / 2);
    for (int c = 0; c < 300; ++c)
        for (int i = 0; i < s->columns[c].belowCount; ++i)
            assert_int_equal(s->below[s->columns[c].firstBelow + i], c + 1 + i);
    rig_release(&rig);
}

static void ListsOfLoopsAreClosedUnderElimination(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        Rig rig = rig_make(20, 300, 40, 0.0, seed);
        for (int g = 0; g < 40; ++g) {
            int first = rig_pick(&rig, 18);
            int bodies[2] = {first, first + 1 + rig_pick(&rig, 19 - first)};
            rig_add(&rig, RV_GROUP_JOINT, 1 + rig_pick(&rig, 6), bodies, 2);
        }
        const rvStructure* s = order(&rig);
        for (int c = 0; c < 40; ++c) {
            const int* below = s->below + s->columns[c].firstBelow;
            for (int i = 1; i < s->columns[c].belowCount; ++i) {
                assert_true(below[i] > below[i - 1]);
                const rvColumn* parent = &s->columns[below[0]];
                bool found = false; // eliminating c joins all that it meets
                for (int k = 0; k < parent->belowCount; ++k)
                    found |= s->below[parent->firstBelow + k] == below[i];
                assert_true(found);
            }
        }
        rig_release(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ChainHasNoFill),
        cmocka_unit_test(TreesHaveNoFill),
        cmocka_unit_test(CableOverAllBodiesComesLast),
        cmocka_unit_test(ManyGroupsOnOneBodyAreOneClique),
        cmocka_unit_test(ListsOfLoopsAreClosedUnderElimination),
    };
    return RUN_TESTS(tests);
}
