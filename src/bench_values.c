/* Times and values of many runs: spread, differences, distances. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bignum.h"
#include "dtype.h"
#include "error.h"
#include "number.h"
#include "text.h"

/* ---- times ----------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Between neighbours in proportion, as numpy's default does. */
static double quantile(const double *sorted, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t k = (size_t)at;
    double next = k + 1 < n ? sorted[k + 1] : sorted[k];
    return sorted[k] + (at - (double)k) * (next - sorted[k]);
}

int bench_spread(const double *seconds, size_t n, double *median, double *spread, onepass_error *err) {
    double *sorted = malloc((n + 1) * sizeof *sorted);
    if (sorted == NULL) return error_no_memory(err);
    memcpy(sorted, seconds, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    *median = quantile(sorted, n, 0.5);
    *spread = n < 2 ? NAN : (quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25)) / 2 / *median;
    free(sorted);
    return 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Binary64 numbers in their order, both zeros 0. */
static int64_t rank(double v) {
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

uint64_t bench_ulps(double a, double b) {
    if (a == b || (isnan(a) && isnan(b))) return 0;
    if (!isfinite(a) || !isfinite(b)) return ONEPASS_NO_ULPS;
    int64_t x = rank(a), y = rank(b);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static enum float_type text_type(const char *name) {
    for (int k = 0; k < NDTYPES; k++)
        if (strcmp(dtype_table[k].name, name) == 0) return dtype_table[k].text;
    return FLOAT_F64;
}

static int fits_integer(double v) {
    return v == trunc(v) && fabs(v) < 0x1p64;
}

onepass_value bench_value(struct arena *arena, const onepass_value *like, double value) {
    char text[NUMBER_BIG_TEXT];
    onepass_value v = *like;
    v.value = isnan(value) ? NAN : value;
    v.hex = NULL;
    if (like->kind == ONEPASS_INTEGER && fits_integer(value)) {
        struct bignum magnitude;
        bignum_set(&magnitude, (uint64_t)fabs(value));
        number_format_integer(&magnitude, value < 0, text);
        v.text = v.hex = arena_copy(arena, text);
        if (v.has_index) v.index = (uint64_t)value;
    } else {
        number_format(v.value, like->kind == ONEPASS_INTEGER ? FLOAT_F64 : text_type(like->type), text);
        v.text = arena_copy(arena, text);
        v.kind = ONEPASS_REAL;
        if (like->kind == ONEPASS_INTEGER) v.type = "f64";
        if (isfinite(value)) {
            number_format_hex(value, text);
            v.hex = arena_copy(arena, text);
        }
    }
    v.ncoords = v.part_ncoords = 0;
    v.coords = v.part_coords = NULL;
    return v;
}

/* ---- results --------------------------------------------------------------------------------- */

char *bench_key(const onepass_value *values, size_t n) {
    struct text key = {0};
    for (size_t k = 0; k < n; k++)
        text_add(&key, "%s\n", values[k].text);
    if (!key.failed && key.bytes != NULL) return key.bytes;
    free(key.bytes);
    return NULL;
}

uint64_t bench_count_distinct(char *const *texts, size_t n) {
    uint64_t distinct = 0;
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < k && strcmp(texts[i], texts[k]) != 0)
            i++;
        distinct += i == k;
    }
    return distinct;
}

/* Line k of a text, which has it. */
static const char *line(const char *text, size_t k, int *nbytes) {
    for (; k > 0; k--)
        text = strchr(text, '\n') + 1;
    *nbytes = (int)strcspn(text, "\n");
    return text;
}

const char *bench_fault(struct arena *arena, char *const *keys, size_t nruns, const char *reference,
                        const onepass_value *values, size_t nvalues) {
    for (size_t run = 0; run < nruns; run++) {
        for (size_t k = 0; k < nvalues; k++) {
            int n, nwanted;
            const char *got = line(keys[run], k, &n), *wanted = line(reference, k, &nwanted);
            if (n == nwanted && memcmp(got, wanted, (size_t)n) == 0) continue;
            struct text text = {0};
            text_add(&text, "%s is %.*s in run %zu, but %.*s by one thread of portable code",
                     values[k].column, n, got, run + 1, nwanted, wanted);
            const char *fault = arena_copy(arena, text.bytes);
            arena->failed |= text.failed;
            free(text.bytes);
            return fault;
        }
    }
    return NULL;
}
