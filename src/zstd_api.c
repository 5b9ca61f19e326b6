/* Opening libzstd. */
#include "zstd_api.h"

#include <dlfcn.h>
#include <string.h>

#include "error.h"

static const struct {
    const char *symbol;
    size_t offset;
} TABLE[] = {
    {"ZSTD_compress", offsetof(struct zstd, compress)},
    {"ZSTD_compressBound", offsetof(struct zstd, compress_bound)},
    {"ZSTD_decompress", offsetof(struct zstd, decompress)},
    {"ZSTD_isError", offsetof(struct zstd, is_error)},
};

int zstd_open(struct zstd *out, onepass_error *err) {
    memset(out, 0, sizeof(*out));
    out->library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!out->library) return error_set(err, ONEPASS_UNSUPPORTED, "libzstd.so.1 not found");
    for (size_t k = 0; k < sizeof(TABLE) / sizeof(TABLE[0]); k++) {
        void *found = dlsym(out->library, TABLE[k].symbol);
        if (!found) {
            zstd_close(out);
            return error_set(err, ONEPASS_UNSUPPORTED, "libzstd.so.1 has no function %s",
                             TABLE[k].symbol);
        }
        memcpy((char *)out + TABLE[k].offset, &found, sizeof(found));
    }
    return 0;
}

void zstd_close(struct zstd *zstd) {
    if (zstd->library) dlclose(zstd->library);
    memset(zstd, 0, sizeof(*zstd));
}
