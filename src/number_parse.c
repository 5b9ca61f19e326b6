/* Text as numbers: the literals of the language and plain counts.
 *
 * A literal's exact value is D * 10^e or H * 2^e; D and H keep so many digits that what lies beyond
 * matters only as "not zero" (sticky), so that any length is read in linear time and rounded once.
 * Names (pi, inf, nan), signs and errors about malformed text are the lexer's. */
#include "number.h"

#include <math.h>

/* A midpoint between two neighbouring binary64 has at most 767 significant decimal digits; with at
 * least so many kept, no midpoint lies strictly between the kept digits and the true value. */
#define KEPT_DIGITS 800

#define EXPONENT_LIMIT INT64_C(1000000000000000)     /* beyond any text's length; saturates there */
#define FIVE27         UINT64_C(7450580596923828125) /* 5^27 */

/* The digits of a literal: digit i (an index of the text) weighs base^(point - 1 - i), or
 * base^(point - i) when it stands behind the point. */
struct mantissa {
    size_t end;         /* index after the last digit or the point; 0: there is no digit */
    size_t point;       /* index of the point, or of the end of the digits */
    size_t first, last; /* indices of the first and last digit that is not 0 */
    int nonzero;
};

/* The significant digits as an integer. */
struct significand {
    struct bignum value;
    int ndigits;
    int sticky;     /* a digit that is not 0 was left out */
    int64_t weight; /* of the last digit kept */
};

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

static struct mantissa scan_mantissa(const char *text, size_t start, size_t nbytes, int base) {
    struct mantissa m = {0, 0, 0, 0, 0};
    int have_point = 0, have_digit = 0;
    size_t i = start;
    for (; i < nbytes; i++) {
        int digit = digit_value(text[i]);
        if (digit < base) {
            have_digit = 1;
            if (digit == 0) continue;
            if (!m.nonzero) m.first = i;
            m.nonzero = 1;
            m.last = i;
        } else if (text[i] == '.' && !have_point) {
            have_point = 1;
            m.point = i;
        } else {
            break;
        }
    }
    if (!have_point) m.point = i;
    if (have_digit) m.end = i;
    return m;
}

static void gather_digits(const char *text, const struct mantissa *m, int base,
                          struct significand *out) {
    struct bignum digit;
    bignum_set(&out->value, 0);
    out->ndigits = 0;
    size_t i = m->first;
    for (; i <= m->last && out->ndigits < KEPT_DIGITS; i++) {
        if (i == m->point) continue;
        bignum_mul_small(&out->value, (uint64_t)base);
        bignum_set(&digit, (uint64_t)digit_value(text[i]));
        bignum_add(&out->value, &digit);
        out->ndigits++;
    }
    out->sticky = i <= m->last;
    size_t kept = i - 1;
    out->weight = kept < m->point ? (int64_t)(m->point - 1 - kept) : -(int64_t)(kept - m->point);
}

/* "e-5", "P+3" at text[at]: its end and value, or `at` and 0 where no whole exponent stands. */
static size_t parse_exponent(const char *text, size_t at, size_t nbytes, char letter, int64_t *out) {
    size_t i = at;
    *out = 0;
    if (i >= nbytes || (text[i] | 0x20) != letter) return at;
    i++;
    int negative = i < nbytes && text[i] == '-';
    if (i < nbytes && (text[i] == '-' || text[i] == '+')) i++;
    size_t digits = i;
    int64_t value = 0;
    for (; i < nbytes && digit_value(text[i]) < 10; i++)
        if (value < EXPONENT_LIMIT) value = 10 * value + digit_value(text[i]);
    if (i == digits) return at;
    *out = negative ? -value : value;
    return i;
}

static uint64_t low_word(const struct bignum *a) {
    return a->n ? a->limb[0] : 0;
}

/* s * 10^exponent or s * 2^exponent as an integer < 2^64, if it is one.  The last decimal digit kept
 * is not 0, so a negative power of ten is never an integer. */
static int decimal_integer(const struct significand *s, int64_t exponent, uint64_t *out) {
    if (s->sticky || exponent < 0 || s->ndigits + exponent > 20 || bignum_bits(&s->value) > 64)
        return 0;
    unsigned __int128 v = low_word(&s->value);
    for (; exponent > 0; exponent--)
        v *= 10; /* < 10^20 */
    *out = (uint64_t)v;
    return v == *out;
}

static int hex_integer(const struct significand *s, int64_t exponent, uint64_t *out) {
    struct bignum v = s->value;
    if (s->sticky || exponent < -4 * KEPT_DIGITS || bignum_bits(&v) + exponent > 64) return 0;
    if (exponent >= 0)
        bignum_shift_left(&v, (int)exponent);
    else if (bignum_shift_right(&v, (int)-exponent))
        return 0;
    *out = low_word(&v);
    return 1;
}

/* v * 10^-power = v * 2^shift / 5^power * 2^(-shift - power), the quotient with more than 64 bits.
 * Dividing by factors one after the other gives the floor of the whole division. */
static double divide_power10(struct bignum *v, int sticky, int power) {
    int shift = power * 2322 / 1000 + 68 - bignum_bits(v); /* log2 5 < 2.322 */
    if (shift < 0) shift = 0;
    bignum_shift_left(v, shift);
    int left = power;
    for (; left >= 27; left -= 27)
        sticky |= bignum_divide_small(v, FIVE27) != 0;
    uint64_t rest = 1;
    for (; left > 0; left--)
        rest *= 5;
    sticky |= bignum_divide_small(v, rest) != 0;
    return bignum_round(v, sticky, -(int64_t)shift - power);
}

static double decimal_round(struct significand *s, int64_t exponent) {
    int64_t magnitude = s->ndigits + exponent; /* value < 10^magnitude */
    if (magnitude > 400) return INFINITY;
    if (magnitude < -400) return 0.0;
    if (exponent < 0) return divide_power10(&s->value, s->sticky, (int)-exponent);
    for (; exponent > 0; exponent--) /* here all digits were kept: 800 of them need exponent < 0 */
        bignum_mul_small(&s->value, 10);
    return bignum_round(&s->value, 0, 0);
}

static void set_integer(struct scalar *out, uint64_t v) {
    *out = (struct scalar){.type = TYPE_INT, .mag = v};
}

static void set_f64(struct scalar *out, double v, int *overflow) {
    *out = (struct scalar){.type = TYPE_F64, .f = v};
    if (isinf(v)) *overflow = 1;
}

static int starts_hex(const char *text, size_t nbytes) {
    return nbytes > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
}

size_t number_parse(const char *text, size_t nbytes, struct scalar *out, int *overflow) {
    int base = starts_hex(text, nbytes) ? 16 : 10;
    struct mantissa m = scan_mantissa(text, base == 16 ? 2 : 0, nbytes, base);
    if (base == 16 && m.end == 0) { /* "0x" without digits: a 0 before a letter */
        base = 10;
        m = scan_mantissa(text, 0, nbytes, base);
    }
    *overflow = 0;
    if (m.end == 0) return 0;
    int64_t exponent;
    size_t end = parse_exponent(text, m.end, nbytes, base == 16 ? 'p' : 'e', &exponent);
    uint64_t integer = 0;
    if (!m.nonzero) {
        set_integer(out, 0);
        return end;
    }
    struct significand s;
    gather_digits(text, &m, base, &s);
    exponent += base == 16 ? 4 * s.weight : s.weight;
    if (base == 16 ? hex_integer(&s, exponent, &integer) : decimal_integer(&s, exponent, &integer))
        set_integer(out, integer);
    else if (base == 16)
        set_f64(out, bignum_round(&s.value, s.sticky, exponent), overflow);
    else
        set_f64(out, decimal_round(&s, exponent), overflow);
    return end;
}

int number_parse_count(const char *text, size_t nbytes, uint64_t *out) {
    uint64_t value = 0;
    int too_large = 0;
    for (size_t i = 0; i < nbytes; i++) {
        int digit = digit_value(text[i]);
        if (digit >= 10) return -1;
        too_large |= __builtin_mul_overflow(value, 10, &value);
        too_large |= __builtin_add_overflow(value, (uint64_t)digit, &value);
    }
    if (nbytes == 0) return -1;
    if (too_large) return -2;
    *out = value;
    return 0;
}
