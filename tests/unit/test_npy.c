/* The .npy header parser on text, and whole .npy files. */
#include "check.h"
#include "gather.h"
#include "npy_header.h"

/* A header of a version around a text, without padding; the caller frees. */
static unsigned char *make_header(int version, const char *text, size_t ntext, size_t *nbytes) {
    size_t start = version > 1 ? 12 : 10;
    unsigned char *h = malloc(start + ntext);
    memcpy(h, "\223NUMPY", 6);
    h[6] = (unsigned char)version;
    h[7] = 0;
    for (size_t k = 8; k < start; k++)
        h[k] = (unsigned char)(ntext >> 8 * (k - 8));
    memcpy(h + start, text, ntext);
    *nbytes = start + ntext;
    return h;
}

static int parse(const char *text, struct npy_header *out, onepass_error *err) {
    size_t nbytes;
    unsigned char *h = make_header(1, text, strlen(text), &nbytes);
    int rc = npy_header_parse(h, nbytes, out, err);
    free(h);
    return rc;
}

static const char *dict(const char *descr, const char *shape) {
    static char text[4][256];
    static unsigned k;
    k = (k + 1) % 4;
    snprintf(text[k], sizeof text[k], "{'descr': %s, 'fortran_order': False, 'shape': %s, }  \n", descr,
             shape);
    return text[k];
}

static void spellings_that_are_legal(void) {
    static const char *const texts[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }          \n",
        "{'shape': (3, 4), 'fortran_order': False, 'descr': '<f4'}",
        "{\"fortran_order\":False,\"descr\":\"<f4\",\"shape\":(3,4,)}\n",
        "  {  'descr'  :  '<f4'  ,'fortran_order' : False , 'shape' : ( 3 , 4 ) }\t\r\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L), }\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct npy_header h;
        onepass_error err = ONEPASS_ERROR_INIT;
        CHECKF(parse(texts[k], &h, &err) == 0, "%s: %s", texts[k], err.message);
        CHECK(h.dtype == DTYPE_F32 && !h.big_endian && !h.fortran_order);
        CHECK(h.ndim == 2 && h.shape[0] == 3 && h.shape[1] == 4 && h.nelems == 12);
    }
}

static void element_types(void) {
    static const struct {
        const char *descr;
        enum dtype dtype;
        int big_endian;
    } types[] = {
        {"'<f2'", DTYPE_F16, 0}, {"'>f2'", DTYPE_F16, 1},
        {"'<f4'", DTYPE_F32, 0}, {"'>f4'", DTYPE_F32, 1},
        {"'<f8'", DTYPE_F64, 0}, {"'=f8'", DTYPE_F64, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__},
        {"'>f8'", DTYPE_F64, 1}, {"'|i1'", DTYPE_I8, 0},
        {"'<i2'", DTYPE_I16, 0}, {"'>i4'", DTYPE_I32, 1},
        {"'<i8'", DTYPE_I64, 0}, {"'|u1'", DTYPE_U8, 0},
        {"'>u2'", DTYPE_U16, 1}, {"'<u4'", DTYPE_U32, 0},
        {"'>u8'", DTYPE_U64, 1}, {"'|b1'", DTYPE_BOOL, 0},
        {"'?'", DTYPE_BOOL, 0},  {"'<i1'", DTYPE_I8, 0},
    };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        struct npy_header h;
        onepass_error err = ONEPASS_ERROR_INIT;
        CHECKF(parse(dict(types[k].descr, "(7,)"), &h, &err) == 0, "%s: %s", types[k].descr,
               err.message);
        CHECKF(h.dtype == types[k].dtype && h.big_endian == types[k].big_endian, "%s", types[k].descr);
    }
}

struct refusal {
    const char *text;
    int code;
    const char *message;
};

static void check_refusals(const struct refusal *r, size_t n) {
    for (size_t k = 0; k < n; k++) {
        struct npy_header h;
        onepass_error err = ONEPASS_ERROR_INIT;
        int rc = parse(r[k].text, &h, &err);
        CHECKF(rc == r[k].code && err.code == rc && strstr(err.message, r[k].message) != NULL,
               "%s: code %d '%s'", r[k].text, rc, err.message);
    }
}

static void fault_26_element_types_that_are_no_numbers(void) {
    const struct refusal r[] = {
        {dict("'|O'", "(2,)"), ONEPASS_UNSUPPORTED, "Python objects ('|O')"},
        {dict("'<c8'", "(2,)"), ONEPASS_UNSUPPORTED, "complex"},
        {dict("'<U5'", "(2,)"), ONEPASS_UNSUPPORTED, "Unicode strings"},
        {dict("'|S3'", "(2,)"), ONEPASS_UNSUPPORTED, "byte strings"},
    };
    check_refusals(r, sizeof r / sizeof *r);
    const struct refusal more[] = {
        {dict("'|V2'", "(2,)"), ONEPASS_UNSUPPORTED, "raw records"},
        {dict("'<M8[ns]'", "(2,)"), ONEPASS_UNSUPPORTED, "dates"},
        {dict("'<f16'", "(2,)"), ONEPASS_UNSUPPORTED, "128 bits"},
        {dict("[('a', '<f4'), ('b', '<i2')]", "(2,)"), ONEPASS_UNSUPPORTED, "structured"},
    };
    check_refusals(more, sizeof more / sizeof *more);
    const struct refusal odd[] = {
        {dict("'f32'", "(2,)"), ONEPASS_BAD_HEADER, "'f32' is no element type"},
        {dict("'<f3'", "(2,)"), ONEPASS_BAD_HEADER, "'<f3' is no element type"},
        {dict("'|f4'", "(2,)"), ONEPASS_BAD_HEADER, "'|f4' is no element type"},
        {dict("''", "(2,)"), ONEPASS_BAD_HEADER, "'' is no element type"},
    };
    check_refusals(odd, sizeof odd / sizeof *odd);
}

static void fault_26_headers_that_are_wrong(void) {
    static const struct refusal r[] = {
        {"", ONEPASS_BAD_HEADER, "'{' expected"},
        {"[]", ONEPASS_BAD_HEADER, "'{' expected"},
        {"{}", ONEPASS_BAD_HEADER, "no descr"},
        {"{'descr': '<f4', 'shape': (3,)}", ONEPASS_BAD_HEADER, "no fortran_order"},
        {"{'descr': '<f4', 'fortran_order': False}", ONEPASS_BAD_HEADER, "no shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'shape': (4,)}", ONEPASS_BAD_HEADER,
         "shape is there twice"},
        {"{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", ONEPASS_BAD_HEADER,
         "descr is there twice"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'x': 1}", ONEPASS_BAD_HEADER,
         "unknown key x"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), '\033[2J': 1}", ONEPASS_BAD_HEADER,
         "unknown key"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", ONEPASS_BAD_HEADER, "a tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': [3]}", ONEPASS_BAD_HEADER, "'(' expected"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", ONEPASS_BAD_HEADER, "a dimension"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", ONEPASS_BAD_HEADER, "a dimension"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}", ONEPASS_BAD_HEADER, "',' or ')'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,,4)}", ONEPASS_BAD_HEADER,
         "a dimension"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (03,)}", ONEPASS_BAD_HEADER,
         "leading zeros"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3.0,)}", ONEPASS_BAD_HEADER, "',' or ')'"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}", ONEPASS_BAD_HEADER, "True or False"},
        {"{'descr': '<f4', 'fortran_order': Fals", ONEPASS_BAD_HEADER, "True or False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x", ONEPASS_BAD_HEADER,
         "nothing more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)", ONEPASS_BAD_HEADER, "',' or '}'"},
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}", ONEPASS_BAD_HEADER, "',' or '}'"},
        {"{'descr': <f4, 'fortran_order': False, 'shape': (3,)}", ONEPASS_BAD_HEADER,
         "an element type"},
        {"{'descr': '<f\\x34', 'fortran_order': False, 'shape': (3,)}", ONEPASS_BAD_HEADER, "string"},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (3,)}", ONEPASS_BAD_HEADER, "'<f4, ' is no"},
        {"{'descr'", ONEPASS_BAD_HEADER, "':' expected"},
        {"{'descr", ONEPASS_BAD_HEADER, "the end of a string"},
    };
    check_refusals(r, sizeof r / sizeof *r);
}

static void control_characters_stay_out_of_messages(void) {
    static const char *const texts[] = {
        "{'descr': '<\0334', 'fortran_order': False, 'shape': (3,)}",
        "{'de\nscr': '<f4'}",
        "{'\033[31m': '<f4'}",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct npy_header h;
        onepass_error err = ONEPASS_ERROR_INIT;
        CHECK(parse(texts[k], &h, &err) == ONEPASS_BAD_HEADER);
        for (const char *p = err.message; *p != '\0'; p++)
            CHECKF(*p >= 0x20, "%s", err.message);
    }
}

static void fault_26_dimensions_whose_product_wraps(void) {
    static const struct refusal r[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         ONEPASS_BAD_HEADER, "more than 2^63 bytes"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}",
         ONEPASS_BAD_HEADER, "more than 2^63 bytes"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,)}",
         ONEPASS_BAD_HEADER, "more than 2^63 bytes"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (18446744073709551616,)}",
         ONEPASS_BAD_HEADER, "above 2^64"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (18446744073709551615,)}",
         ONEPASS_BAD_HEADER, "more than 2^63 bytes"},
    };
    check_refusals(r, sizeof r / sizeof *r);
    struct npy_header h;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(parse(dict("'<f4'", "(4294967296, 0, 4294967296)"), &h, &err) == 0 && h.nelems == 0);
    CHECK(parse(dict("'|u1'", "(4294967297,)"), &h, &err) == 0 && h.nelems == 4294967297);
}

static void dimensions_up_to_32(void) {
    char shape[256] = "(";
    struct npy_header h;
    onepass_error err = ONEPASS_ERROR_INIT;
    for (int k = 0; k < ONEPASS_MAX_DIMS; k++)
        strcat(shape, "1, ");
    strcat(shape, ")");
    CHECK(parse(dict("'<f4'", shape), &h, &err) == 0 && h.ndim == ONEPASS_MAX_DIMS && h.nelems == 1);
    strcpy(shape + strlen(shape) - 1, "1)");
    CHECK(parse(dict("'<f4'", shape), &h, &err) == ONEPASS_UNSUPPORTED);
}

/* ---- files ------------------------------------------------------------------------------------ */

/* A file of a header around `text` and data behind it. */
static const char *npy_file(const char *name, int version, const char *text, const void *data,
                            size_t ndata) {
    size_t nbytes;
    unsigned char *h = make_header(version, text, strlen(text), &nbytes);
    h = realloc(h, nbytes + ndata + 1);
    memcpy(h + nbytes, data, ndata);
    const char *path = test_file(name, h, nbytes + ndata);
    free(h);
    return path;
}

static struct gathered gather_npy(const char *path) {
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = path;
    return gather(&in, 16, 64);
}

static void fault_26_versions_1_2_3(void) {
    const float data[3] = {1.5f, -2, 3e20f};
    for (int version = 1; version <= 3; version++) {
        struct gathered g =
            gather_npy(npy_file("a.npy", version, dict("'<f4'", "(3,)"), data, sizeof data));
        CHECKF(g.rc == 0, "%s", g.err.message);
        CHECK(g.nelems == 3 && g.values[0] == 1.5 && g.values[1] == -2 && g.values[2] == 3e20f);
        CHECK(strcmp(g.source.ops->name, "npy") == 0 && g.source.dtype == DTYPE_F32);
        CHECK(!g.source.has_layout && g.source.file_size > 12 + 10);
        free(g.values);
    }
    struct gathered g = gather_npy(npy_file("a.npy", 4, dict("'<f4'", "(3,)"), data, sizeof data));
    GATHERED_ERROR(g, ONEPASS_UNSUPPORTED, "version 4.0");
}

static void fault_26_big_endian_and_bool(void) {
    struct gathered g =
        gather_npy(npy_file("a.npy", 1, dict("'>f4'", "(2,)"), "\x3f\x80\0\0\xc0\0\0\0", 8));
    CHECK(g.rc == 0 && g.nelems == 2 && g.values[0] == 1 && g.values[1] == -2 && g.source.big_endian);
    free(g.values);
    g = gather_npy(npy_file("b.npy", 1, dict("'|b1'", "(2, 2)"), "\0\1\2\xff", 4));
    CHECK(g.rc == 0 && g.nelems == 4 && g.values[0] == 0 && g.values[1] == 1 && g.values[2] == 1);
    CHECK(g.place.ndim == 2 && g.place.shape[0] == 2 && g.place.shape[1] == 2);
    free(g.values);
}

static void fault_26_scalar_and_empty(void) {
    struct gathered g = gather_npy(npy_file("a.npy", 1, dict("'|i1'", "()"), "\xfd", 1));
    CHECK(g.rc == 0 && g.nelems == 1 && g.values[0] == -3 && g.place.ndim == 0);
    free(g.values);
    g = gather_npy(npy_file("b.npy", 1, dict("'<f8'", "(0,)"), "", 0));
    CHECK(g.rc == 0 && g.nelems == 0 && g.nextents == 0 && g.place.ndim == 1 && g.place.shape[0] == 0);
    free(g.values);
    g = gather_npy(npy_file("c.npy", 1, dict("'<f8'", "(3, 0)"), "", 0));
    CHECK(g.rc == 0 && g.nelems == 0 && g.place.ndim == 2);
    free(g.values);
}

static void fault_26_fortran_order(void) {
    const char *text = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}";
    struct gathered g = gather_npy(npy_file("a.npy", 1, text, "\0\1\2\3\4\5", 6));
    uint64_t index[6];
    CHECK(g.rc == 0 && g.nelems == 6 && g.place.fortran);
    place_indices(&g.place, 0, 6, index);
    CHECK(index[0] == 0 && index[1] == 3 && index[2] == 1 && index[3] == 4 && index[4] == 2 &&
          index[5] == 5);
    free(g.values);
    text = "{'descr': '|u1', 'fortran_order': True, 'shape': (6,)}";
    g = gather_npy(npy_file("b.npy", 1, text, "\0\1\2\3\4\5", 6));
    CHECK(g.rc == 0 && !g.place.fortran);
    free(g.values);
}

static void fault_26_a_dimension_above_2_31(void) {
    const uint64_t n = (UINT64_C(1) << 31) + 5;
    const char *path = npy_file("big.npy", 1, dict("'|u1'", "(1, 2147483653)"), "", 0);
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = path;
    struct gathered g = gather(&in, 1 << 20, 0);
    GATHERED_ERROR(g, ONEPASS_TRUNCATED, "0 of 2147483653 bytes");
    if (truncate(path, (off_t)(n + 10 + strlen(dict("'|u1'", "(1, 2147483653)")))) != 0) {
        SKIP("no room for a sparse file of 2 GiB");
        return;
    }
    g = gather(&in, 1 << 20, 0);
    CHECKF(g.rc == 0, "%s", g.err.message);
    CHECK(g.nelems == n && g.nbytes == n && g.place.shape[1] == n && g.nextents == (1 << 11) + 1);
    free(g.values);
    unlink(path);
}

static void fault_26_sizes_that_lie(void) {
    const float data[4] = {1, 2, 3, 4};
    struct gathered g = gather_npy(npy_file("a.npy", 1, dict("'<f4'", "(5,)"), data, sizeof data));
    GATHERED_ERROR(g, ONEPASS_TRUNCATED, "16 of 20 bytes");
    g = gather_npy(npy_file("a.npy", 1, dict("'<f4'", "(4,)"), data, sizeof data - 1));
    GATHERED_ERROR(g, ONEPASS_TRUNCATED, "15 of 16 bytes");
    g = gather_npy(npy_file("a.npy", 1, dict("'<f4'", "(3,)"), data, sizeof data));
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "4 bytes are left over");
    g = gather_npy(npy_file("a.npy", 1, dict("'<f4'", "(4611686018427387000,)"), data, sizeof data));
    GATHERED_ERROR(g, ONEPASS_BAD_HEADER, "2^63");
}

static void fault_26_header_lengths_that_lie(void) {
    unsigned char bytes[4096];
    size_t nbytes;
    const char *text = dict("'<f4'", "(1,)");
    unsigned char *h = make_header(1, text, strlen(text), &nbytes);
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, h, nbytes);
    memcpy(bytes + nbytes, "\0\0\200\77", 4);
    free(h);
    bytes[8]++; /* one byte of data becomes header */
    struct gathered g = gather_npy(test_file("a.npy", bytes, nbytes + 4));
    GATHERED_ERROR(g, ONEPASS_BAD_HEADER, "nothing more");
    bytes[8] -= 8; /* ends within the text */
    g = gather_npy(test_file("a.npy", bytes, nbytes + 4));
    GATHERED_ERROR(g, ONEPASS_BAD_HEADER, "expected");
    bytes[9] = 0xff; /* 65 kB */
    g = gather_npy(test_file("a.npy", bytes, nbytes + 4));
    GATHERED_ERROR(g, ONEPASS_TRUNCATED, "within the .npy header");
    bytes[8] = bytes[9] = 0;
    g = gather_npy(test_file("a.npy", bytes, nbytes + 4));
    GATHERED_ERROR(g, ONEPASS_BAD_HEADER, "a text of 0 bytes");
    memcpy(bytes + 6, "\2\0\0\0\0\xf0", 6); /* 4 GB: not trusted for malloc */
    g = gather_npy(test_file("a.npy", bytes, nbytes + 4));
    GATHERED_ERROR(g, ONEPASS_BAD_HEADER, "4026531840 bytes");
}

static void every_truncation_is_an_error(void) {
    unsigned char *whole;
    size_t nbytes;
    const char *text = dict("'<f4'", "(2,)");
    whole = make_header(1, text, strlen(text), &nbytes);
    whole = realloc(whole, nbytes + 8);
    memset(whole + nbytes, 0, 8);
    for (size_t n = 0; n <= nbytes + 8; n++) {
        struct gathered g = gather_npy(test_file("cut.npy", whole, n));
        CHECKF((g.rc == 0) == (n == nbytes + 8), "%zu bytes: code %d", n, g.rc);
        CHECK(g.rc == 0 || g.err.message[0] != '\0');
        free(g.values);
    }
    free(whole);
}

static void padding_of_kilobytes_is_read(void) {
    char *text = malloc(70000 + 1);
    memset(text, ' ', 70000);
    text[70000] = '\0';
    memcpy(text, dict("'|u1'", "(1,)"), strlen(dict("'|u1'", "(1,)")));
    struct gathered g = gather_npy(npy_file("a.npy", 2, text, "\7", 1));
    CHECK(g.rc == 0 && g.nelems == 1 && g.values[0] == 7);
    free(g.values);
    free(text);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"npy_spellings_that_are_legal", spellings_that_are_legal},
        {"npy_element_types", element_types},
        {"fault_26_element_types_that_are_no_numbers", fault_26_element_types_that_are_no_numbers},
        {"fault_26_headers_that_are_wrong", fault_26_headers_that_are_wrong},
        {"npy_control_characters_stay_out_of_messages", control_characters_stay_out_of_messages},
        {"fault_26_dimensions_whose_product_wraps", fault_26_dimensions_whose_product_wraps},
        {"npy_dimensions_up_to_32", dimensions_up_to_32},
        {"fault_26_versions_1_2_3", fault_26_versions_1_2_3},
        {"fault_26_big_endian_and_bool", fault_26_big_endian_and_bool},
        {"fault_26_scalar_and_empty", fault_26_scalar_and_empty},
        {"fault_26_fortran_order", fault_26_fortran_order},
        {"fault_26_a_dimension_above_2_31", fault_26_a_dimension_above_2_31},
        {"fault_26_sizes_that_lie", fault_26_sizes_that_lie},
        {"fault_26_header_lengths_that_lie", fault_26_header_lengths_that_lie},
        {"npy_every_truncation_is_an_error", every_truncation_is_an_error},
        {"npy_padding_of_kilobytes_is_read", padding_of_kilobytes_is_read},
    };
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
