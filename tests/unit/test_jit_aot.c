/* Images made ahead of time: found by what they were made from and for which device, and unpacked. */
#include "jit_aot.h"
#include "jit_help.h"
#include "zstd_api.h"

struct builder {
    unsigned char bytes[4096];
    size_t n, nentries;
};

static void put_u64(struct builder *b, uint64_t v) {
    for (int k = 0; k < 8; k++)
        b->bytes[b->n++] = (unsigned char)(v >> 8 * k);
}

/* Room for so many entries; what they hold goes behind them. */
static size_t begin(struct builder *b, size_t nentries) {
    memset(b, 0, sizeof *b);
    memcpy(b->bytes, JIT_AOT_MAGIC, 8);
    b->n = 8;
    put_u64(b, nentries);
    b->nentries = nentries;
    return JIT_AOT_HEAD_BYTES + nentries * JIT_AOT_ENTRY_BYTES;
}

/* Appends an entry, and stored bytes at *at. */
static void add_entry(struct builder *b, const unsigned char *key, int arch, size_t *at,
                      const void *stored, size_t nstored, size_t nbytes) {
    memcpy(b->bytes + b->n, key, SHA256_BYTES);
    b->n += SHA256_BYTES;
    put_u64(b, (uint64_t)arch);
    put_u64(b, *at);
    put_u64(b, nstored);
    put_u64(b, nbytes);
    memcpy(b->bytes + *at, stored, nstored);
    *at += nstored;
}

static const unsigned char FIRST[SHA256_BYTES] = {1, 2, 3}, SECOND[SHA256_BYTES] = {1, 2, 4};

/* The image that is found, as a text; "" if none is. */
static const char *find(const unsigned char *file, size_t nbytes, const unsigned char *key, int arch) {
    static char text[64];
    void *image = NULL;
    size_t n = 0;
    onepass_error err = ONEPASS_ERROR_INIT;
    int status = jit_aot_find(file, nbytes, key, arch, &image, &n, &err);
    text[0] = '\0';
    if (status == 0 && n < sizeof text) {
        memcpy(text, image, n);
        text[n] = '\0';
    }
    CHECK((status == 0) == (image != NULL) && (status == 0) == (err.message[0] == '\0'));
    free(image);
    return text;
}

static void found_by_text_and_device(void) {
    struct builder b;
    size_t at = begin(&b, 5);
    add_entry(&b, FIRST, 80, &at, "first 8.0", 9, 9);
    add_entry(&b, FIRST, 86, &at, "first 8.6", 9, 9);
    add_entry(&b, SECOND, 80, &at, "second 8.0", 10, 10);
    add_entry(&b, FIRST, 75, &at, "first 7.5", 9, 9);
    add_entry(&b, SECOND, 90, &at, "second 9.0", 10, 10);
    static const struct {
        const unsigned char *key;
        int arch;
        const char *expected;
    } CASES[] = {
        {FIRST, 75, "first 7.5"},
        {FIRST, 80, "first 8.0"},
        {FIRST, 86, "first 8.6"},
        {FIRST, 89, "first 8.6"},
        {FIRST, 90, ""},
        {FIRST, 72, ""},
        {FIRST, 70, ""},
        {SECOND, 80, "second 8.0"},
        {SECOND, 87, "second 8.0"},
        {SECOND, 75, ""},
        {SECOND, 90, "second 9.0"},
        {SECOND, 100, ""},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        const char *found = find(b.bytes, at, CASES[k].key, CASES[k].arch);
        CHECKF(strcmp(found, CASES[k].expected) == 0, "key %d arch %d: '%s'", CASES[k].key[2],
               CASES[k].arch, found);
    }
    static const int ARCHS[] = {75, 80, 86, 90, 0}; /* each once, ascending */
    for (int k = 0, arch = 0; k < 5; k++) {
        arch = jit_aot_next_arch(b.bytes, at, arch);
        CHECKF(arch == ARCHS[k], "%d: %d", k, arch);
    }
}

static void packed_images(void) {
    struct zstd zstd;
    struct builder b;
    char image[1000] = "packed", packed[2000];
    void *out = NULL;
    size_t n = 0;
    onepass_error err = ONEPASS_ERROR_INIT;
    if (zstd_open(&zstd, &err) != 0) {
        SKIP("libzstd is not here");
        return;
    }
    size_t nstored = zstd.compress(packed, zstd.compress_bound(sizeof image), image, sizeof image, 3);
    CHECK(!zstd.is_error(nstored) && nstored < 100);
    zstd_close(&zstd);
    size_t at = begin(&b, 1);
    add_entry(&b, FIRST, 90, &at, packed, nstored, sizeof image);
    CHECKF(jit_aot_find(b.bytes, at, FIRST, 90, &out, &n, &err) == 0, "%s", err.message);
    CHECK(n == sizeof image && memcmp(out, image, n) == 0);
    free(out);
    out = NULL;
    size_t start = at - nstored;
    at = begin(&b, 1);
    add_entry(&b, FIRST, 90, &at, packed, nstored, sizeof image - 1); /* of another length */
    CHECK(jit_aot_find(b.bytes, at, FIRST, 90, &out, &n, &err) == ONEPASS_BAD_HEADER && out == NULL);
    at = begin(&b, 1);
    add_entry(&b, FIRST, 90, &at, packed, nstored, sizeof image);
    b.bytes[start] ^= 1; /* no frame any more */
    CHECK(jit_aot_find(b.bytes, at, FIRST, 90, &out, &n, &err) == ONEPASS_BAD_HEADER && out == NULL);
}

/* Whatever is in the head and the entries, nothing outside the file is read (sanitizers would tell). */
static void damaged_files(void) {
    struct builder b;
    size_t at = begin(&b, 2);
    add_entry(&b, FIRST, 80, &at, "first", 5, 5);
    add_entry(&b, SECOND, 80, &at, "second", 6, 6);
    for (size_t k = 0; k < at - 11; k++)
        for (int bit = 0; bit < 8; bit++) {
            unsigned char *copy = malloc(at);
            memcpy(copy, b.bytes, at);
            copy[k] ^= (unsigned char)(1 << bit);
            find(copy, at, FIRST, 80);
            find(copy, at, SECOND, 80);
            free(copy);
        }
    for (size_t n = 0; n < at; n++) {
        unsigned char *copy = malloc(n + 1);
        memcpy(copy, b.bytes, n);
        CHECKF(strcmp(find(copy, n, SECOND, 80), "") == 0, "cut to %zu bytes", n);
        free(copy);
    }
    CHECK(jit_aot_count(b.bytes, at) == 2 && jit_aot_count(b.bytes, 15) == 0 &&
          jit_aot_count(NULL, 0) == 0);
}

/* Through the jit: without any library, and before the cache. */
static void step_a(void) {
    static const struct jit_collectives no_collectives;
    struct jit_embedded embedded = {&no_collectives, NULL, NULL, 0};
    struct jit_config config = {.embedded = &embedded, .library_dir = "/", .cache_dir = "/proc/none"};
    struct builder b;
    struct jit_image image;
    unsigned char key[SHA256_BYTES];
    onepass_error err = ONEPASS_ERROR_INIT;
    struct jit *jit = make_jit(config, NULL);
    size_t at = begin(&b, 1);
    jit_key(jit, KERNEL, key);
    add_entry(&b, key, 80, &at, "cubin", 5, 5);
    embedded.aot = b.bytes;
    embedded.aot_end = b.bytes + at;
    CHECKF(jit_compile(jit, KERNEL, 86, &image, &err) == 0, "%s", err.message);
    CHECK(image.step == JIT_AOT && !image.cached && image.nbytes == 5 &&
          memcmp(image.bytes, "cubin", 5) == 0);
    free(image.bytes);
    char *renamed = NULL; /* a program of another name, the same in machine code */
    CHECK(asprintf(&renamed, "/* another name */%s", KERNEL) > 0);
    CHECKF(jit_compile(jit, renamed, 86, &image, &err) == 0, "%s", err.message);
    free(renamed);
    free(image.bytes);
    CHECK(jit_compile(jit, KERNEL, 90, &image, &err) == ONEPASS_NO_DEVICE && image.bytes == NULL);
    CHECKF(strstr(err.message, "a: not made ahead of time for compute capability 9.0; b: no NVRTC"),
           "%s", err.message);
    CHECK(jit_compile(jit, "another kernel", 80, &image, &err) == ONEPASS_NO_DEVICE);
    CHECKF(
        strstr(jit_describe(jit), "1 image made ahead of time for sm_80; no cache: /proc/none cannot"),
        "%s", jit_describe(jit));
    jit_free(jit);
    jit = make_jit(config, "d"); /* another step was asked for */
    CHECK(jit_compile(jit, KERNEL, 86, &image, &err) == ONEPASS_NO_DEVICE);
    CHECKF(strstr(err.message, "a: ") == NULL, "%s", err.message);
    jit_free(jit);
}

/* What a toolkit made, drivers of an older major version do not load. */
static void drivers_that_are_too_old(void) {
    static const struct jit_collectives no_collectives;
    struct jit_embedded embedded = {&no_collectives, NULL, NULL, 13000};
    struct cuda_driver driver = {.version = 13000};
    struct jit_config config = {.embedded = &embedded, .driver = &driver};
    struct builder b;
    struct jit_image image;
    unsigned char key[SHA256_BYTES];
    onepass_error err = ONEPASS_ERROR_INIT;
    struct jit *jit = make_jit(config, "a");
    size_t at = begin(&b, 1);
    jit_key(jit, KERNEL, key);
    add_entry(&b, key, 80, &at, "cubin", 5, 5);
    embedded.aot = b.bytes;
    embedded.aot_end = b.bytes + at;
    CHECKF(jit_compile(jit, KERNEL, 80, &image, &err) == 0, "%s", err.message);
    free(image.bytes);
    driver.version = 12080;
    CHECK(jit_compile(jit, KERNEL, 80, &image, &err) == ONEPASS_NO_DEVICE && image.bytes == NULL);
    CHECKF(strstr(err.message, "a: made by CUDA 13.0, which is too new for the driver's 12.8"), "%s",
           err.message);
    jit_free(jit);
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"jit_aot_found_by_text_and_device", found_by_text_and_device},
        {"jit_aot_packed_images", packed_images},
        {"jit_aot_damaged_files", damaged_files},
        {"jit_aot_step_a", step_a},
        {"jit_aot_drivers_that_are_too_old", drivers_that_are_too_old},
    };
    return RUN_TESTS(TESTS);
}
