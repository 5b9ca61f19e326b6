/* exact.c's states: however the data are split, stored, loaded and merged, the bytes are the same. */
#include <float.h>
#include <math.h>

#include "check.h"
#include "exact.h"
#include "exact_help.h"

#define MOST_PARTS 12

/* Binary64 and integer data at once, as two runs of the same length. */
struct data {
    size_t n;
    double *v;
    uint64_t *mag;
    uint8_t *neg;
};

static struct data make_data(size_t n, uint64_t *seed) {
    struct data d = {n, malloc(n * 8), malloc(n * 8), malloc(n)};
    if (!d.v || !d.mag || !d.neg) abort();
    for (size_t i = 0; i < n; i++) {
        uint64_t r = random_u64(seed);
        switch (random_u64(seed) % 4) {
        case 0:
            d.v[i] = from_bits(r);
            break; /* any bits: all exponents, some NaN and Inf */
        case 1:
            d.v[i] = r & 1 ? DBL_MAX : -DBL_MAX;
            break;
        case 2:
            d.v[i] = from_bits(r >> 12 | (r & 1) << 63);
            break; /* subnormal */
        default:
            d.v[i] = (double)(int64_t)r * 0x1p-60;
            break;
        }
        d.mag[i] = random_u64(seed) >> random_u64(seed) % 64;
        d.neg[i] = (uint8_t)(random_u64(seed) % 2);
    }
    return d;
}

static void free_data(struct data *d) {
    free(d->v);
    free(d->mag);
    free(d->neg);
}

static void add_range(struct exact *x, const struct data *d, size_t from, size_t to) {
    exact_add_f64(x, d->v + from, to - from);
    exact_add_wide(x, d->mag + from, d->neg + from, to - from);
}

/* What has gone to a file and come back. */
static struct exact *through_bytes(struct exact *x, enum exact_kind kind) {
    unsigned char bytes[EXACT_MAX_STORED];
    size_t n = exact_store(x, bytes);
    struct exact *back = accumulator(kind);
    exact_add_repeated_f64(back, 1.5, 3); /* to be replaced */
    exact_add_f64(back, &(double){2.5}, 1);
    CHECK(n <= sizeof bytes && exact_load(back, bytes, n) == n);
    exact_free(x);
    return back;
}

/* Accumulate parts, send them through bytes, and merge two at random until one is left. */
static struct exact *in_parts(const struct data *d, enum exact_kind kind, uint64_t *seed) {
    struct exact *part[MOST_PARTS];
    size_t nparts = 1 + random_u64(seed) % MOST_PARTS, at = 0;
    for (size_t k = 0; k < nparts; k++) {
        size_t end = k + 1 == nparts ? d->n : at + random_u64(seed) % (d->n - at + 1);
        part[k] = accumulator(kind);
        add_range(part[k], d, at, end);
        at = end;
    }
    for (; nparts > 1; nparts--) {
        size_t a = random_u64(seed) % nparts, b = (a + 1 + random_u64(seed) % (nparts - 1)) % nparts;
        if (random_u64(seed) % 2) part[b] = through_bytes(part[b], kind);
        exact_merge(part[a], part[b]);
        exact_free(part[b]);
        part[b] = part[nparts - 1];
    }
    return part[0];
}

static void test_split_and_merged(void) {
    uint64_t seed = 2024;
    for (int round = 0; round < 120; round++) {
        struct data d = make_data(1 + random_u64(&seed) % 3000, &seed);
        for (int kind = EXACT_SUM; kind <= EXACT_SQUARES; kind++) {
            struct exact *whole = accumulator(kind);
            add_range(whole, &d, 0, d.n);
            struct exact *merged = in_parts(&d, kind, &seed);
            CHECKF(same_bytes(whole, merged), "round %d, %zu elements", round, d.n);
            exact_free(whole);
            exact_free(merged);
        }
        free_data(&d);
    }
}

/* A merge leaves its source's value alone, and results of a state that is added to later are right. */
static void test_merge_keeps_source(void) {
    static const double a[] = {1e300, -3, 0x1p-1074}, b[] = {7, -1e300};
    struct exact *x = accumulated(EXACT_SUM, a, 3), *y = accumulated(EXACT_SUM, b, 2);
    exact_merge(x, y);
    CHECK(rounded(x, EXACT_SUM) == 4);
    CHECK(rounded(y, EXACT_SUM) == -1e300);
    exact_merge(x, y);
    exact_add_f64(x, a, 1);
    exact_add_f64(x, &(double){-11}, 1);
    CHECK(rounded(x, EXACT_SUM) == 0x1p-1074);
    exact_free(x);
    exact_free(y);
}

/* N ones, then N minus-ones, in pieces of k: partial sums pass through 65520, where f16 would stop. */
static void test_pieces_are_not_truncated(void) {
    enum { N = 65520 };
    static double v[2 * N];
    for (int i = 0; i < 2 * N; i++)
        v[i] = i < N ? 1 : -1;
    static const size_t pieces[] = {997, 4096, 30000, N, 2 * N};
    for (size_t k = 0; k < COUNT(pieces); k++) {
        struct exact *total = accumulator(EXACT_SUM);
        for (size_t at = 0; at < 2 * N; at += pieces[k]) {
            size_t n = 2 * N - at < pieces[k] ? 2 * N - at : pieces[k];
            struct exact *piece = through_bytes(accumulated(EXACT_SUM, v + at, n), EXACT_SUM);
            exact_merge(total, piece);
            exact_free(piece);
            if (at + n == N) CHECK(rounded(total, EXACT_SUM) == N);
        }
        CHECKF(same_bits(rounded(total, EXACT_SUM), 0.0), "pieces of %zu", pieces[k]);
        exact_free(total);
    }
}

/* States of 200 bits and more, that no binary64 between pieces would hold. */
static void test_pieces_keep_every_bit(void) {
    static const double v[] = {0x1p1000, 0x1p-1074, -1, 0x1p500, -0x1p1000, 1, -0x1p500};
    struct exact *total = accumulator(EXACT_SUM);
    for (size_t i = 0; i < COUNT(v); i++) {
        struct exact *piece = accumulated(EXACT_SUM, v + i, 1);
        exact_merge(total, piece);
        exact_free(piece);
        total = through_bytes(total, EXACT_SUM);
    }
    CHECK(rounded(total, EXACT_SUM) == 0x1p-1074);
    exact_free(total);
}

/* The bytes themselves, since files of them outlive versions: -1.5 = -3 * 2^1073 units of 2^-1074, and
 * 2^1073 is bit 17 of limb 33; 1.5^2 = 9 * 2^2146 units of 2^-2148, and 2^2146 is bit 2 of limb 67. */
static void test_stored_bytes(void) {
    static const unsigned char sum[] = {1, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0xfa, 0xff};
    static const unsigned char squares[] = {1, 0, 0, 0, 67, 0, 0, 0, 36, 0, 0, 0};
    static const double v = -1.5;
    unsigned char out[EXACT_MAX_STORED];
    struct exact *x = accumulated(EXACT_SUM, &v, 1), *y = accumulated(EXACT_SQUARES, &v, 1);
    CHECK(exact_store(x, out) == 12 && memcmp(out, sum, 12) == 0);
    CHECK(exact_store(y, out) == 12 && memcmp(out, squares, 12) == 0);
    /* a sum of squares is not negative */
    CHECK(exact_load(x, sum, 12) == 12 && exact_load(y, sum, 12) == 0);
    CHECK(exact_store(y, out) == 12 && memcmp(out, squares, 12) == 0);
    /* the largest that there can be, 2^64 - 1 times DBL_MAX, and one bit more */
    exact_reset(x);
    exact_add_repeated_f64(x, DBL_MAX, UINT64_MAX);
    exact_reset(y);
    exact_add_repeated_f64(y, DBL_MAX, UINT64_MAX);
    x = through_bytes(x, EXACT_SUM);
    y = through_bytes(y, EXACT_SQUARES);
    static const unsigned char beyond[] = {1, 0, 0, 0, 68, 0, 0, 0, 1, 0, 0, 0};
    static const unsigned char far_beyond[] = {1, 0, 0, 0, 134, 0, 0, 0, 1, 0, 0, 0};
    CHECK(exact_load(x, beyond, 12) == 0 && exact_load(y, beyond, 12) == 12);
    CHECK(exact_load(y, far_beyond, 12) == 0);
    exact_free(x);
    exact_free(y);
}

static const struct test tests[] = {
    {"exact_split_and_merged", test_split_and_merged},
    {"exact_merge_keeps_source", test_merge_keeps_source},
    {"exact_stored_bytes", test_stored_bytes},
    {"fault_06_pieces_are_not_truncated", test_pieces_are_not_truncated},
    {"fault_06_pieces_keep_every_bit", test_pieces_keep_every_bit},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
