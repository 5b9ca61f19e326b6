/* Running the naive row: arrays, and threads that go through them step by step, each over the same part
 * of every array, with a barrier between steps. */
#include "bench_naive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench_naive_parts.h"
#include "error.h"
#include "maps.h"
#include "state.h"
#include "team.h"

#define LOAD_BYTES 1048576 /* read at a time while the array is filled */

struct memory {
    unsigned char *at;
    size_t nbytes;
    size_t element_bytes; /* of an array with a value for each element; else 0 */
};

struct naive {
    const struct naive_plan *plan; /* not owned */
    const struct kernels *kernels;
    const atomic_int *cancel;
    int threads;
    struct place place;
    enum dtype dtype;
    int swap;
    uint64_t nelems;
    unsigned char *input;
    double *spare;
    struct operand *nodes; /* each node's array, or block of a constant; the input's is empty */
    struct memory *maps;   /* all that was mapped */
    size_t nmaps;

    struct inexact *results;  /* by reduction */
    struct inexact *partials; /* by thread, of the step in progress */
    pthread_barrier_t barrier;
    pthread_mutex_t gate;    /* held until it is known how many workers there are, */
    int workers, no_barrier; /* and whether they can wait for each other */
    int touching;            /* workers only touch their parts of all arrays */
};

struct worker {
    struct naive *naive;
    int number, failed;
    uint64_t from, to;     /* its elements */
    struct operand loaded; /* a block of the input */
    double *scratch;       /* for inexact_add, and a block more */
    uint64_t *index;
};

/* ---- arrays ---------------------------------------------------------------------------------- */

static void *map_memory(struct naive *v, uint64_t nbytes, size_t element_bytes, onepass_error *err) {
    void *at = nbytes > PTRDIFF_MAX ? MAP_FAILED
                                    : mmap(NULL, (size_t)nbytes, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        error_no_memory(err);
        return NULL;
    }
    v->maps[v->nmaps++] = (struct memory){at, (size_t)nbytes, element_bytes};
    madvise(at, (size_t)nbytes, MADV_HUGEPAGE); /* a kernel without them does as well */
    return at;
}

static void *map_array(struct naive *v, size_t element_bytes, onepass_error *err) {
    uint64_t nelems = v->nelems > 0 ? v->nelems : 1; /* the plan's cost fits into 64 bits */
    return map_memory(v, nelems * element_bytes, element_bytes, err);
}

static int map_register(struct naive *v, int storage, int32_t reg, onepass_error *err) {
    const struct program *p = v->plan->program;
    struct operand array = {0};
    void *first = map_array(v, storage == STORE_MASK ? 1 : sizeof(double), err);
    if (first == NULL) return ONEPASS_NO_MEMORY;
    if (storage == STORE_F64) array.f64 = first;
    if (storage == STORE_MASK) array.mask = first;
    if (storage == STORE_WIDE) {
        array.mag = first;
        array.neg = map_array(v, 1, err);
        if (array.neg == NULL) return ONEPASS_NO_MEMORY;
    }
    for (size_t k = 0; k < p->nnodes; k++) {
        const struct node *n = &p->nodes[k];
        if (n->kind == NODE_INPUT || n->kind == NODE_CONSTANT) continue;
        if (n->storage == storage && n->reg == reg) v->nodes[k] = array;
    }
    return 0;
}

static int map_constant(struct naive *v, size_t node, onepass_error *err) {
    const struct node *n = &v->plan->program->nodes[node];
    struct operand *block = &v->nodes[node];
    unsigned char *at = map_memory(v, MAX_BLOCK * (sizeof(uint64_t) + 1), 0, err);
    if (at == NULL) return ONEPASS_NO_MEMORY;
    if (n->storage == STORE_WIDE)
        block->mag = (uint64_t *)at, block->neg = at + MAX_BLOCK * sizeof(uint64_t);
    else
        block->f64 = (double *)at;
    map_fill(block, MAX_BLOCK, &n->value);
    return 0;
}

static int map_all(struct naive *v, onepass_error *err) {
    const struct program *p = v->plan->program;
    int rc = 0;
    v->input = map_array(v, dtype_table[v->dtype].itemsize, err);
    if (v->input == NULL) return ONEPASS_NO_MEMORY;
    if (v->plan->uses_spare) {
        v->spare = map_array(v, sizeof(double), err);
        if (v->spare == NULL) return ONEPASS_NO_MEMORY;
    }
    for (int s = 0; s < NSTORAGES; s++)
        for (int32_t reg = 0; rc == 0 && reg < p->nregs[s]; reg++)
            if (naive_register_used(v->plan, s, reg)) rc = map_register(v, s, reg, err);
    for (size_t k = 0; rc == 0 && k < p->nnodes; k++)
        if (p->nodes[k].kind == NODE_CONSTANT) rc = map_constant(v, k, err);
    return rc;
}

/* Elements side by side, in storage order. */
static void take_extent(struct naive *v, const struct extent *e, const unsigned char *bytes) {
    size_t itemsize = dtype_table[v->dtype].itemsize;
    unsigned char *to = v->input + e->first * itemsize;
    v->swap = e->layout.swap;
    if (e->layout.stride_bytes == itemsize) {
        memcpy(to, bytes, (size_t)e->nelems * itemsize);
        return;
    }
    for (uint64_t k = 0; k < e->nelems; k++)
        memcpy(to + k * itemsize, bytes + k * e->layout.stride_bytes, itemsize);
}

static int load(struct naive *v, struct source *s, onepass_error *err) {
    struct extent e;
    unsigned char *buffer = malloc(LOAD_BYTES);
    if (buffer == NULL) return error_no_memory(err);
    int rc;
    while ((rc = s->ops->next(s, buffer, LOAD_BYTES, v->cancel, &e, err)) == 0 && e.nelems > 0) {
        if (e.fetch != FETCH_RANGE)
            rc = error_set(err, ONEPASS_UNSUPPORTED, "a benchmark reads plain elements only");
        if (rc == 0 && atomic_load(v->cancel)) rc = error_set(err, ONEPASS_CANCELLED, "cancelled");
        if (rc == 0) rc = s->ops->fetch(s, &e, buffer, err);
        if (rc != 0) break;
        take_extent(v, &e, buffer);
    }
    free(buffer);
    return rc != 0 ? rc : s->ops->check(s, err);
}

/* ---- one block of a step --------------------------------------------------------------------- */

static void load_block(struct worker *w, uint64_t at, size_t n) {
    const struct naive *v = w->naive;
    size_t itemsize = dtype_table[v->dtype].itemsize;
    const unsigned char *bytes = v->input + at * itemsize;
    if (v->plan->program->nodes[0].storage == STORE_WIDE)
        v->kernels->loads->wide[v->dtype](v->swap, bytes, itemsize, n, w->loaded.mag, w->loaded.neg);
    else
        v->kernels->loads->f64[v->dtype](v->swap, bytes, itemsize, n, w->loaded.f64);
}

/* A node's values from element `at` on. */
static struct operand values_at(struct worker *w, int32_t node, uint64_t at, size_t n) {
    const struct naive *v = w->naive;
    if (v->plan->program->nodes[node].kind == NODE_INPUT) {
        load_block(w, at, n);
        return w->loaded;
    }
    struct operand o = v->nodes[node];
    if (v->plan->program->nodes[node].kind == NODE_CONSTANT) return o;
    if (o.f64 != NULL) o.f64 += at;
    if (o.mag != NULL) o.mag += at, o.neg += at;
    if (o.mask != NULL) o.mask += at;
    return o;
}

static void run_node(struct worker *w, const struct naive_step *s, uint64_t at, size_t n) {
    const struct node *node = &w->naive->plan->program->nodes[s->node];
    struct operand arg[3], out = values_at(w, s->node, at, n);
    for (int i = 0; i < 3; i++) {
        if (i > 0 && node->arg[i] == node->arg[0])
            arg[i] = arg[0];
        else
            arg[i] = node->arg[i] >= 0 ? values_at(w, node->arg[i], at, n) : (struct operand){0};
    }
    map_node(w->naive->kernels->maps, node, n, arg, &out);
}

static struct block block_at(struct worker *w, const struct naive_step *s, uint64_t at, size_t n) {
    const struct naive *v = w->naive;
    struct block b = {.n = n, .type = TYPE_F64, .storage = STORE_F64, .index0 = v->place.base + at};
    if (s->of_spare) {
        b.f64 = v->spare + at;
    } else if (s->kind == STEP_REDUCE && naive_step_counts(s)) {
        b.f64 = w->scratch; /* nobody looks */
    } else {
        struct operand o = values_at(w, s->node, at, n);
        const struct node *node = &v->plan->program->nodes[s->node];
        b.type = node->type, b.storage = node->storage;
        b.f64 = o.f64, b.mag = o.mag, b.neg = o.neg;
    }
    if (s->mask >= 0) b.mask = v->nodes[s->mask].mask + at;
    return b;
}

/* The lanes of a mask (NULL: all) in which the node's value is not NaN. */
static const uint8_t *mask_of_node(struct worker *w, const struct naive_step *s, uint64_t at, size_t n,
                                   const uint8_t *mask) {
    struct naive_step of_node = *s;
    of_node.of_spare = 0;
    struct block b = block_at(w, &of_node, at, n);
    const double *x = block_values(&b, w->naive->kernels, 0, n, w->scratch);
    uint8_t *out = (uint8_t *)(w->scratch + INEXACT_SCRATCH);
    for (size_t i = 0; i < n; i++)
        out[i] = (mask == NULL || mask[i]) & (x[i] == x[i]);
    return out;
}

static void reduce_block(struct worker *w, const struct naive_step *s, uint64_t at, size_t n) {
    const struct naive *v = w->naive;
    struct block b = block_at(w, s, at, n);
    if (s->skip_nan_of_node) b.mask = mask_of_node(w, s, at, n, b.mask);
    b.counts_up = !v->place.fortran;
    if (s->rule.kept && v->place.fortran) {
        place_indices(&v->place, at, n, w->index);
        b.index = w->index;
    }
    inexact_add(&v->partials[w->number], &s->rule, v->kernels, &b, w->scratch);
}

/* The spare array from values, or from itself; kernels want another block for their result. */
static void prepare_block(struct worker *w, const struct naive_step *s, uint64_t at, size_t n) {
    const struct naive *v = w->naive;
    double *x = w->scratch, *other = w->scratch + MAX_BLOCK, *out = v->spare + at;
    if (s->kind == STEP_SQUARE_SPARE) {
        memcpy(x, out, n * sizeof *x);
    } else {
        struct block b = block_at(w, s, at, n);
        x = (double *)block_values(&b, v->kernels, 0, n, x);
    }
    if (s->kind == STEP_DEVIATIONS) {
        const struct inexact *p = &v->results[s->reduction];
        double mean = inexact_total(p, INEXACT_SUM) / (double)p->n;
        for (size_t i = 0; i < n; i++)
            other[i] = mean;
        inexact_map(v->kernels, OP_SUB, n, x, other, out);
    } else {
        inexact_map(v->kernels, s->kind == STEP_LOGS ? OP_LOG : OP_SQUARE, n, x, x, out);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void run_step(struct worker *w, const struct naive_step *s) {
    const struct naive *v = w->naive;
    for (uint64_t at = w->from; at < w->to && !w->failed && !atomic_load(v->cancel); at += MAX_BLOCK) {
        size_t n = w->to - at < MAX_BLOCK ? (size_t)(w->to - at) : MAX_BLOCK;
        if (s->kind == STEP_NODE)
            run_node(w, s, at, n);
        else if (s->kind == STEP_REDUCE)
            reduce_block(w, s, at, n);
        else
            prepare_block(w, s, at, n);
    }
}

/* In the order of the threads, so that the same threads give the same value. */
static void join_partials(struct naive *v, const struct naive_step *s) {
    struct inexact *result = &v->results[s->reduction];
    if (s->fresh) inexact_init(result);
    result->n = 0; /* every pass counts anew */
    for (int k = 0; k < v->workers; k++)
        inexact_merge(result, &v->partials[k]);
    if (!s->of_spare) return;
    double sum = inexact_total(result, INEXACT_SUM);
    inexact_set(result, INEXACT_SUM, 0);
    inexact_set(result, s->becomes, sum);
}

static int worker_init(struct worker *w) {
    size_t nbytes = MAX_BLOCK * sizeof(double);
    unsigned char *memory = aligned_alloc(64, 8 * nbytes);
    w->scratch = (double *)memory;
    if (memory == NULL) return 0;
    w->index = (uint64_t *)(memory + 4 * nbytes);
    if (w->naive->plan->program->nodes[0].storage == STORE_WIDE) {
        w->loaded.mag = (uint64_t *)(memory + 5 * nbytes);
        w->loaded.neg = memory + 6 * nbytes;
    } else {
        w->loaded.f64 = (double *)(memory + 5 * nbytes);
    }
    return 1;
}

/* Whole blocks, as equally many as can be. */
static void share(struct worker *w) {
    const struct naive *v = w->naive;
    uint64_t nblocks = (v->nelems + MAX_BLOCK - 1) / MAX_BLOCK;
    uint64_t each = (nblocks + (uint64_t)v->workers - 1) / (uint64_t)v->workers * MAX_BLOCK;
    w->from = each * (uint64_t)w->number < v->nelems ? each * (uint64_t)w->number : v->nelems;
    w->to = v->nelems - w->from < each ? v->nelems : w->from + each;
}

/* Before the clock runs, so that it does not see pages come, and each comes where it will be used. */
static void touch(const struct worker *w) {
    const struct naive *v = w->naive;
    for (size_t k = 0; k < v->nmaps; k++) {
        size_t nbytes = v->maps[k].element_bytes;
        memset(v->maps[k].at + w->from * nbytes, 0, (size_t)(w->to - w->from) * nbytes);
    }
}

static void run_steps(struct worker *w) {
    struct naive *v = w->naive;
    for (size_t k = 0; k < v->plan->nsteps; k++) {
        const struct naive_step *s = &v->plan->steps[k];
        if (s->kind == STEP_REDUCE) inexact_init(&v->partials[w->number]);
        run_step(w, s);
        pthread_barrier_wait(&v->barrier);
        if (s->kind != STEP_REDUCE) continue;
        if (w->number == 0) join_partials(v, s);
        pthread_barrier_wait(&v->barrier);
    }
}

static void *work(void *argument) {
    struct worker *w = argument;
    struct naive *v = w->naive;
    pthread_mutex_lock(&v->gate);
    pthread_mutex_unlock(&v->gate);
    w->failed = v->no_barrier || !worker_init(w);
    if (v->no_barrier) return NULL;
    share(w);
    if (v->touching)
        touch(w);
    else
        run_steps(w);
    free(w->scratch);
    return NULL;
}

/* As many threads as there are: the caller's is number 0. */
static int run_workers(struct naive *v, struct worker *workers, pthread_t *threads,
                       onepass_error *err) {
    pthread_mutex_lock(&v->gate);
    int others = team_start(threads, v->threads - 1, work, workers + 1, sizeof *workers), failed = 0;
    v->workers = 1 + others;
    v->no_barrier = pthread_barrier_init(&v->barrier, NULL, (unsigned)v->workers) != 0;
    pthread_mutex_unlock(&v->gate);
    work(&workers[0]);
    team_join(threads, others);
    for (int k = 0; k < v->workers; k++)
        failed |= workers[k].failed;
    if (!v->no_barrier) pthread_barrier_destroy(&v->barrier);
    if (atomic_load(v->cancel)) return error_set(err, ONEPASS_CANCELLED, "cancelled");
    return failed ? error_no_memory(err) : 0;
}

static void finish(const struct naive *v, double *values) {
    const struct program *p = v->plan->program;
    size_t k = 0;
    for (size_t i = 0; i < p->ast->npipelines; i++)
        for (size_t j = 0; j < p->pipelines[i].nreductions; j++, k++)
            values[k] =
                inexact_reduction_of(p->pipelines[i].reductions[j].info)->finish(&v->results[k]);
}

static int run_all(struct naive *v, onepass_error *err) {
    struct worker *workers = calloc((size_t)v->threads, sizeof *workers);
    pthread_t *threads = calloc((size_t)v->threads, sizeof *threads);
    int rc = workers == NULL || threads == NULL ? error_no_memory(err) : 0;
    for (int k = 0; rc == 0 && k < v->threads; k++)
        workers[k] = (struct worker){.naive = v, .number = k};
    if (rc == 0) rc = run_workers(v, workers, threads, err);
    free(workers);
    free(threads);
    return rc;
}

int naive_run(struct naive *v, double *values, onepass_error *err) {
    int rc = run_all(v, err);
    if (rc == 0) finish(v, values);
    return rc;
}

/* ---- the whole ------------------------------------------------------------------------------- */

int naive_create(const struct naive_plan *plan, const struct kernels *kernels, struct source *source,
                 int threads, const atomic_int *cancel, struct naive **out, onepass_error *err) {
    size_t nnodes = plan->program->nnodes;
    struct naive *v = calloc(1, sizeof *v);
    if (v == NULL) return error_no_memory(err);
    v->plan = plan, v->kernels = kernels, v->cancel = cancel, v->threads = threads;
    v->place = source->place, v->dtype = source->dtype, v->nelems = source->nelems;
    v->nodes = calloc(nnodes + 1, sizeof *v->nodes);
    v->maps = calloc(2 * nnodes + 3, sizeof *v->maps);
    v->results = calloc(plan->nreductions + 1, sizeof *v->results);
    v->partials = calloc((size_t)threads, sizeof *v->partials);
    pthread_mutex_init(&v->gate, NULL); /* cannot fail on Linux */
    int rc = 0;
    if (v->nodes == NULL || v->maps == NULL || v->results == NULL || v->partials == NULL)
        rc = error_no_memory(err);
    if (rc == 0) rc = map_all(v, err);
    v->touching = 1;
    if (rc == 0) rc = run_all(v, err);
    v->touching = 0;
    if (rc == 0) rc = load(v, source, err);
    if (rc != 0)
        naive_free(v);
    else
        *out = v;
    return rc;
}

void naive_free(struct naive *v) {
    if (v == NULL) return;
    for (size_t k = 0; k < v->nmaps; k++)
        munmap(v->maps[k].at, v->maps[k].nbytes);
    pthread_mutex_destroy(&v->gate);
    free(v->nodes);
    free(v->maps);
    free(v->results);
    free(v->partials);
    free(v);
}
