/* GPUs as a backend: an extent's bytes are copied to a GPU while others are read, and one kernel a
 * chunk evaluates them into words in device memory. */
#ifndef BACKEND_CUDA_H
#define BACKEND_CUDA_H

#include "backend.h"
#include "gpus.h"

/* How exact sums are taken on a GPU: by its double-precision units or by integer ones, or by what it is
 * good at. */
enum gpu_sum { GPU_SUM_AUTO, GPU_SUM_FP64, GPU_SUM_INT };

/* The method of a name ("fp64", "int"; NULL: automatic), ONEPASS_BAD_ARGUMENT of another. */
int gpu_sum_find(const char *name, enum gpu_sum *sum, onepass_error *err);

struct backend_cuda;

struct backend_cuda_config {
    struct gpus *gpus;
    const struct program *program;
    const struct kernels *kernels; /* of the CPU: constant extents */
    struct source *const *sources;
    size_t nsources;
    enum gpu_sum sum;
};

/* Compiles what the sources need, while the GPUs' contexts are being made.  ONEPASS_NO_DEVICE: no
 * kernel can be had, or the GPU cannot be used. */
int backend_cuda_create(const struct backend_cuda_config *config, struct backend_cuda **out,
                        onepass_error *err);
void backend_cuda_free(struct backend_cuda *b); /* accepts NULL */

const struct backend *backend_cuda_base(const struct backend_cuda *b);

/* The slowest way from text to machine code that was taken. */
enum jit_step backend_cuda_step(const struct backend_cuda *b);

/* The texts of the kernels, one after the other; the caller's, to be freed by free().  gpus NULL: for
 * some GPU that is good at double precision. */
int backend_cuda_texts(const struct backend_cuda_config *config, char **out, onepass_error *err);

#endif
