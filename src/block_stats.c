/* Sums of values and of their squares by windows, and extremes: block_stats.h.
 *
 * A window of unit u takes from a value v, |v| <= 2^51 u, its nearest multiple of u: t = v + M, with
 * M = 1.5 2^52 u, lies in [2^52 u, 2^53 u], where binary64 holds just the multiples of u; so t is M
 * plus that multiple, rounded to nearest even, t - M is exact, and the bits of t, as an integer, are
 * those of M plus the multiple in units.  Integers add them without rounding.  What is left of v, v -
 * (t - M), is v itself, or at most |v| and a multiple of v's last bit: exact too.  It is at most u / 2
 * = 2^51 u' for the next window's unit u' = 2^-52 u.  After the last window what is left is added in
 * binary64, which is exact if 2^terms of at most u / 2 are at most 2^53 units of the values. */
#include "block_stats.h"

#include "block_one_trip.h"

/* ---- windows --------------------------------------------------------------------------------- */

#define WINDOW_BITS 51

struct window_lanes {
    vu high[WINDOWS];
    vd low;
};

static double window_magic(int unit) {
    return 1.5 * power(unit + 52);
}

/* a + b, by the multipliers: most additions of a step are bound to adders, which some CPUs have beside
 * those. */
INLINED vd add_by_fma(vd a, vd b) {
#ifdef LANES_HAVE_FMA
    return vd_fma(a, vd_all(1), b);
#else
    return a + b;
#endif
}

/* What t has beside magic. */
INLINED vd take(vd t, vd magic, vu *high) {
    *high += (vu)t;
    return t - magic;
}

/* Adds what windows before the first have left. */
INLINED void add_left(int first, int nwindows, vd v, const vd magic[WINDOWS], struct window_lanes *s) {
    for (int w = first; w < nwindows; w++)
        v -= take(add_by_fma(v, magic[w]), magic[w], &s->high[w]);
    s->low = add_by_fma(v, s->low);
}

/* Sum of nsteps vectors of windows: in each lane at most 2^11 of at most 2^51. */
static __int128 count_units(vu high, size_t nsteps, double magic) {
    uint64_t lane[LANES], zero;
    __int128 sum = 0;
    memcpy(lane, &high, sizeof lane);
    memcpy(&zero, &magic, sizeof zero);
    for (int i = 0; i < LANES; i++)
        sum += (int64_t)(lane[i] - zero * nsteps);
    return sum;
}

/* ---- squares --------------------------------------------------------------------------------- */

/* d^2 = p + e, both binary64 (exactly, for |d| in [2^-430, 2^480]). */
INLINED vd square_error(vd d, vd p) {
#ifdef LANES_HAVE_FMA
    return vd_fma(d, d, -p);
#else
    vd c = d * 0x1.0000002p27, high = c - (c - d), low = d - high; /* Dekker */
    return ((high * high - p) + 2 * high * low) + low * low;
#endif
}

/* The square of a binary32 is a binary64. */
INLINED void add_square_f32(int nwindows, vd d, const vd *magic, struct window_lanes *s) {
#ifdef LANES_HAVE_FMA
    vd left = vd_fma(d, d, -take(vd_fma(d, d, magic[0]), magic[0], &s->high[0]));
#else
    vd p = d * d, left = p - take(p + magic[0], magic[0], &s->high[0]);
#endif
    add_left(1, nwindows, left, magic, s);
}

INLINED void add_square_f64(int nwindows, vd d, vd magic[NSUMS][WINDOWS],
                            struct window_lanes s[NSUMS]) {
    vd p = d * d, e = square_error(d, p);
    add_left(0, nwindows, p, magic[SUM_SQUARES], &s[SUM_SQUARES]);
    add_left(0, nwindows, e, magic[SUM_ERRORS], &s[SUM_ERRORS]);
}

/* ---- the second trip ------------------------------------------------------------------------- */

/* What a loop is compiled for: windows by sum. */
struct shape {
    int type, magnitude, drop_nan, nwindows[NSUMS];
};

/* Two sets of lanes hide the latency of additions where little else is done. */
#define SETS     2
#define ELEMENTS (SETS * LANES) /* a step */

INLINED int sets_of(const struct shape *f) {
    return f->nwindows[SUM_VALUES] == 0 ? SETS : 1;
}

INLINED int sums_of(int type) {
    return type == NATIVE_F32 ? SUM_ERRORS : NSUMS;
}

INLINED void stats_step(const struct shape *f, const unsigned char *p, vd magic[NSUMS][WINDOWS],
                        struct window_lanes lanes[SETS][NSUMS]) {
    for (int k = 0; k < SETS; k++) {
        struct window_lanes *s = lanes[k % sets_of(f)];
        vd d = load(f->type, p + (size_t)(k * LANES) * item(f->type));
        if (f->magnitude) d = vd_and(d, keep64(1));
        if (f->drop_nan) d = vd_drop_nan(d);
        add_left(0, f->nwindows[SUM_VALUES], d, magic[SUM_VALUES], &s[SUM_VALUES]);
        if (f->type == NATIVE_F32)
            add_square_f32(f->nwindows[SUM_SQUARES], d, magic[SUM_SQUARES], &s[SUM_SQUARES]);
        else
            add_square_f64(f->nwindows[SUM_SQUARES], d, magic, s);
    }
}

/* The sum of nsteps vectors in each set of lanes. */
static void store_sum(const struct window_lanes *a, const struct window_lanes *b, size_t nsteps,
                      int nwindows, struct window_sum *out) {
    vd low = a->low + b->low;
    memcpy(out->low, &low, sizeof low);
    for (int w = 0; w < WINDOWS; w++) {
        vu high = a->high[w] + b->high[w];
        out->high[w] = w < nwindows ? count_units(high, nsteps, window_magic(out->unit[w])) : 0;
    }
}

INLINED void gather(const struct shape *f, const unsigned char *p, size_t n, struct block_stats *out) {
    struct window_lanes lanes[SETS][NSUMS] = {{{.low = {0}}}};
    vd magic[NSUMS][WINDOWS];
    struct rest rest;
    for (int k = 0; k < sums_of(f->type); k++)
        for (int w = 0; w < WINDOWS; w++)
            magic[k][w] = vd_all(window_magic(out->sums[k].unit[w]));
    fill_rest(&rest, f->type, p, n, ELEMENTS, 0);
    for (size_t i = 0; i + ELEMENTS <= n; i += ELEMENTS)
        stats_step(f, p + i * item(f->type), magic, lanes);
    if (n % ELEMENTS != 0) stats_step(f, rest.bytes, magic, lanes);
    for (int k = 0; k < sums_of(f->type); k++)
        store_sum(&lanes[0][k], &lanes[1][k], SETS * ((n + ELEMENTS - 1) / ELEMENTS), f->nwindows[k],
                  &out->sums[k]);
}

/* ---- which windows --------------------------------------------------------------------------- */

/* Narrow blocks need one window for squares, and none for the sum of binary32. */
static const int windows_of[NATIVE_FLOATS][2][NSUMS] = {
    [NATIVE_F32] = {{0, 1, 0}, {1, 2, 0}},
    [NATIVE_F64] = {{1, 1, 1}, {2, 2, 2}},
};

/* Of each sum: terms are below 2^top, or at most that, and multiples of 2^unit. */
struct bounds {
    int top[NSUMS], unit[NSUMS];
};

/* d is below 2^top and a multiple of 2^unit; the least that is not 0 is at least 2^bottom.  So p = d^2
 * rounded is a multiple of 2^(2 unit), as d^2 is, and of 2^(2 bottom - 52); it is below 2^(2 top),
 * since d <= (1 - 2^-53) 2^top, and the error at most half of its last bit, 2^(2 top - 54). */
static struct bounds bounds_of(int type, const struct survey *s, double largest) {
    int top = exponent_above(largest), unit = unit_exponent(type, s);
    int rounded = 2 * (exponent_above(s->smallest) - 1) - 52;
    struct bounds b = {{top, 2 * top, 2 * top - 54}, {unit, 2 * unit, 2 * unit}};
    if (type == NATIVE_F32) b.top[SUM_ERRORS] = b.unit[SUM_ERRORS]; /* there are none */
    if (type == NATIVE_F64 && rounded > 2 * unit) b.unit[SUM_SQUARES] = rounded;
    return b;
}

/* Whether so many windows leave what can be added exactly.  Without windows that is the values, else at
 * most half a unit of the last window. */
static int fits(const struct bounds *b, const int nwindows[NSUMS], int terms) {
    for (int k = 0; k < NSUMS; k++)
        if (b->top[k] - nwindows[k] * (WINDOW_BITS + 1) + terms - b->unit[k] > 53) return 0;
    return 1;
}

/* A lane of all sets together gets at most 2^this of n values. */
static int log2_of_lane(size_t n) {
    int terms = 0;
    while (((size_t)LANES << terms) < n)
        terms++;
    return terms;
}

/* So that units stay in range, and errors of squares are binary64. */
static int in_range(int type, double smallest, double largest) {
    return type == NATIVE_F32 ? largest < INFINITY : smallest > 0x1p-430 && largest < 0x1p480;
}

/* Returns whether the block is narrow (0) or wide (1), or neither (2), and sets units. */
static int choose(int type, struct survey *s, size_t n, struct block_stats *out) {
    double largest = largest_magnitude(s);
    int wide = 0;
    if (largest == 0) largest = s->smallest = 1;
    if (!in_range(type, s->smallest, largest)) return 2;
    struct bounds b = bounds_of(type, s, largest);
    while (wide < 2 && !fits(&b, windows_of[type][wide], log2_of_lane(n)))
        wide++;
    for (int k = 0; k < NSUMS; k++)
        for (int w = 0; w < WINDOWS; w++)
            out->sums[k].unit[w] = b.top[k] - WINDOW_BITS - w * (WINDOW_BITS + 1);
    return wide;
}

/* ---- kernels --------------------------------------------------------------------------------- */

INLINED void gather_any(int type, int wide, int magnitude, int drop_nan, const unsigned char *p,
                        size_t n, struct block_stats *out) {
    const int *w = windows_of[type][wide];
    const struct shape f = {type, magnitude, drop_nan, {w[0], w[1], w[2]}};
    gather(&f, p, n, out);
}

static int sum_is_nan(const struct window_sum *s) {
    int found = 0;
    for (int i = 0; i < LANES; i++)
        found |= isnan(s->low[i]) != 0;
    return found;
}

INLINED void stats(int type, const unsigned char *p, size_t n, int magnitude, int drop_nan,
                   struct block_stats *out) {
    struct survey s = survey_block(type, p, n, magnitude);
    int wide = choose(type, &s, n, out);
    out->extremes = s.extremes;
    out->has_nan = out->exact = 0;
    if (wide > 1) return;
    if (wide && drop_nan)
        gather_any(type, 1, magnitude, 1, p, n, out);
    else if (wide)
        gather_any(type, 1, magnitude, 0, p, n, out);
    else if (drop_nan)
        gather_any(type, 0, magnitude, 1, p, n, out);
    else
        gather_any(type, 0, magnitude, 0, p, n, out);
    out->has_nan = sum_is_nan(&out->sums[SUM_VALUES]);
    out->exact = !out->has_nan;
    out->plain = windows_of[type][wide][SUM_VALUES] == 0;
}

#define KERNELS(name, type)                                                                            \
    static void stats_##name(const unsigned char *p, size_t n, int magnitude, int drop_nan,            \
                             struct block_stats *out) {                                                \
        if (magnitude)                                                                                 \
            stats(type, p, n, 1, drop_nan, out);                                                       \
        else                                                                                           \
            stats(type, p, n, 0, drop_nan, out);                                                       \
    }                                                                                                  \
    static void extremes_##name(const unsigned char *p, size_t n, int magnitude,                       \
                                struct block_extremes *out) {                                          \
        *out = (magnitude ? survey_##name(0, p, n, 1) : survey_##name(0, p, n, 0)).extremes;           \
    }

KERNELS(f32, NATIVE_F32)
KERNELS(f64, NATIVE_F64)

const struct stats_kernels ISA_SYMBOL(stats_kernels) = {
    .lanes = LANES,
    .stats = {stats_f32, stats_f64},
    .extremes = {extremes_f32, extremes_f64},
    .one_trip = one_trip_f32,
};
