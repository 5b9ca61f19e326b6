/* om_fma and om_product_error against the C library's fma, bit for bit: any bits, and operands chosen
 * so that sums cancel, lie at or beside the middle of two doubles, or leave the normal range.
 *
 * This program is compiled with the emulation by flags where the CPU's baseline has no instruction: the
 * tests read the flags as guarded_maps.c does.  N as the environment's ONEPASS_FMA_TRIPLES, else 10^5.
 */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define OM_FMA_BY_FLAGS
#include "check.h"
#include "error.h"
#include "kernels.h"
#include "onemath.h"

static uint64_t state;

/* splitmix64 */
static uint64_t random_bits(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 2^e times 1 .. 2; the fraction's bits are random, few, or nearly all ones. */
static double random_near(int e) {
    uint64_t r = random_bits(), fraction = random_bits() & 0xFFFFFFFFFFFFFu;
    switch (r & 7) {
    case 0:
        fraction &= 0 - (1ull << (r >> 3) % 53);
        break;
    case 1:
        fraction = 1ull << (r >> 3) % 52;
        break;
    case 2:
        fraction |= 0xFFFFFFFFFFFFFu >> (r >> 3) % 52;
        break;
    case 3:
        fraction = 0;
        break;
    default:
        break;
    }
    double x = ldexp(om_double(0x3FF0000000000000u | fraction), e);
    return r >> 63 ? -x : x;
}

static int random_int(int low, int high) {
    return low + (int)(random_bits() % (uint64_t)(high - low + 1));
}

static double random_edge(void) {
    static const double edges[] = {0.0,
                                   -0.0,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   0x1p-1074,
                                   -0x1p-1074,
                                   0x1p-1022,
                                   0x1p1023,
                                   -0x1p1023,
                                   0x1.fffffffffffffp1023,
                                   1.0,
                                   -1.0,
                                   0x1.fffffffffffffp-1023,
                                   0x1p996,
                                   0x1p-500};
    return edges[random_bits() % (sizeof edges / sizeof *edges)];
}

struct triple {
    double a, b, c;
};

static struct triple any_bits(void) {
    return (struct triple){om_double(random_bits()), om_double(random_bits()),
                           om_double(random_bits())};
}

static struct triple with_edges(void) {
    struct triple t = any_bits();
    uint64_t which = random_bits();
    if (which & 1) t.a = random_edge();
    if (which & 2) t.b = random_edge();
    if (which & 4) t.c = random_edge();
    return t;
}

/* c within 110 binades of the product */
static struct triple overlapping(void) {
    int e = random_int(-300, 300), f = random_int(-300, 300);
    return (struct triple){random_near(e), random_near(f), random_near(e + f + random_int(-110, 110))};
}

/* c is -a b but for some units in the last place. */
static struct triple cancelling(void) {
    struct triple t = {random_near(random_int(-300, 300)), random_near(random_int(-300, 300)), 0};
    t.c = om_double(om_bits(-(t.a * t.b)) + (uint64_t)random_int(-3, 3));
    return t;
}

/* a b is half a unit in the last place of c, or a quarter, and some 2^-53 of that more or less. */
static struct triple halfway(void) {
    int e = random_int(-400, 400), f = random_int(-200, 200);
    double a = ldexp(1.0 + random_int(-2, 2) * 0x1p-52, e);
    double b = ldexp(1.0 + random_int(-2, 2) * 0x1p-52, f - e - random_int(52, 55));
    return (struct triple){random_bits() & 1 ? -a : a, b, random_near(f)};
}

/* Results, products or the parts of products are subnormal. */
static struct triple tiny(void) {
    int e = random_int(-1074, 0), top = random_int(-1150, -900);
    return (struct triple){random_near(e), random_near(top - e), random_near(random_int(-1080, -950))};
}

/* a / b is below 2^50, the product of b and the quotient has subnormal parts. */
static struct triple tiny_remainder(void) {
    int e = random_int(-1070, -970);
    return (struct triple){random_near(e + random_int(0, 50)), random_near(e), 1};
}

static struct triple huge(void) {
    int e = random_int(0, 1023), top = random_int(1010, 1026) - e;
    return (struct triple){random_near(e), random_near(top), random_near(random_int(1000, 1023))};
}

static int same(double x, double y) {
    return isnan(x) ? isnan(y) : om_bits(x) == om_bits(y);
}

/* Is the result right, or was it said to be in doubt?  Counts the latter. */
static int is_right_by_flags(struct triple t, uint64_t *doubtful) {
    volatile double a = t.a, b = t.b, c = t.c;
    feclearexcept(FE_ALL_EXCEPT);
    volatile double got = om_fma(a, b, c);
    if (fetestexcept(FE_OVERFLOW | FE_UNDERFLOW)) {
        ++*doubtful;
        return 1;
    }
    return same(got, fma(a, b, c));
}

static int is_right_error(struct triple t, uint64_t *doubtful) {
    volatile double a = t.a, b = t.b;
    feclearexcept(FE_ALL_EXCEPT);
    volatile double p = a * b, got = om_product_error(a, b, p);
    if (fetestexcept(FE_OVERFLOW | FE_UNDERFLOW)) {
        ++*doubtful;
        return 1;
    }
    return same(got, fma(a, b, -p));
}

static uint64_t count(void) {
    const char *text = getenv("ONEPASS_FMA_TRIPLES");
    return text ? strtoull(text, NULL, 10) : 100000;
}

/* at_most: the share of the triples that may be in doubt */
static void check_family(const char *name, struct triple (*make)(void), double at_most) {
    uint64_t n = count(), doubtful = 0, doubtful_errors = 0;
    state = 1;
    for (uint64_t i = 0; i < n; i++) {
        struct triple t = make();
        CHECKF(same(om_fma_any(t.a, t.b, t.c), fma(t.a, t.b, t.c)), "%s: fma(%a, %a, %a) is %a, not %a",
               name, t.a, t.b, t.c, om_fma_any(t.a, t.b, t.c), fma(t.a, t.b, t.c));
        CHECKF(is_right_by_flags(t, &doubtful), "%s: by flags, fma(%a, %a, %a)", name, t.a, t.b, t.c);
        CHECKF(is_right_error(t, &doubtful_errors), "%s: error of %a * %a", name, t.a, t.b);
    }
    CHECKF((double)doubtful <= at_most * (double)n, "%s: %g of %g in doubt", name, (double)doubtful,
           (double)n);
    CHECKF((double)doubtful_errors <= at_most * (double)n, "%s: %g of %g errors in doubt", name,
           (double)doubtful_errors, (double)n);
}

static void fma_any_bits(void) {
    check_family("any bits", any_bits, 1);
}

static void fma_edges(void) {
    check_family("edges", with_edges, 1);
}

static void fma_overlapping(void) {
    check_family("overlapping", overlapping, 0);
}

static void fma_cancelling(void) {
    check_family("cancelling", cancelling, 0);
}

static void fma_halfway(void) {
    check_family("halfway", halfway, 0);
}

static void fma_tiny(void) {
    check_family("tiny", tiny, 1);
}

static void fma_huge(void) {
    check_family("huge", huge, 1);
}

/* Infinities, NaN and zeros are common in data: no doubt may send them the slow way. */
static void fma_specials_raise_nothing(void) {
    static const double values[] = {0.0, -0.0, 1.5, -3.25, INFINITY, -INFINITY, NAN};
    enum { N = sizeof values / sizeof *values };
    uint64_t doubtful = 0;
    for (int i = 0; i < N * N * N; i++) {
        struct triple t = {values[i % N], values[i / N % N], values[i / N / N]};
        CHECKF(is_right_by_flags(t, &doubtful), "fma(%a, %a, %a)", t.a, t.b, t.c);
        CHECKF(is_right_error(t, &doubtful), "error of %a * %a", t.a, t.b);
        CHECKF(doubtful == 0, "a flag at %a, %a, %a", t.a, t.b, t.c);
    }
}

/* The kernels that look at flags after a block against those that test the operands of every fma. */
static void maps_by_flags_are_those_by_tests(void) {
    enum { N = 2000 };
    static double a[N], b[N], c[N], got[N], want[N];
    const struct kernels *by_flags, *by_tests;
    onepass_error err = ONEPASS_ERROR_INIT;
    if (kernels_find("portable", &by_flags, &err) != 0) {
        SKIP("no flags here");
        return;
    }
    CHECK(kernels_find("noflags", &by_tests, &err) == 0);
    state = 2;
    for (int i = 0; i < N; i++) {
        /* Pieces of everyday values lie between those that hold all others. */
        struct triple (*const kinds[])(void) = {with_edges, overlapping, tiny, tiny_remainder};
        struct triple t = kinds[i / 50 % 4]();
        a[i] = i % 7 == 0 ? random_near(random_int(-4, 10)) : t.a;
        b[i] = t.b, c[i] = t.c;
    }
    for (int op = 0; op < NOPS; op++) {
        by_flags->maps->f64[op](N, a, b, c, got);
        by_tests->maps->f64[op](N, a, b, c, want);
        for (int i = 0; i < N; i++)
            CHECKF(same(got[i], want[i]), "op %d of %a, %a, %a is %a, not %a", op, a[i], b[i], c[i],
                   got[i], want[i]);
    }
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"fma_any_bits", fma_any_bits},
        {"fma_edges", fma_edges},
        {"fma_overlapping", fma_overlapping},
        {"fma_cancelling", fma_cancelling},
        {"fma_halfway", fma_halfway},
        {"fma_tiny", fma_tiny},
        {"fma_huge", fma_huge},
        {"fma_specials_raise_nothing", fma_specials_raise_nothing},
        {"maps_by_flags_are_those_by_tests", maps_by_flags_are_those_by_tests},
    };
    return RUN_TESTS(tests);
}
