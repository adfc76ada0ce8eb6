// SPDX-License-Identifier: MIT
#include "view/message.h"

#include "check.h"

#include <string.h>

// A frame of a client, with its content masked. Answers its size.
static size_t make_frame(uint8_t* frame, int head, const uint8_t* content, size_t size)
{
    static const uint8_t mask[4] = {0x12, 0xab, 0x00, 0xff};
    size_t at = 0;
    frame[at++] = (uint8_t)head;
    frame[at++] = (uint8_t)(0x80 | (size < 126 ? size : 126));
    if (size >= 126) {
        frame[at++] = (uint8_t)(size >> 8);
        frame[at++] = (uint8_t)size;
    }
    memcpy(frame + at, mask, 4);
    at += 4;
    for (size_t i = 0; i < size; ++i)
        frame[at++] = content[i] ^ mask[i % 4];
    return at;
}

static void ContentComesBackHoweverItIsCut(void** state)
{
    (void)state;
    uint8_t content[60000], frame[60010];
    static const size_t sizes[] = {0, 1, 4, 20, 125, 126, 127, 60000};
    for (size_t i = 0; i < sizeof content; ++i)
        content[i] = (uint8_t)(7 * i + 1);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        size_t size = make_frame(frame, 0x82, content, sizes[k]);
        for (size_t piece = 1; piece < 40; piece += 3) {
            rvMessageReader reader = {0};
            size_t taken, at = 0;
            rvReadAnswer answer;
            do {
                answer = rv_message_read(&reader, frame + at, size - at < piece ? size - at : piece, &taken);
                at += taken;
            } while (answer == RV_READ_MORE && at < size);
            assert_int_equal(answer, RV_READ_MESSAGE);
            assert_int_equal(at, size);
            bool kept = sizes[k] <= RV_MESSAGE_MOST;
            assert_int_equal(reader.message.type, kept ? RV_MESSAGE_BINARY : RV_MESSAGE_OTHER);
            if (kept) {
                assert_int_equal(reader.message.size, sizes[k]);
                assert_memory_equal(reader.message.bytes, content, sizes[k]);
            }
        }
    }
}

static void FramesFollowEachOther(void** state)
{
    (void)state;
    uint8_t bytes[100];
    size_t size = make_frame(bytes, 0x89, (const uint8_t*)"ab", 2), taken;
    size += make_frame(bytes + size, 0x81, (const uint8_t*)"text", 4);
    size += make_frame(bytes + size, 0x02, (const uint8_t*)"part", 4);
    size += make_frame(bytes + size, 0x88, NULL, 0);
    rvMessageReader reader = {0};
    static const rvMessageType expected[] = {RV_MESSAGE_PING, RV_MESSAGE_OTHER, RV_MESSAGE_OTHER, RV_MESSAGE_CLOSE};
    size_t at = 0;
    for (int i = 0; i < 4; ++i, at += taken) {
        assert_int_equal(rv_message_read(&reader, bytes + at, size - at, &taken), RV_READ_MESSAGE);
        assert_int_equal(reader.message.type, expected[i]);
    }
    assert_int_equal(at, size);
}

// Of all heads of two bytes, those that RFC 6455 forbids a client, and lengths of 64 bits.
static void HeadsThatNoClientMaySendAreBroken(void** state)
{
    (void)state;
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            int kind = first & 15, length = second & 127;
            bool control = kind >= 8, known = kind <= 2 || (kind >= 8 && kind <= 10);
            bool good = known && (second & 128) && !(first & 0x70) && length < 127;
            good = good && !(control && (!(first & 128) || length > 125));
            uint8_t head[2] = {(uint8_t)first, (uint8_t)second};
            rvMessageReader reader = {0};
            size_t taken;
            assert_int_equal(rv_message_read(&reader, head, 2, &taken), good ? RV_READ_MORE : RV_READ_BROKEN);
        }
    }
}

static void OrdersAreOfTwentyBytesAndFiniteNumbers(void** state)
{
    (void)state;
    rvMessage message = {.type = RV_MESSAGE_BINARY, .size = RV_ORDER_SIZE};
    const float x[3] = {0.5f, -1e6f, 0.0f};
    const uint16_t whole[3] = {1, 2, 65535};
    rvOrder order;
    message.bytes[0] = RV_ORDER_HOOK;
    memcpy(message.bytes + 2, whole, sizeof whole);
    memcpy(message.bytes + 8, x, sizeof x);
    assert_true(rv_message_order(&message, &order));
    assert_int_equal(order.type, RV_ORDER_HOOK);
    assert_int_equal(order.a, 1);
    assert_int_equal(order.b, 2);
    assert_int_equal(order.c, 65535);
    CHECK_NEAR(order.x[0], 0.5, 0.0); // a float as it is
    CHECK_NEAR(order.x[1], -1e6, 0.0);
    message.size = 19;
    assert_false(rv_message_order(&message, &order));
    message.size = RV_ORDER_SIZE;
    static const float bad[] = {NAN, INFINITY, 1.1e6f, -1.1e6f};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        memcpy(message.bytes + 12, &bad[i], sizeof bad[i]);
        assert_false(rv_message_order(&message, &order));
    }
    memcpy(message.bytes + 12, x, sizeof x[0]);
    int known = 0;
    for (int type = 0; type < 256; ++type) {
        message.bytes[0] = (uint8_t)type;
        known += rv_message_order(&message, &order);
    }
    assert_int_equal(known, RV_ORDER_COUNT - 1 + 3);
    message.bytes[0] = RV_ORDER_HOOK;
    message.type = RV_MESSAGE_OTHER;
    assert_false(rv_message_order(&message, &order));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ContentComesBackHoweverItIsCut),
        cmocka_unit_test(FramesFollowEachOther),
        cmocka_unit_test(HeadsThatNoClientMaySendAreBroken),
        cmocka_unit_test(OrdersAreOfTwentyBytesAndFiniteNumbers),
    };
    return RUN_TESTS(tests);
}
