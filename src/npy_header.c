/* Parsing .npy headers: untrusted text in a small part of Python's literal syntax.
 *
 * Owns the grammar, the element types of numpy and the check of the products; no file is read here.
 * Every read of the text is bounded by its end, nothing recurses, and no number can wrap. */
#include "npy_header.h"

#include <string.h>

#include "error.h"

struct cursor {
    const char *start, *p, *end;
    onepass_error *err;
};

enum key { KEY_DESCR, KEY_FORTRAN, KEY_SHAPE, NKEYS };
static const char *const key_names[NKEYS] = {"descr", "fortran_order", "shape"};

static int bad(struct cursor *c, const char *expected) {
    return error_set(c->err, ONEPASS_BAD_HEADER, "bad .npy header: %s expected at byte %zu of the text",
                     expected, (size_t)(c->p - c->start));
}

static void skip_blanks(struct cursor *c) {
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r'))
        c->p++;
}

/* After blanks, takes the character if it is the next one. */
static int take(struct cursor *c, char what) {
    skip_blanks(c);
    if (c->p == c->end || *c->p != what) return 0;
    c->p++;
    return 1;
}

static int is_digit(const struct cursor *c) {
    return c->p < c->end && *c->p >= '0' && *c->p <= '9';
}

/* 'text' or "text", without escapes: no legal header needs one. */
static int take_string(struct cursor *c, const char **text, size_t *n, const char *expected) {
    char quote = take(c, '\'') ? '\'' : take(c, '"') ? '"' : 0;
    if (quote == 0) return bad(c, expected);
    *text = c->p;
    while (c->p < c->end && *c->p != quote && *c->p != '\\' && *c->p != '\n')
        c->p++;
    if (c->p == c->end || *c->p != quote) return bad(c, "the end of a string");
    *n = (size_t)(c->p - *text);
    c->p++;
    return 0;
}

/* Names from the header come into messages: only if they are harmless there. */
static int printable(const char *text, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (text[k] < 0x20 || text[k] > 0x7e) return 0;
    return n <= 40;
}

static int bad_type(struct cursor *c, const char *text, size_t n) {
    if (!printable(text, n))
        return error_set(c->err, ONEPASS_BAD_HEADER, "bad .npy header: descr is no element type");
    return error_set(c->err, ONEPASS_BAD_HEADER, "bad .npy header: '%.*s' is no element type", (int)n,
                     text);
}

static int refuse_type(struct cursor *c, const char *what, const char *text, size_t n) {
    n = printable(text, n) ? n : 0;
    error_set(c->err, ONEPASS_UNSUPPORTED, "elements are %s%s%.*s%s: not in this version", what,
              n != 0 ? " ('" : "", (int)n, text, n != 0 ? "')" : "");
    return ONEPASS_UNSUPPORTED;
}

static const struct {
    char kind, size; /* numpy's letter, bytes */
    enum dtype dtype;
} numbers[] = {
    {'f', 2, DTYPE_F16}, {'f', 4, DTYPE_F32}, {'f', 8, DTYPE_F64}, {'i', 1, DTYPE_I8},
    {'i', 2, DTYPE_I16}, {'i', 4, DTYPE_I32}, {'i', 8, DTYPE_I64}, {'u', 1, DTYPE_U8},
    {'u', 2, DTYPE_U16}, {'u', 4, DTYPE_U32}, {'u', 8, DTYPE_U64}, {'b', 1, DTYPE_BOOL},
};

static const struct {
    char kind;
    const char *what;
} no_numbers[] = {
    {'c', "complex numbers"}, {'O', "Python objects"},   {'S', "byte strings"},
    {'a', "byte strings"},    {'U', "Unicode strings"},  {'V', "raw records"},
    {'M', "dates"},           {'m', "time differences"}, {'T', "strings"},
};

/* Byte order, kind and size: "<f4", "|u1", "=f8", ">i2". */
static int parse_type(struct cursor *c, const char *text, size_t n, struct npy_header *h) {
    const char *p = text, *end = text + n;
    char order = p < end && strchr("<>=|", *p) != NULL && *p != '\0' ? *p++ : '=';
    char kind = p < end ? *p++ : '\0';
    for (size_t k = 0; k < sizeof no_numbers / sizeof *no_numbers; k++)
        if (kind == no_numbers[k].kind) return refuse_type(c, no_numbers[k].what, text, n);
    if (kind == '?' && p == end) kind = 'b', p = "1", end = p + 1;
    if (kind == 'f' && end - p == 2 && memcmp(p, "16", 2) == 0)
        return refuse_type(c, "floats of 128 bits", text, n);
    if (end - p != 1) return bad_type(c, text, n);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (kind != numbers[k].kind || *p != '0' + numbers[k].size) continue;
        if (order == '|' && numbers[k].size > 1) break; /* no byte order where one is needed */
        h->dtype = numbers[k].dtype;
        h->big_endian = order == '>' || (order == '=' && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
        return 0;
    }
    return bad_type(c, text, n);
}

static int take_descr(struct cursor *c, struct npy_header *h) {
    const char *text;
    size_t n;
    skip_blanks(c);
    if (c->p < c->end && (*c->p == '[' || *c->p == '('))
        return refuse_type(c, "structured records", "", 0);
    int rc = take_string(c, &text, &n, "an element type");
    return rc != 0 ? rc : parse_type(c, text, n, h);
}

static int take_bool(struct cursor *c, int *out) {
    static const char *const words[] = {"False", "True"};
    skip_blanks(c);
    for (int k = 0; k < 2; k++) {
        size_t n = strlen(words[k]);
        if ((size_t)(c->end - c->p) < n || memcmp(c->p, words[k], n) != 0) continue;
        c->p += n;
        *out = k;
        return 0;
    }
    return bad(c, "True or False");
}

static int take_dimension(struct cursor *c, uint64_t *out) {
    uint64_t v = 0;
    skip_blanks(c);
    const char *first = c->p;
    if (!is_digit(c)) return bad(c, "a dimension (0 or more)");
    for (; is_digit(c); c->p++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*c->p - '0'), &v))
            return error_set(c->err, ONEPASS_BAD_HEADER, "bad .npy header: a dimension above 2^64");
    if (*first == '0' && c->p - first > 1) {
        c->p = first;
        return bad(c, "a dimension without leading zeros");
    }
    if (c->p < c->end && *c->p == 'L') c->p++; /* long integers of Python 2 */
    *out = v;
    return 0;
}

/* (), (3,), (3, 4), (3, 4,); (3) is no tuple. */
static int take_shape(struct cursor *c, struct npy_header *h) {
    int comma = 1;
    h->ndim = 0;
    if (!take(c, '(')) return bad(c, "'('");
    while (!take(c, ')')) {
        if (!comma) return bad(c, "',' or ')'");
        if (h->ndim == ONEPASS_MAX_DIMS)
            return error_set(c->err, ONEPASS_UNSUPPORTED, "more than %d dimensions", ONEPASS_MAX_DIMS);
        int rc = take_dimension(c, &h->shape[h->ndim++]);
        if (rc != 0) return rc;
        comma = take(c, ',');
    }
    return h->ndim == 1 && !comma ? bad(c, "a tuple, with ',' before ')'") : 0;
}

static int take_value(struct cursor *c, enum key key, struct npy_header *h) {
    switch (key) {
    case KEY_DESCR:
        return take_descr(c, h);
    case KEY_FORTRAN:
        return take_bool(c, &h->fortran_order);
    default:
        return take_shape(c, h);
    }
}

/* 'key': value, each of the three once. */
static int take_item(struct cursor *c, unsigned *seen, struct npy_header *h) {
    const char *text;
    size_t n;
    int key = 0, rc = take_string(c, &text, &n, "a key");
    if (rc != 0) return rc;
    while (key < NKEYS && (strlen(key_names[key]) != n || memcmp(key_names[key], text, n) != 0))
        key++;
    if (key == NKEYS) {
        n = printable(text, n) ? n : 0;
        return error_set(c->err, ONEPASS_BAD_HEADER, "bad .npy header: unknown key%s%.*s",
                         n != 0 ? " " : "", (int)n, text);
    }
    if (*seen & 1U << key)
        return error_set(c->err, ONEPASS_BAD_HEADER, "bad .npy header: %s is there twice",
                         key_names[key]);
    *seen |= 1U << key;
    if (!take(c, ':')) return bad(c, "':'");
    return take_value(c, (enum key)key, h);
}

static int parse_dict(struct cursor *c, struct npy_header *h) {
    unsigned seen = 0;
    int comma = 1;
    if (!take(c, '{')) return bad(c, "'{'");
    while (!take(c, '}')) {
        if (!comma) return bad(c, "',' or '}'");
        int rc = take_item(c, &seen, h);
        if (rc != 0) return rc;
        comma = take(c, ',');
    }
    skip_blanks(c);
    if (c->p != c->end) return bad(c, "nothing more");
    for (int key = 0; key < NKEYS; key++)
        if (!(seen & 1U << key))
            return error_set(c->err, ONEPASS_BAD_HEADER, "bad .npy header: no %s", key_names[key]);
    return 0;
}

static int multiply_shape(struct npy_header *h, onepass_error *err) {
    uint64_t nbytes = dtype_table[h->dtype].itemsize;
    int overflow = 0;
    h->nelems = 1;
    for (int d = 0; d < h->ndim; d++) {
        if (h->shape[d] == 0) {
            h->nelems = 0;
            return 0;
        }
        overflow |= __builtin_mul_overflow(h->nelems, h->shape[d], &h->nelems);
    }
    overflow |= __builtin_mul_overflow(h->nelems, nbytes, &nbytes);
    if (overflow || nbytes > INT64_MAX - NPY_MAX_HEADER - NPY_PREAMBLE)
        return error_set(err, ONEPASS_BAD_HEADER,
                         "bad .npy header: the shape has more than 2^63 bytes");
    return 0;
}

int npy_header_length(const unsigned char preamble[NPY_PREAMBLE], size_t *nbytes, onepass_error *err) {
    const unsigned char *p = preamble;
    if (memcmp(p, "\223NUMPY", 6) != 0)
        return error_set(err, ONEPASS_BAD_HEADER, "bad .npy header: the magic is missing");
    if (p[6] < 1 || p[6] > 3 || p[7] != 0)
        return error_set(err, ONEPASS_UNSUPPORTED,
                         ".npy version %u.%u is not known: 1.0, 2.0 and 3.0 are", (unsigned)p[6],
                         (unsigned)p[7]);
    size_t text = p[8] | (size_t)p[9] << 8, start = 10;
    if (p[6] > 1) {
        text |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
        start = 12;
    }
    if (text > NPY_MAX_HEADER || start + text <= NPY_PREAMBLE)
        return error_set(err, ONEPASS_BAD_HEADER,
                         "bad .npy header: a text of %zu bytes; up to %d are read", text,
                         NPY_MAX_HEADER);
    *nbytes = start + text;
    return 0;
}

int npy_header_parse(const unsigned char *header, size_t nbytes, struct npy_header *out,
                     onepass_error *err) {
    size_t start = header[6] > 1 ? 12 : 10;
    const char *text = (const char *)header + start;
    struct cursor c = {text, text, (const char *)header + nbytes, err};
    memset(out, 0, sizeof *out);
    int rc = parse_dict(&c, out);
    return rc != 0 ? rc : multiply_shape(out, err);
}
