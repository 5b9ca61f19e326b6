/* Sums of blocks by plain additions and by two windows: block_sums.h.
 *
 * All loops take STEP elements at a time; what is left of a block is copied to a step of its own,
 * filled up with zeros.  Reasons why sums are exact: by the flag (lanes.h), or because all terms are
 * multiples of a unit g and the sum of their magnitudes is at most 2^53 g. */
#include "block_sums.h"

#include "block_survey.h"

#define IS_ISA_noflags 1
#define FLAGS          (!ISA_JOIN(IS_ISA, ISA))

/* ---- results --------------------------------------------------------------------------------- */

/* Stores the sums and returns whether all of them are finite. */
static int store_finite(const vd *s, double *out) {
    vd zero = *s - *s; /* NaN of what is not */
    int64_t bits[LANES], any = 0;
    memcpy(out, s, sizeof *s);
    memcpy(bits, &zero, sizeof bits);
    for (int i = 0; i < LANES; i++)
        any |= bits[i];
    return any == 0;
}

INLINED void fold(vd *s, int n) {
    for (n /= 2; n > 0; n /= 2)
        for (int k = 0; k < n; k++)
            s[k] += s[k + n];
}

/* ---- plain additions ------------------------------------------------------------------------- */

INLINED void plain_step(int type, int drop_nan, vl keep, const unsigned char *p, vd s[UNROLL]) {
    for (int k = 0; k < UNROLL; k++)
        s[k] += value(type, drop_nan, keep, p + (size_t)k * LANES * item(type));
}

INLINED int plain(int type, int drop_nan, const unsigned char *p, size_t n, int magnitude,
                  double *out) {
    vd s[UNROLL] = {{0}};
    vl keep = keep64(magnitude);
    struct rest rest;
    const unsigned char *end = rest.bytes;
    fill_rest(&rest, type, p, n, STEP, 0);
#if FLAGS
    lanes_clear_flags(&p, &end);
#else
    struct survey m = survey_block(type, p, n, magnitude);
    double largest = largest_magnitude(&m);
    if (exponent_above(largest) + log2_terms(n) - unit_exponent(type, &m) > 53) return 0;
#endif
    for (size_t i = 0; i + STEP <= n; i += STEP)
        plain_step(type, drop_nan, keep, p + i * item(type), s);
    if (n % STEP != 0) plain_step(type, drop_nan, keep, end, s);
    fold(s, UNROLL);
#if FLAGS
    if (lanes_raised(&s[0], &s[1])) return 0;
#endif
    return store_finite(&s[0], out);
}

static int plain_f32(const unsigned char *p, size_t n, int magnitude, int drop_nan, double *out) {
    return drop_nan ? plain(NATIVE_F32, 1, p, n, magnitude, out)
                    : plain(NATIVE_F32, 0, p, n, magnitude, out);
}

static int plain_f64(const unsigned char *p, size_t n, int magnitude, int drop_nan, double *out) {
    return drop_nan ? plain(NATIVE_F64, 1, p, n, magnitude, out)
                    : plain(NATIVE_F64, 0, p, n, magnitude, out);
}

/* ---- two windows ----------------------------------------------------------------------------- */

#define MOST_SCALE 900 /* far from overflow and from losing bits to underflow */
#define PAIRS      4   /* of sums */

#if FLAGS && defined(LANES_HAVE_QUIET_RINT)

/* Values are scaled by 2^scale, so that integers hold their upper parts; what is left is at most 1/2.
 * Scaling, splitting and adding are exact as long as no flag is raised, whatever the scale. */
INLINED void window_step(int type, int drop_nan, vl keep, vd scale, const unsigned char *p,
                         vd high[PAIRS], vd low[PAIRS]) {
    for (int k = 0; k < UNROLL; k++) {
        vd v = value(type, drop_nan, keep, p + (size_t)k * LANES * item(type)) * scale;
        vd upper = vd_quiet_rint(v);
        high[k % PAIRS] += upper;
        low[k % PAIRS] += v - upper;
    }
}

INLINED int split(int type, int drop_nan, const unsigned char *p, size_t n, int magnitude, int scale,
                  double *out) {
    vd high[PAIRS] = {{0}}, low[PAIRS] = {{0}}, factor = vd_all(power(scale));
    vl keep = keep64(magnitude);
    struct rest rest;
    const unsigned char *end = rest.bytes;
    fill_rest(&rest, type, p, n, STEP, 0);
    lanes_clear_flags(&p, &end);
    for (size_t i = 0; i + STEP <= n; i += STEP)
        window_step(type, drop_nan, keep, factor, p + i * item(type), high, low);
    if (n % STEP != 0) window_step(type, drop_nan, keep, factor, end, high, low);
    fold(high, PAIRS);
    fold(low, PAIRS);
    if (lanes_raised(&high[0], &low[0])) return 0;
    factor = vd_all(power(-scale)); /* sums of multiples of the values' units: exact */
    high[0] *= factor;
    low[0] *= factor;
    return store_finite(&high[0], out) & store_finite(&low[0], out + LANES);
}

/* As many bits in the upper parts as their sums hold. */
static int scale_for(const struct window_hint *hint, size_t n) {
    return 53 - log2_terms(n) - hint->exponent;
}

INLINED int windows(int type, int drop_nan, const unsigned char *p, size_t n, int magnitude,
                    struct window_hint *hint, double *out) {
    int tried = hint->known ? scale_for(hint, n) : MOST_SCALE + 1;
    if (hint->known && split(type, drop_nan, p, n, magnitude, tried, out)) return 1;
    struct survey m = survey_block(type, p, n, magnitude);
    double largest = largest_magnitude(&m);
    hint->known = 0;
    if (largest == 0 || isinf(largest)) return 0;
    hint->exponent = exponent_above(largest) + 1; /* the next block's may be larger */
    int scale = scale_for(hint, n);
    hint->known = scale >= -MOST_SCALE && scale <= MOST_SCALE;
    return hint->known && scale != tried && split(type, drop_nan, p, n, magnitude, scale, out);
}

#else

/* t = v + 1.5 2^52 u has its last bit at u, for |v| <= 2^51 u: its upper part is t minus the same. */
INLINED void window_step(int type, int drop_nan, vl keep, vd magic, const unsigned char *p,
                         vd high[PAIRS], vd low[PAIRS]) {
    for (int k = 0; k < UNROLL; k++) {
        vd v = value(type, drop_nan, keep, p + (size_t)k * LANES * item(type));
        vd upper = (v + magic) - magic;
        high[k % PAIRS] += upper;
        low[k % PAIRS] += v - upper;
    }
}

/* Upper parts: at most 2^terms of at most 2^e, multiples of u = 2^(e + terms - 53); 2^e <= 2^51 u, as
 * terms >= 2.  Lower parts: as many of at most u / 2, multiples of the smallest value's unit. */
INLINED int windows(int type, int drop_nan, const unsigned char *p, size_t n, int magnitude,
                    struct window_hint *hint, double *out) {
    vd high[PAIRS] = {{0}}, low[PAIRS] = {{0}};
    vl keep = keep64(magnitude);
    struct survey m = survey_block(type, p, n, magnitude);
    double largest = largest_magnitude(&m);
    (void)hint;
    if (largest == 0 || isinf(largest)) return 0;
    int terms = log2_terms(n), u = exponent_above(largest) + terms - 53;
    if (u < -MOST_SCALE || u > MOST_SCALE || u - 1 + terms - unit_exponent(type, &m) > 53) return 0;
    vd magic = vd_all(1.5 * power(u + 52));
    struct rest rest;
    fill_rest(&rest, type, p, n, STEP, 0);
    for (size_t i = 0; i + STEP <= n; i += STEP)
        window_step(type, drop_nan, keep, magic, p + i * item(type), high, low);
    if (n % STEP != 0) window_step(type, drop_nan, keep, magic, rest.bytes, high, low);
    fold(high, PAIRS);
    fold(low, PAIRS);
    return store_finite(&high[0], out) & store_finite(&low[0], out + LANES); /* NaN is not */
}

#endif

static int windows_f32(const unsigned char *p, size_t n, int magnitude, int drop_nan,
                       struct window_hint *hint, double *out) {
    return drop_nan ? windows(NATIVE_F32, 1, p, n, magnitude, hint, out)
                    : windows(NATIVE_F32, 0, p, n, magnitude, hint, out);
}

static int windows_f64(const unsigned char *p, size_t n, int magnitude, int drop_nan,
                       struct window_hint *hint, double *out) {
    return drop_nan ? windows(NATIVE_F64, 1, p, n, magnitude, hint, out)
                    : windows(NATIVE_F64, 0, p, n, magnitude, hint, out);
}

const struct sum_kernels ISA_SYMBOL(sum_kernels) = {
    .lanes = LANES,
    .plain = {plain_f32, plain_f64},
    .windows = {windows_f32, windows_f64},
};
