/* Map kernels: special values, signed zeros and exact integers.  Accuracy on random values is the
 * oracle's. */
#include "maps.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "isa.h"

static double apply(int op, double a, double b, double c) {
    double x[3] = {a, b, c}, result = 0;
    struct operand arg[3] = {{.f64 = &x[0]}, {.f64 = &x[1]}, {.f64 = &x[2]}}, out = {.f64 = &result};
    struct node node = {.kind = (uint8_t)op, .type = TYPE_F64, .storage = STORE_F64, .arg = {0, 1, 2}};
    map_node(test_kernels()->maps, &node, 1, arg, &out);
    return result;
}

static int same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

struct map_case {
    int op;
    double a, b, want;
};

static void check_cases(const struct map_case *cases, size_t n) {
    for (size_t k = 0; k < n; k++) {
        double got = apply(cases[k].op, cases[k].a, cases[k].b, 0);
        CHECKF(same(got, cases[k].want), "%s(%a, %a) = %a, not %a", op_table[cases[k].op].name,
               cases[k].a, cases[k].b, got, cases[k].want);
    }
}

static void test_special_values(void) {
    static const struct map_case cases[] = {
        {OP_MIN, -0.0, 0.0, -0.0},
        {OP_MIN, 0.0, -0.0, -0.0},
        {OP_MAX, -0.0, 0.0, 0.0},
        {OP_MAX, 0.0, -0.0, 0.0},
        {OP_MIN, NAN, 1, NAN},
        {OP_MIN, 1, NAN, NAN},
        {OP_MAX, NAN, -1, NAN},
        {OP_MAX, 2, 1, 2},
        {OP_MIN, 2, 1, 1},
        {OP_SIGN, -0.0, 0, 0.0},
        {OP_SIGN, NAN, 0, NAN},
        {OP_SIGN, -INFINITY, 0, -1},
        {OP_RELU, NAN, 0, NAN},
        {OP_RELU, -3, 0, 0.0},
        {OP_RELU, -0.0, 0, 0.0},
        {OP_ROUND, 0.5, 0, 0.0},
        {OP_ROUND, 1.5, 0, 2},
        {OP_ROUND, 2.5, 0, 2},
        {OP_ROUND, -0.4, 0, -0.0},
        {OP_CEIL, -0.5, 0, -0.0},
        {OP_FLOOR, -0.5, 0, -1},
        {OP_TRUNC, -0.9, 0, -0.0},
        {OP_FMOD, -7, 3, -1},
        {OP_MOD, -7, 3, 2},
        {OP_MOD, 7, -3, -2},
        {OP_MOD, 6, -3, -0.0},
        {OP_MOD, 5, 0, NAN},
        {OP_MOD, 5, INFINITY, 5},
        {OP_MOD, -5, INFINITY, INFINITY},
        {OP_POW, NAN, 0, 1},
        {OP_POW, 1, NAN, 1},
        {OP_POW, -8, 1. / 3, NAN},
        {OP_HYPOT, INFINITY, NAN, INFINITY},
        {OP_ATAN2, -0.0, 1, -0.0},
        {OP_RSQRT, 0.0, 0, INFINITY},
        {OP_RSQRT, -0.0, 0, -INFINITY},
        {OP_RSQRT, INFINITY, 0, 0.0},
        {OP_RSQRT, -1, 0, NAN},
        {OP_RSQRT, 0x1p-1074, 0, 0x1p537},
        {OP_RSQRT, 4, 0, 0.5},
        {OP_CUBE, -3, 0, -27},
        {OP_CUBE, 0x1p-358, 0, 0x1p-1074},
        {OP_CUBE, 0x1p341, 0, 0x1p1023},
        {OP_CUBE, -1e200, 0, -INFINITY},
        {OP_CUBE, -0.0, 0, -0.0},
        {OP_CUBE, INFINITY, 0, INFINITY},
        {OP_CUBE, NAN, 0, NAN},
        {OP_SIGMOID, -800, 0, 0.0},
        {OP_SIGMOID, 0, 0, 0.5},
        {OP_SIGMOID, INFINITY, 0, 1},
        {OP_DEGREES, INFINITY, 0, INFINITY},
        {OP_RADIANS, 180, 0, 0x1.921fb54442d18p1},
        {OP_DEGREES, 0x1.921fb54442d18p1, 0, 180},
        {OP_DEGREES, -0.0, 0, -0.0},
        {OP_RADIANS, -0.0, 0, -0.0},
        {OP_NE, NAN, NAN, 1},
        {OP_EQ, NAN, NAN, 0},
        {OP_LT, 1, NAN, 0},
        {OP_NOT, NAN, 0, 0},
        {OP_AND, NAN, 1, 1},
        {OP_OR, 0, -0.0, 0},
        {OP_ISFINITE, INFINITY, 0, 0},
        {OP_ISINF, -INFINITY, 0, 1},
        {OP_ISNAN, NAN, 0, 1},
    };
    check_cases(cases, sizeof cases / sizeof *cases);
    CHECK(same(apply(OP_CLAMP, NAN, 0, 1), NAN));
    CHECK(same(apply(OP_CLAMP, -0.0, 0.0, 1), 0.0));
    CHECK(same(apply(OP_SELECT, NAN, 1, 2), 1)); /* NaN is true */
    CHECK(same(apply(OP_SELECT, -0.0, 1, 2), 2));
}

/* Correctly rounded values that the naive formulas miss by an ulp. */
static void test_double_double_ends(void) {
    CHECK(apply(OP_CUBE, 0x1.673115d6a4c12p+0, 0, 0) == 0x1.61909aaa1d796p+1);
    CHECK(apply(OP_CUBE, -0x1.c56a2046823bap+1, 0, 0) == -0x1.63966477523e8p+5);
    CHECK(apply(OP_RSQRT, 0x1.e3e87910ab912p+0, 0, 0) == 0x1.74662476d7b3fp-1);
    CHECK(apply(OP_RSQRT, 0x1.0cf34f50203eap+0, 0, 0) == 0x1.f38565b23e19bp-1);
    CHECK(apply(OP_DEGREES, 0x1.78636f0b5b4f0p+8, 0, 0) == 0x1.50f5dec084095p+14);
    CHECK(apply(OP_DEGREES, -0x1.f9e472b53b6afp+5, 0, 0) == -0x1.c4e5fdf1d1c85p+11);
}

#define INF      INFINITY
#define PI       0x1.921fb54442d18p1
#define LARGEST  0x1.fffffffffffffp1023
#define SMALLEST 0x1p-1074

/* Of one argument: what C's Annex F says at the ends, and where results overflow and underflow. */
static const struct map_case ends_of_functions[] = {
    {OP_EXP, 0.0, 0, 1},
    {OP_EXP, -0.0, 0, 1},
    {OP_EXP, -INF, 0, 0.0},
    {OP_EXP, INF, 0, INF},
    {OP_EXP, 0x1.62e42fefa39efp9, 0, 0x1.fffffffffff2ap1023},
    {OP_EXP, 0x1.62e42fefa39f0p9, 0, INF},
    {OP_EXP, -0x1.74910d52d3051p9, 0, SMALLEST},
    {OP_EXP, -0x1.74910d52d3052p9, 0, 0.0},
    {OP_EXP2, 1023, 0, 0x1p1023},
    {OP_EXP2, 1024, 0, INF},
    {OP_EXP2, -1074, 0, SMALLEST},
    {OP_EXP2, -1075, 0, 0.0},
    {OP_EXP2, -INF, 0, 0.0},
    {OP_EXP2, INF, 0, INF},
    {OP_EXP10, 22, 0, 1e22},
    {OP_EXP10, 309, 0, INF},
    {OP_EXP10, -324, 0, 0.0},
    {OP_EXP10, -INF, 0, 0.0},
    {OP_EXP10, INF, 0, INF},
    {OP_EXPM1, -0.0, 0, -0.0},
    {OP_EXPM1, -SMALLEST, 0, -SMALLEST},
    {OP_EXPM1, -INF, 0, -1},
    {OP_EXPM1, -40, 0, -1},
    {OP_EXPM1, INF, 0, INF},
    {OP_LOG, 0.0, 0, -INF},
    {OP_LOG, -0.0, 0, -INF},
    {OP_LOG, 1, 0, 0.0},
    {OP_LOG, -SMALLEST, 0, NAN},
    {OP_LOG, -INF, 0, NAN},
    {OP_LOG, INF, 0, INF},
    {OP_LOG2, SMALLEST, 0, -1074},
    {OP_LOG2, 0x1p1023, 0, 1023},
    {OP_LOG2, -0.0, 0, -INF},
    {OP_LOG2, -1, 0, NAN},
    {OP_LOG2, 1, 0, 0.0},
    {OP_LOG10, 1000, 0, 3},
    {OP_LOG10, 1e-300, 0, -300},
    {OP_LOG10, 0.0, 0, -INF},
    {OP_LOG10, -1, 0, NAN},
    {OP_LOG10, INF, 0, INF},
    {OP_LOG1P, -0.0, 0, -0.0},
    {OP_LOG1P, SMALLEST, 0, SMALLEST},
    {OP_LOG1P, -1, 0, -INF},
    {OP_LOG1P, -1.5, 0, NAN},
    {OP_LOG1P, -INF, 0, NAN},
    {OP_LOG1P, INF, 0, INF},
    {OP_SINH, -0.0, 0, -0.0},
    {OP_SINH, -INF, 0, -INF},
    {OP_SINH, 711, 0, INF},
    {OP_SINH, SMALLEST, 0, SMALLEST},
    {OP_COSH, -0.0, 0, 1},
    {OP_COSH, -INF, 0, INF},
    {OP_COSH, -711, 0, INF},
    {OP_TANH, -0.0, 0, -0.0},
    {OP_TANH, -INF, 0, -1},
    {OP_TANH, 30, 0, 1},
    {OP_TANH, -SMALLEST, 0, -SMALLEST},
    {OP_ASINH, -0.0, 0, -0.0},
    {OP_ASINH, -INF, 0, -INF},
    {OP_ASINH, SMALLEST, 0, SMALLEST},
    {OP_ACOSH, 1, 0, 0.0},
    {OP_ACOSH, 0x1.fffffffffffffp-1, 0, NAN},
    {OP_ACOSH, -INF, 0, NAN},
    {OP_ACOSH, INF, 0, INF},
    {OP_ATANH, -0.0, 0, -0.0},
    {OP_ATANH, 1, 0, INF},
    {OP_ATANH, -1, 0, -INF},
    {OP_ATANH, 1.5, 0, NAN},
    {OP_ATANH, -INF, 0, NAN},
    {OP_SIN, -0.0, 0, -0.0},
    {OP_SIN, INF, 0, NAN},
    {OP_COS, -0.0, 0, 1},
    {OP_COS, -INF, 0, NAN},
    {OP_TAN, -0.0, 0, -0.0},
    {OP_TAN, INF, 0, NAN},
    {OP_ASIN, -0.0, 0, -0.0},
    {OP_ASIN, 1, 0, PI / 2},
    {OP_ASIN, -1, 0, -PI / 2},
    {OP_ASIN, 0x1.0000000000001p0, 0, NAN},
    {OP_ASIN, -INF, 0, NAN},
    {OP_ACOS, 1, 0, 0.0},
    {OP_ACOS, -1, 0, PI},
    {OP_ACOS, 0.0, 0, PI / 2},
    {OP_ACOS, -0x1.0000000000001p0, 0, NAN},
    {OP_ATAN, -0.0, 0, -0.0},
    {OP_ATAN, INF, 0, PI / 2},
    {OP_ATAN, -INF, 0, -PI / 2},
    {OP_ATAN, SMALLEST, 0, SMALLEST},
    {OP_CBRT, -0.0, 0, -0.0},
    {OP_CBRT, -INF, 0, -INF},
    {OP_CBRT, -27, 0, -3},
    {OP_CBRT, 0x1p-1074, 0, 0x1p-358},
    {OP_ERF, -0.0, 0, -0.0},
    {OP_ERF, -INF, 0, -1},
    {OP_ERF, 7, 0, 1},
    {OP_SIGMOID, -INF, 0, 0.0},
    {OP_SIGMOID, 40, 0, 1},
    {OP_SIGMOID, -745, 0, SMALLEST},
    {OP_SQRT, -0.0, 0, -0.0},
    {OP_SQRT, -1, 0, NAN},
    {OP_SQRT, SMALLEST, 0, 0x1p-537},
    {OP_RSQRT, LARGEST, 0, 0x1p-512},
};

static void test_ends_of_functions(void) {
    static const int ops[] = {OP_EXP,   OP_EXP2, OP_EXP10, OP_EXPM1,  OP_LOG,   OP_LOG2,  OP_LOG10,
                              OP_LOG1P, OP_SINH, OP_COSH,  OP_TANH,   OP_ASINH, OP_ACOSH, OP_ATANH,
                              OP_SIN,   OP_COS,  OP_TAN,   OP_ASIN,   OP_ACOS,  OP_ATAN,  OP_CBRT,
                              OP_ERF,   OP_SQRT, OP_RSQRT, OP_CUBE,   OP_FLOOR, OP_CEIL,  OP_ROUND,
                              OP_TRUNC, OP_SIGN, OP_RELU,  OP_SIGMOID};
    check_cases(ends_of_functions, sizeof ends_of_functions / sizeof *ends_of_functions);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        CHECKF(isnan(apply(ops[k], NAN, 0, 0)), "%s(NaN)", op_table[ops[k]].name);
}

static void test_ends_of_pow_atan2_hypot(void) {
    static const struct map_case cases[] = {
        {OP_POW, 0.0, -3, INF},
        {OP_POW, -0.0, -3, -INF},
        {OP_POW, -0.0, -2, INF},
        {OP_POW, -0.0, -2.5, INF},
        {OP_POW, -0.0, -INF, INF},
        {OP_POW, -0.0, 3, -0.0},
        {OP_POW, -0.0, 2, 0.0},
        {OP_POW, -0.0, 0.5, 0.0},
        {OP_POW, -1, INF, 1},
        {OP_POW, -1, -INF, 1},
        {OP_POW, -1, 0x1.fffffffffffffp52, -1}, /* odd */
        {OP_POW, -1, 0x1p53, 1},
        {OP_POW, -1, NAN, NAN},
        {OP_POW, NAN, -0.0, 1},
        {OP_POW, NAN, 1, NAN},
        {OP_POW, 0.5, -INF, INF},
        {OP_POW, 2, -INF, 0.0},
        {OP_POW, -0.5, INF, 0.0},
        {OP_POW, -2, INF, INF},
        {OP_POW, -INF, -3, -0.0},
        {OP_POW, -INF, -2, 0.0},
        {OP_POW, -INF, 3, -INF},
        {OP_POW, -INF, 0.5, INF},
        {OP_POW, INF, -1, 0.0},
        {OP_POW, INF, SMALLEST, INF},
        {OP_POW, -LARGEST, 3, -INF},
        {OP_POW, -2, -1075, -0.0},
        {OP_POW, 2, -1074, SMALLEST},
        {OP_POW, -3, 5, -243},
        {OP_POW, -2, 0.5, NAN},
        {OP_POW, 10, 22, 1e22},
        {OP_ATAN2, 0.0, 0.0, 0.0},
        {OP_ATAN2, -0.0, 0.0, -0.0},
        {OP_ATAN2, 0.0, -0.0, PI},
        {OP_ATAN2, -0.0, -0.0, -PI},
        {OP_ATAN2, -0.0, -1, -PI},
        {OP_ATAN2, -1, -0.0, -PI / 2},
        {OP_ATAN2, 1, INF, 0.0},
        {OP_ATAN2, -1, -INF, -PI},
        {OP_ATAN2, INF, -1, PI / 2},
        {OP_ATAN2, INF, INF, PI / 4},
        {OP_ATAN2, -INF, -INF, -0x1.2d97c7f3321d2p1},
        {OP_ATAN2, NAN, INF, NAN},
        {OP_ATAN2, 1, NAN, NAN},
        {OP_ATAN2, SMALLEST, LARGEST, 0.0},
        {OP_ATAN2, LARGEST, SMALLEST, PI / 2},
        {OP_HYPOT, NAN, -INF, INF},
        {OP_HYPOT, NAN, 1, NAN},
        {OP_HYPOT, -0.0, -0.0, 0.0},
        {OP_HYPOT, -3, 4, 5},
        {OP_HYPOT, 3 * SMALLEST, 4 * SMALLEST, 5 * SMALLEST},
        {OP_HYPOT, LARGEST, LARGEST, INF},
        {OP_HYPOT, 0x1.8p1022, 0x1p1023, 0x1.4p1023},
        {OP_HYPOT, 0, -LARGEST, LARGEST},
    };
    check_cases(cases, sizeof cases / sizeof *cases);
}

/* From 2^37 angles are reduced with more of 2/pi.  Correctly rounded values, by mpmath.  The last but
 * one is the double nearest to a multiple of pi/2 relative to its size. */
static void test_large_angles(void) {
    static const struct {
        double x, sin, cos, tan;
    } cases[] = {
        {0x1p37 - 0x5p-16, 0x1.5607303fbe0adp-2, -0x1.e29863da3b2bdp-1, -0x1.6ade34986d7d2p-2},
        {0x1p37, 0x1.55f4563b24793p-2, -0x1.e29bbad4a34c6p-1, -0x1.6ac7b1d0d651fp-2},
        {1e22, -0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1, -0x1.a0f79c1b6b257p+0},
        {6381956970095103 * 0x1p797, 1, -0x1.14ae72e6ba22fp-61, -0x1.d9ba9a7975636p+60},
        {LARGEST, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1, -0x1.4530cfe729484p-8},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double x = cases[k].x;
        CHECKF(apply(OP_SIN, x, 0, 0) == cases[k].sin && apply(OP_SIN, -x, 0, 0) == -cases[k].sin,
               "sin(%a) = %a", x, apply(OP_SIN, x, 0, 0));
        CHECKF(apply(OP_COS, x, 0, 0) == cases[k].cos && apply(OP_COS, -x, 0, 0) == cases[k].cos,
               "cos(%a) = %a", x, apply(OP_COS, x, 0, 0));
        CHECKF(apply(OP_TAN, x, 0, 0) == cases[k].tan && apply(OP_TAN, -x, 0, 0) == -cases[k].tan,
               "tan(%a) = %a", x, apply(OP_TAN, x, 0, 0));
    }
}

/* A lane's bits depend on its value alone: not on its place, on how many there are, nor on neighbours
 * that need a slower way. */
static void test_lanes_are_alone(void) {
    enum { LANES = 37 };
    static const double odd_ones[] = {0x1p40,   -1e300,     NAN,    INF, -0.0,
                                      SMALLEST, 0x1p52 + 1, -745.5, 1,   -1};
    double x[LANES], y[LANES], got[LANES], want;
    for (int k = 0; k < LANES; k++) {
        x[k] = k % 3 == 1 ? odd_ones[k / 3 % 10] : 0.37 * k - 5;
        y[k] = k % 5 == 2 ? odd_ones[k / 5 % 10] : 3 - 0.21 * k;
    }
    const struct map_kernels *kernels = test_kernels()->maps;
    for (int op = 0; op < NOPS; op++) {
        for (size_t n = 0; n <= LANES; n++) {
            size_t bad = 0;
            memset(got, 0x5a, sizeof got);
            kernels->f64[op](n, x, y, x, got);
            for (size_t k = 0; k < n; k++) {
                kernels->f64[op](1, &x[k], &y[k], &x[k], &want);
                bad += !(isnan(want) ? isnan(got[k]) : memcmp(&got[k], &want, sizeof want) == 0);
            }
            CHECKF(bad == 0, "%s: %zu of %zu lanes differ", op_table[op].name, bad, n);
            for (size_t k = n; k < LANES; k++)
                bad += got[k] != got[LANES - 1] && n < LANES;
            CHECKF(bad == 0, "%s writes past %zu lanes", op_table[op].name, n);
        }
    }
}

/* Every length, so that the loop's tail is one; NaN is not zero. */
static void test_masks(void) {
    enum { LANES = 150 };
    double condition[LANES];
    uint8_t mask[LANES], got[LANES + 1];
    for (int k = 0; k < LANES; k++) {
        condition[k] = k % 7 == 0 ? NAN : k % 3 == 0 ? -0.0 : k % 5 - 1;
        mask[k] = k % 4 != 0;
    }
    for (size_t n = 0; n <= LANES; n++) {
        for (int masked = 0; masked < 2; masked++) {
            size_t bad = 0;
            got[n] = 7;
            test_kernels()->maps->mask(n, masked ? mask : NULL, condition, got);
            for (size_t k = 0; k < n; k++)
                bad += got[k] != (condition[k] != 0 && (!masked || mask[k]));
            CHECKF(bad == 0 && got[n] == 7, "%zu lanes, masked %d: %zu differ", n, masked, bad);
        }
    }
}

struct wide_case {
    int op;
    uint64_t a, b;
    int a_neg, b_neg;
    uint64_t want;
    int want_neg;
};

static void test_wide_integers(void) {
    static const struct wide_case cases[] = {
        {OP_ABS, UINT64_C(1) << 63, 0, 1, 0, UINT64_C(1) << 63, 0},
        {OP_NEG, UINT64_MAX, 0, 0, 0, UINT64_MAX, 1},
        {OP_NEG, 0, 0, 0, 0, 0, 0},
        {OP_SIGN, 5, 0, 1, 0, 1, 1},
        {OP_SIGN, 0, 0, 0, 0, 0, 0},
        {OP_RELU, 5, 0, 1, 0, 0, 0},
        {OP_RELU, UINT64_MAX, 0, 0, 0, UINT64_MAX, 0},
        {OP_MIN, UINT64_MAX, UINT64_MAX - 1, 0, 0, UINT64_MAX - 1, 0},
        {OP_MAX, UINT64_MAX, UINT64_MAX - 1, 1, 1, UINT64_MAX - 1, 1},
        {OP_MAX, 1, 1, 1, 0, 1, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct wide_case *c = &cases[k];
        uint64_t mag[3] = {c->a, c->b, 0};
        uint8_t neg[3] = {(uint8_t)c->a_neg, (uint8_t)c->b_neg, 0};
        struct operand arg[3] = {{.mag = &mag[0], .neg = &neg[0]}, {.mag = &mag[1], .neg = &neg[1]}};
        struct operand out = {.mag = &mag[2], .neg = &neg[2]};
        struct node node = {.kind = (uint8_t)c->op, .type = TYPE_INT, .storage = STORE_WIDE};
        map_node(test_kernels()->maps, &node, 1, arg, &out);
        CHECKF(mag[2] == c->want && neg[2] == c->want_neg, "case %zu: %s", k, op_table[c->op].name);
    }
}

static void test_exact_comparison(void) {
    static const struct {
        struct scalar a, b;
        int want;
    } cases[] = {
        {{TYPE_INT, 0, (UINT64_C(1) << 53) + 1, 0}, {TYPE_F64, 0, 0, 0x1p53}, 1},
        {{TYPE_F64, 0, 0, 0x1p64}, {TYPE_INT, 0, UINT64_MAX, 0}, 1},
        {{TYPE_INT, 1, UINT64_MAX, 0}, {TYPE_F64, 0, 0, -0x1p64}, 1},
        {{TYPE_INT, 0, 2, 0}, {TYPE_F64, 0, 0, 2.5}, -1},
        {{TYPE_INT, 1, 2, 0}, {TYPE_F64, 0, 0, -2.5}, 1},
        {{TYPE_INT, 0, 0, 0}, {TYPE_F64, 0, 0, -0.0}, 0},
        {{TYPE_INT, 0, 0, 0}, {TYPE_F64, 0, 0, -0.5}, 1},
        {{TYPE_INT, 0, 0, 0}, {TYPE_F64, 0, 0, NAN}, SCALAR_UNORDERED},
        {{TYPE_F64, 0, 0, -INFINITY}, {TYPE_INT, 1, UINT64_MAX, 0}, -1},
        {{TYPE_INT, 1, 1, 0}, {TYPE_INT, 0, 1, 0}, -1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CHECKF(scalar_compare(&cases[k].a, &cases[k].b) == cases[k].want, "case %zu", k);
    struct scalar minus = {TYPE_F64, 0, 0, -0.0}, plus = {TYPE_F64, 0, 0, 0.0};
    CHECK(scalar_compare(&minus, &plus) == 0 && scalar_order(&minus, &plus) < 0);
    CHECK(scalar_order(&plus, &minus) > 0 && scalar_order(&plus, &plus) == 0);
}

static const struct test tests[] = {
    {"maps_special_values", test_special_values},
    {"maps_double_double_ends", test_double_double_ends},
    {"maps_ends_of_functions", test_ends_of_functions},
    {"maps_ends_of_pow_atan2_hypot", test_ends_of_pow_atan2_hypot},
    {"maps_large_angles", test_large_angles},
    {"maps_lanes_are_alone", test_lanes_are_alone},
    {"maps_masks", test_masks},
    {"maps_wide_integers", test_wide_integers},
    {"maps_exact_comparison", test_exact_comparison},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
