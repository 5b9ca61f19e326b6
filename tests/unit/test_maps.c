/* Map kernels: special values, signed zeros and exact integers.  Accuracy on random values is the
 * oracle's. */
#include "maps.h"

#include <math.h>

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

static void test_special_values(void) {
    static const struct {
        int op;
        double a, b, want;
    } cases[] = {
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
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double got = apply(cases[k].op, cases[k].a, cases[k].b, 0);
        CHECKF(same(got, cases[k].want), "%s(%a, %a) = %a, not %a", op_table[cases[k].op].name,
               cases[k].a, cases[k].b, got, cases[k].want);
    }
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
    {"maps_wide_integers", test_wide_integers},
    {"maps_exact_comparison", test_exact_comparison},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
