// SPDX-License-Identifier: MIT
// What a viewer may send: bytes, cut anywhere, as WebSocket frames; the orders in them go to a machine that steps in
// between. Frames of the stage are written all the time.
//
// Input: a byte below 0x20 makes a step; 0xf0 is followed by the 20 bytes of an order, so that the fuzzer need not find
// masks and lengths; any other byte says how many of the bytes behind it come in one piece.
#include "fuzz.h"
#include "view/machine.h"
#include "view/message.h"

static const char SCENE[] =
    "reeve: 1\nstep: 0.01\nground: -4\n"
    "bodies:\n"
    "  arm: {mass: 10, position: [3, 0, 0], shapes: [{type: capsule, radius: 0.1, length: 1}]}\n"
    "  load: {mass: 100, position: [6, 0, -3], shapes: [{type: sphere, radius: 0.4}]}\n"
    "  lift: {type: kinematic, position: [9, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: hinge, b: arm, point: [2.5, 0, 0], axis: [0, 1, 0], turn: {speed: 0.1, max_force: 500}}\n"
    "cables:\n"
    "  hoist:\n    diameter: 10 mm\n    elements: 4\n    route:\n"
    "      - {winch: world, point: [0, 0, 3], speed: -0.1}\n"
    "      - {sheave: world, point: [6, 0, 3], axis: [0, 1, 0], radius: 0.2}\n"
    "      - {attach: load, point: [0, 0, 0.4]}\n"
    "  wire:\n    model: ancf\n    elements: 4\n    diameter: 10 mm\n    bending_stiffness: 1\n    route:\n"
    "      - {attach: arm, point: [0, 0, 0]}\n      - {attach: lift, point: [-4, 0, 0]}\n"
    "commands:\n  hoist.winch_speed: [[0, 0], [1, -0.5]]\n  lift.position: [[0, [9, 0, 0]], [1, [9.1, 0, 0]]]\n";

enum { MOST_STEPS = 20, MOST_ORDERS = 40 };

typedef struct {
    rvMachine machine;
    rvMessageReader reader;
    rvBytes frame;
    int steps, orders;
} Viewer;

static void obey(Viewer* viewer)
{
    rvOrder order;
    char why[200] = "";
    if (!rv_message_order(&viewer->reader.message, &order) || (int)order.type >= RV_ORDER_COUNT ||
        ++viewer->orders > MOST_ORDERS)
        return;
    rv_machine_obey(&viewer->machine, &order, why, sizeof why);
    require(strlen(why) < sizeof why);
}

// False: the server would close the connection.
static bool receive(Viewer* viewer, const uint8_t* bytes, size_t size)
{
    for (size_t at = 0, taken; at < size; at += taken) {
        rvReadAnswer answer = rv_message_read(&viewer->reader, bytes + at, size - at, &taken);
        require(taken <= size - at && (taken > 0 || answer == RV_READ_MESSAGE));
        require(viewer->reader.message.size <= RV_MESSAGE_MOST);
        if (answer == RV_READ_BROKEN)
            return false;
        if (answer == RV_READ_MESSAGE)
            obey(viewer);
    }
    return true;
}

static void step(Viewer* viewer)
{
    rvFrameHead head = {.number = 1};
    if (++viewer->steps <= MOST_STEPS)
        rv_machine_step(&viewer->machine);
    rv_stage_frame(&viewer->machine.stage, &head, viewer->machine.levers, &viewer->frame);
    require(!viewer->frame.failed && viewer->frame.size >= 40);
}

static bool receive_order(Viewer* viewer, Bytes* bytes)
{
    uint8_t frame[26] = {0x82, 0x80 | RV_ORDER_SIZE};
    for (int i = 0; i < RV_ORDER_SIZE; ++i)
        frame[6 + i] = (uint8_t)take_byte(bytes);
    frame[6] %= RV_ORDER_COUNT;
    return receive(viewer, frame, sizeof frame);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char error[1000] = "";
    rvScene* scene = load(SCENE, strlen(SCENE), NULL);
    Viewer viewer = {0};
    require(scene && rv_machine_open(&viewer.machine, scene, error, sizeof error));
    Bytes bytes = {data, size};
    for (bool open = true; open && bytes.size > 0;) {
        unsigned byte = take_byte(&bytes);
        if (byte == 0xf0) {
            open = receive_order(&viewer, &bytes);
        } else if (byte < 0x20) {
            step(&viewer);
        } else {
            size_t part = byte - 0x20 < bytes.size ? byte - 0x20 : bytes.size;
            open = receive(&viewer, bytes.data, part);
            bytes.data += part;
            bytes.size -= part;
        }
    }
    step(&viewer);
    rv_bytes_release(&viewer.frame);
    rv_machine_release(&viewer.machine);
    return 0;
}
