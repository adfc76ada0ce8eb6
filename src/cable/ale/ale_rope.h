// SPDX-License-Identifier: MIT
// A rope that flows, in the world: its falls between the places of the route, what holds their ends and its flow.
//
// Fall i lies in span i. Its ends are gripped (grip.h) where the rope meets the places: at the point of an eye or an
// attached place, at the tangent points of a wheel, which slide along it as the route turns. What of the rope's seven
// coordinates is held at a place follows from its type:
//   attach  position and rope (the slope too where it is clamped)       free  rope
//   eye     position; rope flows, against friction or drag         sheave  the same, on an arc, with the wheel's mass
//   winch   position; rope flows as the drive lets it, or the drum      contact as an eye, or on an arc
// so it is always the mesh or the material, never neither.
#pragma once

#include "cable/ale/ale_parts.h"
#include "cable/ale/ale_port.h"
#include "cable/core/model.h"
#include "cable/fe/touch.h"
#include "cable/route/grip.h"
#include "contact/shape.h"

// Of a grip, beside rvGripState: where it was at the beginning of the last step, and is at that of this one, and how
// far the rope is still off it and how fast; how fast the rope's end slides over the body. In the axes of its body,
// saved and restored as bytes.
typedef struct {
    rvVec3 was, now, off, offRate, rate;
} rvAleSlide;

// What the body of a grip does in a step: where it was at its beginning, how far it carries the point that holds the
// rope and turns.
typedef struct {
    rvPose from;
    rvVec3 speed, spin; // at its beginning
    rvVec3 way, turn;
    rvVec3 push; // the mean force on the rope of a start at once [N]
} rvAleCarry;

// Energies of a step, for the guard [J].
typedef struct {
    double change; // of the rope, from end to end of the step
    double booked; // what the world's books say was put in, from middle to middle
    double known;  // what anything but bodies that are pushed gave, net
    double ports,
        rise;    // what those gave from middle to middle, and how much more power at its end than at its beginning
    bool runs;   // a winch of it runs, and what its energy at the middle of the step is less than the mean of both ends
    double bend; // is this [J]
} rvAleBooks;

typedef struct {
    struct rvAleRope* rope;
    int fall;
    bool slides[2]; // the way on to the places at its ends moves about on their bodies
} rvAleFallOf;

// The rim of a wheel with inertia (ale_wheel.c): its rates, along the rope, as the rope has them.
typedef struct {
    double rate, accel, algo; // [m/s, m/s^2]
    double mean;              // rate, of the last step [m/s]
    double past[3];           // what it did to its carrier about the axis, beside the falls, in the last steps [N m]
    double forces[3][2];      // of rope, bearing and motor at the ends of the last steps [N]
    double begun;             // 1: these are known
    double work[2];           // of its motor, in the last step and in the one before [J]
    // of a drum
    double radius;      // the layer that the rope left it from in the last step; 0: none yet [m]
    double off, arcOff; // how far the rope's end was off that when it came there, and how much longer its arc [m]
} rvAleRim;

enum { RV_ALE_BEARING, RV_ALE_DRIVE };

// Two rows that share a compliance.
typedef struct {
    int a, b;
    double yields;
} rvAleCouple;

// What holds the flow at a place in this step.
typedef struct {
    int row;            // -1: none
    double target;      // p at the end of the step without a slip [m]
    double compliance;  // beside that of the rope, for the row's impulse
    double least, most; // force on p [N]
    // rope friction: the force is between these times the tension before the place
    double leanLeast, leanMost; // both 0: none
    int tension;                // of the two rows that join the parted rope; -1: none
    double force;               // of the last solve
    bool slips;                 // it was at its bound there
    // of a winch that rope may run off against its drive
    int end;          // row of the end of its rope, -1: none
    double endTarget; // p where that is all out [m]
    bool ended;       // it held by the last solve
    // of a wheel with inertia
    double rim; // its mass at the rim, 0: none [kg]
    bool drives;
    int turning[2]; // rows of its bearing and its drive, -1: none
    bool limited;   // its drive does all that it can, by the last solve
    bool jumps;     // the rates at its place are those of the step
    double bearing; // share of the tensions beside it
    double free;    // way of the rim in the step without forces [m]
} rvAleHold;

// A fall that could come too short in this step; see ale_stop.c.
typedef struct {
    int row;      // -1: none
    double least; // of rope in it [m]
    bool holds;   // by the last solve
    // between the bodies at its ends, where one is on a wheel
    int group; // of its row, -1: none
    rvVec3 normal;
    double blow; // of the last solve [N s]
} rvAleStop;

enum { RV_ALE_WIDEST = 48 }; // rows beside those that stay inside

// Points of it that lie on shapes, in this step; see ale_touch.c.
typedef struct {
    rvTouches list;
    int first;          // its first row
    rvAlePoint* points; // three a touch
    double* moved;      // by rows of touches
    rvInside inside;    // rows that stay inside the rope (ale_inside.c)
    int width;          // rows of the rope that do not
    double soft;        // what rows along surfaces yield more, as the solver asked for
    double* block;      // of the rows that are not inside, with springs
    double* more;       // what their holders give, beside the rope
    void* memory;
    size_t size;
} rvAleTouches;

typedef struct rvAleRope {
    rvAle* ale;
    rvGrip* grips; // two a fall: at its beginning and at its end
    rvGripState* states;
    rvAleSlide* slides;
    rvAleCarry* carries;
    rvAleHold* holds; // by place
    rvAleRim* rims;   // by place
    rvAleCouple* couples;
    int coupleCount;
    rvAleStop* stops; // by fall
    rvAleTouches touches;
    double* pressed; // by place, while it comes to rest: the tension of what is pressed together there, else 0 [N]
    double* arcs; // by place: the rope's way on it at the beginning of the last step, then of this one [m]; see below
    rvAleFallOf* falls;
    rvAlePort* ports; // one a row
    int gripCount, rowCount, placeRoom;
    double drawn[2][3];                            // what winches were pulled by at the ends of the last steps [N]
    double quicker[2];                             // winches got in the last step, by so much [m/s]
    double braked[2];                              // 1: their brakes were closed in the last step
    rvPush pushes[RV_PUSHES];                      // what bodies of contacts that went still get
    double *places, *forces, *spread, *compliance; // of the rows
    void* block;                                   // of all this
    size_t blockSize;
    double wished;   // length of an element [m]
    double arcShare; // rope a metre of arc, as it was laid
    double wheelEI;  // of what lies on wheels: as it is given, 0 where it is guessed from the diameter [N m^2]
    const rvBodyStore* bodies;
    double h;
    bool again, failed, left; // left: its end ran off
    bool jumped;              // its speeds, at the start of the step
    bool settled, fine;       // the last pass left out little strain energy, or hardly any
    int passes;               // of this step
    bool wild;                // the last one has not settled, and gives bodies more than all that moves
    double debt;              // what the bodies around owe [J]
    double lent;   // what ropes that it touches gave it beyond the work of their forces, negative: it gave [J]
    double excess; // at rest: pull that friction at places cannot hold [N]
    bool laid;     // it has a shape
    bool lies;     // on its way to rest it has touched shapes
    bool resting;  // within an iteration of settling
    bool met;      // the last pass led it through a shape
    int tries;     // iterations on that way that came to nothing, one after the other
} rvAleRope;

// Its places came or went: falls are cut and joined, or laid anew while it has no shape (ale_route.c).
void rv_ale_rope_follow_route(rvCable* cable, const rvBodyStore* bodies);
rvStatus rv_ale_rope_reroute(rvCable* copy, const rvCable* cable, const rvBodyStore* bodies, rvMemory* memory,
                             rvError* error);
void rv_ale_rope_name_grips(rvCable* cable, const rvBodyStore* bodies); // of the places as they are
// A step begins: where its places shall have the ends of the rope after it, in body axes, and how much of it on arcs.
void rv_ale_rope_expect_slides(rvCable* cable, const rvBodyStore* bodies, double h);
double rv_ale_rope_reach(const rvCable* cable, int place); // how far it may slide in a step, twice that [m]
rvVec3 rv_ale_rope_local(const rvCable* cable, int grip, const rvBodyStore* bodies); // of a grip, now, in body axes
// Where a body that is not pushed holds an end after a step of h, and how fast it goes there.
void rv_ale_rope_aim(const rvAleRope* rope, int grip, const rvBodyStore* bodies, double h, double b[6], double rate[6]);
void rv_ale_rope_lay_falls(rvCable* cable); // of as much rope as it has, by the lengths of the spans

// `like`, where it is not NULL: the rope that it shall go on with, with elements as long and as much room.
rvStatus rv_ale_rope_make(rvCable* cable, const rvCableDef* def, rvMemory* memory, rvError* error,
                          const rvAleRope* like);
rvStatus rv_ale_rope_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                            rvError* error);
void rv_ale_rope_release(rvCable* cable, rvMemory* memory);
void rv_ale_rope_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight);
// Shape and motion, for another model and from one (ale_take.c). The point of a span: of the curve, not of the rope
// that flows along it.
void rv_ale_rope_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                       rvVec3* speed);
void rv_ale_rope_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h);
void rv_ale_rope_take_motion(const rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h);
// As its places do, of a new one; led: no speeds that stretch it.
void rv_ale_rope_move_along(const rvCable* cable, const rvBodyStore* bodies, bool led);
void rv_ale_rope_follow(rvCable* cable, const rvBodyStore* bodies);
rvVec3 rv_ale_rope_gap(const rvCable* cable, int grip); // from an end of a fall to where the route has it

// Grips where the route has them now, or broken; which flows are held inside.
void rv_ale_rope_match(rvCable* cable, const rvBodyStore* bodies);
void rv_ale_rope_hold_ports(rvAleRope* rope);
void rv_ale_rope_let_ports_go(rvAleRope* rope);
// What holds an end gives it; stepped: after a step, else at rest.
void rv_ale_rope_read_force(rvAleRope* rope, int grip, const rvBodyStore* bodies, bool stepped, double wrench[6]);
// What it does to a body, at the end of the last step: by its grips, its weight on wheels and their rims.
double rv_ale_rope_tension(const rvCable* cable, const rvBodyStore* bodies, int span, int end);
void rv_ale_rope_force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvVec3* force,
                          rvVec3* torque);
// Mean over the element at an end of a fall [N].
double rv_ale_rope_end_tension(const rvAleRope* rope, int fall, int end);
double rv_ale_rope_next_tension(const rvAleRope* rope, int fall, int end); // as a step that is not ended has it
// Of spans, as they are told (rv_ancf_told_pull): after a step, or anew, without a past; after falls were cut and
// joined.
void rv_ale_rope_note_tensions(rvCable* cable, bool anew);
void rv_ale_rope_tensions(rvCable* cable);
double rv_ale_rope_arc(const rvPlace* place); // the rope's way on a wheel [m]
// How far the way into a wheel has slid along the rope since `was` of its grip, in the carrier: to `now`.
double rv_ale_rope_slide(const rvCable* cable, int place, const rvBodyStore* bodies, rvVec3 now);
// Rope a metre of it, stretched as the tensions beside it say; where there is friction as they said when it came there,
// of drums as it was laid.
double rv_ale_rope_arc_share(const rvCable* cable, int place);
double rv_ale_rope_tension_share(rvAleRope* rope, int place); // as the tensions beside it say
// After a step of h, p was `before` it: rope on places follows the tensions beside it; where there is friction as much
// of it as has passed. NULL: all of it.
void rv_ale_rope_exchange_arcs(rvCable* cable, const double* before, double h);

// Is the rope at a place where something holds it in this step, p at the end of it; or does it flow as it is drawn?
static inline bool rv_ale_sticks(const rvAleHold* hold)
{
    return hold->row >= 0 && (hold->ended || (hold->compliance == 0.0 && !hold->slips));
}
static inline double rv_ale_stuck_at(const rvAleHold* hold)
{
    return hold->ended ? hold->endTarget : hold->target;
}

// Rope that sticks is where it sticks: what the solve is off is rounding.
void rv_ale_rope_keep_targets(rvAleRope* rope);
void rv_ale_rope_begin_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
void rv_ale_rope_end_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
void rv_ale_rope_measure_rest(const rvCable* cable, double gravity, rvBalance* balance);

// On bodies, beside its rows (ale_load.c).
void rv_ale_rope_add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context);
void rv_ale_rope_add_stiffness(rvCable* cable, rvBodyStore* bodies);

// Wheels with inertia (ale_wheel.c): once a step has begun, what their rims do by themselves; rows beside that of
// friction, and what rows share; when bodies have moved what they gave through the axes, and the rims' new rates,
// of those that the rope has taken along where it went on by itself: `alone`.
void rv_ale_wheels_expect(const rvCable* cable);
void rv_ale_wheels_write(rvCable* cable, double h, rvRows* rows, double* block, int size);
void rv_ale_wheels_couple(const rvAleRope* rope, double* block, int size);
void rv_ale_wheels_apply(const rvAleRope* rope, const double* x, double* y);
double rv_ale_wheels_work(const rvCable* cable, const rvBodyStore* bodies, double h, bool pushed);
void rv_ale_wheels_end(rvCable* cable, const rvBodyStore* bodies, double h, bool alone);
double rv_ale_wheels_ahead(const rvCable* cable); // how much more their drives did in the last step than is booked [J]
void rv_ale_wheels_add_loads(const rvCable* cable, rvBodyStore* bodies);
void rv_ale_wheels_start(rvCable* cable);
void rv_ale_wheels_jump(const rvCable* cable, const double* before); // flows that were
bool rv_ale_wheels_changed_layer(const rvCable* cable, int place);   // of a drum: its rim follows
// A drum goes at once with this rate against its carrier.
void rv_ale_wheels_set_drum(const rvCable* cable, int place, const rvBodyStore* bodies, double rate);

// What holds the flow at a place, with its rows.
void rv_ale_add_hold(rvAleRope* rope, int place, rvAleHold hold);
// Winches (ale_winch.c): what holds the flow in a step; drives that start or stop at once; after a step, p was `before`
// it: rope that went, work. Does the motor of a drum with inertia turn it as it is told?
void rv_ale_winch_hold(rvCable* cable, int winch, double h);
void rv_ale_winches_jump(rvCable* cable, const rvBodyStore* bodies, double h);
void rv_ale_winch_run(rvCable* cable, int winch, double before, const rvStepContext* context, rvAleBooks* books);
bool rv_ale_winch_drives(const rvCable* cable, int place);
bool rv_ale_winch_would_slip(const rvCable* cable, int winch, double more); // pulled by so much more [N]

// Stops (ale_stop.c): which falls have one in this step; their rows; what the solve found; flows that they hold; the
// rates of what they stopped.
void rv_ale_stops_list(rvCable* cable, double h);
void rv_ale_stops_write(const rvAleRope* rope, double h, rvRow* rows, double* block, int size);
void rv_ale_stops_write_bodies(const rvCable* cable, const rvBodyStore* bodies, double h, rvRows* rows, int owner);
void rv_ale_stops_read(rvAleRope* rope, const rvRows* rows);
double rv_ale_stops_take(const rvCable* cable, const rvBodyStore* bodies); // what bodies that meet lose in the step [J]
void rv_ale_stops_hold(const rvAleRope* rope, bool* held);
void rv_ale_stops_end(rvAleRope* rope);
void rv_ale_stops_tell(rvCable* cable);                                // after a step
double rv_ale_stops_heat(const rvAleRope* rope, const double* before); // before: the flows at the start of the step [J]

// Shapes that it sags onto (ale_touch.c). After the step is predicted: what it touches, as ports; after the last pass:
// rates of what was stopped; what touched bodies give it [J].
rvStatus rv_ale_touches_make(rvCable* cable, rvMemory* memory, rvError* error); // its capacity is set
void rv_ale_touches_release(rvAleTouches* touches, rvMemory* memory);
// After a pass: what that leads it through, as more ports.
bool rv_ale_touches_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass);
double rv_ale_touches_depth(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes);
void rv_ale_touches_end(rvAleRope* rope, const rvBodyStore* bodies);
// Which rows stay inside: before a pass. After it: what they give, and where they would be; and what the solve found
// of them.
void rv_ale_inside_number(rvCable* cable, const rvBodyStore* bodies);
void rv_ale_inside_write(rvCable* cable, bool atRest, rvRows* rows);
void rv_ale_inside_take(rvAleRope* rope);
void rv_ale_inside_stiffen(rvAleRope* rope, bool all, double soft); // springs of what holds, inside or all
double rv_ale_touches_work(const rvAleRope* rope, const rvBodyStore* bodies, double h);
double rv_ale_touches_lift(
    const rvAleRope* rope); // before the end of the step: the weight of what comes out of a shape that it began in [J]
extern const rvModelLine rv_ale_line; // ropes that it touches
int rv_ale_touches_count(const rvCable* cable);
void rv_ale_rope_measure_span(const rvCable* cable, int span, rvSpanShape* shape);
bool rv_ale_rope_sags(const rvAle* ale, int fall); // it hangs off its chord
int rv_ale_rope_trace(const rvCable* cable, int span, rvVec3* was, rvVec3* now, int most);

// Energies (ale_energy.c) [J]: all of it now, wheels with it; those that the start of the step has; as bodies see them.
double rv_ale_rope_energy(const rvCable* cable);
void rv_ale_rope_note_energies(rvCable* cable);
// All that moves, of its bodies too, and its strain, when a step begins [J].
double rv_ale_rope_moving(const rvCable* cable, const rvBodyStore* bodies, double h);
void rv_ale_rope_energies(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h,
                          rvRopeEnergy* energy);
// Bodies as they are now: a step begins. Then, when they have moved and the rope's step is about to be finished, what
// they did; and with the forces of its end the work on the rope, of those that are pushed and of those that are led.
void rv_ale_rope_begin_carries(rvAleRope* rope, const rvBodyStore* bodies);
void rv_ale_rope_end_carries(rvAleRope* rope, const rvBodyStore* bodies);
double rv_ale_rope_led_work(const rvAleRope* rope, const rvBodyStore* bodies);
// Of bodies that are pushed: what the step's impulses on them take; `rise` is added to.
double rv_ale_rope_port_work(const rvAleRope* rope, const rvBodyStore* bodies, double h, double* rise);
double rv_ale_rope_support_work(const rvAleRope* rope, const rvBodyStore* bodies, double h);
// The guard has the first step, too, which may be a wild one: the rope moves as another did that lay otherwise.
void rv_ale_guard_at_once(rvAle* ale);
// After a step: what it made of nothing beyond a little is taken out. Answers what the rope has lost since the last
// reading of its energies: to damping and drag, to stops and to this.
// Before a step is kept and after it; answers what energy at its middle is less than the mean of both ends [J].
double rv_ale_rope_begin_way(const rvCable* cable);
double rv_ale_rope_end_way(const rvCable* cable, double begun);
double rv_ale_rope_guard(rvCable* cable, const rvBodyStore* bodies, double h, const rvAleBooks* books);
// What it has, by its falls and what lies between them, while its route changes; and after falls were cut and joined,
// `before`: what it had; kinks: where slack falls were joined.
double rv_ale_rope_held(rvAleRope* rope);
void rv_ale_rope_adapt(rvCable* cable); // after a step: its elements follow the rope, what that makes or loses is heat
void rv_ale_rope_settle_route(rvCable* cable, double before, const rvVec3* kinks, int count);
// A body that is led, at a grip, has taken the rope along at once, from the speed that it had: what it gave is work,
// what the rope lost is heat. `before`: its energy.
void rv_ale_rope_book_start(rvCable* cable, int grip, rvVec3 speed, rvVec3 change, double before, double h);
// What the passes of the world did not settle goes on by itself, in parts: bodies keep what they got.
void rv_ale_rope_step_again(rvAleRope* rope);
// Its inside, between passes that do not settle, until so much of the energies that move is left out; answers whether
// it has.
bool rv_ale_rope_relax(rvAleRope* rope, double remainder);
// The same after a pass, of a rope that no body feels: the world makes no more of them for it.
void rv_ale_rope_go_on(rvAleRope* rope);

void rv_ale_rope_visit(rvCable* cable, rvVisitor* visitor);

// Tensions before and after each place, smoothed over RV_ALE_SMOOTH seconds: friction goes by them, since that of
// elements quivers.
#define RV_ALE_SMOOTH 0.05
void rv_ale_rope_smooth(rvAleRope* rope, double share);
static inline double* rv_ale_rope_means(rvAleRope* rope)
{
    return rope->arcs + 2 * (size_t)rope->placeRoom;
}

// Rope a metre of arc, by place.
static inline double* rv_ale_rope_shares(rvAleRope* rope)
{
    return rv_ale_rope_means(rope) + 2 * (size_t)rope->placeRoom;
}
// Numbers in `arcs`: two arcs, two means and a share a place.
#define RV_ALE_ARC_NUMBERS(places) (5 * (places))

// Does the rope's way on to the place move about on its body?
static inline bool rv_ale_slides(const rvPlace* place)
{
    return rv_place_is_wheel(place) || place->type == RV_PLACE_CONTACT;
}

static inline bool rv_ale_is_port(const rvGrip* grip)
{
    return grip->pushed && !grip->off;
}
