// SPDX-License-Identifier: MIT
// Sobol's sequence in base 2 (USSR Comput. Math. Math. Phys. 7, 1967) in the order of Antonov and Saleev (1979):
//
//   x_i = XOR over the bits k of gray(i) = i ^ (i >> 1) of v_k,   v_k = m_k 2^(32 - k)
//
// A dimension is given by a primitive polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1 over GF(2) and odd numbers
// m_k < 2^k, k = 1..s; the further ones follow by
//
//   m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s)
//
// Polynomials and m_1..m_s: set D(6) of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
// projections", SIAM J. Sci. Comput. 30 (2008), dimensions 2 to 37.
#include "sweep/sobol.h"

enum { DEGREE_MAX = 7 };

static const struct {
    uint8_t degree;
    uint8_t a; // a_1..a_(s-1) as bits, a_1 first
    uint8_t m[DEGREE_MAX];
} TABLE[RV_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
};

uint32_t rv_sobol(uint32_t index, int dimension)
{
    uint32_t gray = index ^ (index >> 1), point = 0, m[32] = {0};
    int degree = dimension > 0 ? TABLE[dimension - 1].degree : 0;
    for (int k = 0; k < 32 && gray >> k; ++k) {
        if (dimension == 0) {
            m[k] = 1; // van der Corput's sequence
        } else if (k < degree) {
            m[k] = TABLE[dimension - 1].m[k];
        } else {
            m[k] = m[k - degree] ^ (m[k - degree] << degree);
            for (int i = 1; i < degree; ++i)
                if (TABLE[dimension - 1].a >> (degree - 1 - i) & 1)
                    m[k] ^= m[k - i] << i;
        }
        if (gray >> k & 1)
            point ^= m[k] << (31 - k);
    }
    return point;
}
