/* Text as numbers.  Expected values are facts of exact arithmetic: spelt out, or expanded to all their
 * digits from big integers. */
#include "check.h"
#include "number.h"
#include "number_help.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* 5^power */
static void set_power_of_five(struct bignum *a, int power) {
    bignum_set(a, 1);
    for (int k = 0; k < power; k++)
        bignum_mul_small(a, 5);
}

static void test_parse_integers(void) {
    static const struct {
        const char *text;
        uint64_t value;
    } CASES[] = {
        {"0", 0},
        {"0.0", 0},
        {".0", 0},
        {"0e99999999999", 0},
        {"0x0p5", 0},
        {"007", 7},
        {"5.", 5},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"2.50e1", 25},
        {"12300e-2", 123},
        {"0.1e1", 1},
        {"0.000001e6", 1},
        {"9007199254740993", UINT64_C(9007199254740993)},
        {"9007199254740993.0", UINT64_C(9007199254740993)},
        {"18446744073709551615", UINT64_MAX},
        {"1844674407370955161500e-2", UINT64_MAX},
        {"1.8446744073709551615e19", UINT64_MAX},
        {"1e19", UINT64_C(10000000000000000000)},
        {"0x10", 16},
        {"0XfF", 255},
        {"0x1e5", 0x1e5},
        {"0x1p10", 1024},
        {"0x.8p1", 1},
        {"0x10p-4", 1},
        {"0x1P63", UINT64_C(1) << 63},
        {"0xffffffffffffffff", UINT64_MAX},
        {"0x0.0000000000000000ffffffffffffffffp128", UINT64_MAX},
        {"0x1.00000000000000000000", 1},
    };
    for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
        struct scalar s = {9, 9, 9, 9};
        int overflow = 9;
        size_t n = strlen(CASES[k].text), used = number_parse(CASES[k].text, n, &s, &overflow);
        CHECKF(used == n && s.type == TYPE_INT && !s.neg && s.mag == CASES[k].value && !overflow,
               "%s: used %zu, type %d, %" PRIu64, CASES[k].text, used, s.type, s.mag);
    }
}

static void test_parse_reals(void) {
    static const struct {
        const char *text;
        double value;
        int overflow;
    } CASES[] = {
        {".5", 0.5, 0},
        {"1e-3", 0.001, 0},
        {"0x1p-3", 0.125, 0},
        {"0x1.8p-1", 0.75, 0},
        {"18446744073709551616", 0x1p64, 0},
        {"2e19", 2e19, 0},
        {"0x1p64", 0x1p64, 0},
        {"0x10000000000000000", 0x1p64, 0},
        {"36893488147419107328", 0x1p65, 0}, /* 2^65 + 2^12: halfway, to even */
        {"36893488147419107328.0", 0x1p65, 0},
        {"36893488147419107328.00000000000000000000000000000000000000001", 0x1.0000000000001p65, 0},
        {"36893488147419107327", 0x1p65, 0},
        {"36893488147419107329", 0x1.0000000000001p65, 0},
        {"36893488147419115520", 0x1.0000000000002p65, 0}, /* + 3 * 2^12 - halfway, to even above */
        {"0x1.00000000000008p0", 1, 0},
        {"0x1.000000000000080000000000000000000000000000000000001p0", 0x1.0000000000001p0, 0},
        {"0x1.00000000000018p0", 0x1.0000000000002p0, 0},
        {"9007199254740993.00000000000000000000000001", 9007199254740994.0, 0},
        {"1e23", 1e23, 0},
        {"1e308", 1e308, 0},
        {"1.7976931348623157e308", 0x1.fffffffffffffp1023, 0},
        {"1.7976931348623158e308", 0x1.fffffffffffffp1023, 0},
        {"1.7976931348623159e308", INFINITY, 1},
        {"0x1.fffffffffffff7p1023", 0x1.fffffffffffffp1023, 0},
        {"0x1.fffffffffffff8p1023", INFINITY, 1},
        {"1e309", INFINITY, 1},
        {"1e400", INFINITY, 1},
        {"1e999999999999", INFINITY, 1},
        {"1e99999999999999999999999999999999999", INFINITY, 1},
        {"1e18446744073709551617", INFINITY, 1}, /* 2^64 + 1 */
        {"0x1p18446744073709551617", INFINITY, 1},
        {"0x1p4611686018427387904", INFINITY, 1},
        {"2.4703282292062327e-324", 0, 0},
        {"2.4703282292062328e-324", 0x1p-1074, 0},
        {"4.9e-324", 0x1p-1074, 0},
        {"0x1p-1075", 0, 0},
        {"0x1.0000000000000000000000001p-1075", 0x1p-1074, 0},
        {"0x3p-1075", 0x1p-1073, 0},
        {"1e-400", 0, 0},
        {"1e-999999999999", 0, 0},
        {"0x1p-99999999999999999999", 0, 0},
    };
    for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
        struct scalar s = {9, 9, 9, 9};
        int overflow = 9;
        size_t n = strlen(CASES[k].text), used = number_parse(CASES[k].text, n, &s, &overflow);
        CHECKF(used == n && s.type == TYPE_F64 && to_bits(s.f) == to_bits(CASES[k].value) &&
                   overflow == CASES[k].overflow,
               "%s: used %zu, type %d, %a", CASES[k].text, used, s.type, s.f);
    }
}

/* How much of a text is the number: a malformed exponent or a second point is not. */
static void test_parse_extent(void) {
    static const struct {
        const char *text;
        size_t used;
    } CASES[] = {
        {"", 0},      {".", 0},     {"e5", 0},   {".e5", 0},   {"-1", 0},      {"+1", 0},
        {"x", 0},     {"inf", 0},   {"nan", 0},  {"1e", 1},    {"1e+", 1},     {"1ex", 1},
        {"1e+-5", 1}, {"1.5.2", 3}, {"1..2", 2}, {"1 2", 1},   {"0x", 1},      {"0xg", 1},
        {"0x.", 1},   {"0x.p1", 1}, {"0x1p", 3}, {"0x1p-", 3}, {"0x1.8p1", 7}, {"1_000", 1},
        {"1.e2", 4},  {".5e1x", 4}, {"0x1g", 3}, {"1p5", 1},   {"12ab", 2},    {"1,5", 1},
    };
    for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
        struct scalar s;
        int overflow;
        size_t used = number_parse(CASES[k].text, strlen(CASES[k].text), &s, &overflow);
        CHECKF(used == CASES[k].used, "'%s': %zu bytes, not %zu", CASES[k].text, used, CASES[k].used);
    }
    struct scalar s;
    int overflow;
    CHECK(number_parse("1234", 2, &s, &overflow) == 2 && s.mag == 12);
    CHECK(number_parse("1e5", 2, &s, &overflow) == 1 && s.mag == 1);
}

/* The decimal expansion of units * 2^exponent, exponent < 0: an integer times a power of ten. */
static void expand(uint64_t units, int exponent, char digits[NUMBER_BIG_TEXT]) {
    struct bignum a, factor;
    bignum_set(&factor, units);
    set_power_of_five(&a, -exponent);
    struct bignum product;
    bignum_mul(&product, &a, &factor);
    number_format_integer(&product, 0, digits);
}

static void check_halfway(uint64_t below_bits) {
    char digits[NUMBER_BIG_TEXT], text[NUMBER_BIG_TEXT + 1100];
    uint64_t m = (below_bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(below_bits >> 52 > 0) << 52;
    int exponent = (int)(below_bits >> 52 ? below_bits >> 52 : 1) - 1075;
    double below = from_bits(below_bits), above = from_bits(below_bits + 1);
    expand(2 * m + 1, exponent - 1, digits);
    int n = snprintf(text, sizeof(text), "%se%d", digits, exponent - 1);
    CHECKF(parse_whole(text, (size_t)n) == (m % 2 ? above : below), "%a: halfway above", below);
    n = snprintf(text, sizeof(text), "%s.%01000de%d", digits, 1, exponent - 1);
    CHECKF(parse_whole(text, (size_t)n) == above, "%a: a little more than halfway", below);
    size_t last = strlen(digits) - 1; /* a 5 */
    digits[last] = '4';
    n = snprintf(text, sizeof(text), "%s.%se%d", digits, "99999999999999999999999999", exponent - 1);
    CHECKF(parse_whole(text, (size_t)n) == below, "%a: a little less than halfway", below);
}

static void test_parse_halfway(void) {
    uint64_t state = 5;
    for (int k = 0; k < 300; k++)
        check_halfway(next_random(&state) % (UINT64_C(1072) << 52)); /* below 2^49: never integers */
    check_halfway(0);                                                /* 2^-1075 */
    check_halfway(1);
    check_halfway((UINT64_C(1) << 52) - 1); /* the largest subnormal */
    check_halfway(UINT64_C(1) << 52);
    check_halfway((UINT64_C(1023) << 52) - 1); /* below 1 */
}

static void test_parse_megabytes(void) {
    size_t n = 2000000;
    char *text = malloc(n + 32);
    struct scalar s;
    int overflow;
    clock_t start = clock();
    if (!text) {
        CHECK(text != NULL);
        return;
    }
    memset(text, '1', n);
    CHECK(number_parse(text, n, &s, &overflow) == n && overflow == 1);
    memset(text, '0', n);
    memcpy(text, "1.", 2);
    CHECK(number_parse(text, n, &s, &overflow) == n && s.type == TYPE_INT && s.mag == 1);
    text[n - 1] = '1';
    CHECK(number_parse(text, n, &s, &overflow) == n && s.type == TYPE_F64 && s.f == 1);
    memset(text, '0', n);
    text[1] = '.'; /* 0.000...0 1e2000000 */
    size_t length = n + (size_t)snprintf(text + n, 32, "1e%zu", n - 1);
    CHECK(number_parse(text, length, &s, &overflow) == length && s.type == TYPE_INT && s.mag == 1);
    memset(text, '0', n);
    memcpy(text, "0x", 2);
    text[n - 1] = 'a';
    CHECK(number_parse(text, n, &s, &overflow) == n && s.type == TYPE_INT && s.mag == 10);
    CHECK(clock() - start < 5 * CLOCKS_PER_SEC); /* linear: some milliseconds */
    free(text);
}

static void test_parse_count(void) {
    static const struct {
        const char *text;
        int rc;
        uint64_t value;
    } CASES[] = {
        {"0", 0, 0},
        {"007", 0, 7},
        {"18446744073709551615", 0, UINT64_MAX},
        {"18446744073709551616", -2, 0},
        {"99999999999999999999999999999", -2, 0},
        {"", -1, 0},
        {"-1", -1, 0},
        {"+1", -1, 0},
        {"4x", -1, 0},
        {" 4", -1, 0},
        {"1e3", -1, 0},
        {"0x10", -1, 0},
        {"99999999999999999999999x", -1, 0},
    };
    for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
        uint64_t value = 0;
        int rc = number_parse_count(CASES[k].text, strlen(CASES[k].text), &value);
        CHECKF(rc == CASES[k].rc && value == CASES[k].value, "'%s': %d", CASES[k].text, rc);
    }
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"number_parse_integers", test_parse_integers},   {"number_parse_reals", test_parse_reals},
        {"number_parse_extent", test_parse_extent},       {"number_parse_halfway", test_parse_halfway},
        {"number_parse_megabytes", test_parse_megabytes}, {"number_parse_count", test_parse_count},
    };
    return RUN_TESTS(TESTS);
}
