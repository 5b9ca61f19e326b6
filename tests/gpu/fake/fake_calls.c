/* Every call of the fake driver: one at a time, counted, and failing where that is planned. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

#define MAX_CALLED 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cu_result lost; /* the result of everything from now on */
static struct {
    const char *name;
    uint64_t calls;
} called[MAX_CALLED];

/* What a function usually fails with; others with FAKE_INVALID_VALUE. */
static const struct {
    const char *function;
    cu_result result;
} usual[] = {
    {"cuInit", CU_NO_DEVICE},
    {"cuMemAlloc_v2", CU_OUT_OF_MEMORY},
    {"cuMemHostRegister_v2", CU_OUT_OF_MEMORY},
    {"cuDevicePrimaryCtxRetain", CU_OUT_OF_MEMORY},
    {"cuStreamCreate", CU_OUT_OF_MEMORY},
    {"cuEventCreate", CU_OUT_OF_MEMORY},
    {"cuModuleLoadData", CU_NO_BINARY_FOR_GPU},
    {"cuModuleGetFunction", FAKE_NOT_FOUND},
    {"cuLaunchKernel", FAKE_LAUNCH_FAILED},
    {"cuStreamSynchronize", FAKE_LAUNCH_FAILED},
    {"cuEventSynchronize", FAKE_LAUNCH_FAILED},
    {"cuMemcpyHtoDAsync_v2", FAKE_LAUNCH_FAILED},
    {"cuMemcpyDtoHAsync_v2", FAKE_LAUNCH_FAILED},
};

static cu_result usual_result(const char *function) {
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++)
        if (strcmp(usual[k].function, function) == 0) return usual[k].result;
    return FAKE_INVALID_VALUE;
}

/* Those after which a context is of no use any more. */
static int is_lasting(cu_result result) {
    return result == 46 || result == 214 ||
           (result >= 700 && result < 720 && result != FAKE_ALREADY_REGISTERED &&
            result != FAKE_NOT_REGISTERED);
}

/* FUNCTION:N[+][=CODE] at p; CU_SUCCESS if that is not this call. */
static cu_result failure_at(const char *p, const char *function, uint64_t call) {
    size_t n = strlen(function);
    char *end;
    if (strncmp(p, function, n) != 0 || p[n] != ':') return CU_SUCCESS;
    uint64_t from = strtoull(p + n + 1, &end, 10);
    int more = *end == '+';
    cu_result result =
        end[more] == '=' ? (cu_result)strtoul(end + more + 1, NULL, 10) : usual_result(function);
    return call == from || (more && call > from) ? result : CU_SUCCESS;
}

static uint64_t count_call(const char *function) {
    int k = 0;
    while (called[k].name != NULL && strcmp(called[k].name, function) != 0)
        if (++k == MAX_CALLED) abort();
    called[k].name = function;
    return ++called[k].calls;
}

static cu_result planned_failure(const char *function, uint64_t call) {
    for (const char *p = getenv("FAKE_CUDA_FAIL"); p != NULL && *p;
         p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        cu_result result = failure_at(p, function, call);
        if (result != CU_SUCCESS) return result;
    }
    return CU_SUCCESS;
}

cu_result fake_enter(const char *function) {
    pthread_mutex_lock(&lock);
    uint64_t call = count_call(function);
    if (lost) return lost;
    cu_result result = planned_failure(function, call);
    if (is_lasting(result)) lost = result;
    return result;
}

cu_result fake_leave(cu_result result) {
    pthread_mutex_unlock(&lock);
    return result;
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAKE_CUDA_REPORT");
    FILE *f = path != NULL ? fopen(path, "a") : NULL;
    if (f == NULL) return;
    for (int k = 0; k < MAX_CALLED && called[k].name != NULL; k++)
        fprintf(f, "%s %llu\n", called[k].name, (unsigned long long)called[k].calls);
    fprintf(f, "left memory %zu\nleft streams %zu\nleft events %zu\nleft modules %zu\n",
            fake_allocations_left(), fake_streams_left(), fake_events_left(), fake_modules_left());
    fclose(f);
}

static const struct {
    cu_result result;
    const char *name, *text;
} errors[] = {
    {CU_SUCCESS, "CUDA_SUCCESS", "no error"},
    {FAKE_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CU_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {FAKE_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CU_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {FAKE_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {FAKE_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {FAKE_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CU_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {FAKE_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {FAKE_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {FAKE_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {FAKE_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {FAKE_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

cu_result fake_describe(cu_result error, int name, const char **text) {
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; k++) {
        if (errors[k].result != error) continue;
        *text = name ? errors[k].name : errors[k].text;
        return CU_SUCCESS;
    }
    *text = NULL;
    return FAKE_INVALID_VALUE;
}
