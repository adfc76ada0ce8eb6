// SPDX-License-Identifier: MIT
// What viewers send: WebSocket frames (RFC 6455, section 5.2), and the orders that they carry.
#pragma once

#include "view/sim.h"

#include <stddef.h>
#include <stdint.h>

enum { RV_ORDER_SIZE = 20, RV_MESSAGE_MOST = 125 };

// Orders that the server obeys itself, beside those of sim.h.
enum { RV_ORDER_TAKE_SEAT = 100, RV_ORDER_GIVE_SEAT, RV_ORDER_PING };

typedef enum {
    RV_MESSAGE_BINARY, // whole, of RV_MESSAGE_MOST bytes at most
    RV_MESSAGE_OTHER,  // text, a fragment, or longer: its bytes are not kept
    RV_MESSAGE_PING,
    RV_MESSAGE_PONG,
    RV_MESSAGE_CLOSE,
} rvMessageType;

typedef struct {
    rvMessageType type;
    size_t size;
    uint8_t bytes[RV_MESSAGE_MOST];
} rvMessage;

// The frame that is being read.
typedef struct {
    uint8_t head[8]; // without a length of 64 bits, which is refused
    size_t headSize, headRead;
    size_t read; // of the content
    rvMessage message;
} rvMessageReader;

typedef enum {
    RV_READ_MORE,    // all bytes are taken, and the frame is not whole yet
    RV_READ_MESSAGE, // the message is whole; bytes may be left
    RV_READ_BROKEN,  // no frame that a client may send: not masked, for one; the connection is to be closed
} rvReadAnswer;

// Takes bytes up to the end of a frame; *taken is how many. A reader begins with zeros.
rvReadAnswer rv_message_read(rvMessageReader* reader, const uint8_t* bytes, size_t size, size_t* taken);

// The order in a message. False: it is none.
bool rv_message_order(const rvMessage* message, rvOrder* order);
