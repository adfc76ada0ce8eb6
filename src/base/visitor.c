// SPDX-License-Identifier: MIT
#include "base/visitor.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

const void* rv_visit_bytes(rvVisitor* v, void* bytes, size_t size)
{
    const void* at = v->kind == RV_VISIT_CHECK ? (const void*)v->from : bytes;
    v->size += size;
    if (size == 0)
        return at;
    switch (v->kind) {
    case RV_VISIT_WRITE:
        memcpy(v->to, bytes, size);
        v->to += size;
        break;
    case RV_VISIT_READ:
        memcpy(bytes, v->from, size);
        v->from += size;
        break;
    case RV_VISIT_CHECK:
        v->from += size;
        break;
    case RV_VISIT_HASH:
        v->hash = rv_hash_bytes(v->hash, bytes, size);
        break;
    case RV_VISIT_SIZE:
        break;
    }
    return at;
}

const void* rv_visit_numbers(rvVisitor* v, const char* name, void* numbers, size_t size)
{
    const uint8_t* at = rv_visit_bytes(v, numbers, size);
    for (size_t i = 0; v->kind == RV_VISIT_CHECK && i < size / sizeof(double); ++i) {
        double number;
        memcpy(&number, at + i * sizeof number, sizeof number);
        rv_visit_require(v, name, isfinite(number));
    }
    return at;
}

void rv_visit_gap(rvVisitor* v, size_t size)
{
    v->size += size;
    if (v->kind == RV_VISIT_WRITE)
        v->to += size;
    else if (v->kind == RV_VISIT_READ || v->kind == RV_VISIT_CHECK)
        v->from += size;
}

void rv_visit_require(rvVisitor* v, const char* name, bool sound)
{
    if (v->kind == RV_VISIT_CHECK && !sound && !v->unsound)
        v->unsound = name;
}
