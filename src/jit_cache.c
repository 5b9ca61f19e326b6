/* The files of the cache: a head, the path of the compiler, the image; their checksum is in the head.
 *
 * Heads are in this machine's byte order: the magic number of another reads wrong. */
#include "jit_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jit_parts.h"

#define MAGIC          UINT64_C(0x6f706b65726e0001) /* the last digits count versions of the format */
#define MAX_PATH_BYTES 4096
#define TEMPORARY      "new."
#define TEMPORARY_AGE  3600 /* seconds after which nobody is still writing it */

struct head {
    uint64_t magic;
    uint64_t step;
    uint64_t path_bytes, image_bytes;
    uint64_t compiler_bytes; /* size and modification time of the compiler's file */
    int64_t compiler_seconds, compiler_nanoseconds;
    unsigned char key[SHA256_BYTES];
    unsigned char checksum[SHA256_BYTES]; /* of the head with this zeroed, the path and the image */
};

/* ---- the directory --------------------------------------------------------------------------- */

/* With its parents, as the XDG base directory specification says: 0700. */
static void make_directories(const char *dir) {
    char path[MAX_PATH_BYTES];
    size_t length = strlen(dir);
    if (length >= sizeof(path)) return;
    memcpy(path, dir, length + 1);
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    mkdir(path, 0700);
}

/* Others could put code into a directory that they may write to, or that is theirs. */
static const char *refusal(const struct stat *st) {
    if (st->st_uid != geteuid()) return "belongs to another user";
    if (st->st_mode & 077) return "is open to others (not 0700)";
    return NULL;
}

/* The directory, or -1 and why not. */
static int open_directory(const char *dir, const char **why) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat st;
    int fd = open(dir, flags);
    if (fd < 0 && errno == ENOENT) {
        make_directories(dir);
        fd = open(dir, flags);
    }
    *why = NULL;
    if (fd < 0)
        *why = "cannot be opened";
    else
        *why = fstat(fd, &st) != 0 ? "cannot be read" : refusal(&st);
    if (*why && fd >= 0) close(fd);
    return *why ? -1 : fd;
}

const char *jit_cache_refused(const char *dir) {
    const char *why;
    int fd = open_directory(dir, &why);
    if (fd < 0) return why;
    int writable = faccessat(fd, ".", R_OK | W_OK | X_OK, AT_EACCESS) == 0;
    close(fd);
    return writable ? NULL : "cannot be written to";
}

static void entry_name(const unsigned char key[SHA256_BYTES], char name[2 * SHA256_BYTES + 1]) {
    for (int k = 0; k < SHA256_BYTES; k++)
        snprintf(name + 2 * k, 3, "%02x", key[k]);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int read_all(int fd, void *to, size_t nbytes) {
    for (size_t done = 0; done < nbytes;) {
        ssize_t n = read(fd, (char *)to + done, nbytes - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        done += (size_t)n;
    }
    return 1;
}

static void checksum_of(const struct head *h, const void *path, const void *image,
                        unsigned char digest[SHA256_BYTES]) {
    struct head copy = *h;
    struct sha256 s;
    memset(copy.checksum, 0, sizeof(copy.checksum));
    sha256_begin(&s);
    sha256_add(&s, &copy, sizeof(copy));
    sha256_add(&s, path, h->path_bytes);
    sha256_add(&s, image, h->image_bytes);
    sha256_end(&s, digest);
}

static void fill_compiler(struct head *h, const struct stat *st) {
    h->compiler_bytes = (uint64_t)st->st_size;
    h->compiler_seconds = st->st_mtim.tv_sec;
    h->compiler_nanoseconds = st->st_mtim.tv_nsec;
}

/* Another toolkit may have better code; one that is gone leaves the image as good as it was. */
static int is_stale(const struct head *h, const char *path) {
    struct stat st;
    struct head now;
    if (!path[0] || stat(path, &st) != 0) return 0;
    fill_compiler(&now, &st);
    return now.compiler_bytes != h->compiler_bytes || now.compiler_seconds != h->compiler_seconds ||
           now.compiler_nanoseconds != h->compiler_nanoseconds;
}

static int head_is_good(const struct head *h, const struct stat *st, const unsigned char *key) {
    return h->magic == MAGIC && memcmp(h->key, key, SHA256_BYTES) == 0 && h->step > JIT_AOT &&
           h->step <= JIT_NVRTC && h->path_bytes < MAX_PATH_BYTES && h->image_bytes > 0 &&
           h->image_bytes <= JIT_MAX_IMAGE &&
           (uint64_t)st->st_size == sizeof(*h) + h->path_bytes + h->image_bytes;
}

static int read_entry(int fd, const unsigned char *key, struct jit_image *out) {
    struct head h;
    struct stat st;
    char path[MAX_PATH_BYTES];
    unsigned char digest[SHA256_BYTES];
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || refusal(&st)) return 0;
    if (!read_all(fd, &h, sizeof(h)) || !head_is_good(&h, &st, key)) return 0;
    if (!read_all(fd, path, h.path_bytes)) return 0;
    path[h.path_bytes] = '\0';
    void *image = malloc(h.image_bytes);
    if (!image || !read_all(fd, image, h.image_bytes)) goto bad;
    checksum_of(&h, path, image, digest);
    if (memcmp(digest, h.checksum, SHA256_BYTES) != 0 || is_stale(&h, path)) goto bad;
    out->bytes = image;
    out->nbytes = h.image_bytes;
    out->step = (enum jit_step)h.step;
    return 1;
bad:
    free(image);
    return 0;
}

int jit_cache_get(const char *dir, const unsigned char key[SHA256_BYTES], struct jit_image *out) {
    const char *why;
    char name[2 * SHA256_BYTES + 1];
    int dir_fd = open_directory(dir, &why);
    if (dir_fd < 0) return 0;
    entry_name(key, name);
    int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(dir_fd);
    if (fd < 0) return 0;
    int found = read_entry(fd, key, out);
    close(fd);
    return found;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_all(int fd, const void *from, size_t nbytes) {
    for (size_t done = 0; done < nbytes;) {
        ssize_t n = write(fd, (const char *)from + done, nbytes - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        done += (size_t)n;
    }
    return 1;
}

static int write_entry(int fd, const unsigned char *key, const struct jit_image *image,
                       const char *compiler) {
    struct stat st;
    struct head h;
    memset(&h, 0, sizeof(h));
    h.magic = MAGIC;
    h.step = (uint64_t)image->step;
    h.image_bytes = image->nbytes;
    memcpy(h.key, key, SHA256_BYTES);
    if (compiler && strlen(compiler) < MAX_PATH_BYTES && stat(compiler, &st) == 0) {
        h.path_bytes = strlen(compiler);
        fill_compiler(&h, &st);
    }
    checksum_of(&h, compiler, image->bytes, h.checksum);
    return write_all(fd, &h, sizeof(h)) && write_all(fd, compiler, h.path_bytes) &&
           write_all(fd, image->bytes, image->nbytes);
}

static void put(int dir_fd, const unsigned char *key, const struct jit_image *image,
                const char *compiler) {
    static atomic_uint number;
    char name[2 * SHA256_BYTES + 1], temporary[64];
    struct timespec now; /* another host's process may have our number */
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(temporary, sizeof(temporary), TEMPORARY "%ld.%ld.%u", (long)getpid(), now.tv_nsec,
             atomic_fetch_add(&number, 1));
    int fd = openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return;
    entry_name(key, name);
    int good = write_entry(fd, key, image, compiler);
    if (close(fd) != 0) good = 0;
    if (!good || renameat(dir_fd, temporary, dir_fd, name) != 0) unlinkat(dir_fd, temporary, 0);
}

void jit_cache_put(const char *dir, const unsigned char key[SHA256_BYTES],
                   const struct jit_image *image, const char *compiler) {
    const char *why;
    if (image->nbytes == 0 || image->nbytes > JIT_MAX_IMAGE) return;
    int dir_fd = open_directory(dir, &why);
    if (dir_fd < 0) return;
    put(dir_fd, key, image, compiler);
    close(dir_fd);
    jit_cache_trim(dir, JIT_CACHE_BYTES);
}

/* ---- keeping it small ------------------------------------------------------------------------ */

struct file {
    char name[2 * SHA256_BYTES + 1];
    uint64_t nbytes;
    struct timespec modified;
};

struct files {
    struct file *files;
    size_t n, capacity;
    uint64_t nbytes;
};

static int is_entry(const char *name) {
    return strlen(name) == 2 * SHA256_BYTES && strspn(name, "0123456789abcdef") == 2 * SHA256_BYTES;
}

static int is_abandoned(const char *name, const struct stat *st) {
    return strncmp(name, TEMPORARY, strlen(TEMPORARY)) == 0 &&
           st->st_mtim.tv_sec < time(NULL) - TEMPORARY_AGE;
}

static int add_file(struct files *f, const char *name, const struct stat *st) {
    if (f->n == f->capacity) {
        size_t capacity = f->capacity ? 2 * f->capacity : 256;
        struct file *grown = realloc(f->files, capacity * sizeof(*grown));
        if (!grown) return 0;
        f->files = grown;
        f->capacity = capacity;
    }
    struct file *new = &f->files[f->n++];
    memcpy(new->name, name, sizeof(new->name));
    new->nbytes = (uint64_t)st->st_size;
    new->modified = st->st_mtim;
    f->nbytes += new->nbytes;
    return 1;
}

static int older_first(const void *a, const void *b) {
    const struct timespec *x = &((const struct file *)a)->modified;
    const struct timespec *y = &((const struct file *)b)->modified;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Entries of the cache only: what else lies there is not ours to remove. */
static void list_files(DIR *d, struct files *out) {
    struct dirent *e;
    struct stat st;
    while ((e = readdir(d)) != NULL) {
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
            continue;
        if (is_abandoned(e->d_name, &st)) unlinkat(dirfd(d), e->d_name, 0);
        if (is_entry(e->d_name) && !add_file(out, e->d_name, &st)) break;
    }
}

void jit_cache_trim(const char *dir, uint64_t nbytes) {
    const char *why;
    struct files f = {NULL, 0, 0, 0};
    int fd = open_directory(dir, &why);
    if (fd < 0) return;
    DIR *d = fdopendir(fd);
    if (!d) {
        close(fd);
        return;
    }
    list_files(d, &f);
    if (f.nbytes > nbytes) qsort(f.files, f.n, sizeof(f.files[0]), older_first);
    for (size_t k = 0; k < f.n && f.nbytes > nbytes; k++) {
        unlinkat(fd, f.files[k].name, 0);
        f.nbytes -= f.files[k].nbytes;
    }
    free(f.files);
    closedir(d);
}
