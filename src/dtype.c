/* Element types: the table, and the names people give them.
 *
 * Names count bits ("f32", "i8"); with a byte-order prefix they are numpy codes, which count bytes
 * ("<f4", ">i8" is int64).  Every spelling that could be read both ways is refused with both readings
 * in the hint.  Loading elements is block_loads.c's. */
#include "dtype.h"

#include <string.h>

#include "error.h"

const struct dtype_info dtype_table[NDTYPES] = {
    [DTYPE_F16] = {"f16", "float16 f2 <f2 >f2", "IEEE half precision, 2 bytes", 2, CLASS_F64,
                   FLOAT_F16},
    [DTYPE_BF16] = {"bf16", "bfloat16", "upper half of an f32, 2 bytes", 2, CLASS_F64, FLOAT_BF16},
    [DTYPE_F32] = {"f32", "float32 f4 <f4 >f4", "IEEE single precision, 4 bytes", 4, CLASS_F64,
                   FLOAT_F32},
    [DTYPE_F64] = {"f64", "float64 f8 <f8 >f8", "IEEE double precision, 8 bytes", 8, CLASS_F64,
                   FLOAT_F64},
    [DTYPE_I8] = {"i8", "int8 i1 |i1", "signed integer, 1 byte", 1, CLASS_NARROW, FLOAT_F64},
    [DTYPE_I16] = {"i16", "int16 i2 <i2 >i2", "signed integer, 2 bytes", 2, CLASS_NARROW, FLOAT_F64},
    [DTYPE_I32] = {"i32", "int32 i4 <i4 >i4", "signed integer, 4 bytes", 4, CLASS_NARROW, FLOAT_F64},
    [DTYPE_I64] = {"i64", "int64 <i8 >i8", "signed integer, 8 bytes", 8, CLASS_WIDE, FLOAT_F64},
    [DTYPE_U8] = {"u8", "uint8 u1 |u1", "unsigned integer, 1 byte", 1, CLASS_NARROW, FLOAT_F64},
    [DTYPE_U16] = {"u16", "uint16 u2 <u2 >u2", "unsigned integer, 2 bytes", 2, CLASS_NARROW, FLOAT_F64},
    [DTYPE_U32] = {"u32", "uint32 u4 <u4 >u4", "unsigned integer, 4 bytes", 4, CLASS_NARROW, FLOAT_F64},
    [DTYPE_U64] = {"u64", "uint64 <u8 >u8", "unsigned integer, 8 bytes", 8, CLASS_WIDE, FLOAT_F64},
    [DTYPE_BOOL] = {"bool", "|b1", "1 byte, 1 if any bit is set, else 0", 1, CLASS_NARROW, FLOAT_F64},
};

/* The long name and numpy's code (kind and bytes); a code that is also a bit name ("i8") or that no
 * one writes without its prefix ("b1") passes only behind a prefix. */
struct forms {
    const char *long_name;
    const char *code;
    int bare_code;
};
static const struct forms FORMS[NDTYPES] = {
    [DTYPE_F16] = {"float16", "f2", 1}, [DTYPE_BF16] = {"bfloat16", "", 0},
    [DTYPE_F32] = {"float32", "f4", 1}, [DTYPE_F64] = {"float64", "f8", 1},
    [DTYPE_I8] = {"int8", "i1", 1},     [DTYPE_I16] = {"int16", "i2", 1},
    [DTYPE_I32] = {"int32", "i4", 1},   [DTYPE_I64] = {"int64", "i8", 0},
    [DTYPE_U8] = {"uint8", "u1", 1},    [DTYPE_U16] = {"uint16", "u2", 1},
    [DTYPE_U32] = {"uint32", "u4", 1},  [DTYPE_U64] = {"uint64", "u8", 0},
    [DTYPE_BOOL] = {"bool", "b1", 0},
};

static const char ALL_TYPES[] = "f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool";

/* A piece of the text being parsed. */
struct word {
    const char *text;
    size_t nbytes;
};

static int equals(struct word w, const char *name) {
    return strlen(name) == w.nbytes && memcmp(w.text, name, w.nbytes) == 0;
}

/* The type of this bit name or long name, or -1. */
static int find_name(struct word w) {
    for (int t = 0; t < NDTYPES; t++)
        if (equals(w, dtype_table[t].name) || equals(w, FORMS[t].long_name)) return t;
    return -1;
}

static int find_code(struct word w, int bare_only) {
    for (int t = 0; w.nbytes && t < NDTYPES; t++)
        if (equals(w, FORMS[t].code) && (FORMS[t].bare_code || !bare_only)) return t;
    return -1;
}

/* Cuts "le" or "be" off; 0, 1, or -1 if there is none. */
static int cut_suffix(struct word *w) {
    if (w->nbytes < 3 || w->text[w->nbytes - 1] != 'e') return -1;
    char c = w->text[w->nbytes - 2];
    if (c != 'l' && c != 'b') return -1;
    w->nbytes -= 2;
    return c == 'b';
}

static int host_is_big(void) {
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* ---- what to say of a name that is none -------------------------------------------------------- */

#define SHOWN(w) (int)((w).nbytes < 40 ? (w).nbytes : 40), (w).text

static int fail_bits_after_prefix(struct word w, int type, onepass_error *err) {
    const char *name = dtype_table[type].name, *code = FORMS[type].code;
    int big = w.text[0] == '>';
    error_set(err, ONEPASS_BAD_ARGUMENT, "unknown element type '%.*s': after '%c' numbers count bytes",
              SHOWN(w), w.text[0]);
    if (dtype_table[type].itemsize == 1)
        error_hint(err, "say %s or |%s", name, code);
    else if (!*code)
        error_hint(err, "say %s%s", name, big ? "be" : "le");
    else
        error_hint(err, "say %s%s or %c%s", name, big ? "be" : "le", big ? '>' : '<', code);
    return ONEPASS_BAD_ARGUMENT;
}

static int fail_unordered(struct word w, int type, onepass_error *err) {
    const char *code = FORMS[type].code;
    error_set(err, ONEPASS_BAD_ARGUMENT, "element type '%.*s' lacks its byte order", SHOWN(w));
    error_hint(err, "say <%s (little-endian) or >%s (big-endian)", code, code);
    return ONEPASS_BAD_ARGUMENT;
}

/* "u8be": one byte by our names, but perhaps numpy's eight bytes were meant. */
static int fail_one_byte(struct word w, int type, int big, onepass_error *err) {
    const char *name = dtype_table[type].name, *suffix = big ? "be" : "le";
    error_set(err, ONEPASS_BAD_ARGUMENT, "unknown element type '%.*s': %s is one byte and has no order",
              SHOWN(w), name);
    if (type == DTYPE_I8 || type == DTYPE_U8)
        error_hint(err, "say %s, or %c64%s for eight bytes", name, name[0], suffix);
    else
        error_hint(err, "say %s", name);
    return ONEPASS_BAD_ARGUMENT;
}

/* Names of languages and libraries whose size is not in them. */
static const struct {
    const char *name, *instead;
} FOREIGN[] = {
    {"double", "f64"},      {"float", "f32 (as in C) or f64 (as in Python)"},
    {"single", "f32"},      {"half", "f16"},
    {"char", "i8"},         {"byte", "u8"},
    {"short", "i16"},       {"int", "i32 (as in C) or i64 (as in numpy)"},
    {"long", "i64 or i32"}, {"uint", "u32 or u64"},
};

static int fail_foreign(struct word w, const char *instead, onepass_error *err) {
    error_set(err, ONEPASS_BAD_ARGUMENT, "unknown element type '%.*s'", SHOWN(w));
    error_hint(err, "did you mean %s? the types are %s", instead, ALL_TYPES);
    return ONEPASS_BAD_ARGUMENT;
}

static int fail_unknown(struct word w, onepass_error *err) {
    for (size_t k = 0; k < sizeof(FOREIGN) / sizeof(FOREIGN[0]); k++)
        if (equals(w, FOREIGN[k].name)) return fail_foreign(w, FOREIGN[k].instead, err);
    const char *names[2 * NDTYPES], *best[3];
    for (int t = 0; t < NDTYPES; t++) {
        names[t] = dtype_table[t].name;
        names[NDTYPES + t] = FORMS[t].long_name;
    }
    error_set(err, ONEPASS_BAD_ARGUMENT, "unknown element type '%.*s'", SHOWN(w));
    size_t found = onepass_nearest(w.text, w.nbytes, names, 2 * NDTYPES, best);
    error_hint(err, "%s%s%s%s%s%s%sthe types are %s; f32be is big-endian", found ? "did you mean " : "",
               found > 0 ? best[0] : "", found > 1 ? " or " : "", found > 1 ? best[1] : "",
               found > 2 ? " or " : "", found > 2 ? best[2] : "", found ? "? " : "", ALL_TYPES);
    return ONEPASS_BAD_ARGUMENT;
}

static int is_complex(struct word w) {
    static const char *const COMPLEX[] = {"c8", "c16", "c64", "c128", "complex64", "complex128"};
    for (size_t k = 0; k < sizeof(COMPLEX) / sizeof(COMPLEX[0]); k++)
        if (equals(w, COMPLEX[k])) return 1;
    return 0;
}

static int fail_complex(struct word w, onepass_error *err) {
    error_set(err, ONEPASS_BAD_ARGUMENT, "complex element type '%.*s' is not in this version",
              SHOWN(w));
    error_hint(err, "the types are %s", ALL_TYPES);
    return ONEPASS_BAD_ARGUMENT;
}

/* ---- parsing ----------------------------------------------------------------------------------- */

static int parse_code(struct word w, enum dtype *type, int *big_endian, onepass_error *err) {
    struct word code = {w.text + 1, w.nbytes - 1}, base = code;
    char prefix = w.text[0];
    int t = find_code(code, 0);
    if (t >= 0) {
        int ordered = dtype_table[t].itemsize > 1;
        if (prefix == '|' && ordered) return fail_unordered(w, t, err);
        *type = (enum dtype)t;
        *big_endian = !ordered ? -1 : prefix == '=' ? host_is_big() : prefix == '>';
        return 0;
    }
    if (is_complex(code)) return fail_complex(w, err);
    cut_suffix(&base);
    t = find_name(code) >= 0 ? find_name(code) : find_name(base);
    return t >= 0 ? fail_bits_after_prefix(w, t, err) : fail_unknown(w, err);
}

/* A name that needs no prefix: its type, or -1; *big is -1 where it has no suffix. */
static int match_plain(struct word w, int *big) {
    struct word base = w;
    int t = find_name(w);
    *big = -1;
    if (t >= 0) return t;
    int suffix = cut_suffix(&base);
    t = suffix >= 0 ? find_name(base) : -1;
    if (t >= 0) *big = suffix;
    return t;
}

int dtype_parse(const char *text, size_t nbytes, enum dtype *type, int *big_endian,
                onepass_error *err) {
    struct word w = {text, nbytes};
    if (nbytes && memchr("<>=|", text[0], 4)) return parse_code(w, type, big_endian, err);
    int big, t = match_plain(w, &big);
    if (t >= 0 && big >= 0 && dtype_table[t].itemsize == 1) return fail_one_byte(w, t, big, err);
    if (t < 0) t = find_code(w, 1);
    if (t < 0 && is_complex(w)) return fail_complex(w, err);
    if (t < 0) return fail_unknown(w, err);
    *type = (enum dtype)t;
    *big_endian = big;
    return 0;
}

/* Behind the last '.'; empty if there is none. */
static struct word extension(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name) return (struct word){"", 0}; /* ".f32" is a hidden file without one */
    return (struct word){dot + 1, strlen(dot + 1)};
}

int dtype_ordered_byte(const char *path, onepass_error *err) {
    struct word w = extension(path);
    int big, t = match_plain(w, &big);
    if (t < 0 || big < 0 || dtype_table[t].itemsize > 1) return 0;
    fail_one_byte(w, t, big, err);
    return 1;
}

int dtype_from_extension(const char *path, enum dtype *type, int *big_endian) {
    int big, t = match_plain(extension(path), &big);
    if (t < 0 || (big >= 0 && dtype_table[t].itemsize == 1)) return 0;
    *type = (enum dtype)t;
    *big_endian = big;
    return 1;
}

int dtype_from_capitals(const char *path, enum dtype *type) {
    char lower[16] = "x";
    int big_endian;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    if (dot == NULL || strlen(dot) + 2 > sizeof lower) return 0;
    for (size_t k = 0; dot[k] != '\0'; k++)
        lower[1 + k] = dot[k] >= 'A' && dot[k] <= 'Z' ? (char)(dot[k] | 0x20) : dot[k];
    return dtype_from_extension(lower, type, &big_endian);
}

int onepass_dtype(size_t k, onepass_name *out) {
    if (k >= NDTYPES || out->size < sizeof(*out)) return 0;
    out->group = "dtype";
    out->name = dtype_table[k].name;
    out->usage = dtype_table[k].spellings;
    out->doc = dtype_table[k].doc;
    return 1;
}
