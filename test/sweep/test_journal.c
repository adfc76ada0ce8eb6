// SPDX-License-Identifier: MIT
// The journal: whatever happens to its bytes, whole records are found and nothing else is.
#include "check.h"

#include "sweep/journal.h"
#include "sweep/record.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char PATH[] = "test_journal.bin";
enum { RECORDS = 5, SIZE_MAX_OF_TEST = 4096 };

typedef struct {
    int count, kinds[16];
    char texts[16][64];
    int64_t ends[16];
} Seen;

static bool see(void* context, rvJournalKind kind, int64_t offset, const unsigned char* bytes, size_t size)
{
    Seen* seen = context;
    assert_true(seen->count < 16 && size < 64);
    memcpy(seen->texts[seen->count], bytes, size);
    seen->texts[seen->count][size] = '\0';
    seen->ends[seen->count] = offset + (int64_t)size + 4;
    seen->kinds[seen->count++] = (int)kind;
    return true;
}

// A journal of a study and five records; answers its bytes.
static size_t make_journal(unsigned char bytes[SIZE_MAX_OF_TEST])
{
    rvJournal journal;
    char text[20];
    assert_true(rv_journal_create(&journal, PATH, "study"));
    for (int i = 0; i < RECORDS; ++i) {
        int length = snprintf(text, sizeof text, "record %d", i);
        assert_true(rv_journal_add(&journal, RV_JOURNAL_RUN, text, (size_t)length));
    }
    rv_journal_close(&journal);
    FILE* file = fopen(PATH, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, SIZE_MAX_OF_TEST, file);
    fclose(file);
    return size;
}

static void put_bytes(const unsigned char* bytes, size_t size)
{
    FILE* file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// The check value of the CRC-32 of IEEE 802.3.
static void ChecksumIsTheStandardOne(void** state)
{
    (void)state;
    assert_int_equal(rv_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(rv_crc32(rv_crc32(0, "1234", 4), "56789", 5), 0xcbf43926); // in parts
}

static void RecordsComeBackInTheirOrder(void** state)
{
    (void)state;
    unsigned char bytes[SIZE_MAX_OF_TEST];
    make_journal(bytes);
    rvJournal journal;
    rvJournalState found;
    Seen seen = {0};
    assert_true(rv_journal_open(&journal, PATH, see, &seen, &found));
    rv_journal_close(&journal);
    assert_int_equal(seen.count, 1 + RECORDS);
    assert_int_equal(seen.kinds[0], RV_JOURNAL_STUDY);
    assert_string_equal(seen.texts[0], "study");
    assert_string_equal(seen.texts[3], "record 2");
    assert_int_equal(found.leftOver, 0);
    assert_int_equal(found.damaged, 0);
}

// A kill may end the file at any byte: the records before it are found, and appending goes on behind them.
static void TruncationAtAnyByteLosesNoWholeRecord(void** state)
{
    (void)state;
    unsigned char bytes[SIZE_MAX_OF_TEST];
    size_t size = make_journal(bytes);
    rvJournal journal;
    rvJournalState found;
    Seen whole = {0};
    assert_true(rv_journal_open(&journal, PATH, see, &whole, &found));
    rv_journal_close(&journal);
    for (size_t cut = 8; cut < size; ++cut) {
        put_bytes(bytes, cut);
        Seen seen = {0}, again = {0};
        assert_true(rv_journal_open(&journal, PATH, see, &seen, &found));
        int expected = 0;
        while (whole.ends[expected] <= (int64_t)cut)
            ++expected;
        assert_int_equal(seen.count, expected);
        assert_true(rv_journal_add(&journal, RV_JOURNAL_RUN, "new", 3));
        rv_journal_close(&journal);
        assert_true(rv_journal_open(&journal, PATH, see, &again, &found));
        rv_journal_close(&journal);
        assert_int_equal(again.count, expected + 1);
        assert_string_equal(again.texts[expected], "new");
        assert_int_equal(found.leftOver, 0);
    }
}

// Of a file with one byte changed, all other records are found, and none that was not written.
static void AChangedByteLosesOneRecordAtMost(void** state)
{
    (void)state;
    unsigned char bytes[SIZE_MAX_OF_TEST];
    size_t size = make_journal(bytes);
    for (size_t at = 8; at < size; ++at)
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[at] ^= (unsigned char)(1 << bit);
            put_bytes(bytes, size);
            bytes[at] ^= (unsigned char)(1 << bit);
            rvJournalState found;
            Seen seen = {0};
            int file = open(PATH, O_RDONLY);
            assert_true(rv_journal_scan(file, see, &seen, &found));
            close(file);
            assert_int_equal(seen.count, RECORDS);
            for (int i = 0; i < seen.count; ++i)
                assert_true(strcmp(seen.texts[i], "study") == 0 || strncmp(seen.texts[i], "record ", 7) == 0);
        }
}

static void AnotherFileIsNoJournal(void** state)
{
    (void)state;
    rvJournal journal;
    rvJournalState found;
    Seen seen = {0};
    put_bytes((const unsigned char*)"study: 1\n", 9);
    assert_false(rv_journal_open(&journal, PATH, see, &seen, &found));
    assert_int_equal(errno, EBADMSG);
    put_bytes((const unsigned char*)"RVS", 3);
    assert_false(rv_journal_open(&journal, PATH, see, &seen, &found));
    assert_int_equal(errno, EBADMSG);
}

// A second process may not append to the journal of a first.
static void OneProcessAtATime(void** state)
{
    (void)state;
    rvJournal journal;
    assert_true(rv_journal_create(&journal, PATH, "study"));
    pid_t other = fork();
    if (other == 0) {
        rvJournal second;
        rvJournalState found;
        Seen seen = {0};
        bool opened = rv_journal_open(&second, PATH, see, &seen, &found);
        _exit(!opened && errno == EAGAIN ? 0 : 1);
    }
    int status = -1;
    waitpid(other, &status, 0);
    assert_int_equal(status, 0);
    rv_journal_close(&journal);
}

// A disk that is full amidst a record: it fails, the journal is as before, and goes on once there is room.
static void AFullDiskLeavesTheJournalAsItWas(void** state)
{
    (void)state;
    static char large[3000];
    memset(large, 'x', sizeof large);
    rvJournal journal;
    assert_true(rv_journal_create(&journal, PATH, "study"));
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGXFSZ, &ignore, &before);
    struct rlimit room, small;
    getrlimit(RLIMIT_FSIZE, &room);
    small = room;
    small.rlim_cur = 1000; // a write stops there, as on a full disk
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_false(rv_journal_add(&journal, RV_JOURNAL_RUN, large, sizeof large));
    assert_int_equal(errno, EFBIG);
    setrlimit(RLIMIT_FSIZE, &room);
    sigaction(SIGXFSZ, &before, NULL);
    assert_true(rv_journal_add(&journal, RV_JOURNAL_RUN, "small", 5));
    rv_journal_close(&journal);
    rvJournalState found;
    Seen seen = {0};
    assert_true(rv_journal_open(&journal, PATH, see, &seen, &found));
    rv_journal_close(&journal);
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.texts[1], "small");
    assert_int_equal(found.leftOver, 0);
    assert_int_equal(found.damaged, 0);
}

// ---- records

static void ARecordComesBack(void** state)
{
    (void)state;
    const double figures[] = {1.5, -2e300}, series[] = {0, 1, 0.5, 2};
    rvBytes out = {0}, events = {0}, numbers = {0};
    rv_record_add_event(&events, 0.25, 1, 31.0, "hoist");
    rv_record_add_event(&events, 0.5, 4, 2.0, "");
    rv_bytes_add(&numbers, series, sizeof series);
    rv_record_begin(&out, 17, RV_RUN_OK, 0.125, figures, 2, "why");
    rv_record_put_events(&out, &events, 2, 3);
    rv_record_put_series(&out, &numbers, 2);
    rvRecord record;
    assert_true(rv_record_read(out.data, out.size, &record));
    assert_int_equal(record.run, 17);
    assert_int_equal(record.status, RV_RUN_OK);
    CHECK_NEAR(rv_record_number(record.figures, 1), -2e300, 0.0);
    assert_memory_equal(record.message, "why", 3);
    const unsigned char* at = record.events;
    assert_int_equal(rv_record_event(&at).objectLength, 5);
    rvRecordEvent second = rv_record_event(&at);
    CHECK_NEAR(second.value, 2.0, 0.0);
    assert_int_equal(record.rows, 2);
    CHECK_NEAR(rv_record_number(record.series, 3), 2.0, 0.0);
    // cut anywhere, it is no record, and nothing behind its end is read
    for (size_t size = 0; size < out.size; ++size) {
        unsigned char* copy = malloc(size + 1);
        memcpy(copy, out.data, size);
        assert_false(rv_record_read(copy, size, &record));
        free(copy);
    }
    rv_bytes_release(&out);
    rv_bytes_release(&events);
    rv_bytes_release(&numbers);
}

static int remove_journal(void** state)
{
    (void)state;
    return unlink(PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ChecksumIsTheStandardOne),
        cmocka_unit_test(RecordsComeBackInTheirOrder),
        cmocka_unit_test(TruncationAtAnyByteLosesNoWholeRecord),
        cmocka_unit_test(AChangedByteLosesOneRecordAtMost),
        cmocka_unit_test(AnotherFileIsNoJournal),
        cmocka_unit_test(OneProcessAtATime),
        cmocka_unit_test(AFullDiskLeavesTheJournalAsItWas),
        cmocka_unit_test(ARecordComesBack),
    };
    return cmocka_run_group_tests(tests, NULL, remove_journal);
}
