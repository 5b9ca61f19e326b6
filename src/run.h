/* One run: opened inputs and the program lowered for them.  Shared by onepass_run and
 * onepass_explain. */
#ifndef RUN_H
#define RUN_H

#include "engine.h"
#include "onepass.h"
#include "program.h"
#include "source.h"
#include "state.h"

struct run {
    const struct onepass_context *ctx;
    struct source **sources;
    size_t nsources;
    struct program *program;
    int same_dtype;         /* all inputs store one type: results may print in it */
    enum value_class class; /* that the program is lowered for */
    /* Where it was computed, for the result: */
    char device[200]; /* "cpu", "cuda:0,1" */
    char isa[16];     /* "avx2", "sm_90" */
    const char *jit;  /* "a" .. "d"; NULL: on the CPU */
    char notes[2][256];
    int nnotes;
};

/* Opens every input and lowers the program.  On failure nothing stays open, and err->part says which
 * input failed. */
int run_open(struct run *run, const struct onepass_context *ctx, const onepass_program *program,
             const onepass_input *inputs, size_t ninputs, const onepass_options *options,
             onepass_error *err);
void run_close(struct run *run);

/* "cuda:0,1", in the order of the GPUs. */
void run_name_gpus(const struct gpus *g, char *out, size_t capacity);

/* "f32", or "mixed". */
const char *run_dtype_name(const struct run *run);

#endif
