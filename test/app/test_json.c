// SPDX-License-Identifier: MIT
// JSON, and the buffer that it and frames are written into.
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
    rv_json_text(&bytes, NULL, "a\"b\\c\n</script>");
    expect(&bytes, "\"a\\\"b\\\\c\\u000a\\u003c/script>\"");
    rv_bytes_release(&bytes);
}

static void WhatIsNotFiniteIsNull(void** state)
{
    (void)state;
    rvBytes bytes = {0};
    rv_json_numbers(&bytes, NULL, (const double[]){2.5, HUGE_VAL, nan("")}, 3);
    expect(&bytes, "[2.5,null,null]");
    rv_bytes_release(&bytes);
}

static void CommasStandBetweenValues(void** state)
{
    (void)state;
    rvBytes bytes = {0};
    rv_json_open(&bytes, NULL, '{');
    rv_json_open(&bytes, "none", '[');
    rv_json_close(&bytes, ']');
    rv_json_open(&bytes, "many", '[');
    for (int i = 0; i < 2; ++i) {
        rv_json_open(&bytes, NULL, '{');
        rv_json_integer(&bytes, "i", i);
        rv_json_bool(&bytes, "first", i == 0);
        rv_json_close(&bytes, '}');
    }
    rv_json_close(&bytes, ']');
    rv_json_null(&bytes, "last");
    rv_json_close(&bytes, '}');
    expect(&bytes, "{\"none\":[],\"many\":[{\"i\":0,\"first\":true},{\"i\":1,\"first\":false}],\"last\":null}");
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
        cmocka_unit_test(CommasStandBetweenValues),
        cmocka_unit_test(ItGrows),
    };
    return RUN_TESTS(tests);
}
