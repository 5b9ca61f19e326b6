/* kernels/exact.cuh and limbs.cuh on the CPU, one thread a block: every sum against an oracle with
 * arithmetic of its own, and which of the levels (tile, element by element, limbs) took the values. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <vector>

#include "emulate.h"

#include "../../kernels/exact.cuh"
#include "../unit/check.h"

/* ---- the oracle: 160 digits of radix 2^32 and a sign, carried after every addition --------------- */

#define DIGITS 160

struct oracle {
    int64_t digit[DIGITS] = {};

    void add(unsigned __int128 magnitude, bool negative, int shift) {
        int64_t carry = 0;
        unsigned __int128 left = magnitude;
        for (int bit = shift, k = shift / 32; k < DIGITS; k++, bit = 0) {
            int within = bit % 32;
            uint64_t part = (uint64_t)(left & (UINT32_MAX >> within)) << within;
            left >>= 32 - within;
            int64_t sum = digit[k] + (negative ? -(int64_t)part : (int64_t)part) + carry;
            digit[k] = sum & UINT32_MAX;
            carry = sum >> 32;
            if (left == 0 && carry == 0) break;
        }
    }
    /* v, or its square, in units of 2^-1074 or 2^-2148 */
    void add_value(double v, bool square) {
        if (v == 0) return;
        int exponent;
        uint64_t s = (uint64_t)ldexp(frexp(fabs(v), &exponent), 53);
        int shift = exponent - 53 + 1074;
        while (shift < 0)
            s >>= 1, shift++; /* subnormal: these bits are 0 */
        if (square)
            add((unsigned __int128)s * s, false, 2 * shift);
        else
            add(s, v < 0, shift);
    }
    void add_limbs(const u64 *limbs, int n) {
        for (int k = 0; k < n; k++) {
            int64_t v = (int64_t)limbs[k];
            add(v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0, 32 * k);
        }
    }
    bool operator==(const oracle &other) const {
        return memcmp(digit, other.digit, sizeof digit) == 0;
    }
};

/* ---- kinds as a kernel uses them ----------------------------------------------------------------- */

struct levels {
    long tiles, again, limbs;
};

template <class kind> struct traits;
template <> struct traits<sum_f32> {
    typedef float type;
    enum { square = 0 };
};
template <> struct traits<integer_sum_f32> {
    typedef float type;
    enum { square = 0 };
};
template <> struct traits<squares_f32> {
    typedef float type;
    enum { square = 1 };
};
template <> struct traits<sum_f64> {
    typedef double type;
    enum { square = 0 };
};
template <> struct traits<squares_f64> {
    typedef double type;
    enum { square = 1 };
};
template <> struct traits<sum_int> {
    typedef long long type;
    enum { square = 0 };
};
template <> struct traits<squares_int> {
    typedef long long type;
    enum { square = 1 };
};

/* The sum of v[0..n) in tiles of T under one anchor, windows flushed when they are full. */
template <class kind> struct summed {
    u64 limbs[SQUARES_LIMBS] = {};
    levels level = {};

    summed(const std::vector<typename traits<kind>::type> &v, int T, double m) {
        kind s;
        int terms = 0;
        s.begin();
        for (size_t at = 0; at < v.size(); at += T) {
            int n = (int)(v.size() - at < (size_t)T ? v.size() - at : T);
            take(s, &v[at], n, T, m);
            terms += kind::terms * T + 2;
            if (terms + kind::terms * T + 2 <= WINDOW_TERMS) continue;
            s.flush(m, limbs);
            terms = 0;
        }
        s.flush(m, limbs);
    }
    /* Lanes past the data are 0, as in a kernel. */
    void take(kind &s, const typename traits<kind>::type *v, int n, int T, double m) {
        s.tile();
        for (int i = 0; i < T; i++)
            s.add(i < n ? v[i] : 0, m);
        level.tiles++;
        if (s.commit(m)) return;
        if constexpr (kind::has_again) {
            level.again++;
            s.again();
            for (int i = 0; i < T; i++)
                s.add_again(i < n ? v[i] : 0, m);
            if (s.commit_again()) return;
        }
        level.limbs++;
        for (int i = 0; i < n; i++)
            traits<kind>::square ? limbs_add_square(limbs, (double)v[i])
                                 : limbs_add(limbs, (double)v[i]);
    }
    oracle value() const {
        oracle out;
        out.add_limbs(limbs, traits<kind>::square ? SQUARES_LIMBS : SUM_LIMBS);
        return out;
    }
};

template <class kind> static oracle truth(const std::vector<typename traits<kind>::type> &v) {
    oracle out;
    for (auto x : v)
        out.add_value((double)x, traits<kind>::square);
    return out;
}

/* Right, whatever levels took it; those are returned. */
template <class kind>
static levels check(const std::vector<typename traits<kind>::type> &v, int T, double m,
                    const char *what) {
    summed<kind> s(v, T, m);
    CHECKF(s.value() == truth<kind>(v), "%s, tiles of %d, m = %a", what, T, m);
    return s.level;
}

/* ---- values -------------------------------------------------------------------------------------- */

static uint64_t seed = 1;

static uint64_t random_bits() {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double uniform() {
    return ((double)(random_bits() >> 11) + 0.5) * 0x1p-53;
}

static double normal() {
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* All significand bits random, or all ones, or only the highest; exponents of 2^[low, high). */
static double spread(int bits, int low, int high) {
    uint64_t one = UINT64_C(1) << (bits - 1), s = one | (random_bits() & (one - 1));
    unsigned form = random_bits() % 8;
    if (form == 0) s = 2 * one - 1;
    if (form == 1) s = one;
    int exponent = low + (int)(random_bits() % (unsigned)(high - low)) - (bits - 1);
    return ldexp(random_bits() & 1 ? (double)s : -(double)s, exponent);
}

static int exponent_field(double v) {
    return __double2hiint(v) >> 20 & 2047;
}

template <class kind> static int largest_field(const std::vector<typename traits<kind>::type> &v) {
    double most = 0;
    for (auto x : v)
        most = fmax(most, fabs((double)x));
    return exponent_field(most);
}

/* ---- tests --------------------------------------------------------------------------------------- */

/* m is 1.5 times a power of two; every window's unit is at least 2^-1074, of squares_f64 2^-1010, so
 * that p and e are exact; the value that gave the anchor fits where nothing was clamped. */
template <class kind> static void check_anchors(int windows, int first, int last, int lowest_unit) {
    for (int field = first; field <= last; field++) {
        double m = kind::anchor(field);
        CHECKF(isfinite(m) && (__double_as_longlong(m) & 0xfffffffffffffll) == 0x8000000000000ll &&
                   m > 0,
               "field %d: %a", field, m);
        int unit = exponent_field(m) - 1075;
        CHECKF(unit <= 970 && unit - 51 * (windows - 1) >= lowest_unit, "field %d: unit 2^%d", field,
               unit);
        typename traits<kind>::type v =
            (typename traits<kind>::type)(ldexp(1 - 0x1p-24, (field ? field : 1) - 1022));
        levels l = check<kind>({v, -v, v}, 4, m, "largest");
        bool too_large = field > 1022 + (traits<kind>::square ? 509 : 1021);
        bool too_small = traits<kind>::square ? field < 1022 - 400 : field == 0;
        /* sum_f64's second window ends at 2^-1023 if its third is to end at 2^-1074. */
        bool clamped = windows == 3 && !traits<kind>::square && field < 24;
        if (!too_large && !too_small)
            CHECKF((l.again == 0 || clamped) && l.limbs == 0, "field %d", field);
    }
}

static void anchors() {
    check_anchors<sum_f32>(2, 1023 - 149, 1023 + 127, -1074);
    check_anchors<squares_f32>(3, 1023 - 149, 1023 + 127, -1074);
    check_anchors<sum_f64>(3, 0, 2046, -1074);
    check_anchors<squares_f64>(4, 0, 2046, -1010);
}

/* The first window's limit is 2^51 units (what rounds to that is beyond it); the last one's unit is the
 * lowest bit that fits. */
static void limits_of_windows() {
    for (int field : {0, 1, 60, 500, 1023, 1500, 2000, 2030, 2046}) {
        double m = sum_f64::anchor(field), u = ldexp(1, exponent_field(m) - 1075);
        double unit3 = ldexp(u, -102);
        for (double sign : {1.0, -1.0}) {
            std::vector<double> fits[] = {{sign * (0x1p51 * u - u)},
                                          {sign * (0x1p51 * u - 0.75 * u)},
                                          {sign * unit3},
                                          {sign * (u / 2)},
                                          {sign * (3 * (u / 2))},
                                          {sign * ldexp(u, -52)},
                                          {sign * (u + ldexp(u, -51))}};
            for (auto &v : fits)
                CHECKF(check<sum_f64>(v, 1, m, "fits").limbs == 0, "%a under %a", v[0], m);
            CHECKF(check<sum_f64>({sign * 0x1.0000000000001p51 * u}, 1, m, "beyond").limbs == 1, "%a",
                   m);
            CHECKF(check<sum_f64>({0x1p52 * u, 0x1p52 * u}, 2, m, "far beyond").limbs == 1, "%a", m);
            if (unit3 > 0x1p-1074) {
                check<sum_f64>({sign * unit3 / 2}, 1, m, "half of the last unit");
                CHECKF(check<sum_f64>({sign * 1.5 * unit3}, 1, m, "below").limbs == 1, "%a", m);
            }
        }
    }
}

/* WINDOW_TERMS tiles of one value each, or second tries of them, and no flush before the last. */
template <class kind> static void fill_windows(typename traits<kind>::type v, double m, bool again) {
    u64 limbs[SQUARES_LIMBS] = {};
    oracle want, got;
    kind s;
    int taken = 0;
    s.begin();
    for (int i = 0; i < WINDOW_TERMS; i++) {
        again ? s.again() : s.tile();
        again ? s.add_again(v, m) : s.add(v, m);
        taken += again ? s.commit_again() : s.commit(m);
        want.add_value((double)v, traits<kind>::square);
    }
    s.flush(m, limbs);
    got.add_limbs(limbs, traits<kind>::square ? SQUARES_LIMBS : SUM_LIMBS);
    CHECKF(taken == WINDOW_TERMS && got == want, "%a%s, %d taken", (double)v, again ? " again" : "",
           taken);
}

/* The largest float below 2^exponent, of either sign, under the anchor of values below 1. */
template <class kind> static void fill_with_largest(int exponent) {
    typedef typename traits<kind>::type type;
    type most = (type)ldexp(1 - 0x1p-24, exponent);
    for (int again = 0; again < 2; again++) {
        fill_windows<kind>(most, kind::anchor(1022), again);
        fill_windows<kind>(-most, kind::anchor(1022), again);
    }
}

/* As many terms as a window takes, of the most that one term can be. */
static void full_windows() {
    double m = sum_f64::anchor(1023), u = ldexp(1, exponent_field(m) - 1075), last = ldexp(u, -102);
    for (double v :
         {0x1p51 * u - 0.75 * u, 0x1p51 * u - u, u / 2, 3 * ldexp(u, -51), 0x1p50 * u + u / 2}) {
        fill_windows<sum_f64>(v, m, false);
        fill_windows<sum_f64>(-v, m, true);
    }
    fill_windows<sum_f64>(ldexp(u, -52), m, true);
    fill_windows<sum_f64>(3 * last, m, true);
    fill_with_largest<sum_f32>(22);
    fill_with_largest<squares_f32>(5);
    fill_with_largest<squares_f64>(2);
    fill_with_largest<integer_sum_f32>(4);
    for (double v : {0x1p51 * u - 0.75 * u, u / 2, ldexp(u, -52), 3 * last, 0x1p50 * u + u / 2}) {
        std::vector<double> more(3 * WINDOW_TERMS, v);
        CHECKF(check<sum_f64>(more, 1, m, "several epochs").limbs == 0, "%a", v);
        CHECKF(check<sum_f64>(more, TILE_MAX, m, "large tiles").limbs == 0, "%a", v);
    }
    for (i64 window :
         {(i64)WINDOW_TERMS << 51, -((i64)WINDOW_TERMS << 51), LLONG_MAX, LLONG_MIN, (i64)-1}) {
        u64 limbs[SUM_LIMBS] = {};
        oracle want, got;
        window_flush((u64)window, 1000, limbs);
        got.add_limbs(limbs, SUM_LIMBS);
        want.add(window < 0 ? 0 - (u64)window : (u64)window, window < 0, 1000);
        CHECKF(got == want, "%lld", window);
    }
}

/* Tiles whose largest and smallest lie `apart` exponents, full of bits at both ends. */
template <class kind> static levels tiles_apart(int apart, int T, int top) {
    std::vector<float> v;
    for (int i = 0; i < T; i++)
        v.push_back(ldexpf(i % 2 ? 0x1.fffffep0f : -0x1.fffffep0f, i == T - 1 ? top - apart : top));
    if (T > 2) v[1] = -v[1], v[0] = -v[0];
    return check<kind>(v, T, kind::anchor(1023 + top), "apart");
}

/* Up to 23 exponents apart a tile is exact in 53 bits, whatever is in it; beyond, it is not tried. */
static void tile_limits_of_sums() {
    for (int T : {2, 16, 32, 64})
        for (int top : {-80, -20, 0, 100, 127})
            for (int apart = 0; apart < 45; apart++) {
                levels l = tiles_apart<sum_f32>(apart, T, top);
                CHECKF(l.again == (apart > 23) && l.limbs == 0, "%d apart from 2^%d, %d", apart, top,
                       T);
            }
    for (int field = 1023 - 125; field < 1023 + 127; field++) {
        std::vector<float> ones(64, ldexpf(0x1.fffffep0f, field - 1023));
        ones[63] = ldexpf(1, field - 1023 - 23 < -149 ? -149 : field - 1023 - 23);
        CHECKF(check<sum_f32>(ones, 64, sum_f32::anchor(field), "ones").again == 0, "field %d", field);
    }
}

/* Subnormals are multiples of what the lowest normals are. */
static void tiles_with_subnormals() {
    double m = sum_f32::anchor(1023 - 103);
    CHECK(check<sum_f32>({0x1.fffffep-103f, 0x1p-149f}, 64, m, "23 up").again == 0);
    CHECK(check<sum_f32>({0x1.fffffep-102f, 0x1p-149f}, 64, m, "24 up").again == 1);
    CHECK(check<sum_f32>({0x1.fffffcp-127f, -0x1p-149f}, 64, m, "subnormals").again == 0);
}

/* The same of squares: the tile is taken if its smallest square's last bit is not too far below u. */
static void tile_limits_of_squares() {
    for (int T : {2, 16, 32, 64})
        for (int top : {-60, -20, 0, 100, 120})
            for (int apart = 0; apart < 45; apart++) {
                levels l = tiles_apart<squares_f32>(apart, T, top);
                CHECKF(l.again == (apart > 20) && l.limbs == 0, "%d apart from 2^%d, %d", apart, top,
                       T);
            }
    /* Sums of high parts that leave the window, though each square fits it. */
    double m = squares_f32::anchor(1023);
    for (float v : {0x1.8p5f, 0x1.fffffep4f, 0x1p4f, 0x1.fffffep5f}) {
        std::vector<float> tile(64, v);
        levels l = check<squares_f32>(tile, 64, m, "many");
        CHECKF(l.again == 1 && l.limbs == 0, "64 times %a", v);
    }
    CHECK(check<squares_f32>({0x1p6f, 1.0f}, 2, m, "beyond").limbs == 1);
    CHECK(check<squares_f32>({0x1p120f, -0x1p120f}, 2, m, "far beyond").limbs == 1);
}

/* Sparse data: a zero of either sign is no smallest value, and whole tiles may be zeros. */
static void zeros() {
    std::vector<float> f(64, -0.0f);
    std::vector<double> d(64, -0.0);
    for (int round = 0; round < 3; round++) {
        for (int field : {874, 1023, 1150}) {
            CHECK(check<sum_f32>(f, 16, sum_f32::anchor(field), "zeros").again == 0);
            CHECK(check<squares_f32>(f, 16, squares_f32::anchor(field), "zeros").again == 0);
            CHECK(check<integer_sum_f32>(f, 16, integer_sum_f32::anchor(field), "zeros").again == 0);
            CHECK(check<sum_f64>(d, 8, sum_f64::anchor(field), "zeros").limbs == 0);
            CHECK(check<squares_f64>(d, 8, squares_f64::anchor(field), "zeros").again == 0);
        }
        f[17 * round] = round ? 1 : 0; /* 0; then a one among zeros */
        d[17 * round] = round ? -1 : 0;
        if (round) CHECK(check<sum_f32>(f, 16, sum_f32::anchor(1023), "sparse").again == 0);
        if (round) CHECK(check<squares_f64>(d, 8, squares_f64::anchor(1023), "sparse").again == 0);
        if (round) break;
    }
}

/* Squares of binary64 near the ends of the range: below, p is rounded or 0 and must not be believed. */
static void squares_out_of_range() {
    for (int e = -1074; e < 1023; e++) {
        double v = ldexp(e < -1022 ? 1 : 0x1.fffffffffffffp0, e);
        for (int field : {1, 300, 600, 1023, 1400, 2046, exponent_field(v)}) {
            levels l = check<squares_f64>({v, -v}, 2, squares_f64::anchor(field), "ends");
            if (e < -485) CHECKF(l.limbs == 1, "2^%d under %d", e, field);
        }
    }
}

template <class kind>
static void random_spreads(int bits, int lowest, int highest, int rounds, levels *total) {
    static const int sizes[] = {1, 2, 4, 8, 16, 32, 64};
    for (int round = 0; round < rounds; round++) {
        int width = 1 + (int)(random_bits() % (round % 4 ? 60u : (unsigned)(highest - lowest - 1)));
        int low = lowest + (int)(random_bits() % (unsigned)(highest - lowest - width));
        std::vector<typename traits<kind>::type> v;
        size_t n = 1 + random_bits() % 500;
        for (size_t i = 0; i < n; i++) {
            double x = i % 5 == 4 ? -(double)v[i - 4] : spread(bits, low, low + width); /* cancels */
            v.push_back((typename traits<kind>::type)(random_bits() % 16 ? x : 0 * x));
        }
        int field = largest_field<kind>(v) + (int)(random_bits() % 40) - 20;
        double m = kind::anchor(field < 0 ? 0 : field > 2046 ? 2046 : field);
        levels l = check<kind>(v, sizes[random_bits() % 7], m, "spread");
        total->tiles += l.tiles, total->again += l.again, total->limbs += l.limbs;
    }
}

/* Any exponents, any anchor, cancellation, subnormals: right, and every level is entered. */
template <class kind> static void spreads_of(int bits, int lowest, int highest) {
    levels total = {};
    random_spreads<kind>(bits, lowest, highest, 2000, &total);
    CHECKF(total.limbs > total.tiles / 100, "limbs %ld of %ld", total.limbs, total.tiles);
    CHECKF(total.limbs < total.tiles * 9 / 10, "limbs %ld of %ld", total.limbs, total.tiles);
    if (kind::has_again) {
        CHECKF(total.again - total.limbs > total.tiles / 100, "again %ld of %ld", total.again,
               total.tiles);
        CHECKF(total.again < total.tiles * 9 / 10, "again %ld of %ld", total.again, total.tiles);
    }
}

static void spreads() {
    spreads_of<sum_f32>(24, -149, 127);
    spreads_of<integer_sum_f32>(24, -149, 127);
    spreads_of<squares_f32>(24, -149, 127);
    spreads_of<sum_f64>(53, -1074, 1024);
    spreads_of<squares_f64>(53, -1074, 1024);
}

/* Powers of two and halves of units, where the additions of windows tie. */
static void ties() {
    double m = sum_f64::anchor(1023), u = ldexp(1, exponent_field(m) - 1075);
    for (int i = -60; i < 60; i++)
        for (int j = -110; j < 0; j++) {
            std::vector<double> v = {i * u, (i + 0.5) * u, i * u + ldexp(u, j),
                                     (i + 0.5) * u - ldexp(u, j)};
            check<sum_f64>(v, 1, m, "ties");
            std::vector<float> f(v.begin(), v.end());
            check<sum_f32>(f, 1, sum_f32::anchor(1023), "ties");
            check<integer_sum_f32>(f, 2, integer_sum_f32::anchor(1023), "ties");
            check<squares_f32>(f, 2, squares_f32::anchor(exponent_field(60 * u)), "ties");
            check<squares_f64>(v, 1, squares_f64::anchor(exponent_field(60 * u)), "ties");
        }
}

/* Integer sums: 28 exponents in the first window, 28 in each of two below, no subnormal in a tile. */
static void integer_windows() {
    for (int field : {1023 - 149, 1023 - 126, 1023 - 60, 1023, 1150}) {
        double m = integer_sum_f32::anchor(field);
        int first = exponent_field(m) - 1023 + 150; /* the field of a float */
        CHECKF(first >= 1 && first + 27 <= 254, "%d", first);
        for (int e = 0; e < 255; e++)
            for (float s : {0x1.fffffep0f, -0x1.000002p0f}) {
                float v = e ? ldexpf(s, e - 127) : copysignf(0x1.fffffcp-127f, s);
                levels l = check<integer_sum_f32>({v, v}, 2, m, "field");
                int window = e >= first && e < first + 28             ? 0
                             : (e ? e : 1) >= first - 56 && e < first ? 1
                                                                      : 2;
                CHECKF(l.again == (window > 0) && l.limbs == (window > 1), "field %d from %d", e,
                       first);
            }
    }
}

/* Zeros are in no window and in everybody's way. */
static void integer_windows_with_zeros() {
    double m = integer_sum_f32::anchor(1023);
    for (int e = 0; e < 75; e++) {
        levels l = check<integer_sum_f32>({1, 0, -0.0f, ldexpf(0x1.8p0f, -e)}, 8, m, "with zeros");
        CHECKF(l.limbs == 0 && l.again == (e > 23), "2^-%d", e);
    }
}

static void integers() {
    const long long most = 0xffffffffll;
    std::vector<long long> v;
    for (int i = 0; i < 20000; i++)
        v.push_back(i < 10000   ? most
                    : i < 15000 ? -most
                                : (long long)(random_bits() >> 32) * (i & 1 ? 1 : -1));
    for (int T : {1, 16, 64}) {
        CHECK(check<sum_int>(v, T, sum_int::anchor(0), "integers").limbs == 0);
        CHECK(check<squares_int>(v, T, squares_int::anchor(0), "integers").limbs == 0);
        check<sum_int>(std::vector<long long>(9000, -most), T, 0, "negative");
    }
}

/* One value at each exponent, and each bit of a number at each position of a limb. */
static void single_values() {
    for (int e = 0; e < 2047; e++)
        for (uint64_t fraction :
             {UINT64_C(0), UINT64_C(1), (UINT64_C(1) << 52) - 1, random_bits() >> 12})
            for (int negative = 0; negative < 2; negative++) {
                double v = __longlong_as_double(
                    (long long)((uint64_t)negative << 63 | (uint64_t)e << 52 | fraction));
                u64 sum[SUM_LIMBS] = {}, square[SQUARES_LIMBS] = {};
                oracle s, s2, want, want2;
                limbs_add(sum, v);
                limbs_add_square(square, v);
                s.add_limbs(sum, SUM_LIMBS);
                s2.add_limbs(square, SQUARES_LIMBS);
                want.add_value(v, false);
                want2.add_value(v, true);
                CHECKF(s == want, "%a", v);
                CHECKF(s2 == want2, "square of %a", v);
                for (u64 limb : square)
                    CHECKF(limb < 1ull << 32, "square of %a", v);
            }
    for (int position = 0; position < 64; position++)
        for (i64 v : {LLONG_MAX, -LLONG_MAX, (i64)1, (i64)-1, (i64)0x123456789abcdefll}) {
            u64 limbs[SUM_LIMBS] = {};
            oracle got, want;
            limbs_add_integer(limbs, v, position);
            got.add_limbs(limbs, SUM_LIMBS);
            want.add(v < 0 ? 0 - (u64)v : (u64)v, v < 0, position);
            CHECKF(got == want, "%lld at %d", v, position);
        }
}

/* Limbs as 2^30 terms of the most leave them: the value stays, and there is room again. */
static void carries() {
    const i64 most = (i64)((UINT64_C(1) << 30) * 0xffffffffu);
    for (int round = 0; round < 300; round++) {
        u64 a[SUM_LIMBS] = {}, b[SUM_LIMBS] = {};
        oracle want, carried, merged;
        for (int k = 0; k < SUM_LIMBS - 4; k++)
            a[k] = (u64)(round == 0   ? most
                         : round == 1 ? -most
                                      : (i64)random_bits() >> (random_bits() % 60 + 1));
        for (int k = 0; k < SUM_LIMBS; k++)
            b[k] = random_bits() >> 33;
        want.add_limbs(a, SUM_LIMBS);
        limbs_carry(a, SUM_LIMBS);
        carried.add_limbs(a, SUM_LIMBS);
        CHECKF(carried == want, "round %d", round);
        for (int k = 0; k < SUM_LIMBS - 1; k++)
            CHECKF((i64)a[k] > -(1ll << 31) && (i64)a[k] < 3ll << 31, "limb %d, round %d", k, round);
        want.add_limbs(b, SUM_LIMBS);
        limbs_merge(b, a, SUM_LIMBS);
        merged.add_limbs(b, SUM_LIMBS);
        CHECKF(merged == want, "merged, round %d", round);
    }
}

/* Values of N(0, 1), the anchor from the first 4096 of them as a block would take it: next to no tile
 * is taken twice, and none goes to limbs. */
template <class kind> static void normal_values(int T, double most_again) {
    std::vector<typename traits<kind>::type> v;
    for (int i = 0; i < 1 << 18; i++)
        v.push_back((typename traits<kind>::type)normal());
    std::vector<typename traits<kind>::type> head(v.begin(), v.begin() + 4096);
    levels l = check<kind>(v, T, kind::anchor(largest_field<kind>(head)), "normal");
    CHECKF((double)l.again <= most_again * (double)l.tiles, "%ld of %ld again", l.again, l.tiles);
    CHECKF(l.limbs == 0, "%ld of %ld to limbs", l.limbs, l.tiles);
}

static void normal_data() {
    normal_values<sum_f32>(16, 1e-3);
    normal_values<squares_f32>(16, 1e-3);
    normal_values<integer_sum_f32>(16, 1e-3);
    normal_values<sum_f64>(8, 0);
    normal_values<squares_f64>(8, 1e-3);
}

static const struct test tests[] = {
    {"anchors give windows in range", anchors},
    {"windows take what they say", limits_of_windows},
    {"full windows are flushed whole", full_windows},
    {"tiles of sums at their limits", tile_limits_of_sums},
    {"tiles with subnormals", tiles_with_subnormals},
    {"tiles of squares at their limits", tile_limits_of_squares},
    {"zeros are no smallest value", zeros},
    {"squares out of range are not believed", squares_out_of_range},
    {"any spread of exponents", spreads},
    {"ties of windows", ties},
    {"integer windows by exponent", integer_windows},
    {"integer windows with zeros", integer_windows_with_zeros},
    {"integers of 32 bits", integers},
    {"single values in limbs", single_values},
    {"carries keep the value", carries},
    {"normal data stay in windows", normal_data},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
