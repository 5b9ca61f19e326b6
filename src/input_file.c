/* Opening inputs and reading their bytes, by position or in order.
 *
 * Owns every open, read, pread, poll and fstat of input data.  What the bytes mean is decided in
 * source.c and the source_*.c files. */
#include "input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

#define POLL_STEP_MS 100               /* how soon a waiting stream notices a cancelled run */
#define READ_MAX     ((size_t)1 << 30) /* the kernel stops at 0x7ffff000 anyway */

/* Zarr arrays are directories; say so, rather than only "is a directory". */
static int refuse_directory(int fd, onepass_error *err) {
    static const char *const marks[] = {"zarr.json", ".zarray", ".zgroup"};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (faccessat(fd, marks[k], F_OK, 0) == 0)
            return error_set(err, ONEPASS_UNSUPPORTED, "is a Zarr store: Zarr is not in this version");
    return error_set(err, ONEPASS_NOT_READABLE, "is a directory");
}

/* The position of standard input counts: the data begin there. */
static int adopt_regular(struct input_file *f, const struct stat *st, onepass_error *err) {
    off_t at = f->owned ? 0 : lseek(f->fd, 0, SEEK_CUR);
    if (at < 0) return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
    f->whole_size = (uint64_t)st->st_size;
    f->mtime = st->st_mtim;
    f->start = (uint64_t)at;
    f->size = f->whole_size > f->start ? f->whole_size - f->start : 0;
    if (f->whole_size != 0) return 0;

    /* Files made up by the kernel have no size; whether one has bytes, only reading tells. */
    ssize_t n;
    do
        n = pread(f->fd, f->head, 1, at);
    while (n < 0 && errno == EINTR);
    if (n < 0) return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
    f->is_stream = n > 0;
    return 0;
}

static int adopt(struct input_file *f, onepass_error *err) {
    struct stat st;
    if (fstat(f->fd, &st) != 0) return error_system(err, ONEPASS_OPEN_FAILED, errno, "cannot open");
    if (S_ISDIR(st.st_mode)) return refuse_directory(f->fd, err);
    if (S_ISREG(st.st_mode)) return adopt_regular(f, &st, err);
    if (S_ISCHR(st.st_mode) && isatty(f->fd)) {
        error_set(err, ONEPASS_NOT_READABLE,
                  f->owned ? "is a terminal" : "standard input is a terminal");
        error_hint(err, "name a file, or pipe data in");
        return ONEPASS_NOT_READABLE;
    }
    f->is_stream = 1;
    return 0;
}

int input_file_open(struct input_file *f, const char *path, int fd, onepass_error *err) {
    memset(f, 0, sizeof *f);
    f->owned = strcmp(path, "-") != 0;
    f->fd = fd;
    /* O_NONBLOCK: a FIFO without a writer must not make open() wait where nothing can cancel it. */
    while (f->owned && (f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) < 0)
        if (errno != EINTR) return error_system(err, ONEPASS_OPEN_FAILED, errno, "cannot open");
    int rc = adopt(f, err);
    if (rc != 0) input_file_close(f);
    return rc;
}

void input_file_close(struct input_file *f) {
    if (f->owned && f->fd >= 0) close(f->fd); /* only read from: nothing can be lost here */
    f->fd = -1;
}

/* By the descriptor, not by the name: that may be another file by now. */
int input_file_open_direct(const struct input_file *f) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", f->fd);
    return open(path, O_RDONLY | O_CLOEXEC | O_DIRECT);
}

void input_file_read_ahead(const struct input_file *f, int may) {
    /* Only advice: where it is not taken, more is read than is needed. */
    (void)posix_fadvise(f->fd, 0, 0, may ? POSIX_FADV_NORMAL : POSIX_FADV_RANDOM);
}

int input_file_read_at(const struct input_file *f, uint64_t offset, unsigned char *buffer,
                       size_t nbytes, onepass_error *err) {
    while (nbytes > 0) {
        size_t want = nbytes < READ_MAX ? nbytes : READ_MAX;
        ssize_t n = pread(f->fd, buffer, want, (off_t)(f->start + offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
        if (n == 0)
            return error_set(err, ONEPASS_CHANGED,
                             "the file changed while it was read: it ends at byte %llu of %llu",
                             (unsigned long long)(f->start + offset),
                             (unsigned long long)f->whole_size);
        buffer += n;
        offset += (uint64_t)n;
        nbytes -= (size_t)n;
    }
    return 0;
}

int input_file_check(const struct input_file *f, uint64_t consumed, onepass_error *err) {
    struct stat st;
    if (f->is_stream) return 0;
    if (fstat(f->fd, &st) != 0) return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
    if ((uint64_t)st.st_size != f->whole_size)
        return error_set(err, ONEPASS_CHANGED,
                         "the file changed while it was read: it had %llu bytes, now %llu",
                         (unsigned long long)f->whole_size, (unsigned long long)st.st_size);
    if (st.st_mtim.tv_sec != f->mtime.tv_sec || st.st_mtim.tv_nsec != f->mtime.tv_nsec)
        return error_set(err, ONEPASS_CHANGED, "the file changed while it was read: it was written to");
    if (!f->owned && lseek(f->fd, (off_t)(f->start + consumed), SEEK_SET) < 0)
        return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
    return 0;
}

static int wait_readable(int fd, const atomic_int *cancel, onepass_error *err) {
    for (;;) {
        if (cancel != NULL && atomic_load(cancel))
            return error_set(err, ONEPASS_CANCELLED, "cancelled");
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int n = poll(&p, 1, POLL_STEP_MS);
        if (n > 0) return 0; /* data, the end or an error: read() tells which */
        if (n < 0 && errno != EINTR)
            return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
    }
}

/* One successful read(): some bytes, or the end. */
static int read_some(struct input_file *f, unsigned char *buffer, size_t nbytes,
                     const atomic_int *cancel, size_t *got, onepass_error *err) {
    for (;;) {
        int rc = wait_readable(f->fd, cancel, err);
        if (rc != 0) return rc;
        ssize_t n = read(f->fd, buffer, nbytes < READ_MAX ? nbytes : READ_MAX);
        if (n >= 0) {
            f->at_end = n == 0;
            *got = (size_t)n;
            return 0;
        }
        if (errno != EINTR && errno != EAGAIN)
            return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
    }
}

int input_file_read(struct input_file *f, unsigned char *buffer, size_t nbytes,
                    const atomic_int *cancel, size_t *got, onepass_error *err) {
    size_t have = f->nhead - f->head_taken;
    if (have > nbytes) have = nbytes;
    memcpy(buffer, f->head + f->head_taken, have);
    f->head_taken += have;
    while (have < nbytes && !f->at_end) {
        size_t n = 0;
        int rc = read_some(f, buffer + have, nbytes - have, cancel, &n, err);
        if (rc != 0) return rc;
        have += n;
    }
    *got = have;
    return 0;
}

int input_file_skip(struct input_file *f, uint64_t nbytes, const atomic_int *cancel, uint64_t *skipped,
                    onepass_error *err) {
    unsigned char scratch[16384];
    *skipped = 0;
    while (*skipped < nbytes) {
        uint64_t left = nbytes - *skipped;
        size_t n = 0, want = left < sizeof scratch ? (size_t)left : sizeof scratch;
        int rc = input_file_read(f, scratch, want, cancel, &n, err);
        if (rc != 0) return rc;
        *skipped += n;
        if (n < want) break;
    }
    return 0;
}

int input_file_peek(struct input_file *f, size_t nbytes, const atomic_int *cancel, onepass_error *err) {
    if (!f->is_stream) {
        f->nhead = f->size < INPUT_HEAD ? (size_t)f->size : INPUT_HEAD;
        return input_file_read_at(f, 0, f->head, f->nhead, err);
    }
    while (f->nhead < nbytes && !f->at_end) {
        size_t n = 0;
        int rc = read_some(f, f->head + f->nhead, nbytes - f->nhead, cancel, &n, err);
        if (rc != 0) return rc;
        f->nhead += n;
    }
    return 0;
}
