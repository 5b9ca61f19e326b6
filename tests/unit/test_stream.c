/* Pipes, FIFOs, devices and standard input as sources. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#include "check.h"
#include "gather.h"

/* ---- a writer at the other end ------------------------------------------------------------------ */

struct writer {
    pthread_t thread;
    int fd;
    const void *bytes;
    size_t nbytes, step; /* bytes per write */
    int pause_us;        /* between writes */
};

static void *write_all(void *arg) {
    struct writer *w = arg;
    sigset_t all;
    sigfillset(&all); /* signals are for the reader */
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    for (size_t at = 0; at < w->nbytes;) {
        size_t n = w->nbytes - at < w->step ? w->nbytes - at : w->step;
        ssize_t done = write(w->fd, (const char *)w->bytes + at, n);
        if (done < 0) break; /* the reader had enough */
        at += (size_t)done;
        if (w->pause_us != 0) usleep((useconds_t)w->pause_us);
    }
    close(w->fd);
    return NULL;
}

/* An input that reads what a thread writes. */
static onepass_input pipe_input(struct writer *w, const void *bytes, size_t nbytes, size_t step,
                                int pause_us) {
    int ends[2];
    if (pipe(ends) != 0) abort();
    *w = (struct writer){
        .fd = ends[1], .bytes = bytes, .nbytes = nbytes, .step = step, .pause_us = pause_us};
    if (pthread_create(&w->thread, NULL, write_all, w) != 0) abort();
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = "-";
    in.fd = ends[0];
    return in;
}

static void pipe_close(struct writer *w, const onepass_input *in) {
    close(in->fd);
    pthread_join(w->thread, NULL);
}

static unsigned char counting[4096]; /* the bytes k * 7 */

/* What a pipe of these bytes, written in steps, yields under the options of *how. */
static struct gathered gather_pipe(const onepass_input *how, const void *bytes, size_t nbytes,
                                   size_t step, int pause_us, size_t capacity) {
    struct writer w;
    onepass_input in = *how, p = pipe_input(&w, bytes, nbytes, step, pause_us);
    in.path = "-";
    in.fd = p.fd;
    struct gathered g = gather(&in, capacity, sizeof counting);
    pipe_close(&w, &p);
    return g;
}

static onepass_input raw(const char *dtype) {
    onepass_input in = ONEPASS_INPUT_INIT;
    in.dtype = dtype;
    return in;
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void check_u32(const struct gathered *g, uint64_t n, uint64_t offset, uint64_t stride) {
    CHECKF(g->rc == 0 && g->nelems == n, "%d %s", g->rc, g->err.message);
    for (uint64_t k = 0; k < g->nelems && k < n; k++) {
        const unsigned char *p = counting + offset + 4 * k * stride;
        CHECK(g->values[k] == p[0] + 256 * (p[1] + 256 * (p[2] + 256.0 * p[3])));
    }
}

static void fault_24_a_writer_of_one_byte_at_a_time(void) {
    onepass_input in = raw("u32");
    for (size_t capacity = 4; capacity <= 256; capacity *= 8) {
        struct gathered g = gather_pipe(&in, counting, 400, 1, 0, capacity);
        check_u32(&g, 100, 0, 1);
        CHECK(g.place.ndim == 1 && g.place.shape[0] == 100 && g.source.count == 100);
        free(g.values);
    }
}

static void fault_24_an_element_cut_in_two_by_a_sleeping_writer(void) {
    onepass_input in = raw("u32");
    struct gathered g = gather_pipe(&in, counting, 28, 10, 20000, 64);
    check_u32(&g, 7, 0, 1);
    free(g.values);
}

static void fault_24_sizes_around_the_buffer(void) {
    onepass_input in = raw("u32");
    for (size_t n = 0; n <= 34; n++) {
        struct gathered g = gather_pipe(&in, counting, 4 * n, 4096, 0, 64);
        check_u32(&g, n, 0, 1);
        CHECK(g.nextents == (n + 15) / 16);
        free(g.values);
    }
}

static void fault_23_left_over_bytes_of_a_pipe(void) {
    onepass_input in = raw("f32");
    struct gathered g = gather_pipe(&in, counting, 1003, 100, 0, 64);
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "1003 bytes of f32: 3 left-over bytes");
    free(g.values);
    g = gather_pipe(&in, counting, 3, 1, 0, 64);
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "3 bytes of f32: 3 left-over bytes");
    free(g.values);
    in.has_offset = 1;
    in.offset_bytes = 6;
    g = gather_pipe(&in, counting, 11, 3, 0, 64);
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "5 bytes of f32: 1 left-over byte");
    free(g.values);
}

static void offset_and_stride_of_a_pipe(void) {
    for (uint64_t n = 0; n <= 30; n += 3)
        for (uint64_t stride = 1; stride <= 40; stride = stride * 2 + 1)
            for (uint64_t offset = 0; offset <= 5; offset += 5) {
                onepass_input in = raw("u32");
                in.has_offset = 1;
                in.offset_bytes = offset;
                in.stride = stride;
                struct gathered g = gather_pipe(&in, counting, offset + 4 * n, 7, 0, 40);
                check_u32(&g, (n + stride - 1) / stride, offset, stride);
                CHECK(g.place.step == stride && g.source.stride == stride && g.source.has_layout);
                free(g.values);
            }
}

static void fault_23_past_the_end_of_a_pipe(void) {
    onepass_input in = raw("u32");
    in.count = 26;
    struct gathered g = gather_pipe(&in, counting, 100, 100, 0, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "count 26 reaches past the end: there are 25 elements");
    free(g.values);
    in.stride = 2;
    in.count = 14;
    g = gather_pipe(&in, counting, 100, 100, 0, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "there are 13 elements");
    free(g.values);
    in = raw("u32");
    in.has_offset = 1;
    in.offset_bytes = 101;
    g = gather_pipe(&in, counting, 100, 100, 0, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "offset 101 is past the end: there are 100 bytes");
    free(g.values);
    in.count = 0; /* nothing is taken, but from nowhere */
    g = gather_pipe(&in, counting, 100, 100, 0, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "offset 101 is past the end");
    free(g.values);
    in.count = ONEPASS_ALL;
    in.offset_bytes = 100;
    g = gather_pipe(&in, counting, 100, 100, 0, 64);
    CHECK(g.rc == 0 && g.nelems == 0);
    free(g.values);
}

static void a_count_ends_the_reading(void) {
    struct writer w;
    onepass_input in = pipe_input(&w, counting, 1000, 1000, 0);
    unsigned char next = 0;
    in.dtype = "u32";
    in.count = 100;
    struct gathered g = gather(&in, 64, 128);
    check_u32(&g, 100, 0, 1);
    CHECK(g.source.nelems_known && g.source.total_bytes == 400);
    CHECK(read(in.fd, &next, 1) == 1 && next == counting[400]); /* the rest was left alone */
    free(g.values);
    pipe_close(&w, &in);

    in = pipe_input(&w, counting, 10, 1, 0); /* fewer bytes than the longest magic, then silence */
    in.dtype = "u8";
    in.count = 0;
    g = gather(&in, 64, 128);
    CHECK(g.rc == 0 && g.nelems == 0);
    free(g.values);
    pipe_close(&w, &in);
}

static void shapes_of_a_pipe(void) {
    onepass_input in = raw("u32");
    in.ndim = 2;
    in.shape[0] = -1;
    in.shape[1] = 5;
    struct gathered g = gather_pipe(&in, counting, 400, 64, 0, 64);
    check_u32(&g, 100, 0, 1);
    CHECK(g.place.ndim == 2 && g.place.shape[0] == 20 && g.place.shape[1] == 5);
    free(g.values);
    g = gather_pipe(&in, counting, 404, 64, 0, 64);
    GATHERED_ERROR(g, ONEPASS_SHAPE_MISMATCH, "101 elements do not fill");
    free(g.values);
    in.shape[0] = 21;
    g = gather_pipe(&in, counting, 400, 64, 0, 64);
    GATHERED_ERROR(g, ONEPASS_PAST_END, "a shape of 105 elements");
    free(g.values);
}

static void a_pipe_without_a_type(void) {
    onepass_input in = raw(NULL);
    struct gathered g = gather_pipe(&in, counting, 100, 1, 0, 64);
    CHECK(g.rc == ONEPASS_NO_DTYPE && strstr(g.err.hint, "--dtype") != NULL);
    g = gather_pipe(&in, counting, 0, 1, 0, 64);
    CHECK(g.rc == ONEPASS_NO_DTYPE);
}

static const char npy_of_three[] =
    "\223NUMPY\1\0\x3f\0{'descr': '<i2', 'fortran_order': False, 'shape': (3,)}       \n"
    "\1\0\2\0\xff\xff";
#define NPY_BYTES (sizeof npy_of_three - 1)

static void npy_from_a_pipe(void) {
    onepass_input in = raw(NULL);
    for (size_t step = 1; step <= 64; step *= 4) {
        struct gathered g = gather_pipe(&in, npy_of_three, NPY_BYTES, step, 0, 4);
        CHECKF(g.rc == 0 && g.nelems == 3, "%s", g.err.message);
        CHECK(g.rc == 0 && g.values[0] == 1 && g.values[1] == 2 && g.values[2] == -1);
        CHECK(strcmp(g.source.ops->name, "npy") == 0 && g.source.nelems_known && g.place.shape[0] == 3);
        free(g.values);
    }
    in.dtype = "u8";
    struct gathered g = gather_pipe(&in, npy_of_three, NPY_BYTES, 64, 0, 4);
    GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, "describes itself");
    in.format = "raw";
    g = gather_pipe(&in, npy_of_three, NPY_BYTES, 64, 0, 4);
    CHECK(g.rc == 0 && g.nelems == NPY_BYTES && g.values[0] == 0x93 && g.values[NPY_BYTES - 1] == 0xff);
    free(g.values);
}

static void fault_26_sizes_that_lie_in_a_pipe(void) {
    onepass_input in = raw(NULL);
    char more[NPY_BYTES + 1];
    for (size_t n = 0; n < NPY_BYTES; n++) {
        struct gathered g = gather_pipe(&in, npy_of_three, n, 16, 0, 4);
        CHECKF(g.rc == (n < 6 ? ONEPASS_NO_DTYPE : ONEPASS_TRUNCATED), "%zu bytes: %d", n, g.rc);
        free(g.values);
    }
    memcpy(more, npy_of_three, NPY_BYTES);
    more[NPY_BYTES] = '\n';
    struct gathered g = gather_pipe(&in, more, NPY_BYTES + 1, 64, 0, 4);
    GATHERED_ERROR(g, ONEPASS_LEFT_OVER_BYTES, "bytes after the data");
    free(g.values);
}

static void known_formats_in_a_pipe(void) {
    onepass_input in = raw(NULL);
    struct gathered g = gather_pipe(&in, "\x28\xb5\x2f\xfd........", 12, 1, 0, 64);
    GATHERED_ERROR(g, ONEPASS_UNSUPPORTED, "zstd");
    in = raw("f32");
    g = gather_pipe(&in, "\x1f\x8b\x08.....", 8, 1, 0, 64);
    GATHERED_ERROR(g, ONEPASS_FORMAT_MISMATCH, "gzip");
}

static void nothing_alarming(int sig) {
    (void)sig;
}

static void fault_25_interrupted_reads_of_a_pipe(void) {
    struct sigaction action = {.sa_handler = nothing_alarming}, old; /* no SA_RESTART */
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    onepass_input in = raw("u32");
    sigaction(SIGALRM, &action, &old);
    setitimer(ITIMER_REAL, &often, NULL);
    struct gathered g = gather_pipe(&in, counting, 120, 3, 1500, 64);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    check_u32(&g, 30, 0, 1);
    free(g.values);
}

static void a_descriptor_that_does_not_block(void) {
    struct writer w;
    onepass_input in = pipe_input(&w, counting, 40, 3, 3000);
    in.dtype = "u32";
    CHECK(fcntl(in.fd, F_SETFL, O_NONBLOCK) == 0);
    struct gathered g = gather(&in, 64, 64);
    check_u32(&g, 10, 0, 1);
    free(g.values);
    pipe_close(&w, &in);
}

static void *set_flag_soon(void *flag) {
    usleep(30000);
    atomic_store((atomic_int *)flag, 1);
    return NULL;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void cancelling_ends_the_waiting(void) {
    int ends[2];
    atomic_int cancel = 0;
    pthread_t thread;
    struct source *s = NULL;
    struct extent e;
    unsigned char buffer[64];
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_input in = raw("u8");
    CHECK(pipe(ends) == 0);
    in.path = "-";
    in.fd = ends[0];
    double began = seconds();
    pthread_create(&thread, NULL, set_flag_soon, &cancel); /* while the first bytes are waited for */
    CHECK(source_open(&in, &cancel, &s, &err) == ONEPASS_CANCELLED && s == NULL);
    pthread_join(thread, NULL);
    in.format = "raw"; /* needs no first bytes */
    CHECK(source_open(&in, &cancel, &s, &err) == 0);
    atomic_store(&cancel, 0);
    pthread_create(&thread, NULL, set_flag_soon, &cancel);
    CHECK(s->ops->next(s, buffer, 64, &cancel, &e, &err) == ONEPASS_CANCELLED);
    pthread_join(thread, NULL);
    CHECK(seconds() - began < 5);
    source_close(s);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0); /* standard input is the caller's */
}

static void *open_and_write(void *path) {
    usleep(20000);
    int fd = open(path, O_WRONLY);
    usleep(20000);
    if (write(fd, counting, 40) != 40) abort();
    close(fd);
    return NULL;
}

static void fault_25_a_fifo_by_name(void) {
    char path[600];
    pthread_t thread;
    atomic_int cancel = 0;
    struct source *s;
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_input in = raw(NULL);
    snprintf(path, sizeof path, "%s", test_path("fifo.u32"));
    CHECK(mkfifo(path, 0600) == 0);
    in.path = path;
    pthread_create(&thread, NULL, set_flag_soon, &cancel);
    CHECK(source_open(&in, &cancel, &s, &err) == ONEPASS_CANCELLED); /* nobody writes */
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, open_and_write, path);
    struct gathered g = gather(&in, 16, 64);
    check_u32(&g, 10, 0, 1);
    pthread_join(thread, NULL);
    free(g.values);
}

static void devices(void) {
    onepass_input in = raw("u32");
    in.path = "/dev/zero";
    in.count = 1000;
    struct gathered g = gather(&in, 64, 1000);
    CHECK(g.rc == 0 && g.nelems == 1000 && g.values[999] == 0);
    free(g.values);
    in = raw("u32");
    in.path = "/dev/null";
    g = gather(&in, 64, 1000);
    CHECK(g.rc == 0 && g.nelems == 0);
    free(g.values);
}

static void files_without_a_size_that_yield_bytes(void) {
    onepass_input in = raw("u8");
    struct stat st;
    in.path = "/proc/self/cmdline";
    if (stat(in.path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size != 0) {
        SKIP("no /proc");
        return;
    }
    struct gathered g = gather(&in, 64, sizeof counting);
    CHECK(g.rc == 0 && g.nelems > 0);
    free(g.values);
}

static void a_terminal_is_refused(void) {
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name = fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 ? NULL : ptsname(fd);
    int terminal = name == NULL ? -1 : open(name, O_RDWR | O_NOCTTY);
    if (terminal < 0) {
        SKIP("no pseudo-terminal");
        return;
    }
    onepass_input in = raw("u8");
    in.path = "-";
    in.fd = terminal;
    struct gathered g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_NOT_READABLE, "standard input is a terminal");
    in.path = name;
    g = gather(&in, 64, 64);
    GATHERED_ERROR(g, ONEPASS_NOT_READABLE, "is a terminal");
    close(terminal);
    close(fd);
}

static void standard_input_from_a_file(void) {
    onepass_input in = raw("u32");
    int fd = open(test_file("in", counting, 403), O_RDONLY);
    in.path = "-";
    in.fd = fd;
    CHECK(lseek(fd, 3, SEEK_SET) == 3); /* somebody has read three bytes */
    struct gathered g = gather(&in, 64, 128);
    check_u32(&g, 100, 3, 1);
    CHECK(g.source.nelems_known && g.source.file_size == 403);
    CHECK(lseek(fd, 0, SEEK_CUR) == 403);
    free(g.values);
    lseek(fd, 0, SEEK_SET);
    in.count = 10;
    g = gather(&in, 64, 128);
    check_u32(&g, 10, 0, 1);
    CHECK(lseek(fd, 0, SEEK_CUR) == 40); /* what follows is the next reader's */
    free(g.values);
    close(fd);
    g = gather(&in, 64, 128);
    GATHERED_ERROR(g, ONEPASS_OPEN_FAILED, "Bad file descriptor");
    in.fd = open(test_directory, O_RDONLY);
    g = gather(&in, 64, 128);
    GATHERED_ERROR(g, ONEPASS_NOT_READABLE, "is a directory");
    close(in.fd);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"fault_24_a_writer_of_one_byte_at_a_time", fault_24_a_writer_of_one_byte_at_a_time},
        {"fault_24_an_element_cut_in_two", fault_24_an_element_cut_in_two_by_a_sleeping_writer},
        {"fault_24_sizes_around_the_buffer", fault_24_sizes_around_the_buffer},
        {"fault_23_left_over_bytes_of_a_pipe", fault_23_left_over_bytes_of_a_pipe},
        {"stream_offset_and_stride", offset_and_stride_of_a_pipe},
        {"fault_23_past_the_end_of_a_pipe", fault_23_past_the_end_of_a_pipe},
        {"stream_a_count_ends_the_reading", a_count_ends_the_reading},
        {"stream_shapes", shapes_of_a_pipe},
        {"stream_without_a_type", a_pipe_without_a_type},
        {"stream_npy", npy_from_a_pipe},
        {"fault_26_sizes_that_lie_in_a_pipe", fault_26_sizes_that_lie_in_a_pipe},
        {"stream_known_formats", known_formats_in_a_pipe},
        {"fault_25_interrupted_reads_of_a_pipe", fault_25_interrupted_reads_of_a_pipe},
        {"stream_a_descriptor_that_does_not_block", a_descriptor_that_does_not_block},
        {"stream_cancelling_ends_the_waiting", cancelling_ends_the_waiting},
        {"fault_25_a_fifo_by_name", fault_25_a_fifo_by_name},
        {"stream_devices", devices},
        {"stream_files_without_a_size", files_without_a_size_that_yield_bytes},
        {"stream_a_terminal_is_refused", a_terminal_is_refused},
        {"stream_standard_input_from_a_file", standard_input_from_a_file},
    };
    signal(SIGPIPE, SIG_IGN);
    for (size_t k = 0; k < sizeof counting; k++)
        counting[k] = (unsigned char)(k * 7);
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
