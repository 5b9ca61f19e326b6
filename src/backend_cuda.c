/* Workers that feed GPUs.  Each has its own stream and its own words in device memory, so that kernels
 * of one worker follow one another and those of several overlap with copies. */
#include "backend_cuda.h"

#include <stdlib.h>
#include <string.h>

#include "../kernels/launch.h"
#include "cuda_layout.h"
#include "error.h"
#include "evaluator.h"
#include "text.h"

/* Of a file's extents.  abs|sum of 8 GiB in the page cache, H200 and 8 threads, GB/s: 1 MiB 41, 2 MiB
 * 47, 4 MiB 51, 8 MiB 35, 16 MiB 32; pinned memory alone is copied at 53. */
#define PIECE ((uint64_t)4 << 20)
/* A guess: a worker's three pinned buffers cost 1.3 ms each, as much as copying 200 MB. */
#define BYTES_PER_WORKER ((uint64_t)16 << 20)
/* One is filled, one copied, one waits for the link that workers share. */
#define BUFFERS 3
/* Larger extents are copied in parts. */
#define LARGEST_CHUNK ((size_t)16 << 20)
/* A kernel has as many blocks as its GPU holds at once, so many times: their ends spread out, but each
 * costs a beginning and an end.  4 GiB on an H200, of the speed of an inexact sum, with 1, 2, 4 and 16:
 * abs|sum of binary32 0.974 0.978 0.978 0.968, of binary64 0.991 0.973 0.960 0.931, stats of binary32
 * 0.770 0.778 0.780 0.658. */
#define WAVES 2
/* Slots of what has an index, one a block.  The same for all GPUs, and so is the kernels' text. */
#define MOST_BLOCKS 2048
/* Above this ratio of rates, single over double precision, sums are taken by integers. */
#define POOR_IN_DOUBLE 4

int gpu_sum_find(const char *name, enum gpu_sum *sum, onepass_error *err) {
    *sum = GPU_SUM_AUTO;
    if (name == NULL) return 0;
    if (strcmp(name, "fp64") == 0) *sum = GPU_SUM_FP64;
    if (strcmp(name, "int") == 0) *sum = GPU_SUM_INT;
    if (*sum != GPU_SUM_AUTO) return 0;
    error_set(err, ONEPASS_BAD_ARGUMENT, "the method '%s' of sums on a GPU is not known", name);
    error_hint(err, "fp64 and int are");
    return ONEPASS_BAD_ARGUMENT;
}

/* ---- what a run needs ------------------------------------------------------------------------ */

struct variant_kernel {
    struct cuda_variant variant;
    const struct gpu_kernel *kernel;
};

struct backend_cuda {
    struct backend base; /* first */
    struct gpus *gpus;
    const struct kernels *kernels;
    struct cuda_layout layout;
    uint64_t *initial;               /* words of a state that has seen nothing */
    struct variant_kernel *variants; /* different ones */
    size_t nvariants;
};

static struct cuda_variant variant_of(const struct program *p, const struct layout *layout,
                                      const struct place *place, int integer_sums) {
    return (struct cuda_variant){.dtype = layout->dtype,
                                 .swap = layout->swap != 0,
                                 .contiguous =
                                     layout->stride_bytes == dtype_table[layout->dtype].itemsize,
                                 .fortran = place->fortran && p->needs_index,
                                 .integer_sums = (uint8_t)integer_sums};
}

static int is_same(const struct cuda_variant *a, const struct cuda_variant *b) {
    return a->dtype == b->dtype && a->swap == b->swap && a->contiguous == b->contiguous &&
           a->fortran == b->fortran;
}

static size_t find_variant(const struct variant_kernel *v, size_t n, const struct cuda_variant *what) {
    size_t k = 0;
    while (k < n && !is_same(&v[k].variant, what))
        k++;
    return k;
}

/* All GPUs have the same kernels: one that is poor in double precision decides. */
static int wants_integers(const struct backend_cuda_config *c) {
    int poor = 0;
    for (size_t k = 0; c->gpus != NULL && k < c->gpus->n; k++)
        poor |= c->gpus->gpu[k].info.single_to_double > POOR_IN_DOUBLE;
    return c->sum == GPU_SUM_AUTO ? poor : c->sum == GPU_SUM_INT;
}

/* The different variants of the sources, into v[0 .. nsources); how many. */
static size_t list_variants(const struct backend_cuda_config *c, struct variant_kernel *v) {
    size_t n = 0;
    int integers = wants_integers(c);
    for (size_t k = 0; k < c->nsources; k++) {
        const struct source *s = c->sources[k];
        struct cuda_variant variant = variant_of(c->program, &s->layout, &s->place, integers);
        if (find_variant(v, n, &variant) == n) v[n++].variant = variant;
    }
    return n;
}

static int make_kernels(struct backend_cuda *b, onepass_error *err) {
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < b->nvariants; k++) {
        struct cuda_text text;
        rc = cuda_text_make(b->base.program, &b->layout, &b->variants[k].variant, &text);
        rc = rc != 0 ? error_no_memory(err) : gpus_kernel(b->gpus, &text, &b->variants[k].kernel, err);
    }
    return rc;
}

static const struct backend_ops ops;

int backend_cuda_create(const struct backend_cuda_config *config, struct backend_cuda **out,
                        onepass_error *err) {
    struct gpus *g = config->gpus;
    const struct program *p = config->program;
    struct backend_cuda *b = calloc(1, sizeof *b);
    *out = NULL;
    if (b == NULL) return error_no_memory(err);
    b->base = (struct backend){.ops = &ops,
                               .program = p,
                               .piece_bytes = PIECE,
                               .bytes_per_worker = BYTES_PER_WORKER,
                               .workers = BACKEND_CUDA_WORKERS * (int)g->n};
    b->gpus = g;
    b->kernels = config->kernels;
    b->variants = calloc(config->nsources, sizeof *b->variants);
    int rc = cuda_layout_make(p, MOST_BLOCKS, &b->layout);
    if (rc == 0) b->initial = malloc(b->layout.nwords * sizeof *b->initial);
    if (rc != 0 || b->variants == NULL || b->initial == NULL) {
        backend_cuda_free(b);
        return error_no_memory(err);
    }
    cuda_layout_init(p, &b->layout, b->initial);
    b->nvariants = list_variants(config, b->variants);
    gpus_start(g);
    rc = make_kernels(b, err);
    if (rc == 0) rc = gpus_wait(g, err);
    if (rc == 0)
        *out = b;
    else
        backend_cuda_free(b);
    return rc;
}

void backend_cuda_free(struct backend_cuda *b) {
    if (b == NULL) return;
    cuda_layout_free(&b->layout);
    free(b->initial);
    free(b->variants);
    free(b);
}

const struct backend *backend_cuda_base(const struct backend_cuda *b) {
    return &b->base;
}

enum jit_step backend_cuda_step(const struct backend_cuda *b) {
    enum jit_step step = JIT_AOT;
    for (size_t k = 0; k < b->nvariants; k++)
        if (b->variants[k].kernel->step > step) step = b->variants[k].kernel->step;
    return step;
}

int backend_cuda_texts(const struct backend_cuda_config *config, char **out, onepass_error *err) {
    const struct program *p = config->program;
    struct variant_kernel *v = calloc(config->nsources, sizeof *v);
    struct cuda_layout layout;
    struct text all = {0};
    if (v == NULL || cuda_layout_make(p, MOST_BLOCKS, &layout) != 0) {
        free(v);
        return error_no_memory(err);
    }
    size_t n = list_variants(config, v);
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < n; k++) {
        struct cuda_text text;
        rc = cuda_text_make(p, &layout, &v[k].variant, &text);
        if (rc != 0) break;
        text_add(&all, "%s%s", k > 0 ? "\n" : "", text.text);
        free(text.text);
    }
    cuda_layout_free(&layout);
    free(v);
    if (rc != 0 || all.failed) {
        free(all.bytes);
        return error_no_memory(err);
    }
    *out = all.bytes;
    return 0;
}

/* ---- workers --------------------------------------------------------------------------------- */

struct worker {
    const struct backend_cuda *b;
    struct gpu *gpu;
    size_t number; /* of the GPU among those of the run */
    struct lane *lane;
    struct evaluator *evaluator;           /* of what is no kernel's; its state is the worker's */
    uint64_t *words;                       /* where the device's are copied to */
    uint64_t nelems;                       /* that kernels were launched for */
    const unsigned char *lent[GPU_EVENTS]; /* bytes that are copied until the lane's event */
    size_t turn;
    struct reader_memory memory;
    int broken; /* the GPU reported an error: nothing of the lane is used again */
};

static int check(struct worker *w, cu_result result, const char *what, onepass_error *err) {
    if (result != CU_SUCCESS) w->broken = 1;
    return cuda_check(&w->gpu->all->driver, result, what, err);
}

static size_t state_bytes(const struct worker *w) {
    return w->b->layout.nwords * sizeof(uint64_t);
}

static int clear_state(struct worker *w, onepass_error *err) {
    return check(w,
                 w->gpu->all->driver.memcpy_to_device_async(w->lane->state, w->b->initial,
                                                            state_bytes(w), w->lane->stream),
                 "cannot copy to the GPU", err);
}

static unsigned char *allocate(void *user, size_t nbytes, int needed) {
    struct worker *w = user;
    return pinned_take(w->gpu->all, nbytes, needed);
}

static void free_buffer(void *user, unsigned char *memory) {
    struct worker *w = user;
    pinned_give(w->gpu->all, memory);
}

static int wait_for(struct worker *w, size_t k, onepass_error *err) {
    if (w->lent[k] == NULL) return 0;
    w->lent[k] = NULL;
    return check(w, w->gpu->all->driver.event_synchronize(w->lane->copied[k]), "the GPU failed", err);
}

static int wait_until_copied(void *user, const unsigned char *bytes, onepass_error *err) {
    struct worker *w = user;
    for (size_t k = 0; k < GPU_EVENTS; k++)
        if (w->lent[k] == bytes) {
            int rc = wait_for(w, k, err);
            if (rc != 0) return rc;
        }
    return 0;
}

static const struct reader_memory *memory(struct worker *w) {
    return &w->memory;
}

static void free_worker(struct worker *w) {
    if (w == NULL) return;
    if (w->lane != NULL) lane_give(w->gpu, w->lane, !w->broken);
    evaluator_free(w->evaluator);
    free(w->words);
    free(w);
}

static size_t chunk_bytes(size_t most_bytes) {
    size_t nbytes = most_bytes < LARGEST_CHUNK ? most_bytes : LARGEST_CHUNK;
    return (nbytes + 4095) / 4096 * 4096;
}

static int create(const struct backend *backend, int k, size_t most_bytes, struct worker **out,
                  onepass_error *err) {
    const struct backend_cuda *b = (const struct backend_cuda *)backend;
    struct worker *w = calloc(1, sizeof *w);
    if (w == NULL) return error_no_memory(err);
    w->b = b;
    w->number = (size_t)k % b->gpus->n;
    w->gpu = &b->gpus->gpu[w->number];
    w->memory = (struct reader_memory){w, BUFFERS, allocate, free_buffer, wait_until_copied};
    w->words = malloc(state_bytes(w));
    int rc = w->words == NULL ? error_no_memory(err)
                              : evaluator_create(b->base.program, b->kernels, &w->evaluator, err);
    if (rc == 0) rc = gpu_make_current(w->gpu, err);
    if (rc == 0) rc = lane_take(w->gpu, chunk_bytes(most_bytes), state_bytes(w), &w->lane, err);
    if (rc == 0) rc = clear_state(w, err);
    if (rc == 0)
        *out = w;
    else
        free_worker(w);
    return rc;
}

/* What the device accumulated, into the worker's state. */
static int add_up(struct worker *w, onepass_error *err) {
    const struct cuda_driver *driver = &w->gpu->all->driver;
    static const char what[] = "the GPU failed";
    if (w->nelems == 0) return 0;
    int rc = check(
        w, driver->memcpy_to_host_async(w->words, w->lane->state, state_bytes(w), w->lane->stream),
        what, err);
    if (rc == 0) rc = check(w, driver->stream_synchronize(w->lane->stream), what, err);
    if (rc == 0)
        cuda_layout_add(w->b->base.program, &w->b->layout, w->words, w->nelems,
                        evaluator_state(w->evaluator));
    return rc;
}

static unsigned blocks_for(const struct worker *w, const struct gpu_kernel *kernel, uint64_t nelems) {
    uint64_t blocks = (nelems - 1) / kernel->tile_elements + 1;
    uint64_t most = (uint64_t)w->gpu->info.multiprocessors * (kernel->blocks_per_sm * (uint64_t)WAVES);
    if (blocks > most) blocks = most;
    return blocks < w->b->layout.blocks ? (unsigned)blocks : w->b->layout.blocks;
}

/* The kernel over nelems elements that stand in the lane's memory, the first of them number `at` of the
 * extent. */
static int launch(struct worker *w, const struct gpu_kernel *kernel, const struct extent *e,
                  uint64_t at, uint64_t nelems, onepass_error *err) {
    struct onepass_launch what = {.data = (const unsigned char *)(uintptr_t)w->lane->data,
                                  .nelems = nelems,
                                  .stride_bytes = e->layout.stride_bytes,
                                  .first = e->first + at,
                                  .base = e->place->base,
                                  .state = (unsigned long long *)(uintptr_t)w->lane->state};
    void *parameters[] = {&what};
    if (e->place->fortran) { /* else a stream may be about to set its shape */
        what.ndim = (unsigned long long)e->place->ndim;
        for (int d = 0; d < e->place->ndim; d++)
            what.shape[d] = e->place->shape[d];
    }
    w->nelems += nelems;
    return check(w,
                 w->gpu->all->driver.launch_kernel(kernel->functions[w->number],
                                                   blocks_for(w, kernel, nelems), 1, 1, ONEPASS_THREADS,
                                                   1, 1, 0, w->lane->stream, parameters, NULL),
                 "cannot launch the kernel", err);
}

/* Elements of a layout that fit into so many bytes; one always does. */
static uint64_t elements_in(const struct layout *layout, uint64_t nbytes) {
    size_t itemsize = dtype_table[layout->dtype].itemsize;
    return (nbytes - itemsize) / layout->stride_bytes + 1;
}

/* The event after the last copy says when `bytes` may be overwritten; the kernels that read device
 * memory are in the same stream as the copies that write it. */
static int copy_and_launch(struct worker *w, const struct gpu_kernel *kernel, const struct extent *e,
                           const unsigned char *bytes, onepass_error *err) {
    const struct cuda_driver *driver = &w->gpu->all->driver;
    uint64_t stride = e->layout.stride_bytes, step = elements_in(&e->layout, w->lane->data_bytes), n;
    size_t itemsize = dtype_table[e->layout.dtype].itemsize, k = w->turn;
    int rc = wait_for(w, k, err);
    w->turn = (w->turn + 1) % GPU_EVENTS;
    for (uint64_t at = 0; rc == 0 && at < e->nelems; at += n) {
        n = e->nelems - at < step ? e->nelems - at : step;
        rc = check(w,
                   driver->memcpy_to_device_async(w->lane->data, bytes + at * stride,
                                                  (n - 1) * stride + itemsize, w->lane->stream),
                   "cannot copy to the GPU", err);
        if (rc == 0 && at + n == e->nelems) {
            rc = check(w, driver->event_record(w->lane->copied[k], w->lane->stream),
                       "cannot copy to the GPU", err);
            w->lent[k] = bytes;
        }
        if (rc == 0) rc = launch(w, kernel, e, at, n, err);
    }
    return rc;
}

/* Kernels load whole elements, at multiples of their size. */
static int is_for_gpu(const struct extent *e) {
    return e->fetch != FETCH_CONSTANT &&
           e->layout.stride_bytes % dtype_table[e->layout.dtype].itemsize == 0;
}

static int extent(struct worker *w, const struct extent *e, const unsigned char *bytes,
                  onepass_error *err) {
    const struct backend_cuda *b = w->b;
    if (!is_for_gpu(e)) {
        evaluator_extent(w->evaluator, e, bytes);
        return 0;
    }
    struct cuda_variant variant = variant_of(b->base.program, &e->layout, e->place, 0);
    size_t v = find_variant(b->variants, b->nvariants, &variant);
    if (v == b->nvariants)
        return error_set(err, ONEPASS_INTERNAL, "an extent has another layout than its source said");
    return copy_and_launch(w, b->variants[v].kernel, e, bytes, err);
}

/* Also after an error of the run: copies out of the reader's buffers have to end before those go. */
static int finish(struct worker *w, struct state **state, onepass_error *err) {
    *state = evaluator_state(w->evaluator);
    int rc = w->broken ? error_set(err, ONEPASS_NO_DEVICE, "the GPU failed") : add_up(w, err);
    if (rc != 0) (void)w->gpu->all->driver.stream_synchronize(w->lane->stream);
    return rc;
}

static const struct backend_ops ops = {"cuda", create, memory, extent, finish, free_worker};
