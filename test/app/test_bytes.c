// SPDX-License-Identifier: MIT
// The buffer that frames and JSON are written into.
#include "check.h"
#include "support/json.h"

#include <string.h>

static void expect(const rvBytes* bytes, const char* text)
{
    assert_int_equal(bytes->size, strlen(text));
    assert_memory_equal(bytes->data, text, strlen(text));
}

static void NumbersAreLittleEndian(void** state)
{
    (void)state;
    rvBytes bytes = {0};
    rv_bytes_u8(&bytes, 0x12);
    rv_bytes_u16(&bytes, 0x3456);
    rv_bytes_u32(&bytes, 0x789abcdeu);
    rv_bytes_f32(&bytes, 1.0);
    rv_bytes_f64(&bytes, -2.0);
    static const unsigned char expected[] = {0x12, 0x56, 0x34, 0xde, 0xbc, 0x9a, 0x78, 0, 0,   0x80,
                                             0x3f, 0,    0,    0,    0,    0,    0,    0, 0xc0};
    assert_int_equal(bytes.size, sizeof expected);
    assert_memory_equal(bytes.data, expected, sizeof expected);
    rv_bytes_release(&bytes);
    assert_null(bytes.data);
}

static void StringsAreSafeInJsonAndInHtml(void** state)
{
    (void)state;
    rvBytes bytes = {0};
    rv_bytes_string(&bytes, "a\"b\\c\n</script>");
    expect(&bytes, "\"a\\\"b\\\\c\\u000a\\u003c/script>\"");
    rv_bytes_release(&bytes);
}

static void WhatIsNotFiniteIsNull(void** state)
{
    (void)state;
    rvBytes bytes = {0};
    rv_bytes_number(&bytes, 2.5);
    rv_bytes_number(&bytes, HUGE_VAL);
    rv_bytes_number(&bytes, nan(""));
    expect(&bytes, "2.5nullnull");
    rv_bytes_release(&bytes);
}

static void ItGrows(void** state)
{
    (void)state;
    rvBytes bytes = {0};
    for (int i = 0; i < 5000; ++i)
        rv_bytes_printf(&bytes, "%d,", i % 10);
    assert_int_equal(bytes.size, 10000);
    assert_memory_equal(bytes.data + 9998, "9,", 2);
    rv_bytes_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NumbersAreLittleEndian),
        cmocka_unit_test(StringsAreSafeInJsonAndInHtml),
        cmocka_unit_test(WhatIsNotFiniteIsNull),
        cmocka_unit_test(ItGrows),
    };
    return RUN_TESTS(tests);
}
