// SPDX-License-Identifier: MIT
// Elimination order by minimum degree on a quotient graph.
//
// Groups are the nodes; a body joins all its groups to a clique and is the first kind of *element*. Eliminating group p
// merges its elements into a new one,
//   L_p = union of L_e over the elements e of p, without p,
// and L_p is exactly the below list of p: order and symbolic factor come from the same pass, and the lists take no more
// room than the factor has blocks. The degree of i in L_p is bounded, as in AMD (Amestoy, Davis, Duff 1996), by
//   d_i = |L_p - i| + sum over the other elements e of i of |L_e - L_p|,      counted in rows.
// A group with one element only is joined to a clique: eliminating it makes no fill, so such groups come first. Chains
// and trees of joints are thus ordered without fill, and a cable over many bodies comes last.
// Of equal candidates that comes first whose degree was found longest ago: a chain is eliminated from both ends in
// turn, and a processor works on both at once, where each column of one end waits for the last. After that the index
// decides, so the order never depends on addresses.
#include "solve/structure.h"

enum { NOT_A_CLIQUE = 1 << 30 }; // added to the degree of a group with several elements

static bool comes_before(const rvStructure* s, int a, int b)
{
    if (s->degree[a] != s->degree[b])
        return s->degree[a] < s->degree[b];
    return s->touched[a] != s->touched[b] ? s->touched[a] < s->touched[b] : a < b;
}

static void heap_put(rvStructure* s, int place, int group)
{
    s->heap[place] = group;
    s->heapPlace[group] = place;
}

static void heap_rise(rvStructure* s, int place)
{
    int group = s->heap[place];
    while (place > 0 && comes_before(s, group, s->heap[(place - 1) / 2])) {
        heap_put(s, place, s->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    heap_put(s, place, group);
}

static void heap_sink(rvStructure* s, int place, int count)
{
    int group = s->heap[place];
    for (;;) {
        int child = 2 * place + 1;
        if (child >= count)
            break;
        if (child + 1 < count && comes_before(s, s->heap[child + 1], s->heap[child]))
            ++child;
        if (!comes_before(s, s->heap[child], group))
            break;
        heap_put(s, place, s->heap[child]);
        place = child;
    }
    heap_put(s, place, group);
}

static void heap_remove(rvStructure* s, int group, int* count)
{
    int place = s->heapPlace[group];
    int last = s->heap[--*count];
    s->heapPlace[group] = -1;
    if (place == *count)
        return;
    heap_put(s, place, last);
    heap_rise(s, place);
    heap_sink(s, s->heapPlace[last], *count);
}

typedef struct {
    rvStructure* s;
    int heapCount;
    int nextColumn;
    int belowCount;
    int stamp;
    size_t size;
} Ordering;

static const int* element_list(const rvStructure* s, int element)
{
    return (element < s->bodyCount ? s->bodyGroups : s->below) + s->listFirst[element];
}

// The next column: group p with the below list that ends the pool.
static bool add_column(Ordering* o, int p, int first)
{
    rvStructure* s = o->s;
    rvColumn* column = &s->columns[o->nextColumn++];
    const rvGroupKey* key = &s->groupKeys[p];
    *column =
        (rvColumn){p, key->firstRow, key->rowCount, key->width, key->firstSlot, key->slotCount, first, 0, o->size};
    column->belowCount = o->belowCount - first;
    size_t panelRows = (size_t)key->width;
    for (int i = first; i < o->belowCount; ++i)
        panelRows += (size_t)s->groupKeys[s->below[i]].width;
    o->size += panelRows * (size_t)key->width;
    return o->size <= s->sizeLimit;
}

// L_p at the end of the pool; absorbs the elements of p. -1: no room.
static int merge_elements(Ordering* o, int p)
{
    rvStructure* s = o->s;
    int weight = 0;
    s->mark[p] = ++o->stamp;
    for (int k = 0; k < s->elementCount[p]; ++k) {
        int e = s->elements[s->elementFirst[p] + k];
        const int* list = element_list(s, e);
        for (int i = 0; i < s->listCount[e]; ++i) {
            int g = list[i];
            if (s->mark[g] == o->stamp || s->heapPlace[g] < 0)
                continue;
            if (o->belowCount == s->belowCapacity)
                return -1;
            s->mark[g] = o->stamp;
            s->below[o->belowCount++] = g;
            weight += s->groupKeys[g].width;
        }
        s->listCount[e] = -1;
    }
    return weight;
}

// For the elements of the members of L_p: how many of their rows are outside L_p.
static void count_outside(Ordering* o, int first, int count)
{
    rvStructure* s = o->s;
    for (int k = 0; k < count; ++k) {
        int g = s->below[first + k];
        int* elements = s->elements + s->elementFirst[g];
        int kept = 0;
        for (int i = 0; i < s->elementCount[g]; ++i) {
            int e = elements[i];
            if (s->listCount[e] < 0)
                continue;
            elements[kept++] = e;
            if (s->outsideMark[e] != o->stamp) {
                s->outsideMark[e] = o->stamp;
                s->outside[e] = s->listWeight[e];
            }
            s->outside[e] -= s->groupKeys[g].width;
        }
        s->elementCount[g] = kept;
    }
}

// Absorbs the elements of the members of L_p that lie inside it. Members left with none, the *followers*, are joined to
// L_p alone and come right after p; they are moved to the front of the list. Answers how many there are.
static int part_followers(Ordering* o, int first, int count)
{
    rvStructure* s = o->s;
    int followers = 0;
    for (int k = 0; k < count; ++k) {
        int g = s->below[first + k];
        int* elements = s->elements + s->elementFirst[g];
        int kept = 0;
        for (int i = 0; i < s->elementCount[g]; ++i)
            if (s->outside[elements[i]] > 0)
                elements[kept++] = elements[i];
        s->elementCount[g] = kept;
        if (kept == 0) {
            heap_remove(s, g, &o->heapCount);
            s->below[first + k] = s->below[first + followers];
            s->below[first + followers++] = g;
        }
    }
    return followers;
}

// Member g of the new element e, of `weight` rows: its elements and degree.
static void update_member(Ordering* o, int g, int e, int weight)
{
    rvStructure* s = o->s;
    int* elements = s->elements + s->elementFirst[g];
    int degree = weight - s->groupKeys[g].width;
    for (int i = 0; i < s->elementCount[g]; ++i)
        degree += s->outside[elements[i]];
    if (weight > s->groupKeys[g].width)
        elements[s->elementCount[g]++] = e;
    s->degree[g] = degree + (s->elementCount[g] > 1 ? NOT_A_CLIQUE : 0);
    s->touched[g] = o->stamp;
    heap_rise(s, s->heapPlace[g]);
    heap_sink(s, s->heapPlace[g], o->heapCount);
}

// The below list of the k-th follower is that of p without its first k + 1 entries: it shares their room.
static bool eliminate(Ordering* o, int p)
{
    rvStructure* s = o->s;
    int first = o->belowCount;
    heap_remove(s, p, &o->heapCount);
    int weight = merge_elements(o, p);
    int count = o->belowCount - first;
    if (weight < 0 || !add_column(o, p, first))
        return false;
    count_outside(o, first, count);
    int followers = part_followers(o, first, count);
    for (int k = 0; k < followers; ++k) {
        int g = s->below[first + k];
        weight -= s->groupKeys[g].width;
        if (!add_column(o, g, first + k + 1))
            return false;
    }
    int e = s->bodyCount + p;
    s->listFirst[e] = first + followers;
    s->listCount[e] = count - followers;
    s->listWeight[e] = weight;
    s->outsideMark[e] = 0;
    for (int k = followers; k < count; ++k)
        update_member(o, s->below[first + k], e, weight);
    return true;
}

// The bodies of a group as its first elements; a body with no other group joins nothing.
static void start_group(rvStructure* s, int g)
{
    const rvGroupKey* key = &s->groupKeys[g];
    s->elementFirst[g] = key->firstSlot;
    s->elementCount[g] = 0;
    s->degree[g] = 0;
    s->mark[g] = 0;
    s->touched[g] = 0;
    for (int i = key->firstSlot; i < key->firstSlot + key->slotCount; ++i) {
        int body = s->slotKeys[i] >> 1;
        if (!(s->slotKeys[i] & 1) || s->listCount[body] < 2)
            continue;
        s->elements[s->elementFirst[g] + s->elementCount[g]++] = body;
        s->degree[g] += s->listWeight[body] - key->width;
    }
    s->degree[g] += s->elementCount[g] > 1 ? NOT_A_CLIQUE : 0;
}

bool rv_order_island(rvStructure* s, const int* groups, int groupCount, int firstColumn, int* belowCount, size_t* size)
{
    Ordering o = {s, 0, firstColumn, *belowCount, 0, 0};
    for (int i = 0; i < groupCount; ++i) {
        start_group(s, groups[i]);
        heap_put(s, o.heapCount, groups[i]);
        heap_rise(s, o.heapCount++);
    }
    while (o.heapCount > 0)
        if (!eliminate(&o, s->heap[0]))
            return false;
    *belowCount = o.belowCount;
    *size = o.size;
    return true;
}
