/* Writing results whole and noticing when that fails, at close too.  Owns the temporary file of
 * --output: a name beside the target, so that rename() is one step. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit_status.h"
#include "message.h"
#include "progress.h"
#include "signals.h"

static struct {
    int fd;
    int owns_fd;      /* to be closed by us */
    char *target;     /* what is renamed over, symbolic links followed; NULL: written directly */
    char *temporary;  /* NULL when there is none (any more) */
    const char *name; /* for messages */
    int wrote;
} out = {.fd = STDOUT_FILENO, .name = "standard output"};

static int fail(const char *what, int number) {
    char text[256];
    snprintf(text, sizeof(text), "%s: %s", what, strerror(number));
    message_error("output", out.name, text, NULL);
    return EXIT_OUTPUT;
}

void output_guard_descriptors(void) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        /* Opened the wrong way round: a use of it fails as that of a closed one does. */
        int got = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
        if (got >= 0 && got != fd) close(got);
    }
}

/* The descriptor that a name such as /dev/stdout stands for, or -1.  Opening those anew would start at
 * the beginning of a file that the shell opened for appending or truncated once. */
static int standard_descriptor(const char *path) {
    static const char *const names[][3] = {{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"},
                                           {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            if (strcmp(path, names[k][i]) == 0) return k + 1;
    return strcmp(path, "-") == 0 ? STDOUT_FILENO : -1;
}

/* Creates the temporary file beside out.target with the mode that the target has or would get. */
static int open_temporary(const struct stat *old) {
    size_t capacity = strlen(out.target) + 64;
    const char *slash = strrchr(out.target, '/');
    int directory = slash ? (int)(slash - out.target) + 1 : 0;
    out.temporary = malloc(capacity);
    if (!out.temporary) return fail("open", ENOMEM);
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(out.temporary, capacity, "%.*s.onepass-%ld-%d.tmp", directory, out.target,
                 (long)getpid(), attempt);
        out.fd = open(out.temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out.fd >= 0 || errno != EEXIST) break;
    }
    if (out.fd < 0) {
        int number = errno;
        free(out.temporary);
        out.temporary = NULL;
        return fail("cannot create a file beside it", number);
    }
    out.owns_fd = 1;
    /* A mode that cannot be kept (another owner's file) is no reason to fail. */
    if (old && fchmod(out.fd, old->st_mode & 0777) != 0) errno = 0;
    return 0;
}

int output_open(const char *path) {
    struct stat st;
    int given = path ? standard_descriptor(path) : STDOUT_FILENO;
    if (given >= 0) {
        out.fd = given;
        out.name = given == STDERR_FILENO ? "standard error" : "standard output";
        return 0;
    }
    out.name = path;
    int exists = stat(path, &st) == 0;
    if (!exists && errno != ENOENT) return fail("open", errno);
    if (exists && !S_ISREG(st.st_mode)) {
        out.fd = open(path, O_WRONLY | O_CLOEXEC);
        out.owns_fd = out.fd >= 0;
        return out.fd < 0 ? fail("open", errno) : 0;
    }
    if (exists && access(path, W_OK) != 0) return fail("open", errno); /* rename would not care */
    out.target = exists ? realpath(path, NULL) : strdup(path);
    if (!exists && lstat(path, &st) == 0) { /* a symbolic link to nothing yet: make what it names */
        free(out.target);
        out.target = NULL;
        out.fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        out.owns_fd = out.fd >= 0;
        return out.fd < 0 ? fail("open", errno) : 0;
    }
    if (!out.target) return fail("open", errno);
    return open_temporary(exists ? &st : NULL);
}

/* Somebody who shares the descriptor may have made it non-blocking. */
static int wait_for_room(void) {
    struct pollfd p = {.fd = out.fd, .events = POLLOUT};
    return poll(&p, 1, -1) > 0 || errno == EINTR;
}

int output_write(struct textbuf *record) {
    const char *p = textbuf_text(record);
    size_t left = record->nbytes;
    if (record->failed) {
        record->failed = 0; /* the next one may have room */
        textbuf_clear(record);
        message_error("out_of_memory", out.name, "out of memory", NULL);
        return EXIT_INPUT;
    }
    if (left > 0) progress_erase();
    while (left > 0) {
        ssize_t n = write(out.fd, p, left);
        if (n < 0 && errno == EINTR) {
            if (signals_pending()) break; /* nobody reads: the rest is lost with us */
            continue;
        }
        if (n < 0 && errno == EAGAIN && wait_for_room()) continue;
        if (n <= 0) return fail("write failed", n < 0 ? errno : EIO);
        out.wrote = 1;
        p += n;
        left -= (size_t)n;
    }
    textbuf_clear(record);
    return 0;
}

static void forget(void) {
    free(out.target);
    free(out.temporary);
    out.target = out.temporary = NULL;
    out.owns_fd = 0;
    out.fd = -1;
}

void output_discard(void) {
    if (out.owns_fd) close(out.fd);
    if (out.temporary) unlink(out.temporary);
    forget();
}

int output_finish(void) {
    if (out.fd < 0 || (!out.wrote && out.temporary)) {
        output_discard();
        return 0;
    }
    /* Closing may be what fails: quotas, network file systems. */
    int bad = (out.wrote && out.fd != STDERR_FILENO) || out.owns_fd ? close(out.fd) : 0;
    out.owns_fd = 0;
    if (bad) {
        int number = errno;
        output_discard();
        return fail("close failed", number);
    }
    if (out.temporary && rename(out.temporary, out.target) != 0) {
        int number = errno;
        output_discard();
        return fail("rename failed", number);
    }
    forget();
    return 0;
}

int output_descriptor(void) {
    return out.fd;
}
