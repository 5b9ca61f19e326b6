/* The estimate behind `--device auto`: plain data in the page cache, a light pipeline, 16 cores against
 * a GPU behind PCIe is 70 GB/s against 51, so a GPU pays for heavy maps and where cores are few.
 *
 * Data on a disk are taken for cached: both wait for the disk, and the choice matters less. */
#include "choice.h"

/* Figures of one H200 with 16 cores of a Xeon, 2026-12-01. */
static const struct {
    double cpu_bytes; /* a second and thread: pread of 256 KiB and an exact sum; 63 to 75 GB/s by 16 */
    double cpu_light_ns;    /* of a map without a function, on elements in L1; from the bytes above */
    double cpu_function_ns; /* exp 2.2, log 2.7, sin 3.1, tanh 3.9, atan 3.6, erf 4.7: AVX-512 */
    double cpu_power_ns;    /* pow */
    double cpu_sum_ns;      /* of an accumulator more: 5 statistics run at 0.61 of one */
    double link_bytes;      /* a second and worker: page cache to pinned memory to the GPU */
    double function_ops;    /* binary64 operations of a function (exp 36, log 57, sin 55) */
    double clock;           /* of a GPU, Hz */
    double context_seconds; /* of a process that makes a context and ends */
    double init_seconds;    /* of it before the GPU is known, so that a kernel can be compiled */
    double kernel_seconds;  /* opening NVRTC and compiling a light one */
    double kernel_function; /* and for each function; log|sin|exp|sqrt took 0.02 to 0.2 more */
    double kernel_sum;      /* and for each accumulator more; 250 take 5, 1000 take 37 */
} MEASURED = {4.4e9, 0.1, 3.2, 11.2, 0.1, 6.4e9, 50, 1.5e9, 0.31, 0.1, 0.15, 0.03, 0.03};

#define FEW_ACCUMULATORS 8 /* those of stats */

#define LANES_PER_SM 128 /* single-precision operations a clock */

/* What an element costs in maps and accumulators. */
struct work {
    double cpu_ns, gpu_ops;
    double kernel_seconds; /* what compiling it costs */
};

static int is_light(enum op op) {
    switch (op) {
    case OP_SQRT:
    case OP_RECIP:
    case OP_SQUARE:
    case OP_CUBE:
    case OP_DEGREES:
    case OP_RADIANS:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
        return 1;
    default:
        return op_table[op].rule != RULE_F64;
    }
}

static struct work work_of(const struct program *p) {
    struct work w = {0, 0, MEASURED.kernel_seconds};
    for (size_t k = 0; k < p->nnodes; k++) {
        int kind = p->nodes[k].kind;
        int light = kind >= NOPS || is_light((enum op)kind);
        if (kind == NODE_INPUT || kind == NODE_CONSTANT) continue;
        w.cpu_ns += light            ? MEASURED.cpu_light_ns
                    : kind == OP_POW ? MEASURED.cpu_power_ns
                                     : MEASURED.cpu_function_ns;
        w.gpu_ops += light ? 1 : MEASURED.function_ops;
        w.kernel_seconds += light ? 0 : MEASURED.kernel_function;
    }
    w.cpu_ns += MEASURED.cpu_sum_ns * (double)p->naccs;
    w.gpu_ops += 4 * (double)p->naccs;
    if (p->naccs > FEW_ACCUMULATORS)
        w.kernel_seconds += MEASURED.kernel_sum * (double)(p->naccs - FEW_ACCUMULATORS);
    return w;
}

static double cpu_seconds(const struct onepass_context *ctx, double nbytes, double nelems,
                          const struct work *w) {
    return (nbytes / MEASURED.cpu_bytes + 1e-9 * w->cpu_ns * nelems) / ctx->threads;
}

/* A context that has kernels most likely has this one: the command line runs one program on all its
 * inputs. */
static double starting_seconds(const struct gpus *g, const struct work *w) {
    double compiling = g->kernels != NULL ? 0 : w->kernel_seconds;
    if (g->started) return compiling;
    compiling += MEASURED.init_seconds;
    return compiling > MEASURED.context_seconds ? compiling : MEASURED.context_seconds;
}

/* Copying and computing overlap. */
static double gpu_seconds(const struct onepass_context *ctx, double nbytes, double nelems,
                          const struct work *w) {
    const struct gpus *g = ctx->gpus;
    double rate = 0, links = BACKEND_CUDA_WORKERS * (double)g->n, workers = ctx->threads;
    for (size_t k = 0; k < g->n; k++)
        rate += (double)g->gpu[k].info.multiprocessors * LANES_PER_SM * MEASURED.clock /
                (double)(g->gpu[k].info.single_to_double > 0 ? g->gpu[k].info.single_to_double : 1);
    double copying = nbytes / (MEASURED.link_bytes * (workers < links ? workers : links));
    double computing = w->gpu_ops * nelems / rate;
    return starting_seconds(g, w) + (copying > computing ? copying : computing);
}

void choice_make(struct onepass_context *ctx, const struct run *run, struct choice *out) {
    double nbytes = 0, nelems = 0;
    *out = (struct choice){.gpu = ctx->wish.kind == DEVICE_CUDA};
    if (ctx->wish.kind != DEVICE_AUTO) return;
    out->reason = CHOICE_STREAM; /* its writer is what takes time */
    for (size_t k = 0; k < run->nsources; k++) {
        const struct source *s = run->sources[k];
        if (!s->nelems_known) return;
        nbytes += (double)s->total_bytes;
        nelems += (double)s->nelems;
    }
    struct work w = work_of(run->program);
    out->cpu_seconds = cpu_seconds(ctx, nbytes, nelems, &w);
    int open = ctx->gpus != NULL && ctx->gpus->started;
    out->least_seconds = open ? MEASURED.kernel_seconds : MEASURED.context_seconds;
    out->reason = out->cpu_seconds <= out->least_seconds ? CHOICE_SMALL : CHOICE_ESTIMATE;
    if (out->reason == CHOICE_SMALL) return;
    if (context_open_gpus(ctx, NULL) != 0) return;
    out->gpu_seconds = gpu_seconds(ctx, nbytes, nelems, &w);
    out->gpu = out->gpu_seconds < out->cpu_seconds;
}
