/* Element types and their names.  Loading stored elements is block_loads.c's (kernels.h). */
#ifndef DTYPE_H
#define DTYPE_H

#include <stddef.h>
#include <stdint.h>

#include "number.h"
#include "onepass.h"

enum dtype {
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_F32,
    DTYPE_F64,
    DTYPE_I8,
    DTYPE_I16,
    DTYPE_I32,
    DTYPE_I64,
    DTYPE_U8,
    DTYPE_U16,
    DTYPE_U32,
    DTYPE_U64,
    DTYPE_BOOL,
    NDTYPES
};

/* How values of a type travel through a program. */
enum value_class {
    CLASS_F64,    /* floating point, as binary64 */
    CLASS_NARROW, /* integers to 32 bits, exact in a binary64 */
    CLASS_WIDE    /* 64-bit integers, as sign and magnitude */
};

struct dtype_info {
    const char *name;      /* "f32" */
    const char *spellings; /* its other names, for --list-dtypes */
    const char *doc;
    unsigned itemsize; /* bytes */
    enum value_class class;
    enum float_type text; /* how CLASS_F64 values of this type print */
};
extern const struct dtype_info dtype_table[NDTYPES];

/* "f32", "float32", "f32be", "<f4", "|b1", "f4" (see onepass(1), Element types).  *big_endian is 1 or
 * 0, or -1 where the name leaves it open or the type has one byte (whose names take no suffix: "u8be"
 * could mean u64be).  The error (ONEPASS_BAD_ARGUMENT) names the nearest types and why ">f32" is none.
 */
int dtype_parse(const char *text, size_t nbytes, enum dtype *type, int *big_endian, onepass_error *err);

/* The type a file name's last extension names ("x.f32be"), 0 if it names none.  Exact names only. */
int dtype_from_extension(const char *path, enum dtype *type, int *big_endian);

/* Whether that extension gives a type of one byte a byte order ("x.u8be"), which err then explains. */
int dtype_ordered_byte(const char *path, onepass_error *err);

/* As dtype_from_extension, if capitals were small letters ("x.F32"). */
int dtype_from_capitals(const char *path, enum dtype *type);

#endif
