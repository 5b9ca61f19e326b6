/* erfc, lgamma, fmod and mod: special values, exact cases, and correctly rounded values (mpmath, 400
 * bits) at the points that are hard: seams of the methods, zeros, poles, subnormal results, and where a
 * search against MPFR found the largest errors. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "onemath.h"

static double whole_lgamma(double x) {
    return om_lgamma_is_rare(x) ? om_lgamma_rare(x) : om_lgamma(x);
}

static double whole_fmod(double x, double y) {
    return om_fmod_is_rare(x, y) ? om_fmod_rare(x, y) : om_fmod(x, y);
}

static double whole_mod(double x, double y) {
    return om_mod_is_rare(x, y) ? om_mod_rare(x, y) : om_mod(x, y);
}

static int same(double a, double b) {
    return isnan(a) ? isnan(b) : om_bits(a) == om_bits(b);
}

/* Doubles between two of the same sign. */
static uint64_t steps(double a, double b) {
    uint64_t p = om_bits(a), q = om_bits(b);
    return p > q ? p - q : q - p;
}

struct value {
    double x, want;
    unsigned steps; /* from the correctly rounded result */
};

static void check_values(const char *name, double (*f)(double), const struct value *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        CHECKF(steps(f(v[i].x), v[i].want) <= v[i].steps, "%s(%a) is %a, not %a", name, v[i].x,
               f(v[i].x), v[i].want);
}

static double whole_erfc(double x) {
    return om_erfc(x);
}

static const struct value erfc_values[] = {
    {0x1p-54, 0x1.fffffffffffffp-1, 0},
    {0x1p-53, 0x1.fffffffffffffp-1, 0},
    {0x1.c4be13793de1ep-22, 0x1.fffff00914187p-1, 1},
    {0x1.0cfed8f68dcp-10, 0x1.ff683c4ff7e9bp-1, 1},
    {0x1.0312a3f9ebfc7p-6, 0x1.f6dd893539a35p-1, 1},
    {0x1p-2, 0x1.728558ee694fcp-1, 0},
    {0x1p-1, 0x1.eb02147ce245cp-2, 0},
    {0x1.0b5b6a6e6e6e6p-1, 0x1.d7453067b69edp-2, 0},
    {0x1p+0, 0x1.4226162fbddd5p-3, 0},
    {0x1p+1, 0x1.328f5ec350e67p-8, 0},
    {0x1p+2, 0x1.08ddd13bd35e7p-26, 0},
    {0x1.fffffffffffffp+1, 0x1.08ddd13bd35f8p-26, 0},
    {0x1p+3, 0x1.c74fc41217dfbp-97, 0},
    {0x1.4p+3, 0x1.7d8a7f2a8a2dp-149, 0},
    {0x1p+4, 0x1.cabc2c3d98d7cp-375, 0},
    {0x1.98p+4, 0x1.4f0ef77c81a6fp-944, 0},
    {0x1.a8p+4, 0x1.3df6725a60cf5p-1019, 0},
    {0x1.a8b3d92778968p+4, 0x0.f7503a5f4b2d1p-1022, 1},
    {0x1.a8c483f08b327p+4, 0x0.c73b2ddd52433p-1022, 1},
    {0x1.bp+4, 0x0.0000000019e0fp-1022, 0},
    {0x1.b333333333333p+4, 0x0.0000000000002p-1022, 0},
    {0x1.b39dc41e48bfcp+4, 0x0.0000000000001p-1022, 0},
    {0x1.b39dc41e48bfdp+4, 0, 0},
    {-0x1p-53, 0x1.0000000000001p+0, 0},
    {-0x1p-54, 0x1p+0, 0},
    {-0x1.1897fbf296f42p-7, 0x1.0279377781233p+0, 1},
    {-0x1p-1, 0x1.853f7ae0c76e9p+0, 0},
    {-0x1p+0, 0x1.d7bb3d3a08445p+0, 0},
    {-0x1.8p+1, 0x1.fffe8d6209afdp+0, 0},
    {-0x1.6p+2, 0x1.fffffffffffdfp+0, 0},
    {-0x1.77430f81f1eacp+2, 0x1.fffffffffffffp+0, 0},
    {-0x1.799999999999ap+2, 0x1p+1, 0},
    {0x1.46daa71b00533p-1, 0x1.776c3d839d9dp-2, 0},
    {0x1.44f23e408f133p+1, 0x1.5a7f6cdc89eebp-12, 0},
    {0x1.2b0725314f153p+2, 0x1.577836285039p-35, 0},
};

static const struct value lgamma_values[] = {
    {0x1p+1000, 0x1.5a12d6d005c94p+1009, 0},
    {0x1.0000000000001p+1000, 0x1.5a12d6d005c95p+1009, 0},
    {0x1.754d9278b51a6p+1014, 0x1.ffffffffffffep+1023, 0},
    {0x0.0000000000001p-1022, 0x1.74385446d71c3p+9, 0},
    {0x0.fffffffffffffp-1022, 0x1.6232bdd7abcd2p+9, 0},
    {0x1p-1022, 0x1.6232bdd7abcd2p+9, 0},
    {0x1.79ca10c924223p-67, 0x1.7069e2aa2aa5bp+5, 0},
    {0x1.999999999999ap-4, 0x1.2058e35f3deeep+1, 0},
    {0x1p-1, 0x1.250d048e7a1bdp-1, 0},
    {0x1.7ffffffffffffp-1, 0x1.a051c372609f2p-3, 0},
    {0x1.8p-1, 0x1.a051c372609eep-3, 0},
    {0x1.7b9e556958f33p-1, 0x1.b38abfac02adbp-3, 1},
    {0x1.8005e68cd50a8p-1, 0x1.a03822cda6d23p-3, 1},
    {0x1.fffffffffffffp-1, 0x1.2788cfc6fb61ap-54, 0},
    {0x1.0000000000001p+0, -0x1.2788cfc6fb617p-53, 0},
    {0x1.004p+0, -0x1.271f95fdb3074p-11, 0},
    {0x1.762d86356be3fp+0, -0x1.f19b9bcc38a42p-4, 0},
    {0x1.fffffffffffffp+0, -0x1.b0ee6072093cdp-54, 0},
    {0x1.0000000000001p+1, 0x1.b0ee6072093d1p-53, 0},
    {0x1.4p+1, 0x1.2383e809a67e8p-2, 0},
    {0x1.8p+1, 0x1.62e42fefa39efp-1, 0},
    {0x1p+2, 0x1.cab0bfa2a2002p+0, 0},
    {0x1.3ffffffffffffp+2, 0x1.96ca77c922cf6p+1, 0},
    {0x1.4p+2, 0x1.96ca77c922cf9p+1, 0},
    {0x1.3ff3ef261debfp+2, 0x1.96a61ff155f5bp+1, 1},
    {0x1.4p+3, 0x1.99a8921a7f7cfp+3, 0},
    {0x1.92p+6, 0x1.696f7f9481308p+8, 0},
    {0x1.2a05f2p+33, 0x1.9a43710f467c1p+37, 0},
    {0x1.7e43c8800759cp+996, 0x1.017f38e7a1ab5p+1006, 0},
    {0x1.754d9278b51a7p+1014, 0x1.fffffffffffffp+1023, 0},
    {-0x1.56e1fc2f8f359p-997, 0x1.5963447f87fb5p+9, 0},
    {-0x1.79ca10c924223p-67, 0x1.7069e2aa2aa5bp+5, 0},
    {-0x1p-60, 0x1.4cb5ecf0a965p+5, 0},
    {-0x1p-2, 0x1.96ee685defb2dp+0, 0},
    {-0x1p-1, 0x1.43f89a3f0edd6p+0, 0},
    {-0x1.8p-1, 0x1.93616060ea5ep+0, 0},
    {-0x1.fffffffffffffp-1, 0x1.25e4f7b2737fap+5, 0},
    {-0x1.0000000000001p+0, 0x1.205966f2b4f12p+5, 0},
    {-0x1.8p+0, 0x1.b858151820f86p-1, 0},
    {-0x1.2p+1, 0x1.1c6ab2d17b786p-1, 0},
    {-0x1.3ffffa3886e53p+3, -0x1.26bae9a5be547p+1, 0},
    {-0x1.38p+4, -0x1.3d7e81d72dccap+5, 0},
    {-0x1.91p+6, -0x1.6b66a2e797b34p+8, 0},
    {-0x1.81cd6c8b43958p+13, -0x1.962007ee77a7dp+16, 0},
    {-0x1.fffffffffffffp+51, -0x1.185966f2b4f12p+57, 0},
    {0x1.0a450a7ec98c3p+53, 0x1.29b0cc7895849p+58, 0},
    {0x1.8297bb568abacp+54, 0x1.bd1739d213dbdp+59, 0},
    {0x1.f208ab1b20c07p-1, 0x1.0c2124f347a3dp-6, 1},
    {0x1.f817454bfb2bcp-1, 0x1.2aa805ae16803p-7, 1},
    {-0x1.5e191b8f636aep+1, -0x1.714ed395621bp-6, 0},
    {-0x1.2db2ad0fb12dcp-1, 0x1.4c682b8c00a48p+0, 0},
    {-0x1.3e6e24ef7053dp+1, -0x1.580b1c3e8e33dp-5, 0},
    {-0x1.78f0caa8432c2p+0, 0x1.c4198210bbf3p-1, 0},
    {0x1.e3e7abe6936fcp+2, 0x1.e9d17a7ebfcffp+2, 0},
    {0x1.5d5033aa8c578p+2, 0x1.f1f734bf296aap+1, 1},
    {0x1.80204a16f35cfp-1, 0x1.9fc58e80f608ap-3, 0},
    {0x1.8bd068c92e887p-1, 0x1.6e5e9df623343p-3, 0},
    {0x1.ba2adfda9520fp-1, 0x1.85babb9f98304p-4, 0},
};

static void test_values(void) {
    check_values("erfc", whole_erfc, erfc_values, sizeof erfc_values / sizeof *erfc_values);
    check_values("lgamma", whole_lgamma, lgamma_values, sizeof lgamma_values / sizeof *lgamma_values);
}

/* Near its zeros at negative x, lgamma is the difference of larger terms: the error is absolute. */
static void test_lgamma_negative_zeros(void) {
    static const struct {
        double x, want;
    } values[] = {
        {-0x1.3a7fc9600f86cp+1, 0x1.0323b6d1fe86dp-54}, {-0x1.5fb410a1bd901p+1, 0x1.8fb8530ba7689p-53},
        {-0x1.9260dbc9e59afp+1, 0x1.e9605e3ae7a62p-50}, {-0x1.fa471547c2fe5p+1, -0x1.ddc0336980b58p-52},
        {-0x1.4086a57f0b6d8p+2, 0x1.02ed31813b874p-43},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        CHECKF(fabs(whole_lgamma(values[i].x) - values[i].want) <= 0x1p-52, "lgamma(%a) is %a, not %a",
               values[i].x, whole_lgamma(values[i].x), values[i].want);
}

static void test_special_values(void) {
    static const struct {
        double (*f)(double);
        double x, want;
    } one[] = {
        {whole_erfc, -INFINITY, 2},
        {whole_erfc, INFINITY, 0.0},
        {whole_erfc, NAN, NAN},
        {whole_erfc, -NAN, NAN},
        {whole_erfc, 0.0, 1},
        {whole_erfc, -0.0, 1},
        {whole_erfc, 0x1p-1074, 1},
        {whole_erfc, 1e300, 0.0},
        {whole_erfc, -1e300, 2},
        {whole_lgamma, INFINITY, INFINITY},
        {whole_lgamma, -INFINITY, INFINITY},
        {whole_lgamma, NAN, NAN},
        {whole_lgamma, -NAN, NAN},
        {whole_lgamma, 0.0, INFINITY},
        {whole_lgamma, -0.0, INFINITY},
        {whole_lgamma, 1, 0.0},
        {whole_lgamma, 2, 0.0},
        {whole_lgamma, -1, INFINITY},
        {whole_lgamma, -1024, INFINITY},
        {whole_lgamma, -0x1p52, INFINITY},
        {whole_lgamma, -1e300, INFINITY},
        {whole_lgamma, 0x1.754d9278b51a8p+1014, INFINITY},
        {whole_lgamma, 0x1.fffffffffffffp+1023, INFINITY},
        {whole_lgamma, -0x1p-1074, 0x1.74385446d71c3p+9},
    };
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        CHECKF(same(one[i].f(one[i].x), one[i].want), "row %zu: f(%a) is %a", i, one[i].x,
               one[i].f(one[i].x));
}

static void test_remainder_special_values(void) {
    static const struct {
        double x, y, fmod, mod;
    } cases[] = {
        {-7, 3, -1, 2},
        {7, -3, 1, -2},
        {6, -3, 0.0, -0.0},
        {-6, 3, -0.0, 0.0},
        {-6, -3, -0.0, -0.0},
        {0.0, -3, 0.0, -0.0},
        {-0.0, 3, -0.0, 0.0},
        {5, 0, NAN, NAN},
        {5, -0.0, NAN, NAN},
        {0, 0, NAN, NAN},
        {INFINITY, 3, NAN, NAN},
        {-INFINITY, 3, NAN, NAN},
        {INFINITY, INFINITY, NAN, NAN},
        {INFINITY, 0, NAN, NAN},
        {NAN, 3, NAN, NAN},
        {3, NAN, NAN, NAN},
        {NAN, INFINITY, NAN, NAN},
        {INFINITY, NAN, NAN, NAN},
        {5, INFINITY, 5, 5},
        {5, -INFINITY, 5, -INFINITY},
        {-5, INFINITY, -5, INFINITY},
        {-5, -INFINITY, -5, -5},
        {0.0, INFINITY, 0.0, 0.0},
        {-0.0, INFINITY, -0.0, 0.0},
        {0x1.fffffffffffffp+1023, INFINITY, 0x1.fffffffffffffp+1023, 0x1.fffffffffffffp+1023},
        {0x1.fffffffffffffp+1023, 0x1p-1074, 0.0, 0.0},
        {0x1.fffffffffffffp+1023, 0x3p-1074, 0x1p-1073, 0x1p-1073}, /* 2^971 (2^53 - 1) mod 3 */
        {0x1p-1022, 0x3p-1074, 0x1p-1074, 0x1p-1074},               /* 2^52 mod 3 */
        {-0x1p-1022, 0x3p-1074, -0x1p-1074, 0x1p-1073},
        {-0x1p-1074, 1, -0x1p-1074, 1}, /* numpy.mod rounds r + y */
        {0x1p52, 1, 0.0, 0.0},
        {0x1.0000000000001p53, 3, 1, 1}, /* 2^53 + 2 */
        {1, 0x1.fffffffffffffp-1, 0x1p-53, 0x1p-53},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x = cases[i].x, y = cases[i].y, f = whole_fmod(x, y), m = whole_mod(x, y);
        CHECKF(same(f, cases[i].fmod), "fmod(%a, %a) is %a", x, y, f);
        CHECKF(same(m, cases[i].mod), "mod(%a, %a) is %a", x, y, m);
    }
}

static uint64_t random_state = 20251;

static uint64_t random_bits(void) { /* splitmix64 */
    uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static double any_double(void) {
    return om_double(random_bits());
}

static double within(double lo, double hi) {
    return lo + (hi - lo) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static double subnormal(void) {
    return om_double(random_bits() & (OM_SIGN | 0xFFFFFFFFFFFFFull >> random_bits() % 52));
}

static double small_integer(void) {
    return (double)(int64_t)(random_bits() % 201) - 100;
}

/* A pair of class k: what can go wrong in a quotient or a remainder. */
static void random_pair(unsigned k, double *x, double *y) {
    *x = any_double(), *y = any_double();
    switch (k % 8) {
    case 1:
        *x = within(-100, 100), *y = within(-10, 10);
        break;
    case 2:
        *x = small_integer(), *y = small_integer();
        break;
    case 3:
        *x = subnormal(), *y = subnormal();
        break;
    case 4: /* quotients about 2^52, where the loops part */
        *y = within(1, 2), *x = *y * within(0x1.ffff8p51, 0x1.00008p52);
        break;
    case 5: /* quotients that round to a whole number */
        *y = within(1, 2),
        *x = nextafter(*y * (double)(random_bits() % 4096), within(-1, 1) * INFINITY);
        break;
    case 6:
        *x = within(0x1p-1000, 0x1p-960), *y = subnormal();
        break;
    case 7:
        *y = within(-1, 1), *x = *y * exp2(within(-60, 1000));
        break;
    default:
        break;
    }
}

static double numpy_mod(double x, double y) {
    double r = fmod(x, y);
    if (r == 0) return copysign(0.0, y);
    return (r < 0) != (y < 0) ? r + y : r;
}

static void test_remainders_are_those_of_libm(void) {
    unsigned rare = 0, common = 0;
    for (unsigned k = 0; k < 100000; k++) {
        double x, y;
        random_pair(k, &x, &y);
        double want = fmod(x, y);
        CHECKF(same(whole_fmod(x, y), want), "fmod(%a, %a) is %a, not %a", x, y, whole_fmod(x, y),
               want);
        CHECKF(same(whole_mod(x, y), numpy_mod(x, y)), "mod(%a, %a) is %a", x, y, whole_mod(x, y));
        if (om_fmod_is_rare(x, y))
            rare++;
        else
            common++;
    }
    CHECKF(rare > 10000 && common > 50000, "%u rare pairs, %u others", rare, common);
}

static void test_rare_elements(void) {
    CHECK(!om_lgamma_is_rare(0x1p-1022) && om_lgamma_is_rare(0x0.fffffffffffffp-1022));
    CHECK(!om_lgamma_is_rare(0x1p1000) && om_lgamma_is_rare(0x1.0000000000001p1000));
    CHECK(om_lgamma_is_rare(0.0) && om_lgamma_is_rare(-3.5) && om_lgamma_is_rare(INFINITY));
    CHECK(!om_lgamma_is_rare(NAN) && isnan(om_lgamma(NAN)));
    CHECK(om_fmod_is_rare(0x1p52, 1) && !om_fmod_is_rare(0x1.fffffffffffffp51, 1));
    CHECK(!om_fmod_is_rare(1, 0) && !om_fmod_is_rare(INFINITY, 1) && !om_fmod_is_rare(1, NAN));
}

/* erfc(-x) = 2 - erfc(x) and erfc(x) = 1 - erf(x), to an ulp of the larger; and it falls. */
static void test_erfc_symmetry(void) {
    for (int i = 0; i < 20000; i++) {
        double x = within(0, i % 2 ? 0.5 : 7), left = om_erfc(-x), right = om_erfc(x);
        CHECKF(fabs(left - (2 - right)) <= 0x1p-52, "erfc(-%a) and erfc(%a)", x, x);
        CHECKF(fabs(right - (1 - om_erf(x))) <= 0x1p-52, "erfc(%a) and erf", x);
        CHECKF(om_erfc(x + 0x1p-48) < right, "erfc does not fall at %a", x);
    }
}

static const struct test tests[] = {
    {"onemath_special_values", test_special_values},
    {"onemath_remainder_special_values", test_remainder_special_values},
    {"onemath_erfc_lgamma_hard_points", test_values},
    {"onemath_lgamma_negative_zeros", test_lgamma_negative_zeros},
    {"onemath_remainders_are_those_of_libm", test_remainders_are_those_of_libm},
    {"onemath_rare_elements", test_rare_elements},
    {"onemath_erfc_symmetry", test_erfc_symmetry},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
