/* libFuzzer target: any bytes as a .npy header, as they are and as the text within one.
 *
 * What is accepted must be consistent; what is refused must say so.  Each header is handed over in a
 * block of its exact size, so that the sanitizer sees every byte read beyond it. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy_header.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_npy: %s\n", what);
    abort();
}

#ifdef PLANTED_OVERFLOW
/* A fault that only an accepted header with more than two dimensions reaches. */
static void plant(const struct npy_header *h) {
    uint64_t *two = malloc(2 * sizeof *two);
    for (volatile int d = 0; d < h->ndim; d++)
        two[d] = h->shape[d];
    free(two);
}
#else
static void plant(const struct npy_header *h) {
    (void)h;
}
#endif

static void check_accepted(const struct npy_header *h) {
    uint64_t product = 1, limit = INT64_MAX / dtype_table[h->dtype].itemsize;
    require(h->dtype < NDTYPES && h->ndim >= 0 && h->ndim <= ONEPASS_MAX_DIMS, "type or dimensions");
    require((h->fortran_order | 1) == 1 && (h->big_endian | 1) == 1, "flags");
    for (int d = 0; d < h->ndim; d++)
        if (h->shape[d] == 0) product = 0;
    for (int d = 0; d < h->ndim && product != 0; d++) {
        require(h->shape[d] <= limit / product, "a product beyond the limit");
        product *= h->shape[d];
    }
    require(h->nelems == product, "nelems is not the product");
    plant(h);
}

static void parse(const uint8_t *header, size_t nbytes) {
    struct npy_header h;
    onepass_error err = ONEPASS_ERROR_INIT;
    uint8_t *copy = malloc(nbytes);
    require(copy != NULL, "memory");
    memcpy(copy, header, nbytes);
    int rc = npy_header_parse(copy, nbytes, &h, &err);
    free(copy);
    if (rc == 0) {
        check_accepted(&h);
        return;
    }
    require(err.code == rc && err.message[0] != '\0', "an error without code or message");
    for (const char *p = err.message; *p != '\0'; p++)
        require(*p >= 0x20 && *p < 0x7f, "untrusted bytes in a message");
}

static void as_it_is(const uint8_t *data, size_t nbytes) {
    onepass_error err = ONEPASS_ERROR_INIT;
    size_t length = 0;
    if (nbytes < NPY_PREAMBLE) return;
    int rc = npy_header_length(data, &length, &err);
    require(rc == 0 ? length > NPY_PREAMBLE : err.code == rc && err.message[0] != '\0', "length");
    if (rc == 0 && length <= nbytes) parse(data, length);
}

static void as_text(const uint8_t *data, size_t nbytes) {
    uint8_t header[10 + 4096] = "\223NUMPY\1\0";
    size_t n = nbytes < 4096 ? nbytes : 4096, length = 0;
    onepass_error err = ONEPASS_ERROR_INIT;
    header[8] = (uint8_t)n;
    header[9] = (uint8_t)(n >> 8);
    memcpy(header + 10, data, n);
    if (npy_header_length(header, &length, &err) != 0) return;
    require(length == 10 + n, "length of a text");
    parse(header, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    as_it_is(data, nbytes);
    as_text(data, nbytes);
    return 0;
}
