// SPDX-License-Identifier: MIT
// Any bytes as replay.bin: what the server takes is a description and whole records, at least one of them a frame.
//
// Input: the file, without its first eight bytes; the lowest bit of the first byte that stands for them, set, spoils
// them.
#include "fuzz.h"
#include "view/record.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char magic[2][9] = {"RVREPLAY", "RVREPLAX"};
    rvBytes bytes = {0};
    if (size < 1)
        return 0;
    rv_bytes_add(&bytes, magic[data[0] & 1], 8);
    rv_bytes_add(&bytes, data + 1, size - 1);
    bool taken = rv_record_trim(&bytes);
    require(!taken || !(data[0] & 1));
    require(bytes.size <= size + 7);
    if (taken) {
        uint32_t length;
        size_t left = bytes.size;
        memcpy(&length, bytes.data + 8, sizeof length);
        for (size_t at = 12 + (size_t)length; at < left; at += 4 + (length & 0x7fffffffu)) {
            require(left - at >= 4);
            memcpy(&length, bytes.data + at, sizeof length);
            require(left - at - 4 >= (length & 0x7fffffffu));
        }
        require(rv_record_trim(&bytes) && bytes.size == left);
    }
    rv_bytes_release(&bytes);
    return 0;
}
