// SPDX-License-Identifier: MIT
// Contacts from step to step: found, sorted by bodies and shapes so that no order of finding shows, known again by
// their place on either body, told as begun and ended, saved and restored.
#include "contact/contact.h"

#include "base/hash.h"
#include "contact/contact_store.h"
#include "contact/narrow.h"

#include <math.h>
#include <string.h>

// A point that moved less than this on one of the bodies is the same point [m].
static const double SamePoint = 0.02;

// Room for contacts: a body in a heap has some twelve neighbours with up to four points each, shared by two. Few shapes
// get more, as one of them may be a ground of many faces.
enum { RoomOfShape = 32, RoomAtLeast = 128 };

typedef struct {
    rvContactStore* store;
    const rvShapeStore* shapes;
    const rvBodyStore* bodies;
    const rvJointStore* joints;
} search;

rvContactStore* rv_contacts_create(rvMemory* memory, int maxContacts)
{
    rvContactStore* store = rv_memory_take(memory, sizeof *store);
    if (store)
        store->maxContacts = maxContacts;
    return store;
}

void rv_contacts_destroy(rvContactStore* store, rvMemory* memory)
{
    if (!store)
        return;
    rv_memory_give(memory, store->now.items, (size_t)store->now.capacity * sizeof(rvContact));
    rv_memory_give(memory, store->before.items, (size_t)store->before.capacity * sizeof(rvContact));
    rv_memory_give(memory, store->found, (size_t)store->foundCapacity * sizeof(rvFoundContact));
    rv_memory_give(memory, store->order, (size_t)store->orderCapacity * sizeof(int));
    rv_memory_give(memory, store->changes, (size_t)store->changesCapacity * sizeof(rvContactChange));
    rv_broad_release(&store->broad, memory);
    rv_memory_give(memory, store, sizeof *store);
}

// Room for so many shapes, in doublings.
static int room_for(const rvContactStore* store, int shapeCount)
{
    int64_t wanted = shapeCount > 0 ? RoomAtLeast : 0;
    while (wanted < (int64_t)RoomOfShape * shapeCount)
        wanted *= 2;
    return wanted < store->maxContacts ? (int)wanted : store->maxContacts;
}

// Worlds without shapes hold no room for contacts and save none.
bool rv_contacts_reserve(rvContactStore* store, rvMemory* memory, const rvShapeStore* shapes)
{
    int room = room_for(store, shapes->pool.count);
    room = room > store->room ? room : store->room;
    if (!rv_memory_grow(memory, (void**)&store->now.items, &store->now.capacity, room, sizeof(rvContact)) ||
        !rv_memory_grow(memory, (void**)&store->before.items, &store->before.capacity, room, sizeof(rvContact)) ||
        !rv_memory_grow(memory, (void**)&store->found, &store->foundCapacity, room, sizeof(rvFoundContact)) ||
        !rv_memory_grow(memory, (void**)&store->order, &store->orderCapacity, room, sizeof(int)) ||
        !rv_memory_grow(memory, (void**)&store->changes, &store->changesCapacity, 2 * room, sizeof(rvContactChange)))
        return false;
    store->room = room;
    store->shapeCount = shapes->pool.count;
    return rv_broad_reserve(&store->broad, memory, shapes);
}

int rv_contacts_room(const rvContactStore* store)
{
    return store->room;
}

void rv_contacts_limit(rvContactStore* store, int room)
{
    store->room = room;
}

void rv_contacts_capacity(const rvContactStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount)
{
    int count = store->room;
    *rowCount = 3 * count;
    *groupCount = count;
    *slotCount = 2 * count;
    *entryCount = 2 * 6 * 3 * count;
}

static void drop_shape(rvContactList* list, int shape)
{
    int kept = 0;
    for (int i = 0; i < list->count; ++i)
        if (list->items[i].state.shapeA != shape && list->items[i].state.shapeB != shape)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

void rv_contacts_forget_shape(rvContactStore* store, int shape)
{
    drop_shape(&store->now, shape);
    int kept = 0;
    for (int i = 0; i < store->changeCount; ++i)
        if (store->changes[i].shapeA != shape && store->changes[i].shapeB != shape)
            store->changes[kept++] = store->changes[i];
    store->changeCount = kept;
}

// Below 0: a comes before b.
static int compare_found(const rvFoundContact* a, const rvFoundContact* b)
{
    int keys[5][2] = {{a->bodyA, b->bodyA},
                      {a->bodyB, b->bodyB},
                      {a->shapeA, b->shapeA},
                      {a->shapeB, b->shapeB},
                      {a->number, b->number}};
    for (int i = 0; i < 5; ++i)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

// Without room the shallowest point goes, whichever was found first.
static void add_found(rvContactStore* store, const rvFoundContact* point)
{
    if (store->foundCount < store->room) {
        store->found[store->foundCount++] = *point;
        return;
    }
    store->dropped += 1;
    if (store->room == 0)
        return;
    int least = 0;
    for (int i = 1; i < store->foundCount; ++i) {
        const rvFoundContact* a = &store->found[i];
        const rvFoundContact* b = &store->found[least];
        if (a->depth < b->depth || (a->depth == b->depth && compare_found(a, b) > 0))
            least = i;
    }
    const rvFoundContact* shallow = &store->found[least];
    if (point->depth > shallow->depth || (point->depth == shallow->depth && compare_found(point, shallow) < 0))
        store->found[least] = *point;
}

static void visit_pair(int first, int second, void* context)
{
    search* s = context;
    const rvShape* a = &s->shapes->items[first];
    const rvShape* b = &s->shapes->items[second];
    if (a->body == b->body || !(a->group & b->mask) || !(b->group & a->mask))
        return;
    if (!rv_body_is_pushed(&s->bodies->items[a->body]) && !rv_body_is_pushed(&s->bodies->items[b->body]))
        return;
    if (rv_joints_forbid_contact(s->joints, a->body, b->body))
        return;
    bool turned = a->body > b->body;
    const rvShape* low = turned ? b : a;
    const rvShape* high = turned ? a : b;
    rvManifold manifold;
    rv_narrow(low, high, &manifold);
    for (int i = 0; i < manifold.count; ++i) {
        const rvTouch* touch = &manifold.touches[i];
        add_found(s->store, &(rvFoundContact){.point = touch->point,
                                              .normal = touch->normal,
                                              .depth = touch->depth,
                                              .shapeA = turned ? second : first,
                                              .shapeB = turned ? first : second,
                                              .bodyA = low->body,
                                              .bodyB = high->body,
                                              .number = i});
    }
}

// Heap sort of the order: takes no memory and its cost does not depend on luck.
static void sift(const rvFoundContact* found, int* order, int at, int count)
{
    for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && compare_found(&found[order[child]], &found[order[child + 1]]) < 0)
            child += 1;
        if (compare_found(&found[order[at]], &found[order[child]]) >= 0)
            return;
        int swap = order[at];
        order[at] = order[child];
        order[child] = swap;
        at = child;
    }
}

static void sort_found(rvContactStore* store)
{
    for (int i = 0; i < store->foundCount; ++i)
        store->order[i] = i;
    for (int i = store->foundCount / 2 - 1; i >= 0; --i)
        sift(store->found, store->order, i, store->foundCount);
    for (int i = store->foundCount - 1; i > 0; --i) {
        int swap = store->order[0];
        store->order[0] = store->order[i];
        store->order[i] = swap;
        sift(store->found, store->order, 0, i);
    }
}

static int compare_pairs(const rvContactState* a, const rvContactState* b)
{
    int keys[4][2] = {{a->bodyA, b->bodyA}, {a->bodyB, b->bodyB}, {a->shapeA, b->shapeA}, {a->shapeB, b->shapeB}};
    for (int i = 0; i < 4; ++i)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static int pair_end(const rvContactList* list, int first)
{
    int end = first + 1;
    while (end < list->count && compare_pairs(&list->items[first].state, &list->items[end].state) == 0)
        end += 1;
    return end;
}

// Takes a body as the carrier and notes where the other one is, seen from it.
static void see_from(rvContact* contact, const rvBodyStore* bodies, bool carrierIsB)
{
    rvContactState* s = &contact->state;
    const rvBodyState* carrier = &bodies->items[carrierIsB ? s->bodyB : s->bodyA].state;
    const rvBodyState* other = &bodies->items[carrierIsB ? s->bodyA : s->bodyB].state;
    s->carrierIsB = carrierIsB;
    s->other.p = rvRotateBack(carrier->q, rvSub(other->x, carrier->x));
    s->other.q = rvQuatMul(rvQuatConj(carrier->q), other->q);
    contact->carrierTurn = carrier->q;
}

// How far the surface of B slipped over that of A since the last collide, in the carrier's axes: the way d of the other
// body's centre and its turn phi give  d + phi x (c - p)  with the point c and the centre p in the middle of the way.
// Exact for a body that rides along or rolls; by the velocities alone a rider on a turning carrier would creep outward.
static rvVec3 slip_since(const rvContactState* now, const rvContactState* old, const rvBodyStore* bodies)
{
    bool carrierIsB = now->carrierIsB != 0.0;
    rvVec3 center = bodies->items[carrierIsB ? now->bodyB : now->bodyA].center;
    rvVec3 point = rvScale(0.5, carrierIsB ? rvAdd(now->localB, old->localB) : rvAdd(now->localA, old->localA));
    rvVec3 middle = rvScale(0.5, rvAdd(now->other.p, old->other.p));
    rvVec3 phi = rvQuatToRotation(rvQuatMul(now->other.q, rvQuatConj(old->other.q)));
    rvVec3 way = rvSub(now->other.p, old->other.p);
    rvVec3 slip = rvAdd(way, rvCross(phi, rvSub(rvSub(point, center), middle)));
    return carrierIsB ? rvNeg(slip) : slip;
}

static rvContact make_contact(const rvFoundContact* found, const rvShapeStore* shapes, const rvBodyStore* bodies,
                              const rvStepContext* context)
{
    const rvShape* a = &shapes->items[found->shapeA];
    const rvShape* b = &shapes->items[found->shapeB];
    rvContact contact = {.state = {.shapeA = found->shapeA,
                                   .shapeB = found->shapeB,
                                   .bodyA = found->bodyA,
                                   .bodyB = found->bodyB,
                                   .point = found->point,
                                   .normal = found->normal,
                                   .depth = found->depth},
                         .group = -1};
    contact.state.localA = rvPosePointBack(rv_body_pose(&bodies->items[found->bodyA]), found->point);
    contact.state.localB = rvPosePointBack(rv_body_pose(&bodies->items[found->bodyB]), found->point);
    bool pushedA = rv_body_is_pushed(&bodies->items[found->bodyA]);
    bool pushedB = rv_body_is_pushed(&bodies->items[found->bodyB]);
    double armA = rvDistance(found->point, bodies->items[found->bodyA].state.x);
    double armB = rvDistance(found->point, bodies->items[found->bodyB].state.x);
    see_from(&contact, bodies, pushedA != pushedB ? pushedA : armB > armA);
    contact.friction = sqrt(a->friction * b->friction);
    contact.restitution = fmax(a->restitution, b->restitution);
    contact.compliance = a->compliance + b->compliance;
    contact.damping = fmax(rv_damping_time(context, a->damping), rv_damping_time(context, b->damping));
    return contact;
}

// Takes over what the contact knew in the step before.
static void carry(rvContact* contact, const rvContactState* old, const rvBodyStore* bodies)
{
    rvContactState* state = &contact->state;
    for (int k = 0; k < 3; ++k)
        state->mode[k] = old->mode[k];
    state->normalImpulse = contact->lastNormal = old->normalImpulse;
    state->frictionImpulse = contact->lastFriction = old->frictionImpulse;
    if (state->carrierIsB != old->carrierIsB)
        see_from(contact, bodies, old->carrierIsB != 0.0);
    bool slid = old->mode[1] != RV_ROW_FREE;
    rvVec3 shear = slid ? old->stick : rvAdd(old->stick, slip_since(state, old, bodies));
    shear = rvRotate(contact->carrierTurn, shear);
    contact->shearBefore = rvMulAdd(shear, -rvDot(shear, state->normal), state->normal);
    state->stick = rvRotateBack(contact->carrierTurn, contact->shearBefore);
}

// Each new point takes the nearest old one that is left, near enough on one of the bodies.
static void match_pair(rvContactStore* store, int first, int end, int oldFirst, int oldEnd, const rvBodyStore* bodies)
{
    rvContactList* now = &store->now;
    rvContactList* before = &store->before;
    for (int i = first; i < end; ++i) {
        rvContactState* state = &now->items[i].state;
        int best = -1;
        double least = SamePoint;
        for (int k = oldFirst; k < oldEnd; ++k) {
            rvContact* old = &before->items[k];
            double away =
                fmin(rvDistance(state->localA, old->state.localA), rvDistance(state->localB, old->state.localB));
            // group says here whether it was taken; the rows of that step are gone
            if (old->group != -2 && away < least) {
                least = away;
                best = k;
            }
        }
        if (best >= 0) {
            before->items[best].group = -2;
            carry(&now->items[i], &before->items[best].state, bodies);
        }
    }
}

// Calls `visit` for each pair of shapes in either list, with its part of both; both are sorted alike.
typedef void (*pairVisit)(rvContactStore* store, int first, int end, int oldFirst, int oldEnd,
                          const rvBodyStore* bodies);

static void visit_pairs(rvContactStore* store, pairVisit visit, const rvBodyStore* bodies)
{
    const rvContactList* now = &store->now;
    const rvContactList* before = &store->before;
    int i = 0, k = 0;
    while (i < now->count || k < before->count) {
        int order = i == now->count      ? 1
                    : k == before->count ? -1
                                         : compare_pairs(&now->items[i].state, &before->items[k].state);
        int end = order <= 0 ? pair_end(now, i) : i;
        int oldEnd = order >= 0 ? pair_end(before, k) : k;
        visit(store, i, end, k, oldEnd, bodies);
        i = end;
        k = oldEnd;
    }
}

static bool any_touches(const rvContactList* list, int first, int end)
{
    for (int i = first; i < end; ++i)
        if (rv_contact_touches(&list->items[i].state))
            return true;
    return false;
}

static void find_change(rvContactStore* store, int first, int end, int oldFirst, int oldEnd, const rvBodyStore* bodies)
{
    (void)bodies;
    bool is = any_touches(&store->now, first, end);
    if (is == any_touches(&store->before, oldFirst, oldEnd))
        return;
    const rvContactState* state = is ? &store->now.items[first].state : &store->before.items[oldFirst].state;
    store->changes[store->changeCount++] = (rvContactChange){state->shapeA, state->shapeB, is};
}

void rv_contacts_find_changes(rvContactStore* store)
{
    store->changeCount = 0;
    visit_pairs(store, find_change, NULL);
}

void rv_contacts_collide(rvContactStore* store, rvShapeStore* shapes, const rvBodyStore* bodies,
                         const rvJointStore* joints, const rvStepContext* context)
{
    store->foundCount = store->dropped = 0;
    rv_shapes_place(shapes, bodies);
    search s = {store, shapes, bodies, joints};
    rv_broad_visit(&store->broad, shapes, visit_pair, &s);
    sort_found(store);
    rvContactList swap = store->before;
    store->before = store->now;
    store->now = swap;
    store->now.count = store->foundCount;
    for (int i = 0; i < store->foundCount; ++i)
        store->now.items[i] = make_contact(&store->found[store->order[i]], shapes, bodies, context);
    visit_pairs(store, match_pair, bodies);
}

int rv_contacts_count(const rvContactStore* store)
{
    return store->now.count;
}

int rv_contacts_dropped(const rvContactStore* store)
{
    return store->dropped;
}

rvContactView rv_contacts_view(const rvContactStore* store, int index)
{
    const rvContactState* s = &store->now.items[index].state;
    return (rvContactView){.shapeA = s->shapeA,
                           .shapeB = s->shapeB,
                           .point = s->point,
                           .normal = s->normal,
                           .depth = s->depth,
                           .normalImpulse = s->normalImpulse,
                           .frictionImpulse = s->frictionImpulse};
}

int rv_contacts_changes(const rvContactStore* store, const rvContactChange** changes)
{
    *changes = store->changes;
    return store->changeCount;
}

// An image may come from anywhere: no index or mode of it is used that this store could not have written.
static bool is_sound(const rvContactState* state, int shapeCount)
{
    bool sound = state->shapeA >= 0 && state->shapeA < shapeCount && state->shapeB >= 0 && state->shapeB < shapeCount;
    for (int k = 0; k < 3; ++k)
        sound = sound &&
                (state->mode[k] == RV_ROW_LOWER || state->mode[k] == RV_ROW_FREE || state->mode[k] == RV_ROW_UPPER);
    return sound;
}

// What is not sound in an image is left out.
static void read_states(rvContactStore* store, rvVisitor* v, int count)
{
    store->now.count = 0;
    store->changeCount = 0;
    for (int i = 0; i < count; ++i) {
        rvContact* contact = &store->now.items[store->now.count];
        *contact = (rvContact){.group = -1};
        rv_visit_bytes(v, &contact->state, sizeof contact->state);
        store->now.count += is_sound(&contact->state, store->shapeCount);
    }
}

void rv_contacts_visit(rvContactStore* store, rvVisitor* v)
{
    int64_t head[2] = {store->now.count, store->dropped};
    size_t room = (size_t)store->room * sizeof(rvContactState), begun = v->size + sizeof head;
    rv_visit_bytes(v, head, sizeof head);
    int count = head[0] < 0 ? 0 : head[0] > store->room ? store->room : (int)head[0];
    if (v->kind == RV_VISIT_READ) {
        store->dropped = (int)head[1];
        read_states(store, v, count);
    }
    for (int i = 0; i < count && (v->kind == RV_VISIT_WRITE || v->kind == RV_VISIT_HASH); ++i)
        rv_visit_bytes(v, &store->now.items[i].state, sizeof(rvContactState));
    rv_visit_gap(v, begun + room - v->size);
}
