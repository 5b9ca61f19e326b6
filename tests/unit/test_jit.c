/* From text to machine code by every step, and what is said where a step cannot be had.  Tests that
 * compile need NVRTC, which needs no GPU. */
#include <dlfcn.h>
#include <math.h>

#include "jit_help.h"
#include "temporary.h"

static const char *no_nvjitlink(void) {
    static onepass_error err = ONEPASS_ERROR_INIT;
    struct jit *jit = make_jit((struct jit_config){0}, NULL);
    int status = jit_need_nvjitlink(jit, &err);
    jit_free(jit);
    return status ? err.message : NULL;
}

static int holds(const void *bytes, size_t nbytes, const char *text) {
    return memmem(bytes, nbytes, text, strlen(text)) != NULL;
}

static void step_names(void) {
    enum jit_step step;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(jit_step_find(NULL, &step, &err) == 0 && step == JIT_AUTO);
    CHECK(jit_step_find("a", &step, &err) == 0 && step == JIT_AOT);
    CHECK(jit_step_find("b", &step, &err) == 0 && step == JIT_NVJITLINK);
    CHECK(jit_step_find("c", &step, &err) == 0 && step == JIT_DRIVER);
    CHECK(jit_step_find("d", &step, &err) == 0 && step == JIT_NVRTC);
    CHECK(jit_step_find("e", &step, &err) == ONEPASS_BAD_ARGUMENT && strstr(err.hint, "nvJitLink"));
    CHECK(jit_step_find("", &step, &err) == ONEPASS_BAD_ARGUMENT);
    CHECK(strcmp(jit_step_name(JIT_DRIVER), "c") == 0 && strcmp(jit_step_name(JIT_AUTO), "auto") == 0);
}

/* ---- images ---------------------------------------------------------------------------------- */

static void nvrtc_alone(void) {
    NEEDS_NVRTC();
    struct jit *jit = make_jit((struct jit_config){0}, "d");
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECKF(jit_compile(jit, KERNEL, ARCH, &image, &err) == 0, "%s", err.message);
    CHECK(image.step == JIT_NVRTC && !image.cached);
    CHECK(cubin_type(image.bytes, image.nbytes) == ET_EXEC);
    CHECK(holds(image.bytes, image.nbytes, "test_kernel"));
    free(image.bytes);
    jit_free(jit);
}

/* With the collectives as a cubin and as PTX. */
static void linked_by_nvjitlink(void) {
    const char *why = no_nvjitlink();
    if (why) {
        SKIP(why);
        return;
    }
    for (int ptx = 0; ptx < 2; ptx++) {
        struct jit *jit = make_jit((struct jit_config){.embedded = test_embedded(ptx)}, "b");
        struct jit_image image;
        onepass_error err = ONEPASS_ERROR_INIT;
        CHECKF(jit_compile(jit, KERNEL, ARCH, &image, &err) == 0, "ptx %d: %s", ptx, err.message);
        CHECK(image.step == JIT_NVJITLINK);
        CHECK(cubin_type(image.bytes, image.nbytes) == ET_EXEC);
        CHECK(holds(image.bytes, image.nbytes, "test_block_sum"));
        free(image.bytes);
        jit_free(jit);
    }
}

/* A driver that links: it keeps what it was given, and its cubin is the kernel's. */
static struct {
    unsigned types[4];
    size_t nbytes[4];
    int n, type_of_first, alive;
    void *first;
    cu_result fails;
} link_seen;

static cu_result link_create(unsigned n, unsigned *options, void **values, cu_link *link) {
    (void)n, (void)options, (void)values;
    memset(&link_seen, 0, offsetof(__typeof__(link_seen), fails));
    link_seen.alive = 1;
    *link = (cu_link)&link_seen;
    return CU_SUCCESS;
}

static cu_result link_add_data(cu_link link, unsigned type, void *data, size_t nbytes, const char *name,
                               unsigned n, unsigned *options, void **values) {
    (void)link, (void)name, (void)n, (void)options, (void)values;
    if (link_seen.n == 0) {
        link_seen.type_of_first = cubin_type(data, nbytes);
        link_seen.first = data;
    }
    link_seen.types[link_seen.n] = type;
    link_seen.nbytes[link_seen.n++] = nbytes;
    return CU_SUCCESS;
}

static cu_result link_complete(cu_link link, void **cubin, size_t *nbytes) {
    (void)link;
    *cubin = link_seen.first;
    *nbytes = link_seen.nbytes[0];
    return link_seen.fails;
}

static cu_result link_destroy(cu_link link) {
    (void)link;
    link_seen.alive = 0;
    return CU_SUCCESS;
}

static cu_result error_name(cu_result error, const char **text) {
    *text = error == CU_NO_BINARY_FOR_GPU ? "CUDA_ERROR_NO_BINARY_FOR_GPU" : NULL;
    return CU_SUCCESS;
}

static cu_result error_string(cu_result error, const char **text) {
    (void)error;
    *text = "no kernel image is available";
    return CU_SUCCESS;
}

static const struct cuda_driver LINKING = {
    .version = 13000,
    .get_error_name = error_name,
    .get_error_string = error_string,
    .link_create = link_create,
    .link_add_data = link_add_data,
    .link_complete = link_complete,
    .link_destroy = link_destroy,
};

static void linked_by_the_driver(void) {
    NEEDS_NVRTC();
    for (int ptx = 0; ptx < 2; ptx++) {
        const struct jit_embedded *embedded = test_embedded(ptx);
        const struct jit_collectives *c = embedded->collectives;
        struct jit *jit = make_jit((struct jit_config){.embedded = embedded, .driver = &LINKING}, "c");
        struct jit_image image;
        onepass_error err = ONEPASS_ERROR_INIT;
        CHECKF(jit_compile(jit, KERNEL, ARCH, &image, &err) == 0, "ptx %d: %s", ptx, err.message);
        CHECK(image.step == JIT_DRIVER && !link_seen.alive);
        CHECK(link_seen.n == 2 && link_seen.types[0] == CU_LINK_CUBIN);
        CHECK(link_seen.type_of_first == ET_REL);
        CHECK(link_seen.types[1] == (ptx ? CU_LINK_PTX : CU_LINK_CUBIN));
        CHECK(link_seen.nbytes[1] == (size_t)(c->end - c->bytes) + (size_t)ptx);
        CHECK(image.nbytes == link_seen.nbytes[0]);
        free(image.bytes);
        link_seen.fails = CU_NO_BINARY_FOR_GPU;
        CHECK(jit_compile(jit, KERNEL, ARCH, &image, &err) == ONEPASS_NO_DEVICE && !link_seen.alive);
        CHECKF(strstr(err.message,
                      "c: the driver's linker: CUDA_ERROR_NO_BINARY_FOR_GPU (no kernel image"),
               "%s", err.message);
        link_seen.fails = CU_SUCCESS;
        jit_free(jit);
    }
}

/* A driver that does not take an image gets the next step's. */
static void steps_behind_another(void) {
    NEEDS_NVRTC();
    struct jit_config config = {.embedded = test_embedded(0), .driver = &LINKING};
    struct jit *any = make_jit(config, NULL), *forced = make_jit(config, "c");
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(jit_compile_after(any, KERNEL, ARCH, JIT_NVJITLINK, &image, &err) == 0);
    CHECK(image.step == JIT_DRIVER);
    free(image.bytes);
    CHECK(jit_compile_after(any, KERNEL, ARCH, JIT_DRIVER, &image, &err) == 0);
    CHECK(image.step == JIT_NVRTC);
    free(image.bytes);
    CHECK(jit_compile_after(any, KERNEL, ARCH, JIT_NVRTC, &image, &err) == ONEPASS_NO_DEVICE);
    CHECKF(strstr(err.message, "no step is left"), "%s", err.message);
    CHECK(jit_compile_after(forced, KERNEL, ARCH, JIT_DRIVER, &image, &err) == ONEPASS_NO_DEVICE);
    jit_free(any);
    jit_free(forced);
}

/* Newer than NVRTC knows: of its major version a cubin, else PTX for the driver; older: refused. */
static void devices_that_nvrtc_does_not_know(void) {
    NEEDS_NVRTC();
    struct jit *jit = make_jit((struct jit_config){0}, "d");
    struct jit_target target;
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(jit_target_of(jit, 90, &target, &err) == 0 && target.arch == 90 && !target.ptx);
    CHECK(jit_target_of(jit, 93, &target, &err) == 0 && target.arch == 90 && !target.ptx);
    CHECK(jit_target_of(jit, 990, &target, &err) == 0 && target.arch >= 90 && target.ptx);
    CHECKF(jit_compile(jit, KERNEL, 990, &image, &err) == 0, "%s", err.message);
    CHECK(holds(image.bytes, image.nbytes, ".entry test_kernel"));
    CHECK(((const char *)image.bytes)[image.nbytes - 1] == '\0');
    free(image.bytes);
    CHECK(jit_compile(jit, KERNEL, 13, &image, &err) == ONEPASS_NO_DEVICE && image.bytes == NULL);
    CHECKF(strstr(err.message, "and newer, not for 1.3"), "%s", err.message);
    jit_free(jit);
}

static void texts_that_do_not_compile(void) {
    NEEDS_NVRTC();
    struct jit *jit = make_jit((struct jit_config){0}, "d");
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(jit_compile(jit, "\n#include \"thrice.cuh\"\n", ARCH, &image, &err) == ONEPASS_NO_DEVICE);
    CHECKF(strstr(err.message, "d: NVRTC: onepass.cu(2)") && strstr(err.message, "thrice.cuh"), "%s",
           err.message);
    CHECK(image.bytes == NULL);
    jit_free(jit);
}

/* Products and sums stay two operations: the same bits as on the CPU. */
static void products_and_sums_are_not_contracted(void) {
    static const char TEXT[] = "extern \"C\" __global__ void test_kernel(double *x) {\n"
                               "    x[0] = x[1] * x[2] + x[3];\n"
                               "}\n";
    NEEDS_NVRTC();
    struct jit *jit = make_jit((struct jit_config){0}, "d");
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECKF(jit_compile(jit, TEXT, 990, &image, &err) == 0, "%s", err.message);
    CHECK(holds(image.bytes, image.nbytes, "mul.rn.f64"));
    CHECK(!holds(image.bytes, image.nbytes, "fma.rn.f64"));
    free(image.bytes);
    jit_free(jit);
}

/* ---- what is missing ------------------------------------------------------------------------- */

static void expect_refusal(struct jit_config config, const char *step, const char *message) {
    struct jit *jit = make_jit(config, step);
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    for (int again = 0; again < 2; again++) {
        CHECK(jit_compile(jit, KERNEL, ARCH, &image, &err) == ONEPASS_NO_DEVICE && !image.bytes);
        CHECKF(strcmp(err.message, message) == 0, "step %s: %s", step ? step : "auto", err.message);
    }
    jit_free(jit);
}

static void without_any_library(void) {
    static const struct jit_collectives no_collectives;
    static const struct jit_embedded nothing = {&no_collectives, NULL, NULL, 0};
    char dir[600];
    snprintf(dir, sizeof dir, "%s", test_path("empty"));
    CHECK(mkdir(dir, 0700) == 0);
    test_file("empty/libnvrtc.so.13", "no library", 10);
    struct jit_config config = {.library_dir = dir, .embedded = &nothing};
#define NO_NVRTC "no NVRTC: neither libnvrtc.so.13 nor .12 can be loaded"
    expect_refusal(config, "a",
                   "no machine code for the kernel: a: this build has no images made ahead of time");
    expect_refusal(config, "b", "no machine code for the kernel: b: " NO_NVRTC);
    expect_refusal(config, "c", "no machine code for the kernel: c: no NVIDIA driver");
    expect_refusal(config, "d", "no machine code for the kernel: d: " NO_NVRTC);
    expect_refusal(config, NULL,
                   "no machine code for the kernel: a: this build has no images made ahead of time; "
                   "b: " NO_NVRTC "; c: no NVIDIA driver; d: " NO_NVRTC);
    struct jit *jit = make_jit(config, NULL);
    CHECKF(strcmp(jit_describe(jit),
                  NO_NVRTC "; no collectives; no images made ahead of time; no cache") == 0,
           "%s", jit_describe(jit));
    CHECK(jit_describe(jit) == jit_describe(jit));
    jit_free(jit);
}

/* The mathematical library under other names. */
static const char *false_library(const char *name) {
    Dl_info info;
    double (*function)(double) = cbrt;
    void *symbol;
    memcpy(&symbol, &function, sizeof symbol);
    /* In a program that was linked at fixed addresses it may be the program's own entry. */
    void *real = dlsym(RTLD_DEFAULT, "cbrt");
    if (!dladdr(real ? real : symbol, &info)) return NULL;
    const char *path = test_path(name);
    return symlink(info.dli_fname, path) == 0 ? test_directory : NULL;
}

/* Not where an emulator finds the program's libraries in another place than the program does. */
static int no_false_libraries(void) {
    unlink(test_path("probe.so"));
    void *library = false_library("probe.so") ? dlopen(test_path("probe.so"), RTLD_NOW) : NULL;
    if (library == NULL) SKIP("the mathematical library is not where the loader says");
    if (library != NULL) dlclose(library);
    return library == NULL;
}

static void libraries_without_a_function(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    struct cuda_driver driver;
    struct nvrtc nvrtc;
    struct nvjitlink nvjitlink;
    if (no_false_libraries()) return;
    const char *dir = false_library("libcuda.so.1");
    CHECK(dir && false_library("libnvrtc.so.12") && false_library("libnvJitLink.so.12"));
    CHECK(cuda_driver_open(dir, &driver, &err) == ONEPASS_NO_DEVICE && driver.library == NULL);
    CHECKF(strcmp(err.message, "libcuda.so.1 has no function cuInit") == 0, "%s", err.message);
    CHECK(nvrtc_open(dir, 0, &nvrtc, &err) == ONEPASS_NO_DEVICE && nvrtc.library == NULL);
    CHECKF(strcmp(err.message, "libnvrtc.so.12 has no function nvrtcVersion") == 0, "%s", err.message);
    CHECK(nvjitlink_open(dir, 12, &nvjitlink, &err) == ONEPASS_NO_DEVICE && nvjitlink.library == NULL);
    CHECKF(strcmp(err.message, "libnvJitLink.so.12 has no function __nvJitLinkCreate_12_0") == 0, "%s",
           err.message);
    CHECK(nvjitlink_open(dir, 13, &nvjitlink, &err) == ONEPASS_NO_DEVICE);
    CHECKF(strcmp(err.message, "no nvJitLink: libnvJitLink.so.13 cannot be loaded") == 0, "%s",
           err.message);
    CHECK(cuda_driver_open("/", &driver, &err) == ONEPASS_NO_DEVICE);
    CHECKF(strcmp(err.message, "no NVIDIA driver: libcuda.so.1 cannot be loaded") == 0, "%s",
           err.message);
    cuda_driver_close(&driver);
    nvrtc_close(&nvrtc);
    nvjitlink_close(&nvjitlink);
}

/* The older of two is taken when the driver is too old for the newer. */
static void nvrtc_by_the_drivers_version(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    struct nvrtc nvrtc;
    char dir[600];
    if (no_false_libraries()) return;
    snprintf(dir, sizeof dir, "%s", test_path("both"));
    CHECK(mkdir(dir, 0700) == 0 && false_library("both/libnvrtc.so.12"));
    CHECK(false_library("both/libnvrtc.so.13"));
    static const struct {
        int driver;
        const char *expected;
    } CASES[] = {{0, "13"}, {13000, "13"}, {13010, "13"}, {14000, "13"}, {12080, "12"}, {11080, "13"}};
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        nvrtc_open(dir, CASES[k].driver, &nvrtc, &err);
        CHECKF(strncmp(err.message, "libnvrtc.so.", 12) == 0 &&
                   strncmp(err.message + 12, CASES[k].expected, 2) == 0,
               "%d: %s", CASES[k].driver, err.message);
    }
}

/* Links all that NVRTC needs into a directory where nvJitLink is missing. */
static int nvrtc_only(const char *dir) {
    struct nvrtc nvrtc;
    Dl_info info;
    char command[2048];
    void *function;
    if (nvrtc_open(NULL, 0, &nvrtc, NULL) != 0) return 0;
    memcpy(&function, &nvrtc.version, sizeof function);
    int found = dladdr(function, &info) != 0;
    snprintf(command, sizeof command, "ln -s \"$(dirname '%s')\"/libnvrtc*.so* '%s'",
             found ? info.dli_fname : "", dir);
    nvrtc_close(&nvrtc);
    return found && system(command) == 0;
}

static void steps_that_others_stand_in_for(void) {
    NEEDS_NVRTC();
    char dir[600];
    snprintf(dir, sizeof dir, "%s", test_path("nvrtc"));
    CHECK(mkdir(dir, 0700) == 0 && nvrtc_only(dir));
    struct jit_config config = {.library_dir = dir, .embedded = test_embedded(0)};
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    struct jit *jit = make_jit(config, NULL);
    CHECKF(jit_compile(jit, KERNEL, ARCH, &image, &err) == 0, "%s", err.message);
    CHECK(image.step == JIT_NVRTC);
    CHECKF(strstr(jit_describe(jit), ", no nvJitLink: libnvJitLink.so."), "%s", jit_describe(jit));
    free(image.bytes);
    jit_free(jit);
    config.driver = &LINKING;
    jit = make_jit(config, NULL);
    CHECKF(jit_compile(jit, KERNEL, ARCH, &image, &err) == 0, "%s", err.message);
    CHECK(image.step == JIT_DRIVER);
    free(image.bytes);
    jit_free(jit);
    config.library_dir = NULL;
    if (no_nvjitlink()) return;
    jit = make_jit(config, NULL);
    CHECKF(jit_compile(jit, KERNEL, ARCH, &image, &err) == 0, "%s", err.message);
    CHECK(image.step == JIT_NVJITLINK);
    free(image.bytes);
    jit_free(jit);
}

/* Objects of a newer toolkit than NVRTC's are not offered to its linker. */
static void collectives_that_are_too_new(void) {
    NEEDS_NVRTC();
    struct jit_embedded embedded = *test_embedded(0);
    struct jit_image image;
    onepass_error err = ONEPASS_ERROR_INIT;
    embedded.toolkit = 99010;
    struct jit *jit = make_jit((struct jit_config){.embedded = &embedded, .driver = &LINKING}, "c");
    CHECK(jit_compile(jit, KERNEL, ARCH, &image, &err) == ONEPASS_NO_DEVICE && image.bytes == NULL);
    CHECKF(strstr(err.message, "c: the collectives are CUDA 99.1's, NVRTC is "), "%s", err.message);
    jit_free(jit);
}

static void errors_of_the_driver(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(cuda_check(&LINKING, CU_SUCCESS, "launch", &err) == 0 && err.message[0] == '\0');
    CHECK(cuda_check(&LINKING, CU_NO_BINARY_FOR_GPU, "launch", &err) == ONEPASS_NO_DEVICE);
    CHECK(strcmp(err.message, "launch: CUDA_ERROR_NO_BINARY_FOR_GPU (no kernel image is available)") ==
          0);
    CHECK(cuda_check(&LINKING, 4711, "launch", &err) == ONEPASS_NO_DEVICE);
    CHECKF(strcmp(err.message, "launch: CUDA error 4711") == 0, "%s", err.message);
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"jit_step_names", step_names},
        {"jit_nvrtc_alone", nvrtc_alone},
        {"jit_linked_by_nvjitlink", linked_by_nvjitlink},
        {"jit_linked_by_the_driver", linked_by_the_driver},
        {"jit_steps_behind_another", steps_behind_another},
        {"jit_devices_that_nvrtc_does_not_know", devices_that_nvrtc_does_not_know},
        {"jit_texts_that_do_not_compile", texts_that_do_not_compile},
        {"jit_products_and_sums_are_not_contracted", products_and_sums_are_not_contracted},
        {"jit_without_any_library", without_any_library},
        {"jit_libraries_without_a_function", libraries_without_a_function},
        {"jit_nvrtc_by_the_drivers_version", nvrtc_by_the_drivers_version},
        {"jit_steps_that_others_stand_in_for", steps_that_others_stand_in_for},
        {"jit_collectives_that_are_too_new", collectives_that_are_too_new},
        {"jit_errors_of_the_driver", errors_of_the_driver},
    };
    int status = RUN_TESTS(TESTS);
    test_cleanup();
    return status;
}
