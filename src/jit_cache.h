/* Compiled kernels on disk: one file an image, named by its key.
 *
 * A cache can only be missing, never be wrong or in the way: a directory that is not the user's own
 * alone is not used, an entry that is damaged or foreign is as good as none, nothing here is an error.
 * Files are written under a temporary name and renamed, so that processes do not disturb each other. */
#ifndef JIT_CACHE_H
#define JIT_CACHE_H

#include "jit.h"
#include "sha256.h"

/* After a new entry the oldest go until so much is left. */
#define JIT_CACHE_BYTES (UINT64_C(256) << 20)

/* NULL, or why the directory is not used.  One that is missing is made. */
const char *jit_cache_refused(const char *dir);

/* 1 and out->bytes, out->nbytes, out->step if there is an image; 0: there is none. */
int jit_cache_get(const char *dir, const unsigned char key[SHA256_BYTES], struct jit_image *out);

/* Keeps an image; compiler: the file of the library that made it, NULL: unknown.  When that file
 * changes, the entry is stale. */
void jit_cache_put(const char *dir, const unsigned char key[SHA256_BYTES],
                   const struct jit_image *image, const char *compiler);

/* Removes the oldest entries until nbytes are left, and temporaries that nobody will rename. */
void jit_cache_trim(const char *dir, uint64_t nbytes);

#endif
