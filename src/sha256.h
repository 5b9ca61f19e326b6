/* SHA-256 (FIPS 180-4): names things by what is in them, where two different things under one name
 * would be a wrong number. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32

struct sha256 {
    uint32_t state[8];
    uint64_t nbytes; /* added so far */
    unsigned char block[64];
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *bytes, size_t nbytes);
/* A text with its NUL, so that what follows is not taken for its end; NULL is taken for "". */
void sha256_text(struct sha256 *s, const char *text);
void sha256_u64(struct sha256 *s, uint64_t value);
/* Ends it: nothing may be added any more. */
void sha256_end(struct sha256 *s, unsigned char digest[SHA256_BYTES]);

#endif
