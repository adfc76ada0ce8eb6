// SPDX-License-Identifier: MIT
// Transverse rows of stiff spans, and rows against kinks at light bodies between them. See span_stiffness.c.
#pragma once

#include "cable/core/cable.h"
#include "solve/row.h"
#include "solve/stepping.h"

// Transverse rows of stiff spans: how many the cable wants now, and the rows themselves from row `first` of its group.
int rv_span_stiffness_count(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
void rv_span_stiffness_write(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                             int group, int first);
// What they took in the solve, and once the step counts into the tanks of the spans.
void rv_span_stiffness_read(rvCable* cable, const rvRows* rows, int group, int first);
void rv_span_stiffness_advance(rvCable* cable);
// The geometric stiffness of the bodies that the spans of a cable pull, by its tensions.
void rv_string_add_stiffness(const rvCable* cable, rvBodyStore* bodies, const rvStepContext* step);
// Rows against the kink at light bodies between stiff spans, over all cables.
void rv_kinks_write(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows);
rvPlace* rv_kink_place(const rvCableStore* store, int owner, int body); // of a kink: where one of its bodies is held
// Have tensions changed since the stiffness of the pass was made, so that it should be made again?
bool rv_cables_changed(const rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);
