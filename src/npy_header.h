/* The header of .npy files (numpy's NEP 1, versions 1.0, 2.0 and 3.0), from bytes in memory. */
#ifndef NPY_HEADER_H
#define NPY_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "onepass.h"

#define NPY_PREAMBLE   12            /* bytes that tell how long a header is */
#define NPY_MAX_HEADER (1024 * 1024) /* longer ones describe structured types anyway */

struct npy_header {
    enum dtype dtype;
    int big_endian;
    int fortran_order;
    int ndim;
    uint64_t shape[ONEPASS_MAX_DIMS];
    uint64_t nelems; /* their product; nelems * itemsize fits into 63 bits */
};

/* Whole length of the header, magic included, from its first NPY_PREAMBLE bytes; > NPY_PREAMBLE. */
int npy_header_length(const unsigned char preamble[NPY_PREAMBLE], size_t *nbytes, onepass_error *err);

/* Parse a whole header of npy_header_length() bytes.  Strict: a Python literal dict of exactly the keys
 * descr, fortran_order and shape.  Element types that are not numbers are ONEPASS_UNSUPPORTED. */
int npy_header_parse(const unsigned char *header, size_t nbytes, struct npy_header *out,
                     onepass_error *err);

#endif
