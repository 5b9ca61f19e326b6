/* Data that lie in device memory: the product's kernels beside CUB's reductions over the same bytes.
 *
 *   resident [--gib N] [--runs N] [--waves N] [--once] [NAME...]
 *
 * Prints for each measurement GB/s of input, the ratio to CUB's inexact sum of |x| in binary64 in the
 * same run, and whether the state is that of the CPU, bit for bit ("wrong" makes the exit status 1).
 * --once launches each kernel once and measures nothing: for a profiler. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda_layout.h"
#include "cuda_text.h"
#include "evaluator.h"
#include "jit.h"
#include "kernels/bench.h"
#include "kernels/launch.h"

#define MOST_RUNS 101

struct measurement {
    const char *name, *pipeline;
    int is_f64, series, integer_sums, skip_nan;
};

static const struct measurement MEASUREMENTS[] = {
    {"abs_sum_f32", "abs|sum", 0, BENCH_NORMAL, 0, 0},
    {"five_stages_f32", "abs|neg|abs|relu|abs|sum", 0, BENCH_NORMAL, 0, 0},
    {"five_maps_f32", "x*2|x+1|abs|x*3|x-1|sum", 0, BENCH_NORMAL, 0, 0},
    {"stats_f32", "sum,min,max,mean,std", 0, BENCH_NORMAL, 0, 0},
    {"int_f32", "abs|sum", 0, BENCH_NORMAL, 1, 0},
    {"exp_sum_f32", "exp|sum", 0, BENCH_NORMAL, 0, 0},
    {"holes_f32", "abs|sum", 0, BENCH_HOLES, 0, 1},
    {"lognormal_f32", "abs|sum", 0, BENCH_LOGNORMAL, 0, 0},
    {"lognormal_stats_f32", "sum,min,max,mean,std", 0, BENCH_LOGNORMAL, 0, 0},
    {"random_bits_f32", "abs|sum", 0, BENCH_RANDOM_BITS, 0, 0},
    {"int_random_bits_f32", "abs|sum", 0, BENCH_RANDOM_BITS, 1, 0},
    {"abs_sum_f64", "abs|sum", 1, BENCH_NORMAL, 0, 0},
    {"stats_f64", "sum,min,max,mean,std", 1, BENCH_NORMAL, 0, 0},
    {"random_bits_f64", "abs|sum", 1, BENCH_RANDOM_BITS, 0, 0},
};
#define NMEASUREMENTS (sizeof MEASUREMENTS / sizeof *MEASUREMENTS)
#define COPY          "copy_to_device" /* and this one, which has no kernel */

static struct cuda_driver drv;
static struct jit *jit;
static int arch, sms, runs = 21, waves = 2, once, wrong; /* waves: as src/backend_cuda.c has it */
static unsigned long long nbytes = 4ull << 30;

static void die(const char *what, const char *why) {
    fprintf(stderr, "resident: %s: %s\n", what, why);
    exit(1);
}

static void check(cu_result result, const char *what) {
    onepass_error err = ONEPASS_ERROR_INIT;
    if (cuda_check(&drv, result, what, &err) != 0) die(what, err.message);
}

/* What the product does not call, and so does not look up. */
static cu_result (*event_elapsed_time)(float *milliseconds, cu_event start, cu_event end);
static cu_result (*func_get_attribute)(int *value, unsigned attribute, cu_function function);

enum { FUNC_LOCAL_BYTES = 3, FUNC_REGISTERS = 4 };

static void look_up(const char *name, void *function) {
    void *found = dlsym(drv.library, name);
    if (found == NULL) die(name, "the driver has no such function");
    memcpy(function, &found, sizeof found);
}

static void start_device(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    cu_context context;
    int device, major, minor;
    if (cuda_driver_open(NULL, &drv, &err) != 0) die("driver", err.message);
    look_up("cuEventElapsedTime", &event_elapsed_time);
    look_up("cuFuncGetAttribute", &func_get_attribute);
    check(drv.init(0), "init");
    check(drv.device_get(&device, 0), "device");
    check(drv.device_get_attribute(&major, CU_COMPUTE_CAPABILITY_MAJOR, device), "attribute");
    check(drv.device_get_attribute(&minor, CU_COMPUTE_CAPABILITY_MINOR, device), "attribute");
    check(drv.device_get_attribute(&sms, CU_MULTIPROCESSOR_COUNT, device), "attribute");
    check(drv.primary_ctx_retain(&context, device), "context");
    check(drv.ctx_set_current(context), "context");
    arch = 10 * major + minor;
    struct jit_config config = {.driver = &drv, .headers = cuda_headers};
    if (jit_create(&config, &jit, &err) != 0) die("jit", err.message);
}

/* ---- one program on the device ------------------------------------------------------------------ */

struct kernel {
    onepass_program *ast;
    struct program *program;
    struct cuda_layout layout;
    cu_module module;
    cu_function function;
    unsigned blocks;
    struct onepass_launch launch;
    enum jit_step step;
    int registers, local_bytes;
};

static void make_program(struct kernel *k, const struct measurement *m) {
    onepass_error err = ONEPASS_ERROR_INIT;
    if (onepass_program_parse(m->pipeline, strlen(m->pipeline), &k->ast, &err) != 0 ||
        program_lower(k->ast, CLASS_F64, m->skip_nan, &k->program, &err) != 0)
        die(m->pipeline, err.message);
}

static void make_kernel(struct kernel *k, const struct measurement *m, void *data) {
    onepass_error err = ONEPASS_ERROR_INIT;
    struct cuda_variant v = {.dtype = m->is_f64 ? DTYPE_F64 : DTYPE_F32,
                             .contiguous = 1,
                             .integer_sums = (uint8_t)m->integer_sums};
    struct cuda_text text;
    struct jit_image image;
    make_program(k, m);
    if (cuda_layout_make(k->program, (unsigned)sms * 64, &k->layout) != 0 ||
        cuda_text_make(k->program, &k->layout, &v, &text) != 0)
        die(m->name, "out of memory");
    if (jit_compile(jit, text.text, arch, &image, &err) != 0) die(m->name, err.message);
    k->step = image.step;
    check(drv.module_load_data(&k->module, image.bytes), "module");
    check(drv.module_get_function(&k->function, k->module, "onepass_fused"), "function");
    check(func_get_attribute(&k->registers, FUNC_REGISTERS, k->function), "registers");
    check(func_get_attribute(&k->local_bytes, FUNC_LOCAL_BYTES, k->function), "local");
    k->launch.nelems = nbytes / (m->is_f64 ? 8 : 4);
    k->launch.stride_bytes = m->is_f64 ? 8 : 4;
    unsigned long long most = (k->launch.nelems + text.tile_elements - 1) / text.tile_elements;
    k->blocks = (unsigned)sms * text.blocks_per_sm * (unsigned)waves;
    if (k->blocks > k->layout.blocks) k->blocks = k->layout.blocks;
    if (k->blocks > most) k->blocks = (unsigned)most;
    k->launch.data = data;
    cu_pointer state;
    check(drv.mem_alloc(&state, k->layout.nwords * 8), "memory");
    k->launch.state = (unsigned long long *)(uintptr_t)state;
    free(text.text);
    free(image.bytes);
}

static void reset(struct kernel *k) {
    uint64_t *words = malloc(k->layout.nwords * 8);
    if (words == NULL) die("reset", "out of memory");
    cuda_layout_init(k->program, &k->layout, words);
    check(drv.memcpy_to_device_async((cu_pointer)(uintptr_t)k->launch.state, words,
                                     k->layout.nwords * 8, NULL),
          "reset");
    check(drv.stream_synchronize(NULL), "reset");
    free(words);
}

static void launch(struct kernel *k) {
    void *parameters[] = {&k->launch};
    check(drv.launch_kernel(k->function, k->blocks, 1, 1, ONEPASS_THREADS, 1, 1, 0, NULL, parameters,
                            NULL),
          "launch");
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double median_seconds(struct kernel *k) {
    float ms[MOST_RUNS];
    cu_event begin, end;
    check(drv.event_create(&begin, 0), "event");
    check(drv.event_create(&end, 0), "event");
    launch(k);
    for (int r = 0; r < runs; r++) {
        check(drv.event_record(begin, NULL), "record");
        launch(k);
        check(drv.event_record(end, NULL), "record");
        check(drv.event_synchronize(end), "kernel");
        check(event_elapsed_time(&ms[r], begin, end), "time");
    }
    qsort(ms, (size_t)runs, sizeof *ms, by_size);
    return ms[runs / 2] * 1e-3;
}

static struct state *state_of(struct kernel *k, uint64_t levels[3]) {
    onepass_error err = ONEPASS_ERROR_INIT;
    const struct kernels *kernels;
    struct state *s;
    uint64_t *words = malloc(k->layout.nwords * 8);
    if (words == NULL || kernels_find(NULL, &kernels, &err) != 0 ||
        state_create(k->program, kernels, &s, &err) != 0)
        die("state", "out of memory");
    check(drv.memcpy_to_host_async(words, (cu_pointer)(uintptr_t)k->launch.state, k->layout.nwords * 8,
                                   NULL),
          "state");
    check(drv.stream_synchronize(NULL), "state");
    cuda_layout_add(k->program, &k->layout, words, k->launch.nelems, s);
    memcpy(levels, &words[k->layout.levels], 3 * sizeof *levels);
    free(words);
    return s;
}

/* ---- the same on the CPU ------------------------------------------------------------------------ */

struct share {
    const struct program *program;
    const unsigned char *bytes;
    struct place place;
    struct extent extent;
    struct evaluator *ev;
};

static void *reduce_share(void *arg) {
    struct share *s = arg;
    onepass_error err = ONEPASS_ERROR_INIT;
    const struct kernels *kernels;
    if (kernels_find(NULL, &kernels, &err) != 0 ||
        evaluator_create(s->program, kernels, &s->ev, &err) != 0)
        die("cpu", err.message);
    evaluator_extent(s->ev, &s->extent, s->bytes);
    return NULL;
}

static struct state *state_of_cpu(const struct kernel *k, const struct measurement *m,
                                  const unsigned char *bytes) {
    enum { SHARES = 16 };
    static struct share shares[SHARES];
    pthread_t threads[SHARES];
    size_t itemsize = m->is_f64 ? 8 : 4;
    uint64_t each = (k->launch.nelems + SHARES - 1) / SHARES;
    for (int i = 0; i < SHARES; i++) {
        struct share *s = &shares[i];
        uint64_t first = (uint64_t)i * each;
        uint64_t n = k->launch.nelems - first < each ? k->launch.nelems - first : each;
        memset(s, 0, sizeof *s);
        s->program = k->program;
        s->bytes = bytes + first * itemsize;
        s->place = (struct place){.ndim = 1, .shape = {k->launch.nelems}};
        s->extent =
            (struct extent){.fetch = FETCH_RANGE, .first = first, .nelems = n, .place = &s->place};
        s->extent.layout.dtype = m->is_f64 ? DTYPE_F64 : DTYPE_F32;
        s->extent.layout.stride_bytes = itemsize;
        if (pthread_create(&threads[i], NULL, reduce_share, s) != 0) die("cpu", "no thread");
    }
    for (int i = 0; i < SHARES; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < SHARES; i++) {
        state_merge(evaluator_state(shares[0].ev), evaluator_state(shares[i].ev));
        evaluator_free(shares[i].ev);
    }
    return evaluator_state(shares[0].ev); /* lives as long as the program: there are few of them */
}

static int same_state(struct state *a, struct state *b) {
    onepass_error err = ONEPASS_ERROR_INIT;
    unsigned char *x, *y;
    size_t nx, ny;
    if (state_store(a, &x, &nx, &err) != 0 || state_store(b, &y, &ny, &err) != 0)
        die("state", err.message);
    int same = nx == ny && memcmp(x, y, nx) == 0;
    free(x);
    free(y);
    return same;
}

/* ---- measurements ------------------------------------------------------------------------------- */

/* Data on the device and on the host, made once for measurements of the same series. */
struct data {
    int is_f64, series;
    void *device;
    unsigned char *host;
    double cub_seconds;
};

static void make_data(struct data *d, const struct measurement *m) {
    unsigned long long n = nbytes / (m->is_f64 ? 8 : 4);
    double sum;
    if (d->device != NULL && d->is_f64 == m->is_f64 && d->series == m->series) return;
    if (d->device != NULL) bench_free(d->device);
    d->is_f64 = m->is_f64, d->series = m->series;
    d->device = bench_data(m->is_f64, m->series, n);
    bench_to_host(d->host, d->device, nbytes);
    if (once) return;
    d->cub_seconds = bench_cub(d->device, m->is_f64, n, runs, &sum);
    printf("%-22s %8.1f GB/s  1.000           CUB, %.17g\n", m->is_f64 ? "cub_f64" : "cub_f32",
           1e-9 * (double)nbytes / d->cub_seconds, sum);
}

static void measure(struct data *d, const struct measurement *m) {
    struct kernel k = {0};
    uint64_t levels[3];
    make_data(d, m);
    make_kernel(&k, m, d->device);
    reset(&k);
    launch(&k);
    struct state *s = state_of(&k, levels);
    if (once) return;
    int same = same_state(s, state_of_cpu(&k, m, d->host));
    wrong |= !same;
    reset(&k);
    double seconds = median_seconds(&k);
    printf(
        "%-22s %8.1f GB/s  %.3f of CUB  %s  step %c, %d registers, %d bytes local, %u blocks, levels "
        "%llu %llu %llu\n",
        m->name, 1e-9 * (double)nbytes / seconds, d->cub_seconds / seconds, same ? "same" : "WRONG",
        "?abcd"[k.step], k.registers, k.local_bytes, k.blocks, (unsigned long long)levels[0],
        (unsigned long long)levels[1], (unsigned long long)levels[2]);
    fflush(stdout);
}

static void measure_copy(void) {
    double seconds = bench_copy(1ull << 30, 4 << 20);
    printf("%-22s %8.1f GB/s  pinned, pieces of 4 MiB\n", COPY, 1e-9 * (double)(1ull << 30) / seconds);
}

static int wanted(const char *name, char **names, int nnames) {
    for (int i = 0; i < nnames; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return nnames == 0;
}

int main(int argc, char **argv) {
    struct data d = {0};
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--once") == 0)
            once = 1;
        else if (strcmp(argv[at], "--gib") == 0 && at + 1 < argc)
            nbytes = (unsigned long long)(atof(argv[++at]) * (1 << 30)) / 16 * 16;
        else if (strcmp(argv[at], "--runs") == 0 && at + 1 < argc)
            runs = atoi(argv[++at]);
        else if (strcmp(argv[at], "--waves") == 0 && at + 1 < argc)
            waves = atoi(argv[++at]);
        else
            die(argv[at], "usage: resident [--gib N] [--runs N] [--waves N] [--once] [NAME...]");
    }
    if (runs < 1 || runs > MOST_RUNS) die("--runs", "1 to 101");
    if (waves < 1) die("--waves", "from 1");
    start_device();
    d.host = malloc(nbytes);
    if (d.host == NULL) die("host", "out of memory");
    if (!once && wanted(COPY, argv + at, argc - at)) measure_copy();
    for (size_t k = 0; k < NMEASUREMENTS; k++)
        if (wanted(MEASUREMENTS[k].name, argv + at, argc - at)) measure(&d, &MEASUREMENTS[k]);
    free(d.host);
    return wrong;
}
