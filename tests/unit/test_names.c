/* Suggested names, listings, and error records with their codes, words and classes. */
#include "check.h"
#include "error.h"
#include "onepass.h"

#include <errno.h>

/* ---- nearest names ----------------------------------------------------------------------------- */

static const char *const KNOWN[] = {
    "sum",    "mean",  "min",    "max",    "std",   "std1",    "var",     "sqrt",    "sin",  "sinh",
    "square", "sumsq", "argmin", "argmax", "floor", "float16", "float32", "float64", "count"};
#define NKNOWN (sizeof(KNOWN) / sizeof(KNOWN[0]))

/* `best` as "a b c" */
static void check_nearest(const char *word, const char *expected) {
    const char *best[3];
    char found[64] = "";
    size_t n = onepass_nearest(word, strlen(word), KNOWN, NKNOWN, best);
    for (size_t k = 0; k < n; k++) {
        if (k) strcat(found, " ");
        strcat(found, best[k]);
    }
    CHECKF(strcmp(found, expected) == 0, "'%s': '%s', not '%s'", word, found, expected);
}

static void test_nearest(void) {
    check_nearest("SUM", "sum sumsq");     /* only the case differs; sum is sumsq cut */
    check_nearest("smu", "sum");           /* neighbours swapped are one edit, not two */
    check_nearest("sqtr", "sqrt std");     /* one edit; then two */
    check_nearest("maen", "mean min max"); /* of two edits both, in the table's order */
    check_nearest("cuont", "count");
    check_nearest("float", "float16 float32 float64"); /* a cut name before two edits: floor */
    check_nearest("maximum", "max");                   /* a lengthened name */
    check_nearest("stddev", "std");
    check_nearest("argmni", "argmin argmax");
    check_nearest("s", ""); /* one letter resembles everything */
    check_nearest("", "");
    check_nearest("quantile", "");
    check_nearest("sumsumsumsumsumsumsumsumsumsumsumsumsumsumsum", "");
}

static void test_nearest_bytes(void) {
    const char *best[3] = {NULL, NULL, NULL};
    CHECK(onepass_nearest("countess", 5, KNOWN, NKNOWN, best) == 1 && strcmp(best[0], "count") == 0);
    CHECK(onepass_nearest("mean", 4, KNOWN, 0, best) == 0);
    CHECK(onepass_nearest("m\xc3\xa9n", 4, KNOWN, NKNOWN, best) <= 3); /* not ASCII: no harm */
}

/* ---- version, features, element types ---------------------------------------------------------- */

static void test_features(void) {
    CHECK(strcmp(onepass_version(), ONEPASS_VERSION) == 0);
    static const char *const ALL[] = {"hdf5", "zstd", "zlib", "lz4", "blosc", "cuda", "uring"};
    size_t n = 0;
    for (; onepass_feature(n); n++) {
        int is_there = n == 5, may_be_there = n == 6;
        CHECK(n < 7 && strcmp(onepass_feature(n), ALL[n]) == 0);
        CHECK(onepass_has(ALL[n]) == is_there || (may_be_there && onepass_has(ALL[n]) == 1));
    }
    CHECK(n == 7 && !onepass_feature(n + 1));
    CHECK(onepass_has("") == -1 && onepass_has("HDF5") == -1 && onepass_has("hdf") == -1);
}

static void test_dtype_listing(void) {
    static const char *const ALL[] = {"f16", "bf16", "f32", "f64", "i8",  "i16", "i32",
                                      "i64", "u8",   "u16", "u32", "u64", "bool"};
    size_t n = 0;
    onepass_name name = {.size = sizeof(name)};
    for (; onepass_dtype(n, &name); n++)
        CHECK(n < 13 && strcmp(name.name, ALL[n]) == 0 && *name.usage && *name.doc && *name.group);
    CHECK(n == 13);
    onepass_name smaller = {.size = 8};
    CHECK(onepass_dtype(0, &smaller) == 0 && smaller.name == NULL);
}

/* ---- errors ------------------------------------------------------------------------------------ */

/* Numbers and words are for scripts and other programs: they never change. */
static void test_codes(void) {
    static const struct {
        int code;
        const char *word;
        onepass_error_class class;
    } CODES[] = {
        {0, "ok", ONEPASS_CLASS_NONE},
        {1, "bad_pipeline", ONEPASS_CLASS_USAGE},
        {2, "bad_argument", ONEPASS_CLASS_USAGE},
        {3, "no_memory", ONEPASS_CLASS_INPUT},
        {4, "no_device", ONEPASS_CLASS_DEVICE},
        {5, "cancelled", ONEPASS_CLASS_CANCELLED},
        {10, "open_failed", ONEPASS_CLASS_INPUT},
        {11, "read_failed", ONEPASS_CLASS_INPUT},
        {12, "not_readable", ONEPASS_CLASS_INPUT},
        {13, "changed", ONEPASS_CLASS_INPUT},
        {14, "truncated", ONEPASS_CLASS_INPUT},
        {20, "no_dtype", ONEPASS_CLASS_INPUT},
        {21, "left_over_bytes", ONEPASS_CLASS_INPUT},
        {22, "past_end", ONEPASS_CLASS_INPUT},
        {23, "bad_header", ONEPASS_CLASS_INPUT},
        {24, "unsupported", ONEPASS_CLASS_INPUT},
        {25, "format_mismatch", ONEPASS_CLASS_INPUT},
        {26, "shape_mismatch", ONEPASS_CLASS_INPUT},
        {30, "bad_state", ONEPASS_CLASS_INPUT},
        {99, "internal", ONEPASS_CLASS_INPUT},
        {7, "unknown", ONEPASS_CLASS_INPUT},
        {-1, "unknown", ONEPASS_CLASS_INPUT},
    };
    for (size_t k = 0; k < sizeof(CODES) / sizeof(CODES[0]); k++) {
        CHECKF(strcmp(onepass_strerror(CODES[k].code), CODES[k].word) == 0, "code %d", CODES[k].code);
        CHECKF(onepass_classify(CODES[k].code) == CODES[k].class, "code %d", CODES[k].code);
    }
}

static void test_error_set(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    err.part = 3;
    err.span_start = 4;
    err.sys_errno = 5;
    error_hint(&err, "old");
    CHECK(error_set(&err, ONEPASS_PAST_END, "%s has %zu of %d%c", "it", (size_t)7, 9, '!') ==
          ONEPASS_PAST_END);
    CHECK(err.code == ONEPASS_PAST_END && strcmp(err.message, "it has 7 of 9!") == 0);
    CHECK(err.hint[0] == '\0' && err.sys_errno == 0); /* nothing stale */
    CHECK(err.part == 3 && err.span_start == 4);      /* whoever knows them sets them */
    error_hint(&err, "say %.*s", 2, "abc");
    CHECK(strcmp(err.hint, "say ab") == 0 && strcmp(err.message, "it has 7 of 9!") == 0);
    CHECK(error_system(&err, ONEPASS_OPEN_FAILED, ENOENT, "open") == ONEPASS_OPEN_FAILED);
    CHECK(err.sys_errno == ENOENT && strcmp(err.message, "open: No such file or directory") == 0);
    CHECK(error_no_memory(&err) == ONEPASS_NO_MEMORY && strcmp(err.message, "out of memory") == 0);
    CHECK(err.sys_errno == 0);
}

static void test_error_without_record(void) {
    CHECK(error_set(NULL, ONEPASS_CHANGED, "x") == ONEPASS_CHANGED);
    error_hint(NULL, "x");
    CHECK(error_system(NULL, ONEPASS_READ_FAILED, EIO, "x") == ONEPASS_READ_FAILED);
    CHECK(error_no_memory(NULL) == ONEPASS_NO_MEMORY);
    onepass_error older = ONEPASS_ERROR_INIT; /* of a caller that knows fewer fields */
    older.size = sizeof(size_t);
    CHECK(error_set(&older, ONEPASS_CHANGED, "x") == ONEPASS_CHANGED && older.code == 0);
}

static void test_error_is_cut(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    char text[2000];
    memset(text, 'a', sizeof(text));
    text[sizeof(err.message) - 1] = '\0'; /* just fits */
    error_set(&err, ONEPASS_INTERNAL, "%s", text);
    CHECK(strcmp(err.message, text) == 0);
    text[sizeof(err.message) - 1] = 'a';
    text[sizeof(err.message)] = '\0'; /* one too long */
    error_set(&err, ONEPASS_INTERNAL, "%s", text);
    CHECK(strlen(err.message) == sizeof(err.message) - 1 &&
          strcmp(strchr(err.message, '.'), "...") == 0);
    for (size_t k = 0; k + 2 < sizeof(text); k += 2)
        memcpy(text + k, "\xc3\xa9", 2); /* e acute: not to be cut in the middle */
    text[sizeof(text) - 2] = '\0';
    for (int lead = 0; lead < 2; lead++) {
        error_set(&err, ONEPASS_INTERNAL, "%s%s", lead ? "x" : "", text);
        CHECK(strcmp(strchr(err.message, '.'), "...") == 0 &&
              (unsigned char)strchr(err.message, '.')[-1] == 0xa9);
    }
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"names_nearest", test_nearest},
        {"names_nearest_bytes", test_nearest_bytes},
        {"names_features", test_features},
        {"names_dtype_listing", test_dtype_listing},
        {"error_codes", test_codes},
        {"error_set", test_error_set},
        {"error_without_record", test_error_without_record},
        {"error_is_cut", test_error_is_cut},
    };
    return RUN_TESTS(TESTS);
}
