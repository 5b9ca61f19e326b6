/* The GPUs of a context: what is made once and kept from run to run.  Contexts of the driver, compiled
 * kernels, and what workers need while they run: streams, device memory and pinned buffers. */
#ifndef GPUS_H
#define GPUS_H

#include <pthread.h>

#include "cuda_api.h"
#include "cuda_text.h"
#include "devices.h"
#include "jit.h"

#define GPU_EVENTS 8 /* of a lane: extents that are being copied at once */

struct gpus;

/* What a worker has on its GPU; one worker at a time. */
struct lane {
    cu_stream stream;
    cu_event copied[GPU_EVENTS];
    cu_pointer data; /* for the bytes of a chunk, and 16 more */
    size_t data_bytes;
    cu_pointer state;
    size_t state_bytes;
    struct lane *next; /* idle ones of a GPU */
};

struct gpu {
    struct gpus *all;
    onepass_gpu info;
    cu_device device;
    cu_context context; /* the primary one, retained; NULL: not yet */
    struct lane *idle;
};

/* A kernel on every GPU. */
struct gpu_kernel {
    char *text;
    unsigned tile_elements, blocks_per_sm;
    enum jit_step step;     /* that made it; of several the last */
    cu_module *modules;     /* by GPU */
    cu_function *functions; /* likewise */
    struct gpu_kernel *next;
};

struct pinned; /* gpu_memory.c */

struct gpus {
    struct cuda_driver driver;
    struct jit *jit;
    size_t n;
    struct gpu *gpu;

    pthread_t starter;
    int starting, started;
    onepass_error start_error;

    struct gpu_kernel *kernels; /* made between runs, when no worker is there */
    const struct gpu *compiling_for;

    pthread_mutex_t lock; /* of what workers share: what follows, and idle lanes */
    struct pinned *pinned;
    uint64_t refused_bytes; /* of buffers that the driver would not pin */
};

struct gpus_config {
    struct device_wish wish; /* DEVICE_CUDA or DEVICE_AUTO */
    enum jit_step step;
    const char *cache_dir; /* NULL: none; kept */
};

/* Opens the driver and finds the GPUs that are wished.  ONEPASS_NO_DEVICE says what is missing. */
int gpus_open(const struct gpus_config *config, struct gpus **out, onepass_error *err);
void gpus_free(struct gpus *g); /* accepts NULL; no worker may be left */

/* Begins to make the GPUs' contexts, in a thread of its own: 0.2 s.  Any number of times. */
void gpus_start(struct gpus *g);
/* Until they are there. */
int gpus_wait(struct gpus *g, onepass_error *err);

/* In the calling thread. */
int gpu_make_current(const struct gpu *gpu, onepass_error *err);

/* The kernel of a text, compiled unless it was before; *text is taken over.  The gpus'. */
int gpus_kernel(struct gpus *g, struct cuda_text *text, const struct gpu_kernel **out,
                onepass_error *err);
/* Lets go of kernels if there are very many; between runs. */
void gpus_trim(struct gpus *g);

/* A lane with memory for a state, and for chunks of data_bytes, or of fewer where the GPU has no more;
 * the GPU is current. */
int lane_take(struct gpu *gpu, size_t data_bytes, size_t state_bytes, struct lane **out,
              onepass_error *err);
/* Idle again.  One that is not `good` is not used any more. */
void lane_give(struct gpu *gpu, struct lane *lane, int good);

/* Pinned memory, whole pages; where the driver refuses to pin, NULL or, if it is `needed`, ordinary
 * memory, which is slower.  Some GPU is current. */
unsigned char *pinned_take(struct gpus *g, size_t nbytes, int needed);
void pinned_give(struct gpus *g, unsigned char *memory); /* accepts NULL */

/* gpu_memory.c's part of gpus_free: the GPU is current. */
void lanes_free(struct gpu *gpu);
void pinned_free(struct gpus *g);

#endif
