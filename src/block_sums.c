/* Sums of blocks by plain additions and by windows, and extremes: block_sums.h.
 *
 * All loops take STEP elements at a time; what is left of a block is copied to a step of its own,
 * filled up with what changes nothing.  Reasons why sums are exact: by the flag (lanes.h), or because
 * all terms are multiples of a unit g and the sum of their magnitudes is at most 2^53 g. */
#include "block_sums.h"

#include <math.h>

#include "lanes.h"

#define IS_ISA_noflags 1
#define FLAGS          (!ISA_JOIN(IS_ISA, ISA))

#define UNROLL 8 /* independent additions: latency times throughput of current CPUs */
#define STEP   (UNROLL * LANES)

/* ---- elements -------------------------------------------------------------------------------- */

INLINED size_t item(int type) {
    return type == NATIVE_F32 ? 4 : 8;
}

INLINED vd load(int type, const unsigned char *p) {
    return type == NATIVE_F32 ? vd_load_floats(p) : vd_load(p);
}

/* Masks that clear the sign, or nothing. */
INLINED vl keep64(int magnitude) {
    return (vl){0} + (magnitude ? INT64_MAX : -1);
}
INLINED vi keep32(int magnitude) {
    return (vi){0} + (magnitude ? INT32_MAX : -1);
}

INLINED vd value(int type, int drop_nan, vl keep, const unsigned char *p) {
    vd v = vd_and(load(type, p), keep);
    return drop_nan ? vd_drop_nan(v) : v;
}

/* The n % step elements at the end, followed by zeros or NaN. */
struct rest {
    unsigned char bytes[STEP * 8] __attribute__((aligned(64)));
};

static void fill_rest(struct rest *r, int type, const unsigned char *p, size_t n, size_t step,
                      int nan) {
    static const uint32_t fill32[] = {0, 0x7fc00000};
    static const double fill64[] = {0, NAN};
    size_t left = n % step;
    if (left == 0) return;
    for (size_t i = left; i < step; i++)
        if (type == NATIVE_F32)
            memcpy(r->bytes + 4 * i, &fill32[nan], 4);
        else
            memcpy(r->bytes + 8 * i, &fill64[nan], 8);
    memcpy(r->bytes, p + (n - left) * item(type), left * item(type));
}

static int rest_has_nan(const struct rest *r, size_t n) {
    int found = 0;
    for (size_t i = 0; i < n % HALVES; i++) {
        float v;
        memcpy(&v, r->bytes + 4 * i, sizeof v);
        found |= isnan(v) != 0;
    }
    return found;
}

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

/* ---- exponents ------------------------------------------------------------------------------- */

/* The largest and the smallest nonzero magnitude (Inf where all are zero) of what is not NaN, and how
 * many bits at the end of every significand are 0. */
struct magnitudes {
    double largest, smallest;
    int zeros;
};

/* x < 2^exponent_above(x), for finite x >= 0. */
static int exponent_above(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52) - 1022;
}

/* All values are multiples of 2^unit_exponent. */
static int unit_exponent(int type, const struct magnitudes *m) {
    int least = type == NATIVE_F32 ? -149 : -1074, e = exponent_above(m->smallest) - 1;
    int unit = (e < -1022 ? -1022 : e) - 52 + m->zeros;
    return unit < least ? least : unit;
}

/* At most 2^log2_terms(n) of n values are added to one lane, which takes over what others have and the
 * step of what is left. */
static int log2_terms(size_t n) {
    return 64 - __builtin_clzll(n / LANES + UNROLL);
}

static double power(int e) {
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

INLINED double smallest_of(const double *v, size_t n) {
    double x = v[0];
    for (size_t i = 1; i < n; i++)
        x = v[i] < x ? v[i] : x;
    return x;
}

INLINED double largest_of(const double *v, size_t n) {
    double x = v[0];
    for (size_t i = 1; i < n; i++)
        x = v[i] > x ? v[i] : x;
    return x;
}

INLINED void scan_step(int type, const unsigned char *p, vd *largest, vd *smallest, vl *bits) {
    vl keep = keep64(1);
    for (int k = 0; k < UNROLL; k++) {
        vd v = vd_and(load(type, p + (size_t)k * LANES * item(type)), keep);
        *largest = vd_max(v, *largest);
        *smallest = vd_min_nonzero(v, *smallest);
        *bits |= (vl)v;
    }
}

INLINED struct magnitudes scan(int type, const unsigned char *p, size_t n) {
    vd largest = {0}, smallest = vd_all(INFINITY);
    vl bits = (vl){0} + (INT64_C(1) << 52); /* the implicit one */
    int64_t lane[LANES];
    double v[LANES];
    struct magnitudes m;
    struct rest rest;
    fill_rest(&rest, type, p, n, STEP, 0);
    for (size_t i = 0; i + STEP <= n; i += STEP)
        scan_step(type, p + i * item(type), &largest, &smallest, &bits);
    if (n % STEP != 0) scan_step(type, rest.bytes, &largest, &smallest, &bits);
    memcpy(v, &largest, sizeof v);
    m.largest = largest_of(v, LANES);
    memcpy(v, &smallest, sizeof v);
    m.smallest = smallest_of(v, LANES);
    memcpy(lane, &bits, sizeof lane);
    for (int i = 1; i < LANES; i++)
        lane[0] |= lane[i];
    m.zeros = __builtin_ctzll((uint64_t)lane[0]);
    return m;
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
    struct magnitudes m = scan(type, p, n);
    if (exponent_above(m.largest) + log2_terms(n) - unit_exponent(type, &m) > 53) return 0;
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
    struct magnitudes m = scan(type, p, n);
    hint->known = 0;
    if (m.largest == 0 || isinf(m.largest)) return 0;
    hint->exponent = exponent_above(m.largest) + 1; /* the next block's may be larger */
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

/* Upper parts: at most 2^terms of at most 2^e, multiples of u = 2^(e + terms - 53) or more.  Lower
 * parts: as many of at most u / 2, multiples of the smallest value's unit. */
INLINED int windows(int type, int drop_nan, const unsigned char *p, size_t n, int magnitude,
                    struct window_hint *hint, double *out) {
    vd high[PAIRS] = {{0}}, low[PAIRS] = {{0}};
    vl keep = keep64(magnitude);
    struct magnitudes m = scan(type, p, n);
    (void)hint;
    if (m.largest == 0 || isinf(m.largest)) return 0;
    int terms = log2_terms(n), u = exponent_above(m.largest) + terms + 1 - 53;
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

/* ---- squares of binary64 --------------------------------------------------------------------- */

/* d^2 = p + e, both binary64 (exactly, for |d| in [2^-430, 2^480]). */
INLINED vd square_error(vd d, vd p) {
#ifdef LANES_HAVE_FMA
    return vd_fma(d, d, -p);
#else
    vd c = d * 0x1.0000002p27, high = c - (c - d), low = d - high; /* Dekker */
    return ((high * high - p) + 2 * high * low) + low * low;
#endif
}

INLINED void split_at(vd v, vd magic, vd *high, vd *low) {
    vd upper = (v + magic) - magic;
    *high += upper;
    *low += v - upper;
}

INLINED void squares_step(const unsigned char *from, vd magic, vd magic_e, vd s[4]) {
    for (int k = 0; k < UNROLL; k++) {
        vd d = value(NATIVE_F64, 1, keep64(1), from + (size_t)k * LANES * 8);
        vd p = d * d;
        split_at(p, magic, &s[0], &s[1]);
        split_at(square_error(d, p), magic_e, &s[2], &s[3]);
    }
}

/* p < 2^top and e <= 2^(top - 54) are multiples of 2^unit and of 2^(unit - 52); lower parts are at most
 * half a unit of their window, whose upper parts' sums are at most 2^53 units. */
static int squares_f64(const unsigned char *p, size_t n, double *out) {
    struct magnitudes m = scan(NATIVE_F64, p, n);
    struct rest rest;
    vd s[4] = {{0}};
    if (m.largest != 0 && !(m.smallest > 0x1p-430 && m.largest < 0x1p480)) return 0;
    if (m.largest != 0) {
        int terms = log2_terms(n), top = 2 * exponent_above(m.largest);
        int unit = 2 * (exponent_above(m.smallest) - 1) - 52;
        int u = top + terms + 1 - 53, u_e = u - 54;
        if (u - 1 + terms - unit > 53) return 0; /* for errors the same with two bits to spare */
        vd magic = vd_all(1.5 * power(u + 52)), magic_e = vd_all(1.5 * power(u_e + 52));
        fill_rest(&rest, NATIVE_F64, p, n, STEP, 0);
        for (size_t i = 0; i + STEP <= n; i += STEP)
            squares_step(p + i * 8, magic, magic_e, s);
        if (n % STEP != 0) squares_step(rest.bytes, magic, magic_e, s);
    }
    memcpy(out, s, sizeof s);
    return 1;
}

/* ---- extremes -------------------------------------------------------------------------------- */

INLINED double smallest_float(vf x) {
    float v[HALVES];
    memcpy(v, &x, sizeof v);
    for (int n = HALVES / 2; n > 0; n /= 2)
        for (int k = 0; k < n; k++)
            v[k] = v[k + n] < v[k] ? v[k + n] : v[k];
    return v[0];
}

INLINED void extremes_of_floats(vf min, vf max, struct block_extremes *out) {
    out->min = smallest_float(min);
    out->max = -smallest_float(-max);
}

INLINED void extremes_f32_step(const unsigned char *p, vi keep, vf *min, vf *max) {
    for (int k = 0; k < UNROLL; k++) {
        vf v = vf_and(vf_load(p + k * HALVES * 4), keep);
        min[k] = vf_min(v, min[k]);
        max[k] = vf_max(v, max[k]);
    }
}

static void extremes_f32(const unsigned char *p, size_t n, int magnitude, struct block_extremes *out) {
    enum { FLOATS = UNROLL * HALVES };
    vf min[UNROLL], max[UNROLL];
    vi keep = keep32(magnitude);
    struct rest rest;
    fill_rest(&rest, NATIVE_F32, p, n, FLOATS, 1);
    for (int k = 0; k < UNROLL; k++) {
        min[k] = vf_all(INFINITY);
        max[k] = -min[k];
    }
    for (size_t i = 0; i + FLOATS <= n; i += FLOATS)
        extremes_f32_step(p + i * 4, keep, min, max);
    if (n % FLOATS != 0) extremes_f32_step(rest.bytes, keep, min, max);
    for (int k = 1; k < UNROLL; k++) {
        min[0] = vf_min(min[k], min[0]);
        max[0] = vf_max(max[k], max[0]);
    }
    extremes_of_floats(min[0], max[0], out);
}

INLINED void extremes_f64_step(const unsigned char *p, vl keep, vd *min, vd *max) {
    for (int k = 0; k < UNROLL; k++) {
        vd v = vd_and(vd_load(p + k * LANES * 8), keep);
        min[k] = vd_min(v, min[k]);
        max[k] = vd_max(v, max[k]);
    }
}

static void extremes_f64(const unsigned char *p, size_t n, int magnitude, struct block_extremes *out) {
    vd min[UNROLL], max[UNROLL];
    double v[LANES];
    vl keep = keep64(magnitude);
    struct rest rest;
    fill_rest(&rest, NATIVE_F64, p, n, STEP, 1);
    for (int k = 0; k < UNROLL; k++) {
        min[k] = vd_all(INFINITY);
        max[k] = -min[k];
    }
    for (size_t i = 0; i + STEP <= n; i += STEP)
        extremes_f64_step(p + i * 8, keep, min, max);
    if (n % STEP != 0) extremes_f64_step(rest.bytes, keep, min, max);
    for (int k = 1; k < UNROLL; k++) {
        min[0] = vd_min(min[k], min[0]);
        max[0] = vd_max(max[k], max[0]);
    }
    memcpy(v, min, sizeof v);
    out->min = smallest_of(v, LANES);
    memcpy(v, max, sizeof v);
    out->max = largest_of(v, LANES);
}

/* ---- binary32: sum, squares and extremes in one trip ------------------------------------------ */

/* Squares are cut at multiples of u = 2^unit by t = d^2 + 1.5 2^52 u, whose bits count the multiples:
 * the sum of those is an integer.  It holds 2^12 of at most 2^50. */
struct stats_lanes {
    vf min, max, smallest;
    vd sum[2], low[2];
    vu high[2];
};

INLINED void add_half(vd d, vd magic, int k, struct stats_lanes *s) {
#ifdef LANES_HAVE_FMA
    vd t = vd_fma(d, d, magic), upper = t - magic;
    s->low[k] += vd_fma(d, d, -upper);
#else
    vd square = d * d, t = square + magic, upper = t - magic; /* a square of binary32 is exact */
    s->low[k] += square - upper;
#endif
    s->high[k] += (vu)t;
    s->sum[k] += d;
}

INLINED void stats_step(int magnitude, int drop_nan, const unsigned char *p, vd magic,
                        struct stats_lanes *s) {
    vf v = vf_load(p), m = vf_and(v, keep32(1));
    if (magnitude) v = m;
    s->min = vf_min(v, s->min);
    s->max = vf_max(v, s->max);
    s->smallest = vf_min_nonzero(m, s->smallest);
    if (drop_nan) v = vf_drop_nan(v);
    int as_stored = !magnitude && !drop_nan;
    add_half(as_stored ? vd_load_floats(p) : vf_low(v), magic, 0, s);
    add_half(as_stored ? vd_load_floats(p + 4 * LANES) : vf_high(v), magic, 1, s);
}

/* Sum of the upper parts in units. */
static int64_t count_units(const vu *high, size_t nsteps, double magic) {
    uint64_t lane[2 * LANES], zero, sum = 0;
    memcpy(lane, high, sizeof lane);
    memcpy(&zero, &magic, sizeof zero);
    for (int i = 0; i < 2 * LANES; i++)
        sum += lane[i];
    return (int64_t)(sum - zero * (nsteps * 2 * LANES));
}

/* One trip; whether the sums are exact is left open. */
INLINED struct magnitudes gather_stats(int magnitude, int drop_nan, const unsigned char *p, size_t n,
                                       struct block_stats *out) {
    double magic = 1.5 * power(out->unit + 52);
    struct stats_lanes s = {.sum = {{0}}, .high = {{0}}, .low = {{0}}};
    struct rest rest;
    s.min = s.smallest = vf_all(INFINITY);
    s.max = -s.min;
    fill_rest(&rest, NATIVE_F32, p, n, HALVES, 1);
    for (size_t i = 0; i + HALVES <= n; i += HALVES)
        stats_step(magnitude, drop_nan, p + i * 4, vd_all(magic), &s);
    if (n % HALVES != 0) {
        stats_step(magnitude, 1, rest.bytes, vd_all(magic), &s);
        if (!drop_nan && rest_has_nan(&rest, n)) s.sum[0] += vd_all(NAN);
    }
    s.sum[0] += s.sum[1], s.low[0] += s.low[1];
    out->high = count_units(s.high, (n + HALVES - 1) / HALVES, magic);
    memcpy(out->low, &s.low[0], sizeof s.low[0]);
    extremes_of_floats(s.min, s.max, &out->extremes);
    if (!store_finite(&s.sum[0], out->sums)) return (struct magnitudes){INFINITY, 1, 0};
    if (out->extremes.min > out->extremes.max)
        return (struct magnitudes){0, INFINITY, 0}; /* only NaN */
    return (struct magnitudes){fmax(fabs(out->extremes.min), fabs(out->extremes.max)),
                               smallest_float(s.smallest), 52 - 23};
}

/* Values are multiples of 2^unit; lower parts of squares, at most 2^(out->unit - 1), of its square. */
static void judge_stats(const struct magnitudes *m, size_t n, struct block_stats *out) {
    int terms = log2_terms(n);
    out->sum_exact = out->squares_exact = m->largest == 0;
    if (m->largest == 0 || isinf(m->largest)) return;
    int above = exponent_above(m->largest), unit = unit_exponent(NATIVE_F32, m);
    out->sum_exact = above + terms - unit <= 53;
    out->squares_exact = 2 * above - out->unit <= 50 && out->unit - 1 + terms - 2 * unit <= 53;
}

INLINED void stats(int magnitude, int drop_nan, const unsigned char *p, size_t n,
                   struct window_hint *hint, struct block_stats *out) {
    out->unit = 2 * hint->exponent - 50;
    struct magnitudes m = gather_stats(magnitude, drop_nan, p, n, out);
    judge_stats(&m, n, out);
    if (out->squares_exact || isinf(m.largest) || hint->exponent == exponent_above(m.largest)) return;
    hint->exponent = exponent_above(m.largest);
    out->unit = 2 * hint->exponent - 50;
    m = gather_stats(magnitude, drop_nan, p, n, out);
    judge_stats(&m, n, out);
}

static void stats_f32(const unsigned char *p, size_t n, int magnitude, int drop_nan,
                      struct window_hint *hint, struct block_stats *out) {
    if (magnitude && drop_nan)
        stats(1, 1, p, n, hint, out);
    else if (magnitude)
        stats(1, 0, p, n, hint, out);
    else if (drop_nan)
        stats(0, 1, p, n, hint, out);
    else
        stats(0, 0, p, n, hint, out);
}

const struct sum_kernels ISA_SYMBOL(sum_kernels) = {
    .lanes = LANES,
    .plain = {plain_f32, plain_f64},
    .windows = {windows_f32, windows_f64},
    .squares = squares_f64,
    .stats = stats_f32,
    .extremes = {extremes_f32, extremes_f64},
};
