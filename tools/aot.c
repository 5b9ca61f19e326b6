/* Makes the images that onepass carries: aot FILE ARCH...  The kernels of a few common programs for
 * every element type of interest and every arch that NVRTC knows, through the jit itself, so that any
 * program with the same text finds its image.  What FILE has already is kept: delete it when the
 * toolkit or the collectives change.
 *
 * Processes share the work: NVRTC holds a lock while it compiles. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_text.h"
#include "jit_aot.h"
#include "jit_parts.h"
#include "parser.h"
#include "zstd_api.h"

static const char *const PIPELINES[] = {"sum", "abs|sum", "stats"};
static const enum dtype DTYPES[] = {DTYPE_F16, DTYPE_BF16, DTYPE_F32, DTYPE_F64,
                                    DTYPE_I16, DTYPE_I32,  DTYPE_U8};
/* Devices with few units for binary64: their kernels are the ones with integer sums. */
static const int POOR_IN_BINARY64[] = {75, 86, 87, 88, 89, 103, 110, 120, 121};

enum { LEVEL = 19, MAX_ARCHS = 32 };
#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))
enum { MAX_IMAGES = LENGTH(PIPELINES) * LENGTH(DTYPES) * MAX_ARCHS };

struct item {
    char *text;
    int arch;
    unsigned char key[SHA256_BYTES];
    struct jit_bytes stored; /* as in the file */
    size_t nbytes;           /* unpacked; 0: not made */
    int kept;
};

struct set {
    struct item items[MAX_IMAGES];
    size_t n;
};

static int fail(const char *what, const char *why) {
    fprintf(stderr, "aot: %s: %s\n", what, why);
    return 1;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int is_poor(int arch) {
    for (size_t k = 0; k < LENGTH(POOR_IN_BINARY64); k++)
        if (POOR_IN_BINARY64[k] == arch) return 1;
    return 0;
}

/* The number of blocks does not matter: what has an index is not in the set. */
static char *text_of(const char *pipeline, enum dtype dtype, int arch) {
    struct cuda_variant variant = {
        .dtype = dtype, .contiguous = 1, .integer_sums = (uint8_t)is_poor(arch)};
    onepass_program *ast = NULL;
    struct program *p = NULL;
    struct cuda_layout layout = {0};
    struct cuda_text out = {0};
    int rc = onepass_program_parse(pipeline, strlen(pipeline), &ast, NULL);
    if (rc == 0) rc = program_lower(ast, dtype_table[dtype].class, 0, &p, NULL);
    if (rc == 0) rc = cuda_layout_make(p, 1, &layout);
    if (rc == 0) rc = cuda_text_make(p, &layout, &variant, &out);
    cuda_layout_free(&layout);
    program_free(p);
    onepass_program_free(ast);
    return rc == 0 ? out.text : NULL;
}

static int is_listed(const struct set *set, const struct item *item) {
    for (size_t k = 0; k < set->n; k++)
        if (set->items[k].arch == item->arch && memcmp(set->items[k].key, item->key, SHA256_BYTES) == 0)
            return 1;
    return 0;
}

static int list_items(struct jit *jit, int arch, struct set *set) {
    for (size_t p = 0; p < LENGTH(PIPELINES); p++)
        for (size_t d = 0; d < LENGTH(DTYPES); d++) {
            struct item item = {.text = text_of(PIPELINES[p], DTYPES[d], arch), .arch = arch};
            if (item.text == NULL) return fail(PIPELINES[p], "no text");
            jit_key(jit, item.text, item.key);
            if (is_listed(set, &item)) /* abs of what has no sign: only the program's name differs */
                free(item.text);
            else
                set->items[set->n++] = item;
        }
    return 0;
}

/* ---- images ---------------------------------------------------------------------------------- */

static void *read_file(const char *path, size_t *nbytes) {
    struct stat st;
    FILE *f = fopen(path, "rb");
    unsigned char *bytes = NULL;
    *nbytes = 0;
    if (f && fstat(fileno(f), &st) == 0 && st.st_size > 0) bytes = malloc((size_t)st.st_size);
    if (bytes && fread(bytes, 1, (size_t)st.st_size, f) == (size_t)st.st_size)
        *nbytes = (size_t)st.st_size;
    if (f) fclose(f);
    return bytes;
}

/* From the file of the last time: in `old`, which must live on. */
static void keep_items(unsigned char *old, size_t nbytes, struct set *set) {
    size_t n = jit_aot_count(old, nbytes);
    struct jit_aot_entry e;
    for (size_t k = 0; k < n; k++) {
        if (jit_aot_entry(old, nbytes, k, &e, NULL) != 0) continue;
        for (size_t i = 0; i < set->n; i++) {
            struct item *item = &set->items[i];
            if (item->arch != e.arch || memcmp(item->key, e.key, SHA256_BYTES) != 0) continue;
            item->stored = (struct jit_bytes){old + e.offset, e.nstored};
            item->nbytes = e.nbytes;
            item->kept = 1;
        }
    }
}

/* Smaller where libzstd is there and makes it so. */
static void pack(const struct zstd *zstd, struct jit_bytes *image) {
    size_t capacity = zstd->library ? zstd->compress_bound(image->nbytes) : 0;
    void *packed = capacity ? malloc(capacity) : NULL;
    if (packed == NULL) return;
    size_t n = zstd->compress(packed, capacity, image->bytes, image->nbytes, LEVEL);
    if (zstd->is_error(n) || n >= image->nbytes) {
        free(packed);
        return;
    }
    free(image->bytes);
    *image = (struct jit_bytes){packed, n};
}

static int make_item(struct jit *jit, const struct zstd *zstd, struct item *item) {
    onepass_error err = ONEPASS_ERROR_INIT;
    struct jit_request r = {.text = item->text, .arch = item->arch};
    struct jit_bytes image = {NULL, 0};
    if (jit_step_nvjitlink(jit, &r, &image, &err) != 0 && jit_step_nvrtc(jit, &r, &image, &err) != 0)
        return fail("no image", err.message);
    free(r.relocatable.bytes);
    item->nbytes = image.nbytes;
    pack(zstd, &image);
    item->stored = image;
    return 0;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* What a process says of an image, before its bytes. */
struct announcement {
    size_t item, nstored, nbytes;
};

static int work(struct jit *jit, struct set *set, size_t first, size_t step, FILE *out) {
    struct zstd zstd;
    size_t turn = 0;
    zstd_open(&zstd, NULL);
    for (size_t k = 0; k < set->n; k++) {
        struct item *item = &set->items[k];
        if (item->kept || turn++ % step != first) continue;
        if (make_item(jit, &zstd, item) != 0) return 1;
        struct announcement a = {k, item->stored.nbytes, item->nbytes};
        if (fwrite(&a, sizeof a, 1, out) != 1 ||
            fwrite(item->stored.bytes, 1, a.nstored, out) != a.nstored)
            return fail("writing to a temporary file", strerror(errno));
    }
    return fflush(out) != 0;
}

/* What a process left in its file. */
static int collect(FILE *in, struct set *set) {
    struct announcement a;
    rewind(in);
    while (fread(&a, sizeof a, 1, in) == 1) {
        struct item *item = &set->items[a.item];
        item->stored = (struct jit_bytes){malloc(a.nstored), a.nstored};
        if (item->stored.bytes == NULL || fread(item->stored.bytes, 1, a.nstored, in) != a.nstored)
            return fail("reading a temporary file", strerror(errno));
        item->nbytes = a.nbytes;
    }
    return 0;
}

static int make_items(struct jit *jit, struct set *set, size_t nprocesses) {
    FILE *files[64];
    pid_t children[64];
    int status, bad = 0;
    if (nprocesses > LENGTH(files)) nprocesses = LENGTH(files);
    for (size_t k = 0; k < nprocesses; k++) {
        files[k] = tmpfile();
        if (files[k] == NULL) return fail("a temporary file", strerror(errno));
        children[k] = fork();
        if (children[k] < 0) return fail("a process", strerror(errno));
        if (children[k] == 0) _exit(work(jit, set, k, nprocesses, files[k]));
    }
    for (size_t k = 0; k < nprocesses; k++) {
        bad |= waitpid(children[k], &status, 0) < 0 || status != 0;
        bad |= collect(files[k], set);
        fclose(files[k]);
    }
    return bad;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void put_u64(FILE *f, uint64_t v) {
    for (int k = 0; k < 8; k++)
        fputc((int)(v >> 8 * k & 255), f);
}

static int write_file(const char *path, const struct set *set) {
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *f = fopen(temporary, "wb");
    if (f == NULL) return fail(temporary, strerror(errno));
    uint64_t offset = JIT_AOT_HEAD_BYTES + set->n * JIT_AOT_ENTRY_BYTES;
    fwrite(JIT_AOT_MAGIC, 1, 8, f);
    put_u64(f, set->n);
    for (size_t k = 0; k < set->n; k++) {
        const struct item *item = &set->items[k];
        fwrite(item->key, 1, SHA256_BYTES, f);
        put_u64(f, (uint64_t)item->arch);
        put_u64(f, offset);
        put_u64(f, item->stored.nbytes);
        put_u64(f, item->nbytes);
        offset += item->stored.nbytes;
    }
    for (size_t k = 0; k < set->n; k++)
        fwrite(set->items[k].stored.bytes, 1, set->items[k].stored.nbytes, f);
    int bad = ferror(f);
    bad |= fclose(f) != 0;
    if (bad || rename(temporary, path) != 0) return fail(path, strerror(errno));
    return 0;
}

static void report(const char *path, const struct set *set) {
    size_t nkept = 0, nbytes = 0, nstored = 0;
    for (size_t k = 0; k < set->n; k++) {
        nkept += (size_t)set->items[k].kept;
        nbytes += set->items[k].nbytes;
        nstored += set->items[k].stored.nbytes;
    }
    printf("aot: sums by integers for");
    for (size_t k = 0; k < set->n; k++)
        if (is_poor(set->items[k].arch) && (k == 0 || set->items[k].arch != set->items[k - 1].arch))
            printf(" sm_%d", set->items[k].arch);
    printf("\n%s: %zu images, %zu of them as before, %zu bytes stored as %zu\n", path, set->n, nkept,
           nbytes, nstored);
}

/* 0: NVRTC cannot be had, so the file will be empty; a build goes on without images. */
static int can_compile(struct jit *jit) {
    onepass_error err = ONEPASS_ERROR_INIT;
    if (jit_need_nvrtc(jit, &err) != 0) {
        printf("aot: no images are made ahead of time: %s\n", err.message);
        return 0;
    }
    if (jit->nvrtc.major * 1000 + jit->nvrtc.minor * 10 == jit_embedded.toolkit) return 1;
    printf("aot: no images are made ahead of time: NVRTC %d.%d is not nvcc's\n", jit->nvrtc.major,
           jit->nvrtc.minor);
    return 0;
}

/* Archs that NVRTC does not know are left out. */
static int list_archs(struct jit *jit, char **archs, struct set *set) {
    struct jit_target target;
    for (; *archs; archs++) {
        int arch = atoi(*archs);
        if (jit_target_of(jit, arch, &target, NULL) != 0 || target.arch != arch)
            printf("aot: sm_%d is left out: NVRTC %d.%d does not know it\n", arch, jit->nvrtc.major,
                   jit->nvrtc.minor);
        else if (list_items(jit, arch, set) != 0)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    static struct set set;
    struct jit_config config = {.headers = cuda_headers};
    struct jit *jit = NULL;
    size_t nbytes;
    if (argc < 3 || argc > MAX_ARCHS) return fail("usage", "aot FILE ARCH...");
    if (jit_create(&config, &jit, NULL) != 0) return fail("out of", "memory");
    unsigned char *old = read_file(argv[1], &nbytes);
    if (can_compile(jit) && list_archs(jit, argv + 2, &set) != 0) return 1;
    keep_items(old, nbytes, &set);
    if (make_items(jit, &set, (size_t)sysconf(_SC_NPROCESSORS_ONLN)) != 0) return 1;
    if (write_file(argv[1], &set) != 0) return 1;
    report(argv[1], &set);
    return 0;
}
