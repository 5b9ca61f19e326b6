/* The formats onepass knows by content or name, those included that this version cannot read. */
#ifndef INPUT_FORMAT_H
#define INPUT_FORMAT_H

#include <stddef.h>

enum input_format {
    INPUT_RAW,
    INPUT_NPY,
    INPUT_HDF5,
    INPUT_NETCDF3,
    INPUT_ZSTD,
    INPUT_GZIP,
    INPUT_XZ,
    INPUT_BZIP2,
    INPUT_LZ4,
    INPUT_ZIP,
    INPUT_FITS,
    NINPUT_FORMATS
};

struct input_format_info {
    const char *name;       /* as in --input-format */
    const char *title;      /* as in messages */
    const char *extensions; /* separated by blanks, with their dots; of raw data: the element types */
    const char *doc;        /* NULL: this version cannot read it */
    int is_wrapper;         /* around something else, of which an element type may speak: x.f32.zst */
};
extern const struct input_format_info input_format_table[NINPUT_FORMATS];

/* What content starting with head[0 .. n) is: a format, INPUT_RAW if it is none of them, or -1 if only
 * more bytes can tell. */
int input_format_detect(const unsigned char *head, size_t n);

/* Whether bytes[0 .. n) are such as a text begins with: printable ASCII, tabs and line ends. */
int input_format_is_text(const unsigned char *bytes, size_t n);

/* So many of them are looked at, where there are as many; fewer than eight are never taken for text. */
#define INPUT_TEXT_BYTES 64

/* The first bytes of an HDF5 superblock, which may lie at 0, 512, 1024, 2048 and so on. */
#define HDF5_SIGNATURE       "\211HDF\r\n\032\n"
#define HDF5_SIGNATURE_BYTES 8

/* The format whose extension a path ends with, or INPUT_RAW; and of an --input-format name, or -1. */
enum input_format input_format_by_extension(const char *path);
int input_format_by_name(const char *name);

#endif
