// SPDX-License-Identifier: MIT
// Private state of a layered cable: room, records of its spans, and the waves in their slots.
//
// A place names the record of the span that begins there; records hold what a span carries beside its tension, and the
// slot of its amplitudes. Places come and go within a step, so a record is taken when a span first needs one and given
// back when its place goes. The first record is none: it stays zero.
#include "cable/string/layered.h"

#include <string.h>

// ---- records

void rv_layered_take_record(const rvCable* cable, rvPlace* place)
{
    rvLayer* layer = &cable->string->layer;
    for (int k = 1; k < layer->spanRoom && place->record == 0; ++k)
        if (!layer->taken[k]) {
            layer->taken[k] = true;
            layer->spans[k] = (rvSpanWave){0};
            place->record = k;
        }
}

static void give_back(rvLayer* layer, int record)
{
    if (record > 0)
        layer->taken[record] = false;
}

void rv_layered_drop_record(const rvCable* cable, rvPlace* place)
{
    give_back(&cable->string->layer, place->record);
    place->record = 0;
}

void rv_layered_join_records(const rvCable* cable, rvPlace* into, const rvPlace* from)
{
    rvLayer* layer = &cable->string->layer;
    if (into->record == 0 && from->record == 0)
        return;
    rv_layered_take_record(cable, into);
    rv_span_wave_join(&layer->spans[into->record], &layer->spans[from->record]);
    give_back(layer, from->record);
}

// ---- room

static bool take_room(rvCable* cable, rvMemory* memory)
{
    rvLayer* layer = &cable->string->layer;
    size_t places = (size_t)cable->route.capacity, table = rv_wave_table_size(layer->subdivisions);
    size_t stride = (size_t)(layer->subdivisions - 1 + 3) / 4 * 4, waves = 4 * stride * places;
    size_t touches = cable->collides ? RV_WAVE_TOUCHES : 0, spans = 2 * places + 1;
    size_t numbers = table + 2 * waves + 6 * stride + 2 * places + touches * stride + RV_WAVE_ALIGN - 1;
    layer->roomSize = numbers * sizeof(double) + places * sizeof(rvSpanWork) + touches * sizeof(rvWaveTouch) +
                      spans * (sizeof(rvSpanWave) + sizeof(bool));
    layer->room = rv_memory_take(memory, layer->roomSize);
    if (!layer->room)
        return false;
    cable->tracePoints = layer->subdivisions - 1;
    rv_wave_table_fill(&layer->table, layer->subdivisions, layer->room);
    layer->waves[0] = rv_wave_align(layer->room + table);
    layer->waves[1] = layer->waves[0] + waves;
    layer->scratch = layer->waves[1] + waves;
    layer->columns = layer->scratch + 6 * stride + 2 * places;
    layer->work = (rvSpanWork*)(layer->room + numbers);
    rvWaveTouch* behind = (rvWaveTouch*)(layer->work + places);
    layer->touches = cable->collides ? behind : NULL;
    layer->spans = (rvSpanWave*)(behind + touches);
    layer->taken = (bool*)(layer->spans + spans);
    layer->spanRoom = (int)spans;
    return true;
}

static size_t waves_size(const rvCable* cable)
{
    return (size_t)cable->route.capacity * rv_wave_size(&cable->string->layer.table) * sizeof(double);
}

// Records and waves as the old cable has them: places that stay find theirs.
static void take_spans(rvCable* cable, const rvCable* old)
{
    rvLayer* layer = &cable->string->layer;
    const rvLayer* from = &old->string->layer;
    for (int side = 0; side < 2; ++side)
        memcpy(layer->waves[side], from->waves[side], waves_size(old));
    memcpy(layer->spans, from->spans, (size_t)from->spanRoom * sizeof *layer->spans);
    memcpy(layer->taken, from->taken, (size_t)from->spanRoom * sizeof *layer->taken);
}

// Those of the cable that was spliced to it, behind its own. The first span of that one joins the last of the old one.
static void take_spliced(rvCable* cable, const rvCable* old, const rvCable* other)
{
    rvLayer* layer = &cable->string->layer;
    const rvLayer* from = &other->string->layer;
    int keep = old->route.spanCount;
    size_t size = rv_wave_size(&layer->table) * sizeof(double);
    rvPlace* places = cable->route.places;
    for (int i = 1; i <= other->route.spanCount; ++i)
        places[keep + i - 1].record = 0;
    rv_layered_take_record(cable, &places[keep - 1]);
    rv_span_wave_join(&layer->spans[places[keep - 1].record], &from->spans[other->route.places[0].record]);
    for (int i = 1; i < other->route.spanCount; ++i) {
        int record = other->route.places[i].record, span = keep + i - 1;
        if (from->spans[record].slot == 0.0)
            continue;
        rv_layered_take_record(cable, &places[span]);
        layer->spans[places[span].record] = from->spans[record];
        rv_layered_wave(cable, span)->slot = old->route.capacity + i;
        for (int next = 0; next < 2; ++next)
            memcpy(rv_layered_amplitudes(cable, span, next), rv_layered_amplitudes(other, i, next), size);
    }
}

rvStatus rv_layered_create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, const rvBodyStore* bodies,
                           rvMemory* memory, rvError* error)
{
    (void)bodies;
    const rvCable *old = def ? NULL : from->cable, *other = def ? NULL : from->spliced;
    rvStatus status = rv_string_create(cable, def, from, memory, error);
    if (status != RV_OK)
        return status;
    const rvCableDef* own = &cable->def;
    cable->string->layer = (rvLayer){.subdivisions = own->subdivisions,
                                     .scheme = own->waveScheme,
                                     .damping = own->waveDamping,
                                     .runs = own->runningTerms,
                                     .explicitForce = own->explicitForce,
                                     .wind = own->wind,
                                     .drag = 0.5 * own->fluidDensity * own->dragCoefficient * own->diameter};
    if (other && other->string->layer.subdivisions != own->subdivisions)
        return rv_fail(error, RV_BAD_INPUT, "cables '%s' and '%s' differ: subdivisions %d and %d", old->name,
                       other->name, own->subdivisions, other->string->layer.subdivisions);
    if (other && other->string->layer.scheme != own->waveScheme)
        return rv_fail(error, RV_BAD_INPUT, "cables '%s' and '%s' differ: waveScheme", old->name, other->name);
    if (!take_room(cable, memory))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    if (!old)
        return RV_OK;
    take_spans(cable, old);
    if (other)
        take_spliced(cable, old, other);
    if (from->removed > 0)
        rv_layered_join_records(cable, &cable->route.places[from->removed - 1], &old->route.places[from->removed]);
    return RV_OK;
}

void rv_layered_destroy(rvCable* cable, rvMemory* memory)
{
    if (cable->string && cable->string->layer.room)
        rv_memory_give(memory, cable->string->layer.room, cable->string->layer.roomSize);
    rv_string_destroy(cable, memory);
}

// ---- saved and restored

static bool wave_is_sound(const rvCable* cable, const rvSpanWave* s)
{
    double norm = rvLength(s->across);
    return s->slot >= 1.0 && s->slot <= cable->route.capacity && s->slot == floor(s->slot) && s->arc >= 0.0 &&
           s->length >= 0.0 && s->feels >= 0.0 && s->feels <= 1.0 && s->tension >= 0.0 &&
           (s->length == 0.0 || fabs(norm - 1.0) < 1e-6);
}

// Records go in the order of places; what is read gets records in that order.
static void visit_spans(rvCable* cable, rvVisitor* v)
{
    rvLayer* layer = &cable->string->layer;
    bool checks = v->kind == RV_VISIT_CHECK, reads = v->kind == RV_VISIT_READ;
    int spans = (checks ? v->places : cable->route.placeCount) - 1;
    if (reads)
        memset(layer->taken, 0, (size_t)layer->spanRoom * sizeof *layer->taken);
    for (int i = 0; reads && i < cable->route.placeCount; ++i)
        cable->route.places[i].record = 0;
    for (int i = 0; i < cable->route.capacity; ++i) {
        if (i >= spans) {
            rv_visit_gap(v, sizeof(rvSpanWave));
            continue;
        }
        if (reads)
            rv_layered_take_record(cable, &cable->route.places[i]);
        rvSpanWave wave;
        const void* at = rv_visit_numbers(v, "span", checks ? &wave : rv_layered_wave(cable, i), sizeof wave);
        if (!checks)
            continue;
        memcpy(&wave, at, sizeof wave);
        rv_visit_require(v, "span", wave_is_sound(cable, &wave));
    }
}

// The span whose wave is in a slot of the store; -1: none.
static int span_in_slot(const rvCable* cable, int slot)
{
    for (int i = 0; i < cable->route.spanCount; ++i)
        if ((int)rv_layered_wave(cable, i)->slot == slot + 1)
            return i;
    return -1;
}

// The waves of this step; those of the next one go elsewhere, so a backup has none. Unused slots may hold anything.
static void visit_waves(rvCable* cable, rvVisitor* v)
{
    size_t size = rv_wave_size(&cable->string->layer.table) * sizeof(double);
    if (v->kind == RV_VISIT_CHECK) // which slots are used is in the image
        rv_visit_numbers(v, "waves", NULL, (size_t)cable->route.capacity * size);
    for (int slot = 0; slot < cable->route.capacity && v->kind != RV_VISIT_CHECK; ++slot) {
        int span = span_in_slot(cable, slot);
        if (span >= 0)
            rv_visit_numbers(v, "waves", rv_layered_amplitudes(cable, span, 0), size);
        else
            rv_visit_gap(v, size);
    }
}

void rv_layered_visit(rvCable* cable, rvVisitor* v)
{
    rv_string_visit(cable, v);
    visit_spans(cable, v);
    if (v->images)
        visit_waves(cable, v);
}
