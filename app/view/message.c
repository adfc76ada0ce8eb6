// SPDX-License-Identifier: MIT
// Frames of clients: two bytes (FIN, reserved bits, kind; MASK, length), two more for lengths of 126 and up, four of
// the mask, then the content, each byte of it combined with one of the mask by exclusive or.
#include "view/message.h"

#include <string.h>

enum { FIN = 0x80, RESERVED = 0x70, MASK = 0x80, CONTROL = 0x8 };
enum { CONTINUATION, TEXT, BINARY, CLOSE = 8, PING, PONG };

// Checks the first two bytes and sets how long the head is. False: no client may send them.
static bool begin(rvMessageReader* reader)
{
    int kind = reader->head[0] & 0xf, length = reader->head[1] & 0x7f;
    bool isControl = (kind & CONTROL) != 0, isWhole = (reader->head[0] & FIN) != 0;
    if (!(reader->head[1] & MASK) || (reader->head[0] & RESERVED) || length == 127)
        return false;
    if (isControl ? kind > PONG || !isWhole || length == 126 : kind > BINARY)
        return false;
    reader->headSize = length == 126 ? 8 : 6;
    switch (kind) {
    case CLOSE:
        reader->message.type = RV_MESSAGE_CLOSE;
        break;
    case PING:
        reader->message.type = RV_MESSAGE_PING;
        break;
    case PONG:
        reader->message.type = RV_MESSAGE_PONG;
        break;
    default:
        reader->message.type = kind == BINARY && isWhole && length < 126 ? RV_MESSAGE_BINARY : RV_MESSAGE_OTHER;
    }
    return true;
}

static size_t content_size(const rvMessageReader* reader)
{
    int length = reader->head[1] & 0x7f;
    return length == 126 ? (size_t)reader->head[2] << 8 | reader->head[3] : (size_t)length;
}

rvReadAnswer rv_message_read(rvMessageReader* reader, const uint8_t* bytes, size_t size, size_t* taken)
{
    for (*taken = 0; *taken < size && (reader->headRead < 2 || reader->headRead < reader->headSize);) {
        reader->head[reader->headRead++] = bytes[(*taken)++];
        if (reader->headRead == 2 && !begin(reader))
            return RV_READ_BROKEN;
    }
    if (reader->headRead < 2 || reader->headRead < reader->headSize)
        return RV_READ_MORE;
    size_t whole = content_size(reader);
    const uint8_t* mask = reader->head + reader->headSize - 4;
    for (; *taken < size && reader->read < whole; ++*taken, ++reader->read)
        if (reader->read < RV_MESSAGE_MOST)
            reader->message.bytes[reader->read] = bytes[*taken] ^ mask[reader->read % 4];
    if (reader->read < whole)
        return RV_READ_MORE;
    reader->message.size = whole < RV_MESSAGE_MOST ? whole : RV_MESSAGE_MOST;
    reader->headRead = reader->headSize = reader->read = 0;
    return RV_READ_MESSAGE;
}

bool rv_message_order(const rvMessage* message, rvOrder* order)
{
    uint16_t whole[3];
    float x[3];
    if (message->type != RV_MESSAGE_BINARY || message->size != RV_ORDER_SIZE)
        return false;
    memcpy(whole, message->bytes + 2, sizeof whole);
    memcpy(x, message->bytes + 8, sizeof x);
    int type = message->bytes[0];
    *order = (rvOrder){.type = (rvOrderType)type, .a = whole[0], .b = whole[1], .c = whole[2]};
    for (int i = 0; i < 3; ++i) {
        if (!(x[i] >= -1e6f && x[i] <= 1e6f))
            return false;
        order->x[i] = (double)x[i];
    }
    return (type > 0 && type < RV_ORDER_COUNT) || (type >= RV_ORDER_TAKE_SEAT && type <= RV_ORDER_PING);
}
