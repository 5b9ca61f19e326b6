/* Numbers as text.  Expected values are facts of exact arithmetic: either spelt out, or decided here by
 * comparing integers of 128 bits.  Round trips go through number_parse, which test_number_parse.c
 * checks by itself. */
#include "check.h"
#include "number.h"
#include "number_help.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

/* ---- formatting: known texts --------------------------------------------------------------------- */

struct text_case {
    double value;
    enum float_type type;
    const char *text;
};

static void check_texts(const struct text_case *cases, size_t ncases) {
    char out[NUMBER_TEXT];
    for (size_t k = 0; k < ncases; k++) {
        size_t n = number_format(cases[k].value, cases[k].type, out);
        CHECKF(n == strlen(out) && strcmp(out, cases[k].text) == 0, "%a: '%s', not '%s'",
               cases[k].value, out, cases[k].text);
    }
}
#define CHECK_TEXTS(cases) check_texts(cases, sizeof(cases) / sizeof((cases)[0]))

static void test_format_f64(void) {
    static const struct text_case CASES[] = {
        {0.0, FLOAT_F64, "0"},
        {-0.0, FLOAT_F64, "-0.0"},
        {1, FLOAT_F64, "1"},
        {-1, FLOAT_F64, "-1"},
        {10, FLOAT_F64, "10"},
        {0.1, FLOAT_F64, "0.1"},
        {0.3, FLOAT_F64, "0.3"},
        {0.1 + 0.2, FLOAT_F64, "0.30000000000000004"},
        {1.5, FLOAT_F64, "1.5"},
        {-123.456, FLOAT_F64, "-123.456"},
        {1e-4, FLOAT_F64, "0.0001"},
        {0.00012345678901234567, FLOAT_F64, "0.00012345678901234567"},
        {9.999e-5, FLOAT_F64, "9.999e-05"},
        {1e-5, FLOAT_F64, "1e-05"},
        {1.5e-7, FLOAT_F64, "1.5e-07"},
        {1e15, FLOAT_F64, "1000000000000000"},
        {9999999999999998.0, FLOAT_F64, "9999999999999998"},
        {1e16, FLOAT_F64, "1e+16"},
        {12345678901234567000.0, FLOAT_F64, "1.2345678901234567e+19"},
        {9007199254740991.0, FLOAT_F64, "9007199254740991"},
        {9007199254740992.0, FLOAT_F64, "9007199254740992"},
        {9007199254740994.0, FLOAT_F64, "9007199254740994"},
        {1125899906842624.25, FLOAT_F64, "1125899906842624.2"}, /* ties go to the even digit */
        {1125899906842624.75, FLOAT_F64, "1125899906842624.8"},
        {1e22, FLOAT_F64, "1e+22"},
        {1e23, FLOAT_F64, "1e+23"},
        {9e22, FLOAT_F64, "9e+22"},
        {0x1.52d02c7e14af7p+76, FLOAT_F64, "1.0000000000000001e+23"},
        {1e100, FLOAT_F64, "1e+100"},
        {1e-100, FLOAT_F64, "1e-100"},
        {0x1p-44, FLOAT_F64, "5.684341886080802e-14"}, /* ...801e-14 is nearer but does not read back */
        {0x1p-1074, FLOAT_F64, "5e-324"},
        {0x1p-1073, FLOAT_F64, "1e-323"},
        {0x0.fffffffffffffp-1022, FLOAT_F64, "2.225073858507201e-308"},
        {0x1p-1022, FLOAT_F64, "2.2250738585072014e-308"},
        {0x1.fffffffffffffp+1023, FLOAT_F64, "1.7976931348623157e+308"},
        {-0x1.fffffffffffffp+1023, FLOAT_F64, "-1.7976931348623157e+308"},
        {INFINITY, FLOAT_F64, "inf"},
        {-INFINITY, FLOAT_F64, "-inf"},
        {NAN, FLOAT_F64, "nan"},
        {-NAN, FLOAT_F64, "nan"},
    };
    CHECK_TEXTS(CASES);
}

static void test_format_narrow_types(void) {
    static const struct text_case CASES[] = {
        {-0.0, FLOAT_F16, "-0.0"},
        {INFINITY, FLOAT_BF16, "inf"},
        {NAN, FLOAT_F32, "nan"},
        {0.1f, FLOAT_F64, "0.10000000149011612"}, /* widened it is another number */
        {16777216, FLOAT_F32, "16777216"},
        {2147483648, FLOAT_F32, "2147483648"}, /* not the shortest 2147483600 */
        {65504, FLOAT_F16, "65504"},
        {0x1.fep+15, FLOAT_BF16, "65280"},
        {1e-4f, FLOAT_F32, "0.0001"}, /* below 1e-4 by less than half an ulp */
        {1e-5f, FLOAT_F32, "1e-05"},
        {9999999198822400.0, FLOAT_F32, "9999999198822400"},
        {1e16f, FLOAT_F32, "1e+16"},
        {0x1p-149, FLOAT_F32, "1e-45"},
        {0x1p-126, FLOAT_F32, "1.1754944e-38"},
        {0x1.fffffep+127, FLOAT_F32, "3.4028235e+38"},
        {0x1.99999ap+3, FLOAT_F32, "12.8"},
        {0x1.994p-4, FLOAT_F16, "0.0999"},
        {0x1.998p-4, FLOAT_F16, "0.1"}, /* 0.0999755859375 */
        {0x1.99cp-4, FLOAT_F16, "0.10004"},
        {0x1p-24, FLOAT_F16, "6e-08"},
        {0x1p-14, FLOAT_F16, "6.104e-05"},
        {256.25, FLOAT_F16, "256.2"},
        {256.75, FLOAT_F16, "256.8"},
        {0x1.ap-4, FLOAT_BF16, "0.1016"},
        {0x1.9ap-4, FLOAT_BF16, "0.1"},
        {0x1p-133, FLOAT_BF16, "9e-41"}, /* 1e-40 reads back too, but 9e-41 is nearer */
        {0x1.fep+127, FLOAT_BF16, "3.39e+38"},
        {0.1, FLOAT_F32, "0.1"}, /* no f32 at all: printed as the binary64 it is */
        {0x1p-44, FLOAT_F16, "5.684341886080802e-14"},
        {0x1.0000000000001p0, FLOAT_F32, "1.0000000000000002"},
    };
    CHECK_TEXTS(CASES);
}

static void test_fault_40_number_text(void) {
    static const struct text_case CASES[] = {
        {41943040, FLOAT_F32, "41943040"}, {41943040, FLOAT_F64, "41943040"},
        {0.1f, FLOAT_F32, "0.1"},          {1908, FLOAT_F64, "1908"},
        {0x1p25, FLOAT_F32, "33554432"},   {1e15 + 1, FLOAT_F64, "1000000000000001"},
    };
    CHECK_TEXTS(CASES);
}

static void test_fault_40_locale(void) {
    static const char *const COMMA[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    char probe[8], out[NUMBER_TEXT];
    int found = 0;
    for (size_t k = 0; k < sizeof(COMMA) / sizeof(COMMA[0]) && !found; k++)
        found = setlocale(LC_ALL, COMMA[k]) != NULL;
    snprintf(probe, sizeof(probe), "%.1f", 1.5);
    if (strcmp(probe, "1,5") != 0) {
        SKIP("no locale with a decimal comma is installed");
    } else {
        CHECK(parse_whole("1.5", 3) == 1.5);
        CHECK(parse_whole("0x1.8p1", 7) == 3);
        CHECK(number_format(1234.5, FLOAT_F64, out) == 6 && strcmp(out, "1234.5") == 0);
        CHECK(number_format_hex(1.5, out) == 8 && strcmp(out, "0x1.8p+0") == 0);
    }
    setlocale(LC_ALL, "C");
}

static void test_format_hex(void) {
    static const struct {
        double value;
        const char *text;
    } CASES[] = {
        {0.0, "0x0p+0"},
        {-0.0, "-0x0p+0"},
        {1, "0x1p+0"},
        {3, "0x1.8p+1"},
        {-0.1, "-0x1.999999999999ap-4"},
        {0x1p-1074, "0x0.0000000000001p-1022"},
        {0x0.8p-1022, "0x0.8p-1022"},
        {0x1p-1022, "0x1p-1022"},
        {0x1.fffffffffffffp+1023, "0x1.fffffffffffffp+1023"},
    };
    char out[NUMBER_TEXT];
    for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
        size_t n = number_format_hex(CASES[k].value, out);
        CHECKF(n == strlen(out) && strcmp(out, CASES[k].text) == 0, "'%s', not '%s'", out,
               CASES[k].text);
    }
}

/* 10^power */
static void set_power_of_ten(struct bignum *a, int power) {
    bignum_set(a, 1);
    for (int k = 0; k < power; k++)
        bignum_mul_small(a, 10);
}

static void test_format_integer(void) {
    char out[NUMBER_BIG_TEXT];
    struct bignum a, one;
    bignum_set(&a, 0);
    CHECK(number_format_integer(&a, 0, out) == 1 && strcmp(out, "0") == 0);
    CHECK(number_format_integer(&a, 1, out) == 1 && strcmp(out, "0") == 0);
    bignum_set(&a, UINT64_MAX);
    CHECK(number_format_integer(&a, 1, out) == 21 && strcmp(out, "-18446744073709551615") == 0);
    bignum_set(&a, 1);
    bignum_shift_left(&a, 128);
    CHECK(number_format_integer(&a, 0, out) == 39 &&
          strcmp(out, "340282366920938463463374607431768211456") == 0);
    bignum_set(&one, 1);
    for (int power = 17; power < 1233; power += power < 80 ? 1 : 96) {
        set_power_of_ten(&a, power); /* 1000...0 */
        CHECK(number_format_integer(&a, 0, out) == (size_t)power + 1 && out[0] == '1' &&
              strspn(out + 1, "0") == (size_t)power);
        bignum_sub(&a, &one); /* 999...9 */
        CHECK(number_format_integer(&a, 1, out) == (size_t)power + 1 && out[0] == '-' &&
              strspn(out + 1, "9") == (size_t)power);
    }
    bignum_set(&a, 1);
    bignum_shift_left(&a, 4096);
    bignum_sub(&a, &one); /* 2^4096 = 1.044... * 10^1233 */
    CHECK(number_format_integer(&a, 1, out) == 1235 && memcmp(out, "-1044388881", 11) == 0);
}

/* ---- formatting: shortest and nearest, by search ------------------------------------------------- */

__extension__ typedef __int128 wide;

static wide scale(wide v, int two, int ten) {
    for (; two > 0; two--)
        v *= 2;
    for (; ten > 0; ten--)
        v *= 10;
    return v;
}

/* digits * 10^power - units * 2^exponent, in a unit that depends on power and exponent alone. */
static wide difference(uint64_t digits, int power, uint64_t units, int exponent) {
    return scale((wide)digits, -exponent, power) - scale((wide)units, exponent, -power);
}

/* A positive value: the interval that reads back as it is low .. high, in units of 2^exponent. */
struct interval {
    uint64_t value, low, high;
    int exponent;
    int closed;
};

static struct interval interval_of(double v, int precision, int min_exponent) {
    int exponent;
    frexp(v, &exponent);
    exponent -= precision;
    if (exponent < min_exponent) exponent = min_exponent;
    uint64_t m = (uint64_t)ldexp(v, -exponent);
    int half_gap = m == UINT64_C(1) << (precision - 1) && exponent > min_exponent;
    return (struct interval){4 * m, 4 * m - (half_gap ? 1 : 2), 4 * m + 2, exponent - 2, m % 2 == 0};
}

static int reads_back(const struct interval *i, uint64_t digits, int power) {
    wide above_low = difference(digits, power, i->low, i->exponent);
    wide above_high = difference(digits, power, i->high, i->exponent);
    return i->closed ? above_low >= 0 && above_high <= 0 : above_low > 0 && above_high < 0;
}

/* |digits * 10^power - value|, comparable for one power */
static wide distance(const struct interval *i, uint64_t digits, int power) {
    wide d = difference(digits, power, i->value, i->exponent);
    return d < 0 ? -d : d;
}

/* The significant digits of a formatted number, without trailing zeros. */
static uint64_t digits_of(const char *text, int *power) {
    uint64_t digits = 0;
    int behind = 0, fraction = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.')
            behind = 1;
        else
            digits = 10 * digits + (uint64_t)(*text - '0'), fraction += behind;
    }
    *power = (*text ? atoi(text + 1) : 0) - fraction;
    for (; digits && digits % 10 == 0; ++*power)
        digits /= 10;
    return digits;
}

static void check_shortest(double v, enum float_type type, int precision, int min_exponent) {
    char text[NUMBER_TEXT];
    int power;
    if (v == floor(v) && v < 1e16) return; /* prints all its digits */
    number_format(v, type, text);
    uint64_t digits = digits_of(text, &power);
    struct interval i = interval_of(v, precision, min_exponent);
    CHECKF(reads_back(&i, digits, power), "%a: '%s' does not read back", v, text);
    uint64_t shorter = digits / 10;
    CHECKF(!reads_back(&i, shorter, power + 1) && !reads_back(&i, shorter + 1, power + 1),
           "%a: '%s' is not the shortest", v, text);
    wide off = distance(&i, digits, power);
    for (int side = -1; side <= 1; side += 2) {
        uint64_t other = digits + (uint64_t)side;
        wide d = distance(&i, other, power);
        CHECKF(d > off || (d == off && digits % 2 == 0) || !reads_back(&i, other, power),
               "%a: '%s' is not the nearest", v, text);
    }
    if (digits == 1) /* the digit below 1 is 0.9 */
        CHECKF(distance(&i, 9, power - 1) >= distance(&i, 10, power - 1) ||
                   !reads_back(&i, 9, power - 1),
               "%a: '%s' is not the nearest", v, text);
}

static void test_format_shortest_f16(void) {
    for (int exponent = -24; exponent <= 5; exponent++)
        for (int m = exponent == -24 ? 1 : 1024; m < 2048; m++)
            check_shortest(ldexp(m, exponent), FLOAT_F16, 11, -24);
}

static void test_format_shortest_bf16(void) {
    for (int exponent = -70; exponent <= 50; exponent++)
        for (int m = 128; m < 256; m++)
            check_shortest(ldexp(m, exponent), FLOAT_BF16, 8, -133);
}

static void test_format_shortest_f32(void) {
    uint64_t state = 32;
    for (int k = 0; k < 40000; k++) {
        uint64_t random = next_random(&state);
        uint64_t m = k % 50 == 0 ? 0 : random >> 41;
        check_shortest(ldexp((double)(1 << 23 | m), (int)(random % 81) - 50), FLOAT_F32, 24, -149);
    }
}

static void test_format_shortest_f64(void) {
    uint64_t state = 64;
    for (int k = 0; k < 40000; k++) {
        uint64_t random = next_random(&state);
        uint64_t m = k % 50 == 0 ? 0 : random >> 12;
        check_shortest(ldexp((double)(UINT64_C(1) << 52 | m), (int)(random % 72) - 62), FLOAT_F64, 53,
                       -1074);
    }
}

/* ---- round trips --------------------------------------------------------------------------------- */

static void check_round_trip(double v) {
    char text[NUMBER_TEXT];
    size_t n = number_format(v, FLOAT_F64, text);
    CHECKF(to_bits(parse_whole(text, n)) == to_bits(v), "%a: '%s' reads otherwise", v, text);
    n = number_format_hex(v, text);
    CHECKF(to_bits(parse_whole(text, n)) == to_bits(v), "%a: '%s' reads otherwise", v, text);
}

static void test_round_trip_f64(void) {
    uint64_t state = 2024;
    for (int k = 0; k < 200000; k++) {
        double v = from_bits(next_random(&state));
        if (isfinite(v) && v != 0) check_round_trip(v);
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1, exponent);
        check_round_trip(power);
        check_round_trip(nextafter(power, INFINITY));
        if (exponent > -1074) check_round_trip(nextafter(power, 0));
    }
}

/* A narrow type's text reads as a binary64 in the interval that rounds to the value; the interval's
 * ends are binary64s themselves. */
static void check_narrow_round_trip(double v, enum float_type type, int precision, int min_exponent) {
    char text[NUMBER_TEXT];
    size_t n = number_format(v, type, text);
    double back = parse_whole(text, n);
    struct interval i = interval_of(v, precision, min_exponent);
    double low = ldexp((double)i.low, i.exponent), high = ldexp((double)i.high, i.exponent);
    CHECKF(i.closed ? low <= back && back <= high : low < back && back < high,
           "%a: '%s' reads otherwise", v, text);
}

static void test_round_trip_narrow_types(void) {
    uint64_t state = 7;
    for (int exponent = -133; exponent <= 120; exponent++)
        for (int m = exponent == -133 ? 1 : 128; m < 256; m++)
            check_narrow_round_trip(ldexp(m, exponent), FLOAT_BF16, 8, -133);
    for (int k = 0; k < 100000; k++) {
        uint32_t bits = (uint32_t)(next_random(&state) >> 33);
        float v;
        memcpy(&v, &bits, sizeof(v));
        if (isfinite(v) && v != 0) check_narrow_round_trip(v, FLOAT_F32, 24, -149);
    }
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"number_format_f64", test_format_f64},
        {"number_format_narrow_types", test_format_narrow_types},
        {"fault_40_number_text", test_fault_40_number_text},
        {"fault_40_locale", test_fault_40_locale},
        {"number_format_hex", test_format_hex},
        {"number_format_integer", test_format_integer},
        {"number_format_shortest_f16", test_format_shortest_f16},
        {"number_format_shortest_bf16", test_format_shortest_bf16},
        {"number_format_shortest_f32", test_format_shortest_f32},
        {"number_format_shortest_f64", test_format_shortest_f64},
        {"number_round_trip_f64", test_round_trip_f64},
        {"number_round_trip_narrow_types", test_round_trip_narrow_types},
    };
    return RUN_TESTS(TESTS);
}
