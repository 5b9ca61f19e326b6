/* GPUs of a context: opening them, their driver contexts, their kernels.  Memory is gpu_memory.c's. */
#include "gpus.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "team.h"

#define MOST_KERNELS 64

/* ---- opening --------------------------------------------------------------------------------- */

static int describe(struct gpus *g, const size_t *numbers, onepass_error *err) {
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < g->n; k++) {
        struct gpu *gpu = &g->gpu[k];
        gpu->all = g;
        rc = devices_describe(&g->driver, numbers[k], &gpu->info, err);
        if (rc == 0)
            rc = cuda_check(&g->driver, g->driver.device_get(&gpu->device, (int)numbers[k]),
                            "cannot open the GPU", err);
    }
    return rc;
}

/* The driver's linker works for the current GPU; all other steps do without one that is ready. */
static int make_compiled_current(void *gpus, onepass_error *err) {
    struct gpus *g = gpus;
    int rc = gpus_wait(g, err);
    return rc == 0 ? gpu_make_current(g->compiling_for, err) : rc;
}

int gpus_open(const struct gpus_config *config, struct gpus **out, onepass_error *err) {
    size_t ngpus, numbers[MOST_GPUS];
    struct gpus *g = calloc(1, sizeof *g);
    *out = NULL;
    if (g == NULL) return error_no_memory(err);
    pthread_mutex_init(&g->lock, NULL);
    g->start_error = (onepass_error)ONEPASS_ERROR_INIT;
    int rc = devices_open(&g->driver, &ngpus, err);
    if (rc == 0) rc = devices_choose(&g->driver, ngpus, &config->wish, numbers, &g->n, err);
    if (rc == 0 && (g->gpu = calloc(g->n, sizeof *g->gpu)) == NULL) rc = error_no_memory(err);
    if (rc == 0) rc = describe(g, numbers, err);
    if (rc == 0) {
        struct jit_config jit = {.driver = &g->driver,
                                 .before_driver = make_compiled_current,
                                 .user = g,
                                 .headers = cuda_headers,
                                 .cache_dir = config->cache_dir,
                                 .step = config->step};
        rc = jit_create(&jit, &g->jit, err);
    }
    if (rc == 0)
        *out = g;
    else
        gpus_free(g);
    return rc;
}

static void free_kernel(struct gpus *g, struct gpu_kernel *k) {
    for (size_t i = 0; k->modules != NULL && i < g->n; i++)
        if (k->modules[i] != NULL && gpu_make_current(&g->gpu[i], NULL) == 0)
            (void)g->driver.module_unload(k->modules[i]);
    free(k->modules);
    free(k->functions);
    free(k->text);
    free(k);
}

static void free_kernels(struct gpus *g) {
    while (g->kernels != NULL) {
        struct gpu_kernel *k = g->kernels;
        g->kernels = k->next;
        free_kernel(g, k);
    }
}

void gpus_free(struct gpus *g) {
    if (g == NULL) return;
    (void)gpus_wait(g, NULL);
    if (g->started) {
        free_kernels(g);
        for (size_t k = 0; k < g->n; k++)
            if (gpu_make_current(&g->gpu[k], NULL) == 0) lanes_free(&g->gpu[k]);
        pinned_free(g);
    }
    for (size_t k = 0; g->gpu != NULL && k < g->n; k++)
        if (g->gpu[k].context != NULL) (void)g->driver.primary_ctx_release(g->gpu[k].device);
    jit_free(g->jit);
    cuda_driver_close(&g->driver);
    pthread_mutex_destroy(&g->lock);
    free(g->gpu);
    free(g);
}

/* ---- contexts -------------------------------------------------------------------------------- */

static void *make_contexts(void *gpus) {
    struct gpus *g = gpus;
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < g->n; k++)
        rc = cuda_check(&g->driver, g->driver.primary_ctx_retain(&g->gpu[k].context, g->gpu[k].device),
                        "cannot use the GPU", &g->start_error);
    return NULL;
}

void gpus_start(struct gpus *g) {
    if (g->starting || g->started) return;
    g->start_error = (onepass_error)ONEPASS_ERROR_INIT;
    g->starting = team_start(&g->starter, 1, make_contexts, g, 0) == 1;
    if (!g->starting) (void)make_contexts(g);
    if (!g->starting) g->started = 1;
}

int gpus_wait(struct gpus *g, onepass_error *err) {
    if (g->starting) {
        pthread_join(g->starter, NULL);
        g->starting = 0;
        g->started = 1;
    }
    return g->start_error.code == 0 ? 0 : error_copy(err, &g->start_error);
}

int gpu_make_current(const struct gpu *gpu, onepass_error *err) {
    const struct cuda_driver *driver = &gpu->all->driver;
    return cuda_check(driver, driver->ctx_set_current(gpu->context), "cannot use the GPU", err);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static int arch_of(const struct gpu *gpu) {
    return 10 * gpu->info.major + gpu->info.minor;
}

/* *unsuited: the driver cannot run this image on this GPU, and another step's may do. */
static int load(const struct gpu *gpu, const struct jit_image *image, cu_module *module,
                cu_function *function, int *unsuited, onepass_error *err) {
    const struct cuda_driver *driver = &gpu->all->driver;
    static const char what[] = "cannot load the kernel";
    int rc = gpu_make_current(gpu, err);
    if (rc != 0) return rc;
    cu_result result = driver->module_load_data(module, image->bytes);
    *unsuited = result == CU_INVALID_IMAGE || result == CU_NO_BINARY_FOR_GPU ||
                result == CU_UNSUPPORTED_PTX_VERSION;
    rc = cuda_check(driver, result, what, err);
    if (rc == 0)
        rc = cuda_check(driver, driver->module_get_function(function, *module, "onepass_fused"), what,
                        err);
    return rc;
}

static int load_on_all(struct gpus *g, struct gpu_kernel *k, const struct jit_image *image, int arch,
                       int *unsuited, onepass_error *err) {
    int rc = gpus_wait(g, err);
    for (size_t i = 0; rc == 0 && i < g->n; i++)
        if (arch_of(&g->gpu[i]) == arch && k->modules[i] == NULL)
            rc = load(&g->gpu[i], image, &k->modules[i], &k->functions[i], unsuited, err);
    return rc;
}

/* For all GPUs of an architecture, by the first step whose image their driver takes. */
static int compile_for(struct gpus *g, struct gpu_kernel *k, int arch, onepass_error *err) {
    enum jit_step after = JIT_AUTO;
    int rc, unsuited;
    do {
        onepass_error why = ONEPASS_ERROR_INIT;
        struct jit_image image = {0};
        unsuited = 0;
        rc = jit_compile_after(g->jit, k->text, arch, after, &image, &why);
        if (rc != 0 && (after == JIT_AUTO || rc != ONEPASS_NO_DEVICE)) return error_copy(err, &why);
        if (rc != 0) break; /* no step is left: err says why the last one's did not load */
        rc = load_on_all(g, k, &image, arch, &unsuited, err);
        after = image.step;
        free(image.bytes);
    } while (unsuited);
    if (after > k->step) k->step = after;
    return rc;
}

static int compile(struct gpus *g, struct gpu_kernel *k, onepass_error *err) {
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < g->n; i++) {
        g->compiling_for = &g->gpu[i];
        if (k->modules[i] == NULL) rc = compile_for(g, k, arch_of(&g->gpu[i]), err);
    }
    return rc;
}

int gpus_kernel(struct gpus *g, struct cuda_text *text, const struct gpu_kernel **out,
                onepass_error *err) {
    for (struct gpu_kernel *k = g->kernels; k != NULL; k = k->next)
        if (strcmp(k->text, text->text) == 0) {
            free(text->text);
            *out = k;
            return 0;
        }
    struct gpu_kernel *k = calloc(1, sizeof *k);
    if (k == NULL) {
        free(text->text);
        return error_no_memory(err);
    }
    *k = (struct gpu_kernel){.text = text->text,
                             .tile_elements = text->tile_elements,
                             .blocks_per_sm = text->blocks_per_sm,
                             .modules = calloc(g->n, sizeof *k->modules),
                             .functions = calloc(g->n, sizeof *k->functions)};
    int rc = k->modules == NULL || k->functions == NULL ? error_no_memory(err) : compile(g, k, err);
    if (rc != 0) {
        free_kernel(g, k);
        return rc;
    }
    k->next = g->kernels;
    g->kernels = k;
    *out = k;
    return 0;
}

void gpus_trim(struct gpus *g) {
    size_t n = 0;
    for (struct gpu_kernel *k = g->kernels; k != NULL; k = k->next)
        n++;
    if (n > MOST_KERNELS) free_kernels(g);
}
