// SPDX-License-Identifier: MIT
#include "cable/string/catenary.h"

enum { ROUNDS = 200, CALM = 20 }; // after so many rounds the stretch goes half of its way only, so that none oscillates

#define SMALL 0.2 // a bend: 2e-6 p^12 is round-off

static double coth_times(double p) // p coth p
{
    double q = p * p, r = 2.0 / 945.0 - q * (1.0 / 4725.0 - q * (2.0 / 93555.0));
    return p < SMALL ? 1.0 + q * (1.0 / 3.0 - q * (1.0 / 45.0 - q * r)) : p / tanh(p);
}

static double coth_times_slope(double p)
{
    if (p < SMALL) {
        double q = p * p, r = 12.0 / 945.0 - q * (8.0 / 4725.0 - q * (20.0 / 93555.0));
        return p * (2.0 / 3.0 - q * (4.0 / 45.0 - q * r));
    }
    double c = 1.0 / tanh(p);
    return c - p * (c * c - 1.0);
}

// sinh p/p - 1 and its derivative.
static double longer_by(double p, double* slope)
{
    double q = p * p;
    if (p < 1.0) {
        double r = 1.0 + q * (1.0 / 54.0) * (1.0 + q * (1.0 / 88.0) * (1.0 + q * (1.0 / 130.0)));
        *slope = p * (1.0 / 3.0) * (1.0 + q * (1.0 / 10.0) * (1.0 + q * (1.0 / 28.0) * r));
        r = 1.0 + q * (1.0 / 72.0) * (1.0 + q * (1.0 / 110.0) * (1.0 + q * (1.0 / 156.0)));
        return q * (1.0 / 6.0) * (1.0 + q * (1.0 / 20.0) * (1.0 + q * (1.0 / 42.0) * r));
    }
    double s = sinh(p) / p;
    *slope = (cosh(p) - s) / p;
    return s - 1.0;
}

// The bend p at which the tension along the chord comes out: dd + zz p coth p = k p. Convex: Newton comes from the
// left. One step of it from p, or from 0 as many as bring it near.
static double find_bend(double dd, double zz, double k, double largest, double p)
{
    if (!(k > zz * (1.0 + 1e-9)))
        return largest;
    bool near = p > 0.0 && zz > 0.0;
    p = near ? p : fmin((dd + zz) / k, largest);
    for (int i = 0; zz > 0.0 && i < ROUNDS && p < largest; ++i) {
        double step = (dd + zz * coth_times(p) - k * p) / (k - zz * coth_times_slope(p));
        p = fmin(p + step, largest);
        if (near || !(step > 1e-3 * p))
            break;
    }
    return p;
}

// With the bend known d' and z' follow from the stretch at once. Answers N^2 as the bend makes it.
static double try_bend(rvCatenary* c, double d, double z, double weight, double stiffness)
{
    double slope, strain = 0.5 * weight * c->length / stiffness, coth = coth_times(c->bend) / c->bend;
    double reducedD = d / (1.0 + strain / c->bend), reducedZ = z / (1.0 + strain * coth);
    c->horizontal = 0.5 * weight * reducedD / c->bend;
    c->vertical = 0.5 * weight * reducedZ * coth;
    double wide = reducedD * (1.0 + longer_by(c->bend, &slope));
    return reducedZ * reducedZ + wide * wide;
}

// Tension along the chord of the rope that has this bend.
static double along_with(rvCatenary* c, double d, double z, double weight, double stiffness)
{
    for (int i = 0; i < ROUNDS; ++i) {
        double before = c->length;
        c->length = sqrt(try_bend(c, d, z, weight, stiffness));
        if (!(fabs(c->length - before) > 1e-15 * c->length))
            break;
    }
    return (c->horizontal * d + c->vertical * z) / sqrt(d * d + z * z);
}

// Of long steep rope the tension along the chord hardly knows of the bend, but of the stretch by its own weight: rounds
// that find one by the other part. The tension falls with the bend: bounds are halved.
static void halve_bend(rvCatenary* c, double d, double z, double weight, double stiffness, double tension)
{
    rvCatenary low = {.length = sqrt(d * d + z * z), .bend = 1e-12}, high = *c;
    for (int i = 0; i < ROUNDS && high.bend > low.bend * (1.0 + 4e-16); ++i) {
        *c = low;
        c->bend = sqrt(low.bend * high.bend);
        *(along_with(c, d, z, weight, stiffness) > tension ? &low : &high) = *c;
    }
}

rvCatenary rv_catenary_by_tension(double d, double z, double weight, double stiffness, double tension, double largest)
{
    double l = sqrt(d * d + z * z), stretched = 1.0 + tension / stiffness;
    rvCatenary c = {.length = l / stretched};
    if (!(weight > 0.0) || !(l > 0.0)) {
        c.horizontal = l > 0.0 ? tension * d / l : 0.0;
        c.vertical = l > 0.0 ? tension * z / l : 0.0;
        return c;
    }
    double k = 2.0 * tension * l / weight, reducedD = d / stretched, reducedZ = z / stretched, slope = 0.0;
    for (int i = 0; i < ROUNDS; ++i) {
        double before = c.length;
        c.bend = find_bend(d * reducedD, z * reducedZ, k, largest, c.bend);
        double wide = reducedD * (1.0 + longer_by(c.bend, &slope)), coth = coth_times(c.bend) / c.bend;
        c.length = sqrt(reducedZ * reducedZ + wide * wide);
        c.horizontal = 0.5 * weight * reducedD / c.bend;
        c.vertical = 0.5 * weight * reducedZ * coth;
        if (i > 0 && !(fabs(c.length - before) > 1e-15 * c.length))
            break;
        // the mean tension stretches the rope, so less of the chord is left to span
        double strain = 0.5 * weight * c.length / stiffness, way = i < CALM ? 1.0 : 0.5;
        reducedD += way * (d / (1.0 + strain / c.bend) - reducedD);
        reducedZ += way * (z / (1.0 + strain * coth) - reducedZ);
    }
    if (!(c.bend < largest) && d > 0.0 && along_with(&c, d, z, weight, stiffness) < tension) {
        halve_bend(&c, d, z, weight, stiffness, tension);
        reducedD = 2.0 * c.horizontal * c.bend / weight;
        reducedZ = 2.0 * c.vertical * c.bend / (weight * coth_times(c.bend));
    }
    double turning = k - z * reducedZ * coth_times_slope(c.bend);
    double bendSlope = turning > 0.0 && c.bend < largest ? -c.bend * 2.0 * l / (weight * turning) : 0.0;
    c.slope =
        c.length > 0.0 ? reducedD * reducedD * (1.0 + longer_by(c.bend, &slope)) * slope * bendSlope / c.length : 0.0;
    return c;
}

// A rope with its ends one above the other is taut, or a loop below the lower end.
static rvCatenary hang(double z, double weight, double stiffness, double length)
{
    double rise = fabs(z), pull = stiffness * (rise - length) / length; // halfway along, were it taut
    double loop = 0.5 * weight * rise / (1.0 + 0.5 * weight * length / stiffness);
    return (rvCatenary){.length = length, .bend = HUGE_VAL, .vertical = copysign(fmax(pull, loop), z)};
}

// N grows with the bend.
bool rv_catenary_is_bent(double d, double z, double weight, double stiffness, double length, double bend)
{
    rvCatenary c = {.length = length, .bend = bend};
    return try_bend(&c, d, z, weight, stiffness) < length * length;
}

rvCatenary rv_catenary_by_length(double d, double z, double weight, double stiffness, double length)
{
    double l = sqrt(d * d + z * z);
    if (d <= 1e-9 * fmax(l, length))
        return hang(z, weight, stiffness, length);
    if (!(weight > 0.0)) {
        double tension = fmax(0.0, stiffness * (l - length) / length);
        return rv_catenary_by_tension(d, z, 0.0, stiffness, tension, 1.0);
    }
    // N grows with the bend: the ratio of two bounds is halved until they meet
    double low = 1e-12, high = 300.0;
    rvCatenary c = {.length = length};
    for (int i = 0; i < 200 && high > low * (1.0 + 4e-16); ++i) {
        c.bend = sqrt(low * high);
        if (try_bend(&c, d, z, weight, stiffness) > length * length)
            high = c.bend;
        else
            low = c.bend;
    }
    return c;
}

// (w z d/(2 l)) (coth p - 1/p)/((1 + e coth p) (1 + e/p)), e = w N/(2 EA): of H and F nothing would be left.
double rv_catenary_across(const rvCatenary* c, double d, double z, double weight, double stiffness)
{
    double p = c->bend, q = p * p, l = sqrt(d * d + z * z), strain = 0.5 * weight * c->length / stiffness;
    if (!(l > 0.0) || !(p > 0.0) || !isfinite(p))
        return 0.0;
    double coth = coth_times(p) / p, difference = coth - 1.0 / p;
    if (p < SMALL)
        difference = p * (1.0 / 3.0 - q * (1.0 / 45.0 - q * (2.0 / 945.0 - q * (1.0 / 4725.0))));
    return 0.5 * weight * z * d / l * difference / ((1.0 + strain * coth) * (1.0 + strain / p));
}

void rv_catenary_point(const rvCatenary* c, double weight, double stiffness, double s, double* along, double* height)
{
    double n = c->length, from = c->vertical - 0.5 * weight * n, to = from + weight * n * s, h = c->horizontal;
    double middle = 0.5 * (from + to);
    *along = s * n * h / stiffness;
    *height = s * n * middle / stiffness;
    double most = fmax(fabs(from), fabs(to));
    if (!(weight * n * s > 1e-9 * fmax(h, most))) { // straight
        double t = fmax(sqrt(h * h + middle * middle), 1e-300);
        *along += s * n * h / t;
        *height += s * n * middle / t;
    } else if (h > 1e-12 * most) {
        *along += h / weight * (asinh(to / h) - asinh(from / h));
        // difference of the roots without cancelling
        *height += s * n * (from + to) / (sqrt(h * h + from * from) + sqrt(h * h + to * to));
    } else
        *height += (fabs(to) - fabs(from)) / weight;
}
