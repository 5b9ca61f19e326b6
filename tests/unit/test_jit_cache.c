/* Kernels on disk: found again, and done without where they are damaged, stale, foreign or in the way.
 */
#include <dirent.h>
#include <pthread.h>
#include <sys/time.h>

#include "jit_cache.h"
#include "jit_help.h"
#include "temporary.h"

static const unsigned char KEY[SHA256_BYTES] = {0xab, 0xcd, 1, 2, 3};
#define ENTRY "abcd010203000000000000000000000000000000000000000000000000000000"

static void put_bytes(const char *dir, const unsigned char *key, void *bytes, size_t nbytes,
                      const char *compiler) {
    struct jit_image image = {bytes, nbytes, JIT_NVRTC, 0};
    jit_cache_put(dir, key, &image, compiler);
}

/* 1: an image of these bytes is there; 0: none is; -1: a wrong one. */
static int has(const char *dir, const unsigned char *key, const void *bytes, size_t nbytes) {
    struct jit_image image = {0};
    if (!jit_cache_get(dir, key, &image)) return image.bytes ? -1 : 0;
    int same =
        image.nbytes == nbytes && memcmp(image.bytes, bytes, nbytes) == 0 && image.step == JIT_NVRTC;
    free(image.bytes);
    return same ? 1 : -1;
}

static const char *directory(const char *name) {
    static char dir[600];
    snprintf(dir, sizeof dir, "%s", test_path(name));
    return dir;
}

static void entry_path(const char *dir, char path[1024]) {
    snprintf(path, 1024, "%s/%s", dir, ENTRY);
}

static int nfiles(const char *dir) {
    int n = 0;
    struct dirent *e;
    DIR *d = opendir(dir);
    if (!d) return -1;
    while ((e = readdir(d)) != NULL)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void found_again(void) {
    const char *dir = directory("a/b/cache");
    struct stat st;
    char path[1024];
    char image[] = "an image";
    unsigned char other[SHA256_BYTES] = {0xab, 0xcd, 1, 2, 4};
    CHECK(has(dir, KEY, image, sizeof image) == 0);
    put_bytes(dir, KEY, image, sizeof image, NULL);
    CHECK(has(dir, KEY, image, sizeof image) == 1);
    CHECK(has(dir, other, image, sizeof image) == 0);
    CHECK(stat(dir, &st) == 0 && (st.st_mode & 07777) == 0700);
    entry_path(dir, path);
    CHECK(stat(path, &st) == 0 && (st.st_mode & 07777) == 0600 && nfiles(dir) == 1);
    put_bytes(dir, KEY, "another", 7, NULL);
    CHECK(has(dir, KEY, "another", 7) == 1 && nfiles(dir) == 1);
    CHECK(jit_cache_refused(dir) == NULL);
}

/* Every byte of an entry counts, and so does its length; a good one replaces it. */
static void damaged_entries(void) {
    const char *dir = directory("damaged");
    char path[1024], bytes[1024], image[] = "an image";
    put_bytes(dir, KEY, image, sizeof image, "/proc/self/exe");
    entry_path(dir, path);
    int fd = open(path, O_RDWR);
    ssize_t n = read(fd, bytes, sizeof bytes);
    CHECK(n > 100 && has(dir, KEY, image, sizeof image) == 1);
    for (ssize_t k = 0; k < n; k++) {
        char flipped = (char)(bytes[k] ^ (1 << k % 8));
        CHECK(pwrite(fd, &flipped, 1, k) == 1);
        CHECKF(has(dir, KEY, image, sizeof image) == 0, "byte %zd", k);
        CHECK(pwrite(fd, bytes + k, 1, k) == 1);
    }
    CHECK(has(dir, KEY, image, sizeof image) == 1);
    for (ssize_t k = 0; k < n; k += 7) {
        CHECK(ftruncate(fd, k) == 0);
        CHECKF(has(dir, KEY, image, sizeof image) == 0, "cut to %zd bytes", k);
        CHECK(pwrite(fd, bytes, (size_t)n, 0) == n);
    }
    CHECK(pwrite(fd, "x", 1, n) == 1 && has(dir, KEY, image, sizeof image) == 0);
    close(fd);
    put_bytes(dir, KEY, image, sizeof image, NULL);
    CHECK(has(dir, KEY, image, sizeof image) == 1 && nfiles(dir) == 1);
}

/* The compiler's file changed, or is gone. */
static void stale_entries(void) {
    const char *dir = directory("stale");
    char compiler[600];
    snprintf(compiler, sizeof compiler, "%s", test_file("compiler", "1", 1));
    put_bytes(dir, KEY, "image", 5, compiler);
    CHECK(has(dir, KEY, "image", 5) == 1);
    struct timeval times[2] = {{1000000, 0}, {1000000, 0}};
    CHECK(utimes(compiler, times) == 0 && has(dir, KEY, "image", 5) == 0);
    put_bytes(dir, KEY, "image", 5, compiler);
    CHECK(has(dir, KEY, "image", 5) == 1);
    CHECK(truncate(compiler, 2) == 0 && utimes(compiler, times) == 0);
    CHECK(has(dir, KEY, "image", 5) == 0);
    put_bytes(dir, KEY, "image", 5, compiler);
    CHECK(unlink(compiler) == 0 && has(dir, KEY, "image", 5) == 1);
}

/* Nobody else may have put a kernel there. */
static void directories_that_are_not_ours_alone(void) {
    const char *dir = directory("ours");
    char path[1024];
    put_bytes(dir, KEY, "image", 5, NULL);
    static const mode_t OPEN[] = {0750, 0705, 0770, 0701, 0777};
    for (size_t k = 0; k < sizeof OPEN / sizeof OPEN[0]; k++) {
        CHECK(chmod(dir, OPEN[k]) == 0);
        CHECKF(has(dir, KEY, "image", 5) == 0, "mode %o", OPEN[k]);
        CHECK(strcmp(jit_cache_refused(dir), "is open to others (not 0700)") == 0);
    }
    CHECK(chmod(dir, 0700) == 0 && has(dir, KEY, "image", 5) == 1);
    entry_path(dir, path);
    CHECK(chmod(path, 0620) == 0 && has(dir, KEY, "image", 5) == 0);
    CHECK(chmod(path, 0600) == 0 && has(dir, KEY, "image", 5) == 1);
    const char *linked = test_path("linked");
    CHECK(symlink(dir, linked) == 0 && has(linked, KEY, "image", 5) == 0);
    const char *foreign = "/"; /* whoever runs this, it is not theirs alone */
    if (geteuid() == 0) {
        CHECK(chown(dir, 12345, 12345) == 0);
        foreign = dir;
    }
    CHECK(strcmp(jit_cache_refused(foreign), "belongs to another user") == 0);
    CHECK(has(foreign, KEY, "image", 5) == 0);
    put_bytes(foreign, KEY, "other", 5, NULL);
    CHECK(geteuid() != 0 || (chown(dir, 0, 0) == 0 && has(dir, KEY, "image", 5) == 1));
}

static void entries_that_are_no_files(void) {
    const char *dir = directory("nofiles");
    char path[1024];
    put_bytes(dir, KEY, "image", 5, NULL);
    entry_path(dir, path);
    CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    CHECK(has(dir, KEY, "image", 5) == 0); /* and does not wait for a writer */
    CHECK(unlink(path) == 0 && symlink("/etc/passwd", path) == 0);
    CHECK(has(dir, KEY, "image", 5) == 0);
    put_bytes(dir, KEY, "image", 5, NULL);
    CHECK(has(dir, KEY, "image", 5) == 1 && nfiles(dir) == 1);
    CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
    put_bytes(dir, KEY, "image", 5, NULL);
    CHECK(has(dir, KEY, "image", 5) == 0 && nfiles(dir) == 1); /* no temporary is left */
}

static void places_that_cannot_be_written(void) {
    char inside[700];
    snprintf(inside, sizeof inside, "%s/cache", test_file("file", "x", 1));
    put_bytes(inside, KEY, "image", 5, NULL);
    CHECK(has(inside, KEY, "image", 5) == 0);
    CHECK(strcmp(jit_cache_refused(inside), "cannot be opened") == 0);
    CHECK(jit_cache_refused("/proc/onepass") != NULL);
    put_bytes("/proc/onepass", KEY, "image", 5, NULL);
    CHECK(has("/proc/onepass", KEY, "image", 5) == 0);
    CHECK(has("", KEY, "image", 5) == 0 && jit_cache_refused("") != NULL);
}

/* The oldest entries go; what is not the cache's stays, but for temporaries that were left behind. */
static void kept_small(void) {
    const char *dir = directory("small");
    char path[1024], image[1000] = "";
    unsigned char key[SHA256_BYTES] = {0};
    for (int k = 0; k < 10; k++) {
        struct timeval times[2] = {{2000000 - 10 * k, 0}, {2000000 - 10 * k, 0}};
        key[0] = (unsigned char)k;
        put_bytes(dir, key, image, sizeof image, NULL);
        snprintf(path, sizeof path, "%s/%02x%062d", dir, k, 0);
        CHECK(utimes(path, times) == 0);
    }
    struct timeval old[2] = {{1000, 0}, {1000, 0}};
    static const struct {
        const char *name;
        int old, stays;
    } FILES[] = {{"README", 1, 1}, {"new.1.2.3", 1, 0}, {"new.1.2.4", 0, 1}};
    for (size_t k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "small/%s", FILES[k].name);
        const char *made = test_file(path, image, sizeof image);
        CHECK(!FILES[k].old || utimes(made, old) == 0);
    }
    jit_cache_trim(dir, 5500);
    for (int k = 0; k < 10; k++) {
        key[0] = (unsigned char)k;
        CHECKF(has(dir, key, image, sizeof image) == (k < 4), "entry %d", k);
    }
    for (size_t k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", dir, FILES[k].name);
        CHECKF((access(path, F_OK) == 0) == FILES[k].stays, "%s", FILES[k].name);
    }
}

/* Writers and readers of one entry at a time: it is there or not, never mixed. */
static void *write_and_read(void *user) {
    static char image[20000];
    const char *dir = user;
    for (int k = 0; k < 60; k++) {
        put_bytes(dir, KEY, image, sizeof image, NULL);
        CHECK(has(dir, KEY, image, sizeof image) == 1);
    }
    return NULL;
}

static void several_at_a_time(void) {
    const char *dir = directory("several");
    pthread_t threads[4];
    for (int k = 0; k < 4; k++)
        CHECK(pthread_create(&threads[k], NULL, write_and_read, (void *)dir) == 0);
    for (int k = 0; k < 4; k++)
        pthread_join(threads[k], NULL);
    CHECK(nfiles(dir) == 1);
}

/* ---- with a compiler ------------------------------------------------------------------------- */

static void expect_cached(const char *dir, const char *step, const char *text, int cached) {
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    struct jit *jit =
        make_jit((struct jit_config){.cache_dir = dir, .embedded = test_embedded(0)}, step);
    CHECKF(jit_compile(jit, text, ARCH, &image, &err) == 0, "%s", err.message);
    CHECKF(image.cached == cached, "step %s: cached %d", step ? step : "auto", image.cached);
    CHECK(cubin_type(image.bytes, image.nbytes) == ET_EXEC);
    CHECK(!cached || !jit->nvrtc.library); /* a hit does not open it */
    free(image.bytes);
    jit_free(jit);
}

static void kernels_are_compiled_once(void) {
    const char *dir = directory("kernels"), *why = no_nvrtc();
    char path[1024], text[sizeof KERNEL + 10];
    if (why) {
        SKIP(why);
        return;
    }
    expect_cached(dir, NULL, KERNEL, 0);
    expect_cached(dir, NULL, KERNEL, 1);
    expect_cached(dir, "d", KERNEL, 0); /* a step that was asked for is the step that is taken */
    expect_cached(dir, "d", KERNEL, 1);
    snprintf(text, sizeof text, "%s\n", KERNEL);
    expect_cached(dir, NULL, text, 0);
    CHECK(nfiles(dir) == 3);
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        CHECK(e->d_name[0] == '.' || truncate(path, 1000) == 0);
    }
    closedir(d);
    expect_cached(dir, NULL, KERNEL, 0);
    expect_cached(dir, NULL, KERNEL, 1);
    CHECK(chmod(dir, 0755) == 0);
    expect_cached(dir, NULL, KERNEL, 0);
    struct jit *jit = make_jit((struct jit_config){.cache_dir = dir}, NULL);
    CHECKF(strstr(jit_describe(jit), "/kernels is open to others (not 0700)"), "%s", jit_describe(jit));
    jit_free(jit);
}

/* Another header under the same name makes another kernel. */
static void headers_count(void) {
    static const struct cuda_header OTHER[] = {
        {"twice.cuh", "__device__ inline long long twice(long long v) { return v + v; }\n"},
        {NULL, NULL}};
    const char *dir = directory("headers"), *why = no_nvrtc();
    struct jit *jit = NULL;
    struct jit_image image;
    if (why) {
        SKIP(why);
        return;
    }
    expect_cached(dir, "d", KERNEL, 0);
    struct jit_config config = {.cache_dir = dir, .headers = OTHER, .embedded = test_embedded(0)};
    CHECK(jit_step_find("d", &config.step, NULL) == 0 && jit_create(&config, &jit, NULL) == 0);
    CHECK(jit_compile(jit, KERNEL, ARCH, &image, NULL) == 0 && !image.cached);
    free(image.bytes);
    CHECK(jit_compile(jit, KERNEL, ARCH - 1, &image, NULL) == 0 && !image.cached);
    free(image.bytes);
    jit_free(jit);
    CHECK(nfiles(dir) == 3);
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"jit_cache_found_again", found_again},
        {"jit_cache_damaged_entries", damaged_entries},
        {"jit_cache_stale_entries", stale_entries},
        {"jit_cache_directories_that_are_not_ours_alone", directories_that_are_not_ours_alone},
        {"jit_cache_entries_that_are_no_files", entries_that_are_no_files},
        {"jit_cache_places_that_cannot_be_written", places_that_cannot_be_written},
        {"jit_cache_kept_small", kept_small},
        {"jit_cache_several_at_a_time", several_at_a_time},
        {"jit_cache_kernels_are_compiled_once", kernels_are_compiled_once},
        {"jit_cache_headers_count", headers_count},
    };
    int status = RUN_TESTS(TESTS);
    test_cleanup();
    return status;
}
