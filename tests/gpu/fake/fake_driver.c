/* libcuda.so.1 for tests: the functions themselves.  A module is a shared object that fake_nvrtc.c had
 * made, its kernels run in onepass_emulate (tests/gpu/emulate.h). */
#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

#define DRIVER(member, symbol, parameters)                                                             \
    __attribute__((visibility("default"))) cu_result symbol parameters;
#include "cuda_api.def"

struct CUctx_st {
    int device, retained;
};

struct CUmod_st {
    void *library;
    void (*emulate)(void (*)(struct onepass_launch), unsigned, const struct onepass_launch *);
    cu_function functions;
};

struct CUfunc_st {
    cu_module module;
    void (*kernel)(struct onepass_launch);
    cu_function next;
};

static struct CUctx_st contexts[FAKE_MAX_DEVICES];
static _Thread_local cu_context current;
static int initialised;
static size_t nmodules;

/* The body of a function is one expression, evaluated under the lock. */
#define CALL(body)                                                                                     \
    do {                                                                                               \
        cu_result result = fake_enter(__func__);                                                       \
        return fake_leave(result != CU_SUCCESS ? result : (body));                                     \
    } while (0)

#define CALL_INITIALISED(body) CALL(initialised ? (body) : (cu_result)FAKE_NOT_INITIALIZED)

/* The same where a context is needed. */
#define CALL_IN_CONTEXT(body)                                                                          \
    CALL(current == NULL || current->retained == 0 ? (cu_result)FAKE_INVALID_CONTEXT : (body))

/* ---- devices --------------------------------------------------------------------------------- */

static int number_of(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text != NULL ? atoi(text) : otherwise;
}

static int ndevices(void) {
    int n = number_of("FAKE_CUDA_DEVICES", 1);
    return n < FAKE_MAX_DEVICES ? n : FAKE_MAX_DEVICES;
}

static int is_device(cu_device device) {
    return device >= 0 && device < ndevices();
}

static cu_result set_int(int *out, int value) {
    *out = value;
    return CU_SUCCESS;
}

static cu_result do_init(void) {
    if (ndevices() == 0) return CU_NO_DEVICE;
    initialised = 1;
    return CU_SUCCESS;
}

cu_result cuInit(unsigned flags) {
    CALL(flags ? (cu_result)FAKE_INVALID_VALUE : do_init());
}

/* Works before cuInit, as it does. */
cu_result cuDriverGetVersion(int *version) {
    return set_int(version, 13000);
}

cu_result cuGetErrorName(cu_result error, const char **text) {
    return fake_describe(error, 1, text);
}

cu_result cuGetErrorString(cu_result error, const char **text) {
    return fake_describe(error, 0, text);
}

cu_result cuDeviceGetCount(int *count) {
    CALL_INITIALISED(set_int(count, ndevices()));
}

cu_result cuDeviceGet(cu_device *device, int ordinal) {
    CALL_INITIALISED(is_device(ordinal) ? set_int(device, ordinal) : (cu_result)FAKE_INVALID_DEVICE);
}

static cu_result get_name(char *name, int nbytes, cu_device device) {
    if (!is_device(device)) return FAKE_INVALID_DEVICE;
    snprintf(name, (size_t)nbytes, "Fake GPU");
    return CU_SUCCESS;
}

cu_result cuDeviceGetName(char *name, int nbytes, cu_device device) {
    CALL_INITIALISED(get_name(name, nbytes, device));
}

static cu_result get_uuid(struct CUuuid_st *uuid, cu_device device) {
    if (!is_device(device)) return FAKE_INVALID_DEVICE;
    memset(uuid, 0xfa, CU_UUID_BYTES);
    ((unsigned char *)uuid)[CU_UUID_BYTES - 1] = (unsigned char)device;
    return CU_SUCCESS;
}

cu_result cuDeviceGetUuid_v2(struct CUuuid_st *uuid, cu_device device) {
    CALL_INITIALISED(get_uuid(uuid, device));
}

static cu_result get_attribute(int *value, unsigned attribute, cu_device device) {
    int arch = number_of("FAKE_CUDA_ARCH", 70);
    if (!is_device(device)) return FAKE_INVALID_DEVICE;
    switch (attribute) {
    case CU_MULTIPROCESSOR_COUNT:
        return set_int(value, 2);
    case CU_COMPUTE_CAPABILITY_MAJOR:
        return set_int(value, arch / 10);
    case CU_COMPUTE_CAPABILITY_MINOR:
        return set_int(value, arch % 10);
    case CU_PCI_BUS_ID:
        return set_int(value, device + 1);
    case CU_SINGLE_TO_DOUBLE_RATIO:
        return set_int(value, number_of("FAKE_CUDA_FP64_RATIO", 2));
    default:
        return set_int(value, 0);
    }
}

cu_result cuDeviceGetAttribute(int *value, unsigned attribute, cu_device device) {
    CALL_INITIALISED(get_attribute(value, attribute, device));
}

static cu_result total_mem(size_t *nbytes, cu_device device) {
    if (!is_device(device)) return FAKE_INVALID_DEVICE;
    *nbytes = fake_memory_total();
    return CU_SUCCESS;
}

cu_result cuDeviceTotalMem_v2(size_t *nbytes, cu_device device) {
    CALL_INITIALISED(total_mem(nbytes, device));
}

static cu_result retain(cu_context *context, cu_device device) {
    if (!is_device(device)) return FAKE_INVALID_DEVICE;
    contexts[device].device = device;
    contexts[device].retained++;
    *context = &contexts[device];
    return CU_SUCCESS;
}

cu_result cuDevicePrimaryCtxRetain(cu_context *context, cu_device device) {
    CALL_INITIALISED(retain(context, device));
}

static cu_result release(cu_device device) {
    if (!is_device(device) || contexts[device].retained == 0) return FAKE_INVALID_CONTEXT;
    contexts[device].retained--;
    return CU_SUCCESS;
}

cu_result cuDevicePrimaryCtxRelease_v2(cu_device device) {
    CALL_INITIALISED(release(device));
}

cu_result cuCtxSetCurrent(cu_context context) {
    CALL_INITIALISED((current = context, CU_SUCCESS));
}

/* ---- memory ---------------------------------------------------------------------------------- */

cu_result cuMemAlloc_v2(cu_pointer *d_memory, size_t nbytes) {
    CALL_IN_CONTEXT(fake_allocate(current->device, nbytes, d_memory));
}

/* It waits for the device. */
cu_result cuMemFree_v2(cu_pointer d_memory) {
    CALL_IN_CONTEXT((fake_streams_run_all(), fake_free(d_memory)));
}

cu_result cuMemHostRegister_v2(void *memory, size_t nbytes, unsigned flags) {
    (void)flags;
    CALL_IN_CONTEXT(fake_register(memory, nbytes));
}

static cu_result unregister(void *memory) {
    size_t nbytes = 0;
    cu_result result = fake_unregister(memory, &nbytes);
    if (result == CU_SUCCESS && fake_streams_use(memory, nbytes)) {
        fprintf(stderr, "fake driver: memory is unregistered while a copy is under way\n");
        abort();
    }
    return result;
}

cu_result cuMemHostUnregister(void *memory) {
    CALL_IN_CONTEXT(unregister(memory));
}

static unsigned char *pointer_of(cu_pointer memory) {
    return (unsigned char *)(uintptr_t)memory;
}

/* Copies from memory that is not registered come out of a buffer that the driver has made. */
static cu_result to_device(cu_pointer to, const void *from, size_t nbytes, cu_stream stream) {
    struct fake_work w = {.kind = FAKE_TO_DEVICE, .to = pointer_of(to), .from = from, .nbytes = nbytes};
    if (!fake_is_allocated(fake_stream_device(stream), to, nbytes)) return FAKE_INVALID_VALUE;
    if (!fake_is_registered(from, nbytes)) {
        w.from = w.staged = malloc(nbytes + 1);
        if (w.staged == NULL) return CU_OUT_OF_MEMORY;
        memcpy(w.staged, from, nbytes);
    }
    return fake_stream_add(stream, &w);
}

cu_result cuMemcpyHtoDAsync_v2(cu_pointer to, const void *from, size_t nbytes, cu_stream stream) {
    CALL_IN_CONTEXT(to_device(to, from, nbytes, stream));
}

/* Copies to memory that is not registered have been made on return. */
static cu_result to_host(void *to, cu_pointer from, size_t nbytes, cu_stream stream) {
    struct fake_work w = {.kind = FAKE_TO_HOST, .to = to, .from = pointer_of(from), .nbytes = nbytes};
    if (!fake_is_allocated(fake_stream_device(stream), from, nbytes)) return FAKE_INVALID_VALUE;
    cu_result result = fake_stream_add(stream, &w);
    if (!fake_is_registered(to, nbytes)) fake_stream_run(stream);
    return result;
}

cu_result cuMemcpyDtoHAsync_v2(void *to, cu_pointer from, size_t nbytes, cu_stream stream) {
    CALL_IN_CONTEXT(to_host(to, from, nbytes, stream));
}

/* ---- streams and events ---------------------------------------------------------------------- */

cu_result cuStreamCreate(cu_stream *stream, unsigned flags) {
    (void)flags;
    CALL_IN_CONTEXT(fake_stream_create(current->device, stream));
}

cu_result cuStreamDestroy_v2(cu_stream stream) {
    CALL_IN_CONTEXT((fake_stream_destroy(stream), CU_SUCCESS));
}

cu_result cuStreamSynchronize(cu_stream stream) {
    CALL_IN_CONTEXT((fake_stream_run(stream), CU_SUCCESS));
}

cu_result cuEventCreate(cu_event *event, unsigned flags) {
    (void)flags;
    CALL_IN_CONTEXT(fake_event_create(event));
}

cu_result cuEventDestroy_v2(cu_event event) {
    CALL_IN_CONTEXT((fake_event_destroy(event), CU_SUCCESS));
}

cu_result cuEventRecord(cu_event event, cu_stream stream) {
    struct fake_work w = {.kind = FAKE_RECORD, .event = event};
    CALL_IN_CONTEXT(fake_stream_add(stream, &w));
}

cu_result cuEventSynchronize(cu_event event) {
    CALL_IN_CONTEXT((fake_event_wait(event), CU_SUCCESS));
}

/* ---- modules and kernels --------------------------------------------------------------------- */

/* Of an ELF file whose section headers come last; 0: it is none of this machine's. */
static size_t image_bytes(const void *image) {
    Elf64_Ehdr h;
    memcpy(&h, image, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_type != ET_DYN) return 0;
    return h.e_shoff + (size_t)h.e_shentsize * h.e_shnum;
}

/* Each under a name of its own: the loader knows libraries by their names. */
static void *open_image(const void *image, size_t nbytes) {
    char path[] = "/tmp/fake_cuda_XXXXXX";
    int fd = mkstemp(path);
    void *library = NULL;
    if (fd < 0) return NULL;
    if (write(fd, image, nbytes) == (ssize_t)nbytes) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    close(fd);
    unlink(path);
    return library;
}

static cu_result load(cu_module *module, const void *image) {
    size_t nbytes = image_bytes(image);
    void *library = nbytes > 0 ? open_image(image, nbytes) : NULL;
    if (library == NULL)
        return nbytes > 0 ? (cu_result)FAKE_INVALID_IMAGE : (cu_result)CU_NO_BINARY_FOR_GPU;
    cu_module m = calloc(1, sizeof *m);
    void *emulate = dlsym(library, "onepass_emulate");
    if (m == NULL || emulate == NULL) {
        free(m);
        dlclose(library);
        return FAKE_INVALID_IMAGE;
    }
    m->library = library;
    memcpy(&m->emulate, &emulate, sizeof emulate);
    nmodules++;
    *module = m;
    return CU_SUCCESS;
}

cu_result cuModuleLoadData(cu_module *module, const void *image) {
    CALL_IN_CONTEXT(load(module, image));
}

static cu_result unload(cu_module module) {
    fake_streams_run_all();
    while (module->functions != NULL) {
        cu_function f = module->functions;
        module->functions = f->next;
        free(f);
    }
    dlclose(module->library);
    free(module);
    nmodules--;
    return CU_SUCCESS;
}

cu_result cuModuleUnload(cu_module module) {
    CALL_IN_CONTEXT(unload(module));
}

static cu_result get_function(cu_function *function, cu_module module, const char *name) {
    void *kernel = dlsym(module->library, name);
    cu_function f = kernel != NULL ? malloc(sizeof *f) : NULL;
    if (f == NULL) return FAKE_NOT_FOUND;
    *f = (struct CUfunc_st){module, NULL, module->functions};
    memcpy(&f->kernel, &kernel, sizeof kernel);
    module->functions = f;
    *function = f;
    return CU_SUCCESS;
}

cu_result cuModuleGetFunction(cu_function *function, cu_module module, const char *name) {
    CALL_IN_CONTEXT(get_function(function, module, name));
}

size_t fake_modules_left(void) {
    return nmodules;
}

void fake_run(cu_function function, unsigned nblocks, const struct onepass_launch *launch) {
    function->module->emulate(function->kernel, nblocks, launch);
}

static cu_result launch(cu_function function, unsigned nblocks, cu_stream stream, void **parameters) {
    struct fake_work w = {.kind = FAKE_LAUNCH, .function = function, .nblocks = nblocks};
    memcpy(&w.launch, parameters[0], sizeof w.launch);
    int device = fake_stream_device(stream);
    if (nblocks == 0 || (uintptr_t)w.launch.data % 16 != 0) return FAKE_INVALID_VALUE;
    if (!fake_is_allocated(device, (cu_pointer)(uintptr_t)w.launch.data, 1)) return FAKE_INVALID_VALUE;
    if (!fake_is_allocated(device, (cu_pointer)(uintptr_t)w.launch.state, 8)) return FAKE_INVALID_VALUE;
    return fake_stream_add(stream, &w);
}

cu_result cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                         cu_stream stream, void **parameters, void **extra) {
    int good = grid_y == 1 && grid_z == 1 && block_x == ONEPASS_THREADS && block_y == 1 &&
               block_z == 1 && shared_bytes == 0 && extra == NULL;
    CALL_IN_CONTEXT(good ? launch(function, grid_x, stream, parameters)
                         : (cu_result)FAKE_INVALID_VALUE);
}

/* ---- linking: the result is the first that is added ------------------------------------------ */

struct CUlinkState_st {
    void *image;
    size_t nbytes;
};

cu_result cuLinkCreate_v2(unsigned noptions, unsigned *options, void **values, cu_link *link) {
    (void)noptions, (void)options, (void)values;
    CALL_IN_CONTEXT((*link = calloc(1, sizeof **link)) != NULL ? CU_SUCCESS : CU_OUT_OF_MEMORY);
}

static cu_result add_data(cu_link link, const void *data, size_t nbytes) {
    if (link->image != NULL) return CU_SUCCESS;
    link->image = malloc(nbytes + 1);
    if (link->image == NULL) return CU_OUT_OF_MEMORY;
    memcpy(link->image, data, nbytes);
    link->nbytes = nbytes;
    return CU_SUCCESS;
}

cu_result cuLinkAddData_v2(cu_link link, unsigned type, void *data, size_t nbytes, const char *name,
                           unsigned noptions, unsigned *options, void **values) {
    (void)type, (void)name, (void)noptions, (void)options, (void)values;
    CALL_IN_CONTEXT(add_data(link, data, nbytes));
}

cu_result cuLinkComplete(cu_link link, void **cubin, size_t *nbytes) {
    CALL_IN_CONTEXT((*cubin = link->image, *nbytes = link->nbytes, CU_SUCCESS));
}

static cu_result destroy_link(cu_link link) {
    free(link->image);
    free(link);
    return CU_SUCCESS;
}

cu_result cuLinkDestroy(cu_link link) {
    CALL_IN_CONTEXT(destroy_link(link));
}
