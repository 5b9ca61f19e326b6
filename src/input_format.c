/* One table of formats and one of their magics.
 *
 * Owns names, extensions and magic bytes, and onepass_format() for lists of formats.  What follows from
 * a detected format is decided in source.c. */
#include "input_format.h"

#include <string.h>

#include "onepass.h"

const struct input_format_info input_format_table[NINPUT_FORMATS] = {
    [INPUT_RAW] = {"raw", "raw data", ".f32 .f64be .i16 ... (any element type)",
                   "plain elements one after the other", 0},
    [INPUT_NPY] = {"npy", ".npy", ".npy", "numpy arrays, versions 1 to 3, C and Fortran order", 0},
    [INPUT_HDF5] = {"hdf5", "HDF5", ".h5 .hdf5 .he5 .nc4", NULL, 0},
    [INPUT_NETCDF3] = {"netcdf3", "netCDF classic", ".nc .cdf", NULL, 0},
    [INPUT_ZSTD] = {"zstd", "zstd", ".zst .zstd", NULL, 1},
    [INPUT_GZIP] = {"gzip", "gzip", ".gz", NULL, 1},
    [INPUT_XZ] = {"xz", "xz", ".xz", NULL, 1},
    [INPUT_BZIP2] = {"bzip2", "bzip2", ".bz2", NULL, 1},
    [INPUT_LZ4] = {"lz4", "lz4", ".lz4", NULL, 1},
    [INPUT_ZIP] = {"zip", "zip (.npz)", ".npz .zip", NULL, 0},
    [INPUT_FITS] = {"fits", "FITS", ".fits .fit .fts", NULL, 0},
};

struct magic {
    enum input_format format;
    unsigned nbytes;
    const char *bytes;
};

static const struct magic magics[] = {
    {INPUT_NPY, 6, "\223NUMPY"},
    {INPUT_HDF5, HDF5_SIGNATURE_BYTES, HDF5_SIGNATURE},
    {INPUT_NETCDF3, 4, "CDF\1"},
    {INPUT_NETCDF3, 4, "CDF\2"},
    {INPUT_NETCDF3, 4, "CDF\5"},
    {INPUT_ZSTD, 4, "\x28\xb5\x2f\xfd"},
    {INPUT_ZSTD, 4, "\x1e\xb5\x2f\xfd"}, /* versions 0.1 to 0.7 */
    {INPUT_ZSTD, 4, "\x22\xb5\x2f\xfd"},
    {INPUT_ZSTD, 4, "\x23\xb5\x2f\xfd"},
    {INPUT_ZSTD, 4, "\x24\xb5\x2f\xfd"},
    {INPUT_ZSTD, 4, "\x25\xb5\x2f\xfd"},
    {INPUT_ZSTD, 4, "\x26\xb5\x2f\xfd"},
    {INPUT_ZSTD, 4, "\x27\xb5\x2f\xfd"},
    {INPUT_GZIP, 3, "\x1f\x8b\x08"},
    {INPUT_XZ, 6,
     "\xfd"
     "7zXZ\0"},
    {INPUT_BZIP2, 3, "BZh"}, /* see is_bzip2 */
    {INPUT_LZ4, 4, "\x04\x22\x4d\x18"},
    {INPUT_LZ4, 4, "\x02\x21\x4c\x18"}, /* the legacy frame */
    {INPUT_ZIP, 4, "PK\3\4"},
    {INPUT_ZIP, 4, "PK\5\6"}, /* an empty archive */
    {INPUT_FITS, 9, "SIMPLE  ="},
};

/* 0: no, 1: yes, -1: more bytes will tell. */
static int matches(const struct magic *m, const unsigned char *head, size_t n) {
    size_t have = n < m->nbytes ? n : m->nbytes;
    if (memcmp(head, m->bytes, have) != 0) return 0;
    return n < m->nbytes ? -1 : 1;
}

/* "BZh" alone is too weak for data of any kind: level digit and block (or end) magic follow. */
static int is_bzip2(const unsigned char *head, size_t n) {
    static const struct magic block = {INPUT_BZIP2, 6, "\x31\x41\x59\x26\x53\x59"};
    static const struct magic end = {INPUT_BZIP2, 6, "\x17\x72\x45\x38\x50\x90"};
    if (n < 4) return -1;
    if (head[3] < '1' || head[3] > '9') return 0;
    int a = matches(&block, head + 4, n - 4), b = matches(&end, head + 4, n - 4);
    return a == 1 || b == 1 ? 1 : a | b;
}

/* Skippable frames (0x184D2A50 to 5F) may start a zstd file: pzstd writes one before each frame. */
static int is_skippable(const unsigned char *head, size_t n) {
    static const struct magic rest = {INPUT_ZSTD, 3, "\x2a\x4d\x18"};
    if (n == 0) return -1;
    return (head[0] & 0xf0) == 0x50 ? matches(&rest, head + 1, n - 1) : 0;
}

int input_format_detect(const unsigned char *head, size_t n) {
    int skippable = is_skippable(head, n), unsure = skippable < 0;
    if (skippable > 0) return INPUT_ZSTD;
    for (size_t k = 0; k < sizeof magics / sizeof *magics; k++) {
        int yes = matches(&magics[k], head, n);
        if (yes > 0 && magics[k].format == INPUT_BZIP2) yes = is_bzip2(head, n);
        if (yes > 0) return magics[k].format;
        unsure |= yes < 0;
    }
    return unsure ? -1 : INPUT_RAW;
}

/* The four bytes of a number may well all be printable. */
#define LEAST_TEXT 8

int input_format_is_text(const unsigned char *bytes, size_t n) {
    if (n < LEAST_TEXT) return 0;
    for (size_t k = 0; k < n; k++)
        if ((bytes[k] < ' ' || bytes[k] > '~') && memchr("\t\n\r", bytes[k], 3) == NULL) return 0;
    return 1;
}

/* Whether `word` is one of the blank-separated words of a list. */
static int in_list(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) return 1;
    return 0;
}

enum input_format input_format_by_extension(const char *path) {
    const char *name = strrchr(path, '/');
    name = name == NULL ? path : name + 1;
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot[1] == '\0' || strchr(dot, ' ') != NULL) return INPUT_RAW;
    for (int k = INPUT_NPY; k < NINPUT_FORMATS; k++)
        if (in_list(input_format_table[k].extensions, dot)) return (enum input_format)k;
    return INPUT_RAW;
}

int input_format_by_name(const char *name) {
    for (int k = 0; k < NINPUT_FORMATS; k++)
        if (strcmp(input_format_table[k].name, name) == 0) return k;
    return -1;
}

int onepass_format(size_t k, onepass_name *out) {
    for (size_t i = 0; i < NINPUT_FORMATS; i++) {
        const struct input_format_info *f = &input_format_table[i];
        if (f->doc == NULL || k-- != 0) continue;
        out->group = "format";
        out->name = f->name;
        out->usage = f->extensions;
        out->doc = f->doc;
        return 1;
    }
    return 0;
}
