// SPDX-License-Identifier: MIT
// Bending by Gauss points, where the constant matrix does not do: exact curvature, initial curvature, damping.
//
// With a = r', b = r'' and the invariants A = a.a, C = b.b, D = a.b:
//   K = kappa^2 = C (as Westin and Irani)  or  (A C - D^2)/A^3 (exact)
//   energy  psi = EI/2 (K - 2 kappa0 ks + kappa0^2),  ks = sqrt(K + s^2) smooths the kink at kappa = 0
// Its derivatives by A, C, D give force and tangent. The positive tangent for steps that must not lose definiteness:
// EI max(0, 1 - kappa0/ks) J^T J + psi_KK grad K grad K^T with J the rate of the curvature vector.
//
// Damping: dissipation EI tau (rate of kappa)^2. By n n^T with n = b/|b| it does not resist turning; at kappa -> 0 that
// direction is lost, so below the curvature s of a circle of 100 cable lengths it becomes the full matrix:
//   EI tau (b b^T + s^2 I)/(b.b + s^2)
// r'' of a cubic is a line between its ends, (1 - x) b0 + x b1, so all of it is summed for these two, and only then for
// the four functions of the element.
#include "cable/ancf/ancf_parts.h"

// First and second derivatives of K by A, C, D.
typedef struct {
    double value, a, c, d, aa, ac, ad, dd;
} Measure;

static Measure measure(const rvAncf* cable, double A, double C, double D)
{
    if (!cable->exactCurvature)
        return (Measure){.value = C, .c = 1.0};
    double i = 1.0 / A, i2 = i * i, i3 = i2 * i, i4 = i2 * i2;
    return (Measure){
        .value = (A * C - D * D) * i3,
        .a = 3.0 * D * D * i4 - 2.0 * C * i3,
        .c = i2,
        .d = -2.0 * D * i3,
        .aa = 6.0 * C * i4 - 12.0 * D * D * i4 * i,
        .ac = -2.0 * i3,
        .ad = 6.0 * D * i4,
        .dd = -2.0 * i3,
    };
}

static double smooth(const rvAncf* cable)
{
    return 0.01 / cable->places[cable->nodeCount - 1];
}

double rv_ancf_curvature(const rvAncf* cable, const double slope[3], const double second[3])
{
    Measure k = measure(cable, rv_ancf_dot3(slope, slope), rv_ancf_dot3(second, second), rv_ancf_dot3(slope, second));
    return sqrt(fmax(k.value, 0.0));
}

double rv_ancf_curvature_rate(const rvAncf* cable, const double a[3], const double b[3], const double aRate[3],
                              const double bRate[3])
{
    Measure k = measure(cable, rv_ancf_dot3(a, a), rv_ancf_dot3(b, b), rv_ancf_dot3(a, b));
    double rate = 2.0 * k.a * rv_ancf_dot3(a, aRate) + 2.0 * k.c * rv_ancf_dot3(b, bRate) +
                  k.d * (rv_ancf_dot3(a, bRate) + rv_ancf_dot3(b, aRate));
    double kappa = sqrt(fmax(k.value, 0.0));
    return kappa > 0.0 ? 0.5 * rate / kappa : 0.0;
}

// Does the element bend by Gauss points, rather than by the constant matrix?
static bool by_points(const rvAncf* cable, const rvAncfElement* element)
{
    return cable->exactCurvature || element->curvature > 0.0;
}

// psi by K, a length
static double energy_slope(const rvAncfElement* e, double ks)
{
    return 0.5 * e->EI * (1.0 - e->curvature / ks);
}

// The shape functions of r' and r'' at a Gauss point, and both vectors.
typedef struct {
    double weight, s1[4], s2[4], a[3], b[3];
} Point;

static Point point_of(const rvAncf* cable, const double* q, int e, int g)
{
    Point p = {.weight = cable->elements[e].length * rv_ancf_gauss_weight[g]};
    rv_ancf_shape_slope(rv_ancf_gauss[g], cable->elements[e].length, p.s1);
    rv_ancf_shape_bend(rv_ancf_gauss[g], cable->elements[e].length, p.s2);
    rv_ancf_blend(q, e, p.s1, p.a);
    rv_ancf_blend(q, e, p.s2, p.b);
    return p;
}

// force -= w (s1 fa + s2 fb)
static void spread(double* force, const Point* p, const double fa[3], const double fb[3])
{
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            force[3 * i + c] -= p->weight * (p->s1[i] * fa[c] + p->s2[i] * fb[c]);
}

// force -= that of element e, where it is elastic by Gauss points
static void add_force(const rvAncf* cable, const double* q, int e, double* force)
{
    const rvAncfElement* element = &cable->elements[e];
    double s = smooth(cable);
    for (int g = 0; by_points(cable, element) && g < RV_ANCF_POINTS; g++) {
        Point p = point_of(cable, q, e, g);
        double fa[3], fb[3];
        Measure k = measure(cable, rv_ancf_dot3(p.a, p.a), rv_ancf_dot3(p.b, p.b), rv_ancf_dot3(p.a, p.b));
        double f = energy_slope(element, sqrt(fmax(k.value, 0.0) + s * s));
        for (int c = 0; c < 3; c++) {
            fa[c] = f * (2.0 * k.a * p.a[c] + k.d * p.b[c]);
            fb[c] = f * (2.0 * k.c * p.b[c] + k.d * p.a[c]);
        }
        spread(force, &p, fa, fb);
    }
}

// r'' at both ends of an element, of q or of rates.
static void bend_at_ends(const double* x, int e, double s[2][4], double out[2][3])
{
    rv_ancf_blend(x, e, s[0], out[0]);
    rv_ancf_blend(x, e, s[1], out[1]);
}

static void shape_at_ends(const rvAncfElement* element, double s[2][4])
{
    rv_ancf_shape_bend(0.0, element->length, s[0]);
    rv_ancf_shape_bend(1.0, element->length, s[1]);
}

static double damping_of(const rvAncf* cable, const rvAncfElement* element)
{
    return cable->elastic * element->EI * element->bendTime * element->length;
}

// y += factor D x of element e
static void add_damping(const rvAncf* cable, const double* q, const double* x, int e, double factor, double* y)
{
    const rvAncfElement* element = &cable->elements[e];
    double s[2][4], b[2][3], rate[2][3], sum[2][3] = {{0.0}}, soft = smooth(cable) * smooth(cable);
    if (!(element->bendTime > 0.0))
        return;
    shape_at_ends(element, s);
    bend_at_ends(q, e, s, b);
    bend_at_ends(x, e, s, rate);
    factor *= damping_of(cable, element);
    for (int g = 0; g < RV_ANCF_POINTS; g++) {
        double at[3], by[3], u = rv_ancf_gauss[g];
        for (int c = 0; c < 3; c++) {
            at[c] = b[0][c] + u * (b[1][c] - b[0][c]);
            by[c] = rate[0][c] + u * (rate[1][c] - rate[0][c]);
        }
        double f = factor * rv_ancf_gauss_weight[g] / (rv_ancf_dot3(at, at) + soft), along = rv_ancf_dot3(at, by);
        for (int c = 0; c < 3; c++) {
            double force = f * (at[c] * along + soft * by[c]);
            sum[0][c] += (1.0 - u) * force;
            sum[1][c] += u * force;
        }
    }
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            y[3 * i + c] += s[0][i] * sum[0][c] + s[1][i] * sum[1][c];
}

void rv_ancf_bending_force(const rvAncf* cable, const double* q, const double* v, double* force)
{
    for (int e = 0; e < cable->elementCount; e++) {
        add_force(cable, q, e, force + 6 * e);
        if (v)
            add_damping(cable, q, v, e, -1.0, force + 6 * e);
    }
}

void rv_ancf_bending_pull(const rvAncf* cable, int e, double pull[3])
{
    double force[12] = {0.0};
    add_force(cable, cable->q, e, force);
    for (int c = 0; c < 3; c++)
        pull[c] -= force[6 + c];
}

void rv_ancf_bending_damping(const rvAncf* cable, const double* q, const double* x, double* y)
{
    for (int e = 0; e < cable->elementCount; e++)
        add_damping(cable, q, x, e, 1.0, y + 6 * e);
}

double rv_ancf_bending_energy(const rvAncf* cable, const double* q)
{
    double sum = 0.0, s = smooth(cable);
    for (int e = 0; e < cable->elementCount; e++) {
        const rvAncfElement* element = &cable->elements[e];
        for (int g = 0; by_points(cable, element) && g < RV_ANCF_POINTS; g++) {
            Point p = point_of(cable, q, e, g);
            Measure k = measure(cable, rv_ancf_dot3(p.a, p.a), rv_ancf_dot3(p.b, p.b), rv_ancf_dot3(p.a, p.b));
            double k0 = element->curvature, value = fmax(k.value, 0.0);
            sum += p.weight * 0.5 * element->EI * (value - 2.0 * k0 * sqrt(value + s * s) + k0 * k0);
        }
    }
    return sum;
}

typedef struct {
    double aa[3][3], ab[3][3], bb[3][3]; // second derivatives by r' and r''
} Curve;

static void exact_tangent(const Point* p, const Measure* k, double f, Curve* out)
{
    const double *a = p->a, *b = p->b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double one = i == j ? 1.0 : 0.0;
            out->aa[i][j] = f * (2.0 * k->a * one + 4.0 * k->aa * a[i] * a[j] +
                                 2.0 * k->ad * (a[i] * b[j] + b[i] * a[j]) + k->dd * b[i] * b[j]);
            out->ab[i][j] =
                f * (k->d * one + 4.0 * k->ac * a[i] * b[j] + 2.0 * k->ad * a[i] * a[j] + k->dd * b[i] * a[j]);
            out->bb[i][j] = f * (2.0 * k->c * one + k->dd * a[i] * a[j]);
        }
}

// f times 2 J^T J, J the derivative of the curvature vector: r'' itself, or r' x r''/|r'|^3.
static void positive_tangent(const rvAncf* cable, const Point* p, double f, Curve* out)
{
    memset(out, 0, sizeof *out);
    if (!cable->exactCurvature) {
        for (int c = 0; c < 3; c++)
            out->bb[c][c] = 2.0 * f;
        return;
    }
    const double *a = p->a, *b = p->b;
    double A = rv_ancf_dot3(a, a), n = 1.0 / (A * sqrt(A));
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double ja[3][3] = {{0.0, n * b[2], -n * b[1]}, {-n * b[2], 0.0, n * b[0]}, {n * b[1], -n * b[0], 0.0}};
    double jb[3][3] = {{0.0, -n * a[2], n * a[1]}, {n * a[2], 0.0, -n * a[0]}, {-n * a[1], n * a[0], 0.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            ja[i][j] -= 3.0 * n / A * c[i] * a[j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int m = 0; m < 3; m++) {
                out->aa[i][j] += 2.0 * f * ja[m][i] * ja[m][j];
                out->ab[i][j] += 2.0 * f * ja[m][i] * jb[m][j];
                out->bb[i][j] += 2.0 * f * jb[m][i] * jb[m][j];
            }
}

// The elastic part at a point.
static void tangent_of(const rvAncf* cable, const rvAncfElement* element, const Point* p, bool positive, Curve* out)
{
    double s = smooth(cable);
    Measure k = measure(cable, rv_ancf_dot3(p->a, p->a), rv_ancf_dot3(p->b, p->b), rv_ancf_dot3(p->a, p->b));
    double ks = sqrt(fmax(k.value, 0.0) + s * s), f = energy_slope(element, ks);
    if (positive)
        positive_tangent(cable, p, fmax(f, 0.0), out);
    else
        exact_tangent(p, &k, f, out);
    double ff = 0.25 * element->EI * element->curvature / (ks * ks * ks);
    double ga[3], gb[3];
    for (int c = 0; c < 3; c++) {
        ga[c] = 2.0 * k.a * p->a[c] + k.d * p->b[c];
        gb[c] = 2.0 * k.c * p->b[c] + k.d * p->a[c];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out->aa[i][j] += ff * ga[i] * ga[j];
            out->ab[i][j] += ff * ga[i] * gb[j];
            out->bb[i][j] += ff * gb[i] * gb[j];
        }
}

static void add_point(const Point* p, const Curve* m, double h[12][12])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    h[3 * i + c][3 * j + d] +=
                        p->weight * (p->s1[i] * p->s1[j] * m->aa[c][d] + p->s1[i] * p->s2[j] * m->ab[c][d] +
                                     p->s2[i] * p->s1[j] * m->ab[d][c] + p->s2[i] * p->s2[j] * m->bb[c][d]);
}

void rv_ancf_add_element(const rvAncf* cable, rvAncfSlot* slots, int e, double h[12][12])
{
    int upper = e < cable->slotCount, outer = upper ? e : e + 1;
    int k = cable->slotOf[outer][0], lane = upper ? 0 : 1;
    int o = upper ? 0 : 6, n = 6 - o; // first dofs of the outer and inner node
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            slots[k].c[6 * i + j][lane] += h[n + i][o + j];
            if (j <= i) {
                slots[k].d[i * (i + 1) / 2 + j][lane] += h[o + i][o + j];
                slots[k + 1].d[i * (i + 1) / 2 + j][lane] += h[n + i][n + j];
            }
        }
}

// h += factor D of an element
static void add_damping_matrix(const rvAncf* cable, const double* q, int e, double factor, double h[12][12])
{
    const rvAncfElement* element = &cable->elements[e];
    double s[2][4], b[2][3], m[3][6] = {{0.0}}, soft = smooth(cable) * smooth(cable);
    shape_at_ends(element, s);
    bend_at_ends(q, e, s, b);
    factor *= damping_of(cable, element);
    for (int g = 0; g < RV_ANCF_POINTS; g++) { // m: of both ends, the first with the second, the second
        double at[3], u = rv_ancf_gauss[g];
        for (int c = 0; c < 3; c++)
            at[c] = b[0][c] + u * (b[1][c] - b[0][c]);
        double f = factor * rv_ancf_gauss_weight[g] / (rv_ancf_dot3(at, at) + soft);
        const double ends[3] = {(1.0 - u) * (1.0 - u) * f, u * (1.0 - u) * f, u * u * f};
        const double product[6] = {at[0] * at[0] + soft, at[0] * at[1], at[0] * at[2],
                                   at[1] * at[1] + soft, at[1] * at[2], at[2] * at[2] + soft};
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 6; n++)
                m[k][n] += ends[k] * product[n];
    }
    static const int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double f[3] = {s[0][i] * s[0][j], s[0][i] * s[1][j] + s[1][i] * s[0][j], s[1][i] * s[1][j]}, block[6];
            for (int n = 0; n < 6; n++)
                block[n] = f[0] * m[0][n] + f[1] * m[1][n] + f[2] * m[2][n];
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    h[3 * i + c][3 * j + d] += block[entry[c][d]];
        }
}

void rv_ancf_bending_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish)
{
    for (int e = 0; e < cable->elementCount; e++) {
        const rvAncfElement* element = &cable->elements[e];
        bool elastic = by_points(cable, element), damped = v && element->bendTime > 0.0 && wish->dampFactor > 0.0;
        if (!elastic && !damped)
            continue;
        double h[12][12] = {{0.0}};
        for (int g = 0; elastic && g < RV_ANCF_POINTS; g++) {
            Point p = point_of(cable, q, e, g);
            Curve m;
            tangent_of(cable, element, &p, wish->positive, &m);
            add_point(&p, &m, h);
        }
        if (damped)
            add_damping_matrix(cable, q, e, wish->dampFactor, h);
        rv_ancf_add_element(cable, cable->slots, e, h);
    }
}
