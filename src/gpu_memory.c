/* Memory on GPUs and memory that GPUs copy from, kept by a context for its next run: pinning a GiB
 * costs 0.33 s, and device memory and streams some 0.1 ms each. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "error.h"
#include "gpus.h"

#define HUGE_PAGE   ((size_t)2 << 20)
#define PAGE        ((size_t)4096)
#define SLACK       16                 /* kernels read whole groups of 16 bytes */
#define LEAST_CHUNK ((size_t)64 << 10) /* a GPU that has not even that much cannot be used */

/* ---- lanes ----------------------------------------------------------------------------------- */

static void free_lane(const struct cuda_driver *driver, struct lane *lane) {
    for (size_t k = 0; k < GPU_EVENTS; k++)
        if (lane->copied[k] != NULL) (void)driver->event_destroy(lane->copied[k]);
    if (lane->stream != NULL) (void)driver->stream_destroy(lane->stream);
    if (lane->data != 0) (void)driver->mem_free(lane->data);
    if (lane->state != 0) (void)driver->mem_free(lane->state);
    free(lane);
}

static int make_lane(const struct cuda_driver *driver, struct lane **out, onepass_error *err) {
    struct lane *lane = calloc(1, sizeof *lane);
    static const char what[] = "cannot prepare the GPU";
    if (lane == NULL) return error_no_memory(err);
    int rc = cuda_check(driver, driver->stream_create(&lane->stream, CU_STREAM_NONBLOCKING), what, err);
    for (size_t k = 0; rc == 0 && k < GPU_EVENTS; k++)
        rc = cuda_check(driver,
                        driver->event_create(&lane->copied[k], CU_EVENT_BLOCKING | CU_EVENT_NO_TIMING),
                        what, err);
    if (rc == 0)
        *out = lane;
    else
        free_lane(driver, lane);
    return rc;
}

/* A GPU that others use too may have less: then chunks are smaller, down to `least`. */
static int allocate(const struct cuda_driver *driver, size_t least, size_t nbytes, cu_pointer *memory,
                    size_t *got, onepass_error *err) {
    cu_result result;
    if (*got >= nbytes) return 0;
    if (*memory != 0) (void)driver->mem_free(*memory);
    *memory = 0;
    *got = 0;
    do {
        result = driver->mem_alloc(memory, nbytes + SLACK);
        if (result == CU_SUCCESS) *got = nbytes;
        nbytes /= 2;
    } while (result == CU_OUT_OF_MEMORY && nbytes >= least);
    if (result == CU_SUCCESS) return 0;
    *memory = 0;
    int rc = cuda_check(driver, result, "cannot have memory of the GPU", err);
    if (result == CU_OUT_OF_MEMORY)
        error_hint(err, "other processes may use it; fewer --threads need less of it");
    return rc;
}

int lane_take(struct gpu *gpu, size_t data_bytes, size_t state_bytes, struct lane **out,
              onepass_error *err) {
    const struct cuda_driver *driver = &gpu->all->driver;
    pthread_mutex_lock(&gpu->all->lock);
    struct lane *lane = gpu->idle;
    if (lane != NULL) gpu->idle = lane->next;
    pthread_mutex_unlock(&gpu->all->lock);
    int rc = lane != NULL ? 0 : make_lane(driver, &lane, err);
    if (rc != 0) return rc;
    rc = allocate(driver, state_bytes, state_bytes, &lane->state, &lane->state_bytes, err);
    if (rc == 0) rc = allocate(driver, LEAST_CHUNK, data_bytes, &lane->data, &lane->data_bytes, err);
    if (rc == 0)
        *out = lane;
    else
        free_lane(driver, lane);
    return rc;
}

void lane_give(struct gpu *gpu, struct lane *lane, int good) {
    if (!good) {
        free_lane(&gpu->all->driver, lane);
        return;
    }
    pthread_mutex_lock(&gpu->all->lock);
    lane->next = gpu->idle;
    gpu->idle = lane;
    pthread_mutex_unlock(&gpu->all->lock);
}

void lanes_free(struct gpu *gpu) {
    while (gpu->idle != NULL) {
        struct lane *lane = gpu->idle;
        gpu->idle = lane->next;
        free_lane(&gpu->all->driver, lane);
    }
}

/* ---- pinned buffers -------------------------------------------------------------------------- */

struct pinned {
    unsigned char *memory;
    size_t nbytes;
    int registered, taken;
    struct pinned *next;
};

/* The smallest idle one that is large enough; with the lock held. */
static struct pinned *find_idle(struct gpus *g, size_t nbytes, int needed) {
    struct pinned *best = NULL;
    for (struct pinned *p = g->pinned; p != NULL; p = p->next)
        if (!p->taken && p->nbytes >= nbytes && (p->registered || needed) &&
            (best == NULL || p->nbytes < best->nbytes))
            best = p;
    if (best != NULL) best->taken = 1;
    return best;
}

/* Small ones come in powers of two, so that inputs of all sizes share a few. */
static size_t pinned_bytes(size_t nbytes, size_t align) {
    size_t power = PAGE;
    while (power < nbytes && power < HUGE_PAGE)
        power *= 2;
    return power >= nbytes ? power : (nbytes + align - 1) / align * align;
}

static struct pinned *make_pinned(struct gpus *g, size_t nbytes, int needed) {
    size_t align = nbytes <= HUGE_PAGE / 2 ? PAGE : HUGE_PAGE;
    struct pinned *p = calloc(1, sizeof *p);
    if (p == NULL || nbytes > PTRDIFF_MAX - align) goto failed;
    p->nbytes = pinned_bytes(nbytes, align);
    p->memory = aligned_alloc(align, p->nbytes);
    if (p->memory == NULL) goto failed;
    if (align == HUGE_PAGE) (void)madvise(p->memory, p->nbytes, MADV_HUGEPAGE);
    p->registered =
        g->driver.mem_host_register(p->memory, p->nbytes, CU_HOST_REGISTER_PORTABLE) == CU_SUCCESS;
    if (!p->registered && !needed) goto failed;
    p->taken = 1;
    return p;
failed:
    if (p != NULL) free(p->memory);
    free(p);
    return NULL;
}

unsigned char *pinned_take(struct gpus *g, size_t nbytes, int needed) {
    pthread_mutex_lock(&g->lock);
    struct pinned *p = find_idle(g, nbytes, needed);
    pthread_mutex_unlock(&g->lock);
    int is_new = p == NULL;
    if (is_new) p = make_pinned(g, nbytes, needed);
    if (p == NULL) return NULL;
    pthread_mutex_lock(&g->lock);
    if (is_new) {
        p->next = g->pinned;
        g->pinned = p;
    }
    if (!p->registered) g->refused_bytes += p->nbytes;
    pthread_mutex_unlock(&g->lock);
    return p->memory;
}

void pinned_give(struct gpus *g, unsigned char *memory) {
    pthread_mutex_lock(&g->lock);
    for (struct pinned *p = g->pinned; memory != NULL && p != NULL; p = p->next)
        if (p->memory == memory) p->taken = 0;
    pthread_mutex_unlock(&g->lock);
}

void pinned_free(struct gpus *g) {
    while (g->pinned != NULL) {
        struct pinned *p = g->pinned;
        g->pinned = p->next;
        if (p->registered) (void)g->driver.mem_host_unregister(p->memory);
        free(p->memory);
        free(p);
    }
}
