// SPDX-License-Identifier: MIT
// `reeve bench route --walk N [--first K]`: a rope on random walks around convex bodies against brute force.
//
// Both ends of a rope without friction wander among boxes, hulls, spheres, cylinders and capsules, one or six of them,
// so that it wraps and unwraps. Every step is a configuration; of each is asked:
//   side    no span of the rope passes through a body (deeper than SKIN)
//   jump    the rope is not longer than before by more than its ends moved
//   length  no way nearby is shorter: a chain of points, laid along the rope and lifted off the bodies, is pulled taut
//           by moving each point to the middle of its neighbours and out of the bodies, and measured around these.
//           A rope that lies on nothing is a straight line, which no way beats
// The bodies are described here once more, as half-spaces and distances to an axis: nothing of the library's own
// geometry is asked. The chain is longer than the rope where its pulls leave bends, and shorter where it slips off a
// corner that its points stand wider than: a finer one is asked then. A rope that lies across itself holds itself up,
// which the chain does not: it is asked for its side only.
#include "bench.h"

#include "reeve/reeve.h"

enum { SOLIDS = 6, FACES = 24, HULL = 12, FINEST = 3072, FINE = 384, COARSE = 48, LEG = 1000, SHAPE = 4096 };

static const double SKIN = 2e-9;  // [m] how late the rope may notice a body
static const double LIFT = 2e-3;  // [m] of the chain off the bodies
static const double HAIR = 1e-5;  // [m] of the finest chain, which begins some 1e-5 m longer than the rope
static const double STEP = 0.02;  // [s]
static const double ROUGH = 3e-3; // of the length: bends that are left in a chain
static const double CLOSE = 1e-7; // [m] a way is shorter: its lines lie SKIN deep in bodies at some ten places

// In its own frame: half-spaces n.x <= o where it has faces, else around the z axis.
typedef struct {
    rvShapeType type;
    rvPose pose;
    double radius, half, reach; // reach: no point is farther from the origin
    rvVec3 normals[FACES];
    double offsets[FACES];
    int faces;
    rvVec3 corner[HULL]; // in the world
    int corners;
} Solid;

typedef struct {
    rvWorld* world;
    rvBodyId ends[2];
    rvCableId rope;
    Solid solids[SOLIDS];
    int count;
    double far;     // the ends stay within this of the origin [m]
    uint64_t state; // of the random numbers
} Yard;

typedef struct {
    long walked, compared, atCorners, crossed, finer, finest, wrongSides, longer;
    long failed;                    // the first walk with one of the last two, 0: none
    double tooLong, tooShort, jump; // worst of the rope against the chain [m], of the chain [1], of a step [m]
    double clock;                   // of the steps [s]
} Tally;

// ---- random numbers (splitmix64) and places

static double next_random(Yard* yard)
{
    uint64_t z = (yard->state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(Yard* yard, double low, double high)
{
    return low + (high - low) * next_random(yard);
}

static rvVec3 in_ball(Yard* yard, double radius)
{
    for (;;) {
        double x = between(yard, -1, 1), y = between(yard, -1, 1), z = between(yard, -1, 1);
        if (x * x + y * y + z * z <= 1.0)
            return rvScale(radius, rvVec(x, y, z));
    }
}

// ---- the bodies, once more

static void add_face(Solid* solid, rvVec3 normal, double offset)
{
    if (solid->faces < FACES) {
        solid->normals[solid->faces] = normal;
        solid->offsets[solid->faces++] = offset;
    }
}

// Every three points with all others on one side make a face.
static void add_hull_faces(Solid* solid, const rvVec3* p)
{
    for (int i = 0; i < HULL; i++)
        for (int j = i + 1; j < HULL; j++)
            for (int k = j + 1; k < HULL; k++) {
                rvVec3 n = rvNormalizeOr(rvCross(rvSub(p[j], p[i]), rvSub(p[k], p[i])), rvVec(0, 0, 0));
                int above = 0, below = 0;
                for (int m = 0; m < HULL; m++) {
                    double d = m == i || m == j || m == k ? 0.0 : rvDot(n, rvSub(p[m], p[i]));
                    above += d > 0.0;
                    below += d < 0.0;
                }
                if (above == 0 || below == 0)
                    add_face(solid, above == 0 ? n : rvScale(-1.0, n), (above == 0 ? 1.0 : -1.0) * rvDot(n, p[i]));
            }
}

// How far a point is outside, along the normal: negative inside.
static double outside(const Solid* solid, rvVec3 x, rvVec3* normal)
{
    double round = hypot(x.x, x.y), end = fabs(x.z) - solid->half;
    switch (solid->type) {
    case RV_SHAPE_SPHERE:
    case RV_SHAPE_CAPSULE:
        x.z -= fmin(fmax(x.z, -solid->half), solid->half);
        *normal = rvNormalizeOr(x, rvVec(1, 0, 0));
        return rvLength(x) - solid->radius;
    case RV_SHAPE_CYLINDER:
        *normal = round - solid->radius > end ? rvNormalizeOr(rvVec(x.x, x.y, 0), rvVec(1, 0, 0))
                                              : rvVec(0, 0, x.z > 0.0 ? 1.0 : -1.0);
        return fmax(round - solid->radius, end);
    default:
        break;
    }
    double most = -HUGE_VAL;
    for (int i = 0; i < solid->faces; i++) {
        double d = rvDot(solid->normals[i], x) - solid->offsets[i];
        if (d > most) {
            most = d;
            *normal = solid->normals[i];
        }
    }
    return most;
}

// Keeps of the line p + t*d, t in range, what lies in the half-space n.x <= o.
static void cut(double range[2], double at, double slope)
{
    if (slope > 0.0)
        range[1] = fmin(range[1], -at / slope);
    else if (slope < 0.0)
        range[0] = fmax(range[0], -at / slope);
    else if (at > 0.0)
        range[1] = -1.0;
}

// The least distance of p + t*d, t in range, to the axis piece |z| <= half: least there where the distance to the line
// of the axis or to one of its ends is, as it is convex and smooth in t.
static double axis_distance(rvVec3 p, rvVec3 d, const double range[2], double half)
{
    double least = HUGE_VAL, across = d.x * d.x + d.y * d.y, all = fmax(across + d.z * d.z, 1e-300);
    double dot = p.x * d.x + p.y * d.y;
    double t[3] = {-dot / fmax(across, 1e-300), -(dot + (p.z - half) * d.z) / all, -(dot + (p.z + half) * d.z) / all};
    for (int k = 0; k < 3; k++) {
        rvVec3 x = rvMulAdd(p, fmin(fmax(t[k], range[0]), range[1]), d);
        x.z -= fmin(fmax(x.z, -half), half);
        least = fmin(least, rvLength(x));
    }
    return least;
}

// Does the line from p to q pass deeper than `skin` through the body?
static bool passes_through(const Solid* solid, rvVec3 p, rvVec3 q, double skin)
{
    rvVec3 toBody = rvSub(solid->pose.p, p), line = rvSub(q, p);
    double share = fmin(fmax(rvDot(toBody, line) / fmax(rvDot(line, line), 1e-30), 0.0), 1.0);
    if (rvDistance(solid->pose.p, rvMulAdd(p, share, line)) > solid->reach)
        return false;
    p = rvPosePointBack(solid->pose, p);
    rvVec3 d = rvSub(rvPosePointBack(solid->pose, q), p);
    double range[2] = {0.0, 1.0};
    for (int i = 0; i < solid->faces; i++)
        cut(range, rvDot(solid->normals[i], p) - solid->offsets[i] + skin, rvDot(solid->normals[i], d));
    if (solid->faces > 0)
        return range[0] < range[1];
    if (solid->type == RV_SHAPE_CYLINDER) {
        cut(range, p.z - solid->half + skin, d.z);
        cut(range, -p.z - solid->half + skin, -d.z);
    }
    return range[0] < range[1] && axis_distance(p, d, range, solid->half) < solid->radius - skin;
}

// The first body that the line from p to q passes through, or NULL.
static const Solid* body_between(const Yard* yard, rvVec3 p, rvVec3 q)
{
    for (int k = 0; k < yard->count; k++)
        if (passes_through(&yard->solids[k], p, q, SKIN))
            return &yard->solids[k];
    return NULL;
}

// Out of the bodies, to `margin` from those that are nearer.
static rvVec3 push_out(const Yard* yard, rvVec3 x, double margin)
{
    for (int k = 0; k < yard->count; k++) {
        const Solid* solid = &yard->solids[k];
        if (rvDistance(x, solid->pose.p) > solid->reach + margin)
            continue;
        rvVec3 local = rvPosePointBack(solid->pose, x), normal;
        double gap = outside(solid, local, &normal);
        if (gap < margin)
            x = rvPosePoint(solid->pose, rvMulAdd(local, margin - gap, normal));
    }
    return x;
}

// ---- the chain

// Where the shortest way from p to q, both outside a body, goes over the line in which the planes meet that part them
// from it. The body is behind both planes, so the way is free of it; on one edge it is the shortest there is.
//   the line is at  p + a n + b m  with  a + c b = -gapP,  c a + b = m.(q - p) - gapQ,  c = n.m;  from q likewise
static rvVec3 point_over(const Solid* solid, rvVec3 p, rvVec3 q)
{
    rvVec3 n, m, from = rvPosePointBack(solid->pose, p), to = rvPosePointBack(solid->pose, q), d = rvSub(to, from);
    double gapP = outside(solid, from, &n), gapQ = outside(solid, to, &m), c = rvDot(n, m), rest = 1.0 - c * c;
    if (rest < 1e-12) // one plane: the straight way lies in it
        return p;
    double atP = rvDot(m, d) - gapQ, atQ = -rvDot(n, d) - gapP;
    rvVec3 toLine = rvAdd(rvScale((-gapP - c * atP) / rest, n), rvScale((atP + c * gapP) / rest, m));
    rvVec3 other = rvAdd(rvScale((atQ + c * gapQ) / rest, n), rvScale((-gapQ - c * atQ) / rest, m));
    rvVec3 along = rvNormalizeOr(rvCross(n, m), rvVec(0, 0, 0));
    double first = rvLength(toLine), both = fmax(first + rvLength(other), 1e-300);
    return rvPosePoint(solid->pose, rvAdd(from, rvMulAdd(toLine, rvDot(d, along) * (first / both), along)));
}

// Of a way from p to q around the bodies: where the straight line passes through one, over its edge if that is free;
// else, and on round ones, by way of its middle, pushed out. What is left after some halvings goes over two planes: a
// straight line there would cut off the edge, by up to 1e-3 m on a sharp one.
static double free_length(const Yard* yard, rvVec3 p, rvVec3 q, int level)
{
    const Solid* solid = body_between(yard, p, q);
    if (!solid)
        return rvDistance(p, q);
    rvVec3 over = point_over(solid, p, q);
    if (level == 0 || (solid->faces > 0 && !body_between(yard, p, over) && !body_between(yard, over, q)))
        return rvDistance(p, over) + rvDistance(over, q);
    rvVec3 middle = push_out(yard, rvScale(0.5, rvAdd(p, q)), 0.0);
    return free_length(yard, p, middle, level - 1) + free_length(yard, middle, q, level - 1);
}

// The points that the rope is drawn by, as many as there is room for.
static int read_line(const Yard* yard, rvVec3 line[SHAPE])
{
    int count = rvCable_GetShape(yard->world, yard->rope, line, SHAPE);
    return count < SHAPE ? count : SHAPE;
}

// The rope as n + 1 points at even distances, lifted off the bodies.
static void lay_chain(const Yard* yard, rvVec3* chain, int n, double lift)
{
    static rvVec3 line[SHAPE];
    int count = read_line(yard, line), at = 0;
    double length = 0.0, passed = 0.0;
    for (int i = 0; i + 1 < count; i++)
        length += rvDistance(line[i], line[i + 1]);
    for (int i = 0; i <= n; i++) {
        double want = length * i / n;
        while (at + 2 < count && passed + rvDistance(line[at], line[at + 1]) < want) {
            passed += rvDistance(line[at], line[at + 1]);
            at++;
        }
        double l = rvDistance(line[at], line[at + 1]);
        double share = l > 0.0 ? fmin((want - passed) / l, 1.0) : 0.0;
        chain[i] = rvMulAdd(line[at], share, rvSub(line[at + 1], line[at]));
        if (i > 0 && i < n)
            chain[i] = push_out(yard, chain[i], lift);
    }
}

// Pulled taut: every stride-th point, then every half as far, then all; measured around the bodies.
static double pull_chain(const Yard* yard, rvVec3* chain, int n, int stride, int pulls)
{
    for (; stride >= 1; stride /= 2) {
        for (int pull = 0; pull < pulls; pull++)
            for (int i = stride; i < n; i += stride)
                chain[i] = push_out(yard, rvScale(0.5, rvAdd(chain[i - stride], chain[i + stride])), 0.0);
        for (int i = stride / 2; stride > 1 && i < n; i += stride)
            chain[i] = push_out(yard, rvScale(0.5, rvAdd(chain[i - stride / 2], chain[i + stride / 2])), 0.0);
    }
    double length = 0.0;
    for (int i = 0; i < n; i++)
        length += free_length(yard, chain[i], chain[i + 1], 14);
    return length;
}

// How near the rope bends to a corner: there a chain whose points stand wider slips off, which the rope does not.
static double corner_distance(const Yard* yard)
{
    static rvVec3 line[SHAPE];
    int count = read_line(yard, line);
    double least = HUGE_VAL;
    for (int i = 1; i + 1 < count; i++)
        for (int k = 0; k < yard->count; k++)
            for (int c = 0; c < yard->solids[k].corners; c++)
                least = fmin(least, rvDistance(line[i], yard->solids[k].corner[c]));
    return least;
}

static void compare(const Yard* yard, double length, Tally* tally)
{
    static rvVec3 chain[FINEST + 1];
    double corner = corner_distance(yard);
    if (corner < 2.0 * length / FINE + LIFT) {
        tally->atCorners++;
        return;
    }
    tally->compared++;
    double more = -HUGE_VAL;
    if (corner > 2.0 * length / COARSE) {
        lay_chain(yard, chain, COARSE, LIFT);
        more = pull_chain(yard, chain, COARSE, 4, 100) - length;
    }
    if (more < -CLOSE || more > ROUGH * length) {
        tally->finer++;
        lay_chain(yard, chain, FINE, LIFT);
        more = pull_chain(yard, chain, FINE, 1, 300) - length;
    }
    // two bends nearer to each other than its points: lifted over the corner between them, it goes down to another way.
    // One that stays with the rope tells whether the rope could go on from where it is
    if (more < -CLOSE) {
        tally->finest++;
        lay_chain(yard, chain, FINEST, HAIR);
        more = pull_chain(yard, chain, FINEST, 1, 2400) - length;
    }
    tally->longer += more < -CLOSE;
    tally->tooLong = fmax(tally->tooLong, -more);
    tally->tooShort = fmax(tally->tooShort, more / length);
}

// ---- the walk

static bool add_solid(Yard* yard, rvShapeType type, double spread)
{
    Solid* solid = &yard->solids[yard->count];
    *solid = (Solid){.type = type, .pose = rvPoseIdentity()};
    bool apart;
    do { // no rope is pinched between two
        solid->pose.p = in_ball(yard, spread);
        apart = true;
        for (int k = 0; k < yard->count; k++)
            apart = apart && rvDistance(solid->pose.p, yard->solids[k].pose.p) > 1.8;
    } while (!apart);
    rvQuat turn = {between(yard, -1, 1), between(yard, -1, 1), between(yard, -1, 1), between(yard, -1, 1)};
    solid->pose.q = rvQuatNormalize(turn);
    rvShapeDef def = rvDefaultShapeDef(type);
    rvVec3 points[HULL];
    def.friction = 0.0;
    def.radius = solid->radius = between(yard, 0.1, 0.5);
    def.length = between(yard, 0.2, 1.0);
    def.sides = rvVec(between(yard, 0.2, 1.0), between(yard, 0.2, 1.0), between(yard, 0.2, 1.0));
    def.points = points;
    def.pointCount = HULL;
    for (int i = 0; i < HULL; i++)
        points[i] = rvScale(between(yard, 0.3, 0.6), rvNormalizeOr(in_ball(yard, 1.0), rvVec(1, 0, 0)));
    solid->half = type == RV_SHAPE_SPHERE ? 0.0 : 0.5 * def.length;
    solid->reach = solid->radius + solid->half;
    if (type == RV_SHAPE_BOX) {
        add_face(solid, rvVec(1, 0, 0), 0.5 * def.sides.x), add_face(solid, rvVec(-1, 0, 0), 0.5 * def.sides.x);
        add_face(solid, rvVec(0, 1, 0), 0.5 * def.sides.y), add_face(solid, rvVec(0, -1, 0), 0.5 * def.sides.y);
        add_face(solid, rvVec(0, 0, 1), 0.5 * def.sides.z), add_face(solid, rvVec(0, 0, -1), 0.5 * def.sides.z);
        solid->reach = 0.5 * rvLength(def.sides);
        solid->corners = 8;
        for (int i = 0; i < 8; i++)
            points[i] = rvVec((i & 1 ? 0.5 : -0.5) * def.sides.x, (i & 2 ? 0.5 : -0.5) * def.sides.y,
                              (i & 4 ? 0.5 : -0.5) * def.sides.z);
    } else if (type == RV_SHAPE_HULL) {
        add_hull_faces(solid, points);
        solid->reach = 0.6;
        solid->corners = HULL;
    }
    for (int i = 0; i < solid->corners; i++)
        solid->corner[i] = rvPosePoint(solid->pose, points[i]);
    rvBodyDef body = rvDefaultBodyDef();
    body.type = RV_BODY_STATIC;
    body.pose = solid->pose;
    rvBodyId id;
    yard->count++;
    return rvCreateBody(yard->world, &body, &id) == RV_OK && rvCreateShape(yard->world, id, &def, NULL) == RV_OK;
}

static bool make_yard(Yard* yard, long seed)
{
    static const rvShapeType types[] = {RV_SHAPE_BOX, RV_SHAPE_HULL, RV_SHAPE_SPHERE, RV_SHAPE_CYLINDER,
                                        RV_SHAPE_CAPSULE};
    bool many = seed % 2 != 0;
    *yard = (Yard){.far = many ? 3.0 : 1.2, .state = (uint64_t)seed};
    rvWorldDef def = rvDefaultWorldDef();
    bool good = rvCreateWorld(&def, &yard->world, NULL, 0) == RV_OK;
    for (int k = 0; good && k < (many ? SOLIDS : 1); k++)
        good = add_solid(yard, types[(seed / 2 + k) % 5], many ? 2.2 : 0.1);
    rvPlaceDef places[2];
    for (int k = 0; good && k < 2; k++) {
        rvBodyDef end = rvDefaultBodyDef();
        end.type = RV_BODY_KINEMATIC;
        do
            end.pose.p = in_ball(yard, yard->far);
        while (rvDistance(push_out(yard, end.pose.p, 0.0), end.pose.p) > 0.0);
        good = rvCreateBody(yard->world, &end, &yard->ends[k]) == RV_OK;
        places[k] = rvAttachPlace(yard->ends[k], rvVec(0, 0, 0));
    }
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_MASSLESS);
    rope.axialStiffness = 1.0; // soft: nothing here hangs on its tension
    rope.collides = true;
    rope.friction = 0.0;
    rope.maxContacts = 256;
    rope.places = places;
    rope.placeCount = 2;
    return good && rvCreateCable(yard->world, &rope, &yard->rope) == RV_OK;
}

// An end goes on, not through bodies and not too far away.
static rvVec3 wander(Yard* yard, rvVec3 e, rvVec3* velocity, double step)
{
    for (;;) {
        rvVec3 v = rvAdd(rvScale(0.95, *velocity), in_ball(yard, 0.3 * step));
        v = rvMulAdd(v, rvLength(e) > 0.6 * yard->far ? -0.1 * step : 0.0, e);
        double size = rvLength(v);
        *velocity = size > step ? rvScale(step / size, v) : v;
        rvVec3 next = rvAdd(e, *velocity);
        bool outside = rvDistance(push_out(yard, next, 0.0), next) == 0.0;
        if (rvLength(next) < yard->far && outside && !body_between(yard, e, next))
            return next;
        *velocity = in_ball(yard, step);
    }
}

// Arcs are drawn in chords of 0.2 rad at most, which lie inside the round body that they are on.
static double skin_of(const Solid* solid, rvVec3 p, rvVec3 q)
{
    rvVec3 unused;
    bool chord = solid->faces == 0 && fabs(outside(solid, rvPosePointBack(solid->pose, p), &unused)) < SKIN &&
                 fabs(outside(solid, rvPosePointBack(solid->pose, q), &unused)) < SKIN;
    return chord ? solid->radius * (1.0 - cos(0.1)) + SKIN : SKIN;
}

static bool rope_is_free(const Yard* yard)
{
    static rvVec3 line[SHAPE];
    int count = read_line(yard, line);
    for (int i = 0; i + 1 < count; i++)
        for (int k = 0; k < yard->count; k++) {
            const Solid* solid = &yard->solids[k];
            if (passes_through(solid, line[i], line[i + 1], skin_of(solid, line[i], line[i + 1])))
                return false;
        }
    return true;
}

static bool walk(Yard* yard, long steps, double reach, Tally* tally)
{
    rvVec3 velocity[2] = {{0, 0, 0}, {0, 0, 0}};
    double last = rvCable_GetLength(yard->world, yard->rope);
    for (long i = 0; i < steps; i++) {
        double moved = 0.0;
        for (int k = 0; k < 2; k++) {
            rvPose pose = rvBody_GetPose(yard->world, yard->ends[k]);
            rvVec3 next = wander(yard, pose.p, &velocity[k], reach);
            moved += rvDistance(next, pose.p);
            pose.p = next;
            rvBody_MoveTo(yard->world, yard->ends[k], pose);
        }
        double start = rv_bench_clock();
        if (rvWorld_Step(yard->world, STEP) != RV_OK)
            return false;
        tally->clock += rv_bench_clock() - start;
        double length = rvCable_GetLength(yard->world, yard->rope);
        tally->walked++;
        tally->jump = fmax(tally->jump, length - last - moved);
        tally->wrongSides += !rope_is_free(yard);
        bool crosses = rvCable_GetCrossings(yard->world, yard->rope, NULL, 0) > 0;
        tally->crossed += crosses;
        if (rvCable_GetContactCount(yard->world, yard->rope) > 0 && !crosses)
            compare(yard, length, tally);
        last = length;
    }
    return true;
}

// A walk that could not be gone has nothing wrong in it: it must be whole.
static void show(rvBench* bench, const Tally* t, long wanted)
{
    rv_bench_add(bench, rv_bench_goal(rv_bench_row("1", (double)t->walked, RV_NO_NUMBER, "all that were asked for",
                                                   "walk: configurations"),
                                      RV_GOAL_OURS_AT_LEAST, (double)wanted));
    rv_bench_add(bench, rv_bench_row("1", (double)t->compared, RV_NO_NUMBER, "",
                                     "walk: on bodies, held against a chain pulled taut"));
    rv_bench_add(bench, rv_bench_row("1", (double)t->atCorners, RV_NO_NUMBER, "",
                                     "walk: too near to a corner for a chain of %d points", FINE));
    rv_bench_add(bench,
                 rv_bench_row("1", (double)t->crossed, RV_NO_NUMBER, "", "walk: held by their own rope, across it"));
    rvBenchRow row = rv_bench_row("1", (double)t->finer, RV_NO_NUMBER, "", "walk: whose chain had to be a finer one");
    row.detail = true;
    rv_bench_add(bench, row);
    row = rv_bench_row("1", (double)t->finest, RV_NO_NUMBER, "", "walk: and one of %d points", FINEST);
    row.detail = true;
    rv_bench_add(bench, row);
    row = rv_bench_row("1", (double)t->failed, RV_NO_NUMBER, "", "walk: first that fails, for --first; 0: none");
    row.detail = true;
    rv_bench_add(bench, row);
    rv_bench_add(bench, rv_bench_goal(rv_bench_row("1", (double)t->wrongSides, RV_NO_NUMBER, "none",
                                                   "walk: wrong sides: a span passes through a body"),
                                      RV_GOAL_OURS_AT_MOST, 0.0));
    rv_bench_add(bench, rv_bench_goal(rv_bench_row("1", (double)t->longer, RV_NO_NUMBER, "none",
                                                   "walk: ropes that are not the shortest way"),
                                      RV_GOAL_OURS_AT_MOST, 0.0));
    rv_bench_add(bench, rv_bench_goal(rv_bench_row("m", t->tooLong, RV_NO_NUMBER, "lines 2e-9 m deep at ten places",
                                                   "walk: rope longer than the chain, worst"),
                                      RV_GOAL_OURS_AT_MOST, CLOSE));
    rv_bench_add(bench, rv_bench_row("1", t->tooShort, RV_NO_NUMBER, "bends that are left in the chain",
                                     "walk: chain longer than the rope, of its length, worst"));
    rv_bench_add(bench, rv_bench_goal(rv_bench_row("m", t->jump, RV_NO_NUMBER, "a node may come 1e-9 m late",
                                                   "walk: growth beyond what the ends moved, worst"),
                                      RV_GOAL_OURS_AT_MOST, 1e-9));
    rv_bench_add(bench, rv_bench_row("us", 1e6 * t->clock / (double)(t->walked > 0 ? t->walked : 1), RV_NO_NUMBER, "",
                                     "walk: time of a step, mean"));
}

void rv_bench_walk(rvBench* bench, long configurations)
{
    Tally tally = {0};
    long wanted = configurations;
    for (long seed = bench->first > 0 ? bench->first : 1; tally.walked < configurations; seed++) {
        Yard yard;
        rv_bench_progress(bench, "walk: %ld of %ld", tally.walked, configurations);
        long left = configurations - tally.walked;
        double reach = seed / 2 % 2 ? 0.015 : 0.12;
        if (!make_yard(&yard, seed) || !walk(&yard, left < LEG ? left : LEG, reach, &tally)) {
            rv_bench_leave_out(bench, "Reeve", "walk %ld: %s", seed,
                               yard.world ? rvWorld_GetError(yard.world) : "no memory");
            configurations = 0;
        }
        if (tally.failed == 0 && tally.wrongSides + tally.longer > 0)
            tally.failed = seed;
        rvDestroyWorld(yard.world);
    }
    show(bench, &tally, wanted);
}
