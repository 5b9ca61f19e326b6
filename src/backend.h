/* Where extents are evaluated: the seam between the engine and the CPU (evaluator.c) or a GPU
 * (backend_cuda.c).
 *
 * The engine makes one worker of a backend in each of its threads and gives it the extents that this
 * thread took and read.  Workers share nothing; their states merge at the end, in any order. */
#ifndef BACKEND_H
#define BACKEND_H

#include "onepass.h"
#include "reader.h"
#include "source.h"
#include "state.h"

struct backend;
struct worker;

struct backend_ops {
    const char *name; /* "cpu", "cuda" */
    /* Worker number k of the run, in the thread that will use it; no extent has more bytes than that.
     */
    int (*create)(const struct backend *backend, int k, size_t most_bytes, struct worker **out,
                  onepass_error *err);
    /* Memory that the worker's reader reads into; NULL: ordinary memory, free when extent returns. */
    const struct reader_memory *(*memory)(struct worker *w);
    /* Evaluate and accumulate an extent; bytes hold its stored elements (not of FETCH_CONSTANT).  The
     * bytes may be in use after it returned, until memory->wait says otherwise. */
    int (*extent)(struct worker *w, const struct extent *e, const unsigned char *bytes,
                  onepass_error *err);
    /* Waits for all extents, also after an error; the state is the worker's. */
    int (*finish)(struct worker *w, struct state **state, onepass_error *err);
    void (*free)(struct worker *w); /* accepts NULL */
};

/* What a run's workers have in common; each backend embeds it first. */
struct backend {
    const struct backend_ops *ops;
    const struct program *program;
    uint64_t piece_bytes;      /* of an extent through the page cache, where nobody set it */
    uint64_t bytes_per_worker; /* fewer are not worth one more */
    int workers;               /* most that are of use; 0: as many as there are threads */
};

/* The CPU's (backend_cpu.c). */
struct backend_cpu {
    struct backend base;
    const struct kernels *kernels;
};
void backend_cpu_init(struct backend_cpu *b, const struct program *program,
                      const struct kernels *kernels);

#endif
