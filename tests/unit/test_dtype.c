/* Element types: every way to spell one, every spelling that must be refused, and loads of every type
 * from any address, stride and byte order. */
#include "check.h"
#include "dtype.h"
#include "isa.h"

#include <math.h>

/* ---- names ------------------------------------------------------------------------------------- */

#define HOST_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

struct spelling {
    const char *text;
    enum dtype type;
    int big_endian;
};

static void check_spellings(const struct spelling *cases, size_t ncases) {
    for (size_t k = 0; k < ncases; k++) {
        enum dtype type = NDTYPES;
        int big = 9;
        onepass_error err = ONEPASS_ERROR_INIT;
        int rc = dtype_parse(cases[k].text, strlen(cases[k].text), &type, &big, &err);
        CHECKF(rc == 0 && type == cases[k].type && big == cases[k].big_endian,
               "%s: %d, type %d, %d: %s", cases[k].text, rc, type, big, err.message);
    }
}
#define CHECK_SPELLINGS(cases) check_spellings(cases, sizeof(cases) / sizeof((cases)[0]))

static void test_bit_names(void) {
    static const struct spelling CASES[] = {
        {"f16", DTYPE_F16, -1},     {"bf16", DTYPE_BF16, -1},    {"f32", DTYPE_F32, -1},
        {"f64", DTYPE_F64, -1},     {"i8", DTYPE_I8, -1},        {"i16", DTYPE_I16, -1},
        {"i32", DTYPE_I32, -1},     {"i64", DTYPE_I64, -1},      {"u8", DTYPE_U8, -1},
        {"u16", DTYPE_U16, -1},     {"u32", DTYPE_U32, -1},      {"u64", DTYPE_U64, -1},
        {"bool", DTYPE_BOOL, -1},   {"f16be", DTYPE_F16, 1},     {"bf16be", DTYPE_BF16, 1},
        {"f32be", DTYPE_F32, 1},    {"f32le", DTYPE_F32, 0},     {"i64le", DTYPE_I64, 0},
        {"u16be", DTYPE_U16, 1},    {"float16", DTYPE_F16, -1},  {"bfloat16", DTYPE_BF16, -1},
        {"float32", DTYPE_F32, -1}, {"float64", DTYPE_F64, -1},  {"int8", DTYPE_I8, -1},
        {"int16", DTYPE_I16, -1},   {"int32", DTYPE_I32, -1},    {"int64", DTYPE_I64, -1},
        {"uint8", DTYPE_U8, -1},    {"uint16", DTYPE_U16, -1},   {"uint32", DTYPE_U32, -1},
        {"uint64", DTYPE_U64, -1},  {"float32be", DTYPE_F32, 1}, {"int64le", DTYPE_I64, 0},
    };
    CHECK_SPELLINGS(CASES);
}

/* Behind a byte order numbers count bytes: ">i8" has eight of them, "i8" one. */
static void test_fault_26_numpy_codes(void) {
    static const struct spelling CASES[] = {
        {"<f2", DTYPE_F16, 0},        {">f4", DTYPE_F32, 1},        {"<f8", DTYPE_F64, 0},
        {"=f8", DTYPE_F64, HOST_BIG}, {"=u8", DTYPE_U64, HOST_BIG}, {">i8", DTYPE_I64, 1},
        {"<i8", DTYPE_I64, 0},        {"<u8", DTYPE_U64, 0},        {">u2", DTYPE_U16, 1},
        {">i2", DTYPE_I16, 1},        {"<i4", DTYPE_I32, 0},        {"<u4", DTYPE_U32, 0},
        {"|u1", DTYPE_U8, -1},        {"|b1", DTYPE_BOOL, -1},      {"|i1", DTYPE_I8, -1},
        {"<u1", DTYPE_U8, -1},        {">i1", DTYPE_I8, -1},        {"=b1", DTYPE_BOOL, -1},
    };
    CHECK_SPELLINGS(CASES);
}

static void test_bare_codes(void) {
    static const struct spelling CASES[] = {
        {"f2", DTYPE_F16, -1}, {"f4", DTYPE_F32, -1}, {"f8", DTYPE_F64, -1},
        {"i1", DTYPE_I8, -1},  {"i2", DTYPE_I16, -1}, {"i4", DTYPE_I32, -1},
        {"u1", DTYPE_U8, -1},  {"u2", DTYPE_U16, -1}, {"u4", DTYPE_U32, -1},
    };
    CHECK_SPELLINGS(CASES);
}

static void test_listed_spellings(void) {
    static const unsigned SIZES[NDTYPES] = {2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1};
    for (int t = 0; t < NDTYPES; t++) {
        const char *p = dtype_table[t].spellings;
        for (size_t n = 0; *p; p += n + (p[n] == ' ')) {
            enum dtype type = NDTYPES;
            int big;
            n = strcspn(p, " ");
            int rc = dtype_parse(p, n, &type, &big, NULL);
            CHECKF(rc == 0 && (int)type == t, "%s: '%.*s' is type %d", dtype_table[t].name, (int)n, p,
                   type);
        }
        CHECK(dtype_table[t].itemsize == SIZES[t]);
    }
}

static void test_refused_names(void) {
    static const struct {
        const char *text, *message, *hint; /* parts of them */
    } CASES[] = {
        {">f32", "after '>' numbers count bytes", "say f32be or >f4"},
        {"<f64", "after '<' numbers count bytes", "say f64le or <f8"},
        {"=i16", "after '=' numbers count bytes", "say i16le or <i2"},
        {">f16", "after '>' numbers count bytes", "say f16be or >f2"},
        {">bf16", "after '>' numbers count bytes", "say bf16be"},
        {"<bf16", "after '<' numbers count bytes", "say bf16le"},
        {">float32", "after '>' numbers count bytes", "say f32be or >f4"},
        {">f32be", "after '>' numbers count bytes", "say f32be or >f4"},
        {"|bool", "after '|' numbers count bytes", "say bool or |b1"},
        {"|f4", "lacks its byte order", "say <f4 (little-endian) or >f4 (big-endian)"},
        {"|i8", "lacks its byte order", "say <i8 (little-endian) or >i8 (big-endian)"},
        {"u8be", "u8 is one byte and has no order", "say u8, or u64be for eight bytes"},
        {"i8le", "i8 is one byte and has no order", "say i8, or i64le for eight bytes"},
        {"boolbe", "bool is one byte", "say bool"},
        {"<c8", "complex element type '<c8' is not in this version", "f64"},
        {"complex128", "complex element type", "f64"},
        {"f23", "unknown element type 'f23'", "did you mean f32? the types are f16 bf16"},
        {"F32", "unknown element type 'F32'", "did you mean f32"},
        {"float", "unknown element type 'float'", "did you mean f32 (as in C) or f64"},
        {"double", "unknown element type 'double'", "did you mean f64? the types are f16 bf16 f32 f64"},
        {"b1", "unknown element type 'b1'", "the types are"},
        {"f4be", "unknown element type 'f4be'", "f32be is big-endian"},
        {"f128", "unknown element type", "the types are"},
        {"", "unknown element type ''", "the types are"},
        {">", "unknown element type '>'", "the types are"},
        {"be", "unknown element type 'be'", "the types are"},
        {"<O", "unknown element type '<O'", "the types are"},
        {"f32 ", "unknown element type 'f32 '", "f32"},
        {"<<f4", "unknown element type '<<f4'", "the types are"},
        {"?", "unknown element type '?'", "bool"},
    };
    for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
        enum dtype type = NDTYPES;
        int big = 9;
        onepass_error err = ONEPASS_ERROR_INIT;
        int rc = dtype_parse(CASES[k].text, strlen(CASES[k].text), &type, &big, &err);
        CHECKF(rc == ONEPASS_BAD_ARGUMENT && err.code == rc && strstr(err.message, CASES[k].message) &&
                   strstr(err.hint, CASES[k].hint),
               "%s: %d: %s: %s", CASES[k].text, rc, err.message, err.hint);
        CHECKF(type == NDTYPES && big == 9, "%s: touched the result", CASES[k].text);
    }
    char text[5000];
    memset(text, 'f', sizeof(text));
    enum dtype type;
    int big;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(dtype_parse(text, sizeof(text), &type, &big, &err) == ONEPASS_BAD_ARGUMENT);
    CHECK(strlen(err.message) < 100 && !strchr(err.message, '\n'));
}

static void test_extensions(void) {
    static const struct spelling CASES[] = {
        {"x.f32", DTYPE_F32, -1},      {"x.f32be", DTYPE_F32, 1},  {"dir.d/a.b.i16le", DTYPE_I16, 0},
        {"/x.bool", DTYPE_BOOL, -1},   {"x.bf16", DTYPE_BF16, -1}, {"x.float64", DTYPE_F64, -1},
        {"a b\n.uint8", DTYPE_U8, -1}, {"x.u64be", DTYPE_U64, 1},  {"x.i8", DTYPE_I8, -1},
        {"..f32", DTYPE_F32, -1},
    };
    static const char *const NONE[] = {"",       "f32",      ".f32", "d.f32/x",  "d.f32/", "x.F32",
                                       "x.f32 ", "x.f32.gz", "x.f4", "x.<f4",    "x.",     "x.dat",
                                       "x.u8be", "x.f128",   "x.f",  "x.f32bee", "x/.f32", "x.be"};
    enum dtype type;
    int big;
    for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
        type = NDTYPES;
        int found = dtype_from_extension(CASES[k].text, &type, &big);
        CHECKF(found == 1 && type == CASES[k].type && big == CASES[k].big_endian, "%s", CASES[k].text);
    }
    for (size_t k = 0; k < sizeof(NONE) / sizeof(NONE[0]); k++)
        CHECKF(dtype_from_extension(NONE[k], &type, &big) == 0, "%s", NONE[k]);
}

/* ---- loads ------------------------------------------------------------------------------------- */

static void put_little(unsigned char *at, uint64_t bits, unsigned nbytes) {
    for (unsigned k = 0; k < nbytes; k++)
        at[k] = (unsigned char)(bits >> 8 * k);
}

static void put_stored(unsigned char *at, uint64_t bits, unsigned nbytes, int big) {
    put_little(at, bits, nbytes);
    for (unsigned k = 0; big && k < nbytes / 2; k++) {
        unsigned char c = at[k];
        at[k] = at[nbytes - 1 - k];
        at[nbytes - 1 - k] = c;
    }
}

/* The value by the definition of the format: arithmetic on the fields. */
static double defined_value(unsigned bits, int fraction_bits, int bias) {
    unsigned fraction = bits & ((1U << fraction_bits) - 1);
    unsigned exponent = (bits & 0x7fff) >> fraction_bits, top = 0x7fffU >> fraction_bits;
    double sign = bits >> 15 ? -1 : 1;
    if (exponent == top) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * ldexp(fraction, 1 - bias - fraction_bits);
    return sign * ldexp(fraction + (1U << fraction_bits), (int)exponent - bias - fraction_bits);
}

static int same_double(double a, double b) {
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof(a)) == 0;
}

static void check_halves(enum dtype type, int fraction_bits, int bias) {
    static unsigned char stored[2 * 65536];
    static double out[65536];
    for (int big = 0; big < 2; big++) {
        for (unsigned k = 0; k < 65536; k++)
            put_stored(stored + 2 * k, k, 2, big);
        test_kernels()->loads->f64[type](big != HOST_BIG, stored, 2, 65536, out);
        for (unsigned k = 0; k < 65536; k++)
            CHECKF(same_double(out[k], defined_value(k, fraction_bits, bias)), "bits 0x%04x: %a", k,
                   out[k]);
    }
}

static void test_load_all_f16(void) {
    check_halves(DTYPE_F16, 10, 15);
}

static void test_load_all_bf16(void) {
    check_halves(DTYPE_BF16, 7, 127);
}

/* Stored bits, and what they are as binary64 and as sign and magnitude. */
struct sample {
    enum dtype type;
    uint64_t bits;
    double value;
    uint64_t mag;
    uint8_t neg;
};
static const struct sample SAMPLES[] = {
    {DTYPE_F16, 0x7bff, 65504, 0, 0},
    {DTYPE_F16, 0x8001, -0x1p-24, 0, 0},
    {DTYPE_F16, 0x8000, -0.0, 0, 0},
    {DTYPE_BF16, 0x0001, 0x1p-133, 0, 0},
    {DTYPE_BF16, 0xff80, -INFINITY, 0, 0},
    {DTYPE_F32, 0x3dcccccd, 0x1.99999ap-4, 0, 0},
    {DTYPE_F32, 0x00000001, 0x1p-149, 0, 0},
    {DTYPE_F32, 0x80000000, -0.0, 0, 0},
    {DTYPE_F32, 0x7fc00000, NAN, 0, 0},
    {DTYPE_F32, 0x7f800000, INFINITY, 0, 0},
    {DTYPE_F64, 1, 0x1p-1074, 0, 0},
    {DTYPE_F64, UINT64_C(0xffefffffffffffff), -0x1.fffffffffffffp1023, 0, 0},
    {DTYPE_I8, 0x80, -128, 128, 1},
    {DTYPE_I8, 0x7f, 127, 127, 0},
    {DTYPE_I8, 0, 0, 0, 0},
    {DTYPE_I16, 0x8001, -32767, 32767, 1},
    {DTYPE_I16, 0x1234, 4660, 4660, 0},
    {DTYPE_I32, 0x80000000, -0x1p31, UINT64_C(1) << 31, 1},
    {DTYPE_I32, 0x01020304, 16909060, 16909060, 0},
    {DTYPE_I64, UINT64_C(1) << 63, -0x1p63, UINT64_C(1) << 63, 1},
    {DTYPE_I64, 0x7fffffffffffffff, 0x1p63, 0x7fffffffffffffff, 0},
    {DTYPE_I64, 0xffffffffffffffff, -1, 1, 1},
    {DTYPE_I64, 0, 0, 0, 0},
    {DTYPE_I64, (UINT64_C(1) << 53) + 1, 0x1p53, (UINT64_C(1) << 53) + 1, 0}, /* tie, to even */
    {DTYPE_U8, 0xff, 255, 255, 0},
    {DTYPE_U16, 0xfffe, 65534, 65534, 0},
    {DTYPE_U32, 0xfffffffe, 4294967294.0, 4294967294, 0},
    {DTYPE_U64, UINT64_MAX, 0x1p64, UINT64_MAX, 0},
    {DTYPE_U64, (UINT64_C(1) << 53) + 3, 0x1p53 + 4, (UINT64_C(1) << 53) + 3, 0},
    {DTYPE_BOOL, 0, 0, 0, 0},
    {DTYPE_BOOL, 1, 1, 1, 0},
    {DTYPE_BOOL, 2, 1, 1, 0},
    {DTYPE_BOOL, 0x80, 1, 1, 0},
    {DTYPE_BOOL, 0xff, 1, 1, 0},
};
#define NSAMPLES (sizeof(SAMPLES) / sizeof(SAMPLES[0]))

enum { MOST = 68, GUARD = 77 };

/* n elements of one type, its samples in turn, from `stored` at any address; nothing past n is
 * written. */
static void check_load(enum dtype type, unsigned char *stored, size_t stride, size_t n, int big) {
    const struct sample *expected[MOST];
    double out[MOST + 1];
    uint64_t mag[MOST + 1];
    uint8_t neg[MOST + 1];
    unsigned nbytes = dtype_table[type].itemsize;
    for (size_t i = 0, s = 0; i < n; i++, s = (s + 1) % NSAMPLES) {
        while (SAMPLES[s].type != type)
            s = (s + 1) % NSAMPLES;
        expected[i] = &SAMPLES[s];
        put_stored(stored + i * stride, SAMPLES[s].bits, nbytes, big);
    }
    out[n] = GUARD, mag[n] = GUARD, neg[n] = GUARD;
    test_kernels()->loads->f64[type](big != HOST_BIG, stored, stride, n, out);
    int is_integer = dtype_table[type].class != CLASS_F64;
    if (is_integer) test_kernels()->loads->wide[type](big != HOST_BIG, stored, stride, n, mag, neg);
    for (size_t i = 0; i < n; i++) {
        CHECKF(same_double(out[i], expected[i]->value), "%s, element %zu of %zu, stride %zu: %a",
               dtype_table[type].name, i, n, stride, out[i]);
        CHECKF(!is_integer || (mag[i] == expected[i]->mag && neg[i] == expected[i]->neg),
               "%s, element %zu of %zu, stride %zu: wide", dtype_table[type].name, i, n, stride);
    }
    CHECK(out[n] == GUARD && mag[n] == GUARD && neg[n] == GUARD);
}

static void test_fault_07_load_lengths(void) {
    unsigned char stored[8 * MOST];
    for (int type = 0; type < NDTYPES; type++)
        for (size_t n = 0; n < MOST; n++)
            for (int big = 0; big < 2; big++)
                check_load((enum dtype)type, stored, dtype_table[type].itemsize, n, big);
}

static void test_fault_19_misaligned_loads(void) {
    unsigned char stored[MOST * 40 + 16];
    for (int type = 0; type < NDTYPES; type++)
        for (size_t offset = 0; offset < 9; offset++)
            for (size_t stride = dtype_table[type].itemsize; stride <= 40; stride++)
                check_load((enum dtype)type, stored + offset, stride, 37, (int)(stride % 2));
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"dtype_bit_names", test_bit_names},
        {"fault_26_numpy_codes", test_fault_26_numpy_codes},
        {"dtype_bare_codes", test_bare_codes},
        {"dtype_listed_spellings", test_listed_spellings},
        {"dtype_refused_names", test_refused_names},
        {"dtype_extensions", test_extensions},
        {"dtype_load_all_f16", test_load_all_f16},
        {"dtype_load_all_bf16", test_load_all_bf16},
        {"fault_07_load_lengths", test_fault_07_load_lengths},
        {"fault_19_misaligned_loads", test_fault_19_misaligned_loads},
    };
    return RUN_TESTS(TESTS);
}
