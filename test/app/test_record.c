// SPDX-License-Identifier: MIT
#include "view/record.h"

#include "app/shell.h"

static rvBytes read_replay(void)
{
    char path[400], buffer[4096];
    size_t count;
    rvBytes bytes = {0};
    write_file("swing.yaml", "reeve: 1\nuntil: 0.5\nbodies:\n  m: {mass: 1, position: [1, 0, 0]}\n"
                             "cables:\n  c: {length: 1.1, route: [{attach: world, point: [0, 0, 0]}, "
                             "{attach: m, point: [0, 0, 0]}]}\n");
    assert_int_equal(reeve("run swing.yaml --quiet --no-vtk --out swung"), 0);
    snprintf(path, sizeof path, "%s/swung/replay.bin", folder);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        rv_bytes_add(&bytes, buffer, count);
    fclose(file);
    assert_false(bytes.failed);
    return bytes;
}

// A run that was killed: cut anywhere, what is left are whole records, and more of them the more there is.
static void ACutRecordHasAllThatIsWhole(void** state)
{
    (void)state;
    rvBytes whole = read_replay(), cut = {0};
    size_t before = 0;
    int sizes = 0;
    for (size_t size = 0; size <= whole.size; ++size) {
        cut.size = 0;
        rv_bytes_add(&cut, whole.data, size);
        if (!rv_record_trim(&cut)) {
            assert_int_equal(before, 0); // no frame yet
            continue;
        }
        assert_true(cut.size <= size && cut.size >= before);
        sizes += cut.size > before;
        before = cut.size;
    }
    assert_int_equal(before, whole.size);
    assert_true(sizes >= 16); // frames of half a second
    rv_bytes_release(&whole);
    rv_bytes_release(&cut);
}

static void OtherBytesAreNoRecord(void** state)
{
    (void)state;
    rvBytes bytes = read_replay();
    static const size_t spoilt[] = {0, 7, 8, 11}; // magic, length of the description
    assert_true(rv_record_trim(&bytes));
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; ++i) {
        bytes.data[spoilt[i]] ^= 0x83;
        assert_false(rv_record_trim(&bytes));
        bytes.data[spoilt[i]] ^= 0x83;
    }
    rv_bytes_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ACutRecordHasAllThatIsWhole),
        cmocka_unit_test(OtherBytesAreNoRecord),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
