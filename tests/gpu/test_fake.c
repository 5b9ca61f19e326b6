/* The libraries that stand for NVIDIA's: they run kernels, find what is used too early or outside its
 * memory, and fail where they are told to. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../kernels/launch.h"
#include "../unit/check.h"
#include "cuda_api.h"
#include "cuda_text.h"
#include "jit_parts.h"

#define NBYTES 4096

static char library_dir[4096];
static struct cuda_driver d;
static cu_context context;

/* state[0] += the sum of all bytes, state[1] the number of blocks */
static const char kernel[] =
    "#include \"launch.h\"\n"
    "extern \"C\" __global__ void onepass_fused(struct onepass_launch L) {\n"
    "    __shared__ unsigned long long sum;\n"
    "    if (threadIdx.x == 0) sum = 0;\n"
    "    __syncthreads();\n"
    "    for (unsigned long long i = blockIdx.x; i < L.nelems; i += gridDim.x) atomicAdd(&sum, "
    "(unsigned long long)L.data[i]);\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) atomicAdd(&L.state[0], sum), atomicAdd(&L.state[1], 1ull);\n"
    "}\n";

static void find_libraries(void) {
    ssize_t n = readlink("/proc/self/exe", library_dir, sizeof library_dir - 8);
    if (n < 0) abort();
    library_dir[n] = 0;
    strcpy(strrchr(library_dir, '/'), "/fake");
}

static void begin(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    cu_device device = -1;
    unsetenv("FAKE_CUDA_FAIL");
    unsetenv("FAKE_CUDA_STREAMS");
    if (cuda_driver_open(library_dir, &d, &err) != 0) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    CHECK(d.init(0) == 0 && d.device_get(&device, 0) == 0);
    CHECK(d.primary_ctx_retain(&context, device) == 0 && d.ctx_set_current(context) == 0);
}

static void end(void) {
    CHECK(d.primary_ctx_release(0) == 0);
    cuda_driver_close(&d);
}

/* The image, to be freed; NULL: there is none. */
static char *compile(const char *text) {
    const struct jit_target target = {70, 0};
    const struct jit_config config = {.headers = cuda_headers, .library_dir = library_dir};
    struct jit_bytes image = {NULL, 0};
    struct jit *jit = NULL;
    if (jit_create(&config, &jit, NULL) != 0 || jit_need_nvrtc(jit, NULL) != 0) abort();
    int status = jit_nvrtc(jit, text, &target, 0, &image, NULL);
    jit_free(jit);
    return status == 0 ? image.bytes : NULL;
}

/* Copies, and waits for it. */
static cu_result to_device(cu_pointer to, const void *from, size_t nbytes, cu_stream stream) {
    cu_result result = d.memcpy_to_device_async(to, from, nbytes, stream);
    return result != 0 ? result : d.stream_synchronize(stream);
}

static cu_result to_host(void *to, cu_pointer from, size_t nbytes, cu_stream stream) {
    cu_result result = d.memcpy_to_host_async(to, from, nbytes, stream);
    return result != 0 ? result : d.stream_synchronize(stream);
}

static void test_a_kernel_runs(void) {
    unsigned char bytes[100];
    uint64_t words[2] = {7, 0};
    cu_module module = NULL;
    cu_function function = NULL;
    cu_stream stream = NULL;
    cu_pointer data = 0, state = 0;
    begin();
    char *image = compile(kernel);
    CHECK(image != NULL);
    for (int k = 0; k < 100; k++)
        bytes[k] = (unsigned char)k;
    CHECK(d.module_load_data(&module, image) == 0 &&
          d.module_get_function(&function, module, "onepass_fused") == 0);
    CHECK(d.stream_create(&stream, CU_STREAM_NONBLOCKING) == 0);
    CHECK(d.mem_alloc(&data, sizeof bytes) == 0 && d.mem_alloc(&state, sizeof words) == 0);
    CHECK(to_device(data, bytes, sizeof bytes, stream) == 0 &&
          to_device(state, words, sizeof words, stream) == 0);
    struct onepass_launch l = {.data = (const unsigned char *)(uintptr_t)data,
                               .nelems = 100,
                               .state = (unsigned long long *)(uintptr_t)state};
    void *parameters[] = {&l};
    CHECK(d.launch_kernel(function, 3, 1, 1, ONEPASS_THREADS, 1, 1, 0, stream, parameters, NULL) == 0);
    CHECK(d.launch_kernel(function, 3, 1, 1, 128, 1, 1, 0, stream, parameters, NULL) != 0);
    l.data++;
    CHECK(d.launch_kernel(function, 3, 1, 1, ONEPASS_THREADS, 1, 1, 0, stream, parameters, NULL) != 0);
    CHECK(to_host(words, state, sizeof words, stream) == 0);
    CHECKF(words[0] == 7 + 4950 && words[1] == 3, "%llu of %llu blocks", (unsigned long long)words[0],
           (unsigned long long)words[1]);
    CHECK(d.mem_free(data) == 0 && d.mem_free(state) == 0 && d.mem_free(state) != 0);
    CHECK(d.stream_destroy(stream) == 0 && d.module_unload(module) == 0);
    free(image);
    end();
}

static void test_what_does_not_compile(void) {
    begin();
    CHECK(compile("not a kernel") == NULL);
    end();
}

/* Work waits for somebody who waits for it; memory that is not registered has been copied before. */
static void check_late(int registered, int late) {
    static unsigned char bytes[NBYTES];
    unsigned char got = 0;
    cu_stream stream = NULL;
    cu_event event = NULL;
    cu_pointer memory = 0;
    begin();
    if (late) setenv("FAKE_CUDA_STREAMS", "late", 1);
    if (registered) CHECK(d.mem_host_register(bytes, NBYTES, 0) == 0);
    CHECK(d.stream_create(&stream, 0) == 0 && d.event_create(&event, 0) == 0 &&
          d.mem_alloc(&memory, NBYTES) == 0);
    bytes[5] = 1;
    CHECK(d.memcpy_to_device_async(memory, bytes, NBYTES, stream) == 0 &&
          d.event_record(event, stream) == 0);
    bytes[5] = 2;
    CHECK(d.event_synchronize(event) == 0);
    bytes[5] = 3;
    CHECK(to_host(&got, memory + 5, 1, stream) == 0);
    CHECKF(got == (registered && late ? 2 : 1), "%d", got);
    CHECK(d.mem_free(memory) == 0 && d.event_destroy(event) == 0 && d.stream_destroy(stream) == 0);
    if (registered) CHECK(d.mem_host_unregister(bytes) == 0);
    end();
}

static void test_streams(void) {
    for (int k = 0; k < 4; k++)
        check_late(k & 1, k >> 1);
}

static void test_memory(void) {
    static unsigned char bytes[NBYTES];
    cu_pointer memory = 0;
    cu_pointer rest = 0;
    cu_stream stream = NULL;
    size_t total = 0;
    begin();
    CHECK(d.device_total_mem(&total, 0) == 0 && d.stream_create(&stream, 0) == 0);
    CHECK(d.mem_alloc(&memory, NBYTES) == 0);
    CHECK(d.mem_alloc(&rest, total - NBYTES + 16) == CU_OUT_OF_MEMORY);
    CHECK(d.mem_alloc(&rest, total - NBYTES) == 0 && d.mem_free(rest) == 0);
    CHECK(to_host(bytes, memory, NBYTES, stream) == 0 && bytes[0] == 0xCB && bytes[NBYTES - 1] == 0xCB);
    CHECK(to_host(bytes, memory + 1, NBYTES, stream) != 0 &&
          to_device(memory - 1, bytes, 2, stream) != 0);
    CHECK(d.stream_destroy(stream) == 0);
    CHECK(d.mem_host_register(bytes, NBYTES, 0) == 0 && d.mem_host_register(bytes + 8, 8, 0) != 0);
    CHECK(d.mem_host_unregister(bytes) == 0 && d.mem_host_unregister(bytes) != 0);
    CHECK(d.mem_free(memory) == 0);
    d.ctx_set_current(NULL);
    CHECK(d.mem_alloc(&memory, NBYTES) != 0);
    end();
}

/* Whoever reads behind an allocation ends. */
static void test_ends_of_memory(void) {
    cu_pointer memory;
    int status = 0;
    begin();
    CHECK(d.mem_alloc(&memory, 48) == 0);
    pid_t child = fork();
    if (child == 0) {
        volatile unsigned char *p = (unsigned char *)(uintptr_t)memory;
        (void)p[47];
        (void)p[48];
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child &&
          (WIFSIGNALED(status) || WEXITSTATUS(status) != 0));
    CHECK(d.mem_free(memory) == 0);
    end();
}

/* In a process of its own, as a lost device stays lost. */
static void fail_in_child(const char *plan, int (*run)(void)) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        begin();
        setenv("FAKE_CUDA_FAIL", plan, 1);
        _exit(run());
    }
    CHECKF(child > 0 && waitpid(child, &status, 0) == child && status == 0, "%s: %d", plan, status);
}

static int third_allocation_fails(void) {
    cu_pointer memory;
    for (int k = 1; k <= 4; k++)
        if (d.mem_alloc(&memory, 16) != (k == 3 ? (cu_result)CU_OUT_OF_MEMORY : 0)) return k;
    return 0;
}

static int all_streams_fail(void) {
    cu_stream stream;
    return d.stream_create(&stream, 0) != 999 || d.stream_create(&stream, 0) != 999;
}

static int device_is_lost(void) {
    cu_stream stream;
    cu_pointer memory;
    const char *name;
    if (d.stream_create(&stream, 0) != 0 || d.stream_synchronize(stream) != 719) return 1;
    return d.mem_alloc(&memory, 16) != 719 || d.get_error_name(719, &name) != 0;
}

static void test_planned_failures(void) {
    fail_in_child("cuMemAlloc_v2:3", third_allocation_fails);
    fail_in_child("cuMemFree_v2:1,cuMemAlloc_v2:3", third_allocation_fails);
    fail_in_child("cuStreamCreate:1+=999", all_streams_fail);
    fail_in_child("cuStreamSynchronize:1", device_is_lost);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"fake_planned_failures", test_planned_failures}, /* first: calls are counted */
        {"fake_kernel_runs", test_a_kernel_runs},
        {"fake_text_that_does_not_compile", test_what_does_not_compile},
        {"fake_streams_at_once_and_late", test_streams},
        {"fake_memory", test_memory},
        {"fake_ends_of_memory", test_ends_of_memory},
    };
    find_libraries();
    return RUN_TESTS(tests);
}
