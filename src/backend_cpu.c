/* The CPU as a backend: a worker is an evaluator, which is done with an extent when it returns. */
#include <stdlib.h>

#include "backend.h"
#include "error.h"
#include "evaluator.h"

/* Copied out of the page cache at a time.  pread and a sum, Zen 4 with 1 MiB of second-level cache,
 * GB/s of one thread and of two: 256 KiB 10.5 and 19, 512 KiB 11.5 and 19.7, 1 MiB 13.5 and 21.3, 4
 * MiB 14.3 and 24 (a call costs about 3 us whatever it reads); an older machine with a faster copy
 * preferred 512 KiB (23.5 and 35) to 1 MiB (20 and 31). */
#define PIECE ((uint64_t)1 << 20)
/* A thread costs 30 to 40 us to start and join, 50 us to touch its huge page, and the merging of its
 * state.  Two workers that only copy 8 MiB take 0.59 ms, one 0.67; of 4 MiB nothing is left to gain. */
#define BYTES_PER_WORKER ((uint64_t)4 << 20)

struct worker {
    struct evaluator *evaluator;
};

static int create(const struct backend *backend, int k, size_t most_bytes, struct worker **out,
                  onepass_error *err) {
    const struct backend_cpu *b = (const struct backend_cpu *)backend;
    struct worker *w = malloc(sizeof *w);
    (void)k, (void)most_bytes;
    if (w == NULL) return error_no_memory(err);
    int rc = evaluator_create(backend->program, b->kernels, &w->evaluator, err);
    if (rc == 0)
        *out = w;
    else
        free(w);
    return rc;
}

static const struct reader_memory *memory(struct worker *w) {
    (void)w;
    return NULL;
}

static int extent(struct worker *w, const struct extent *e, const unsigned char *bytes,
                  onepass_error *err) {
    (void)err;
    evaluator_extent(w->evaluator, e, bytes);
    return 0;
}

static int finish(struct worker *w, struct state **state, onepass_error *err) {
    (void)err;
    *state = evaluator_state(w->evaluator);
    return 0;
}

static void free_worker(struct worker *w) {
    if (w == NULL) return;
    evaluator_free(w->evaluator);
    free(w);
}

void backend_cpu_init(struct backend_cpu *b, const struct program *program,
                      const struct kernels *kernels) {
    static const struct backend_ops ops = {"cpu", create, memory, extent, finish, free_worker};
    *b = (struct backend_cpu){.base = {.ops = &ops,
                                       .program = program,
                                       .piece_bytes = PIECE,
                                       .bytes_per_worker = BYTES_PER_WORKER},
                              .kernels = kernels};
}
