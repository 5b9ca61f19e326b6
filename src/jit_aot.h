/* Images made at build time, in one file that is embedded in the binary (jit_embedded.h).
 *
 * Numbers are little-endian.  The file is a head, its entries in any order, and the images, each a zstd
 * frame of its own where that is shorter (nstored < nbytes), so that one is had without the others. */
#ifndef JIT_AOT_H
#define JIT_AOT_H

#include <stddef.h>
#include <stdint.h>

#include "onepass.h"
#include "sha256.h"

#define JIT_AOT_MAGIC       "opAOT\0\0\1"
#define JIT_AOT_HEAD_BYTES  16 /* magic, number of entries (8) */
#define JIT_AOT_ENTRY_BYTES 64 /* key, arch (8), offset from the file's start, nstored, nbytes */

struct jit_aot_entry {
    const unsigned char *key; /* jit_key, SHA256_BYTES */
    int arch;
    uint64_t offset, nstored, nbytes;
};

/* Number of entries; 0 of a file that is empty or none of ours. */
size_t jit_aot_count(const unsigned char *file, size_t nbytes);
/* Entry k; 0, or ONEPASS_BAD_HEADER if it is not within the file. */
int jit_aot_entry(const unsigned char *file, size_t nbytes, size_t k, struct jit_aot_entry *out,
                  onepass_error *err);

/* The lowest arch above `above` that an image is for; 0: none. */
int jit_aot_next_arch(const unsigned char *file, size_t nbytes, int above);

/* The newest image of a key that runs on a device of compute capability arch; *out is the caller's, to
 * be freed by free(). */
int jit_aot_find(const unsigned char *file, size_t nbytes, const unsigned char key[SHA256_BYTES],
                 int arch, void **out, size_t *out_bytes, onepass_error *err);

#endif
