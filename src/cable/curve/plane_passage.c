// SPDX-License-Identifier: MIT
// A curve in the plane does not go through itself: sides that are remembered (plane_contact.h) are those of nearest
// points, and where a free end whips through the curve, or a loop through another one within a step, there was none
// near before. So every pass is looked at on its way, as in space (passage.h).
#include "cable/curve/passage.h"
#include "cable/curve/plane_contact.h"

#include <math.h>

enum { CHORDS = RV_PLANE_CHORDS, MOST_PASSAGES = 16 }; // of an interval; places that are kept of a pass
#define APART 2.0                                      // diameters: what is as near along the curve is not a contact

size_t rv_plane_line_size(const rvPlaneContacts* contacts)
{
    int count = rv_plane_trail_count(contacts->intervals);
    size_t boxes = (size_t)rv_passage_boxes(count) * sizeof(rvSpaceBox);
    return contacts->itself ? 2 * (size_t)count * sizeof(rvVec3) + boxes : 0;
}

static rvCurveSpot spot_at(const rvPlane* plane, double at)
{
    int interval = (int)fmin(at, plane->intervals - 1);
    return rv_plane_spot_in(plane, interval, at - interval);
}

// How far what is there along the trail goes, at most.
static double way_at(const rvPlaneContacts* contacts, double at)
{
    int i = (int)fmin(at, rv_plane_trail_count(contacts->intervals) - 2.0);
    return fmax(rv_plane_contacts_way(contacts, i), rv_plane_contacts_way(contacts, i + 1));
}

int rv_plane_contacts_sweep_itself(rvPlaneContacts* contacts, const rvPlane* plane)
{
    rvPassage passages[MOST_PASSAGES];
    int count = rv_plane_trail_count(contacts->intervals);
    if (!contacts->itself)
        return 0;
    rvVec3 *from = contacts->line, *to = from + count;
    for (int i = 0; i < 2 * count; ++i)
        from[i] = rvVec(contacts->trail[i].x, contacts->trail[i].y, 0.0);
    rvSpaceBox* boxes = (rvSpaceBox*)(to + count);
    rv_passage_find_boxes(from, to, count, boxes);
    double apart = APART * CHORDS * contacts->thickness / plane->step;
    int found = rv_find_flat_passages(from, to, count, apart, boxes, passages, MOST_PASSAGES);
    for (int k = 0; k < found && k < MOST_PASSAGES && contacts->metCount < contacts->most; ++k) {
        double near = way_at(contacts, passages[k].at[0]) + way_at(contacts, passages[k].at[1]);
        contacts->met[contacts->metCount++] = (rvPlaneTouch){.spot = spot_at(plane, passages[k].at[1] / CHORDS),
                                                             .other = spot_at(plane, passages[k].at[0] / CHORDS),
                                                             .obstacle = -1,
                                                             .both = true,
                                                             .out = rv_vec2(passages[k].out.x, passages[k].out.y),
                                                             .near = near};
    }
    return found;
}
