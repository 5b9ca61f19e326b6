/* Contexts and the number of CPUs. */
#include "check.h"
#include "cpus.h"
#include "engine.h"
#include "temporary.h"

static void contexts(void) {
    onepass_context *ctx = NULL;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(onepass_context_create(NULL, &ctx, &err) == 0);
    CHECK(ctx->threads == onepass_cpu_count() && ctx->threads >= 1 && ctx->piece_bytes == 0);
    CHECK(ctx->reader == READER_AUTO);
    onepass_context_free(ctx);
    onepass_context_free(NULL);
    onepass_config config = ONEPASS_CONFIG_INIT;
    config.threads = -1;
    CHECK(onepass_context_create(&config, &ctx, &err) == ONEPASS_BAD_ARGUMENT && ctx == NULL);
    config.threads = 1000; /* beyond the cores works */
    config.piece_bytes = 12345;
    config.size = offsetof(onepass_config, piece_bytes); /* an older caller's struct */
    CHECK(onepass_context_create(&config, &ctx, &err) == 0 && ctx->threads == 1000);
    CHECK(ctx->piece_bytes != 12345);
    onepass_context_free(ctx);
    config = (onepass_config)ONEPASS_CONFIG_INIT;
    config.reader = "uring";
    CHECK(onepass_context_create(&config, &ctx, &err) == 0 && ctx->reader == READER_URING);
    onepass_context_free(ctx);
    config.cpu = "portable";
    CHECK(onepass_context_create(&config, &ctx, &err) == 0);
    CHECK(strcmp(onepass_context_isa(ctx), "portable") == 0);
    onepass_context_free(ctx);
    config.cpu = "avx";
    CHECK(onepass_context_create(&config, &ctx, &err) == ONEPASS_BAD_ARGUMENT && ctx == NULL);
    size_t nisas = 0;
    for (const char *isa; (isa = onepass_isa(nisas)) != NULL; nisas++) /* the hint names them all */
        CHECKF(strstr(err.hint, isa) != NULL, "%s: %s", isa, err.hint);
    CHECK(nisas >= 2 && strcmp(onepass_isa(nisas - 1), "noflags") == 0);
    config.cpu = NULL;
    config.reader = "mmap";
    CHECK(onepass_context_create(&config, &ctx, &err) == ONEPASS_BAD_ARGUMENT && ctx == NULL);
    config.reader = NULL;
    config.piece_bytes = UINT64_MAX;
    CHECK(onepass_context_create(&config, &ctx, &err) == ONEPASS_BAD_ARGUMENT);
}

/* A tree of control groups in the test's directory; names may hold '/'. */
static void put(const char *name, const char *text) {
    char path[700];
    snprintf(path, sizeof path, "%s/%s", test_directory, name);
    for (char *p = path + strlen(test_directory) + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
        *p = '\0';
        if (access(path, F_OK) != 0 && mkdir(path, 0700) != 0) abort();
    }
    FILE *f = fopen(path, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) abort();
}

static int quota_of(const char *membership) {
    char path[600], root[600];
    put("membership", membership);
    snprintf(path, sizeof path, "%s/membership", test_directory);
    snprintf(root, sizeof root, "%s/cg", test_directory);
    return cpu_quota(path, root);
}

static void quotas_of_control_groups(void) {
    test_file("x", "", 0);
    put("cg/cpu.max", "max 100000\n");
    put("cg/a/cpu.max", "400000 100000\n");
    put("cg/a/b/cpu.max", "max 100000\n");
    put("cg/a/b/c/cpu.max", "250000 100000\n");
    put("cg/odd/cpu.max", "much\n");
    put("cg/zero/cpu.max", "100000 0\n");
    CHECK(quota_of("0::/\n") == 0);
    CHECK(quota_of("0::/a\n") == 4);
    CHECK(quota_of("0::/a/b\n") == 4);   /* the parent's */
    CHECK(quota_of("0::/a/b/c\n") == 3); /* 2.5 rounded up */
    CHECK(quota_of("0::/a/x/y\n") == 4); /* missing groups are passed over */
    CHECK(quota_of("0::/odd\n") == 0);
    CHECK(quota_of("0::/zero\n") == 0);
    CHECK(quota_of("0::/aa\n") == 0);
    CHECK(quota_of("") == 0 && quota_of("nonsense\n0:\n") == 0);
    put("cg/cpu,cpuacct/j/cpu.cfs_quota_us", "150000\n");
    put("cg/cpu,cpuacct/j/cpu.cfs_period_us", "100000\n");
    put("cg/cpu,cpuacct/free/cpu.cfs_quota_us", "-1\n");
    put("cg/cpu,cpuacct/free/cpu.cfs_period_us", "100000\n");
    CHECK(quota_of("5:memory:/j\n4:cpu,cpuacct:/j\n0::/a\n") == 2);
    CHECK(quota_of("4:cpu,cpuacct:/free\n0::/\n") == 0);
    CHECK(quota_of("3:cpuset:/j\n2:cpuacct:/j\n") == 0 && quota_of("1:cpu:/j\n") == 2);
    CHECK(cpu_quota("/nonexistent/file", "/nonexistent") == 0);
}

/* Words only; nothing of this looks for a GPU. */
static void words_of_devices(void) {
    static const char *const good[] = {"auto",     "cpu",      "cuda",     "cuda:0",
                                       "cuda:0,1", "cuda:all", "cuda:999", "cuda:GPU-0aF3-,1"};
    static const char *const bad[] = {
        "",           "gpu",          "CUDA",       "cuda:",     "cuda:,",          "cuda:0,",
        "cuda:,0",    "cuda:-1",      "cuda:0x1",   "cuda:1000", "cuda:GPU-",       "cuda:GPU",
        "cuda:all,0", "cuda:GPU-xyz", "cuda:1,0,1", "cuda: 0",   "cuda:GPU-a,gpu-A"};
    struct device_wish wish;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(onepass_device_check(NULL, &err) == 0);
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++)
        CHECKF(onepass_device_check(good[k], &err) == 0, "%s: %s", good[k], err.message);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        CHECKF(onepass_device_check(bad[k], &err) == ONEPASS_BAD_ARGUMENT, "'%s'", bad[k]);
    char longest[3000] = "cuda:GPU-";
    memset(longest + strlen(longest), 'a', 2500);
    CHECK(onepass_device_check(longest, &err) == ONEPASS_BAD_ARGUMENT);
    CHECK(device_wish_parse("cuda:1,0", &wish, NULL) == 0 && wish.kind == DEVICE_CUDA);
    CHECK(strcmp(wish.list, "1,0") == 0);
    CHECK(device_wish_parse("cuda", &wish, NULL) == 0 && wish.list[0] == '\0');
    CHECK(device_wish_parse(NULL, &wish, NULL) == 0 && wish.kind == DEVICE_AUTO);
}

static void words_for_gpus(void) {
    static const struct {
        const char *device, *jit, *gpu_sum;
        int rc;
    } cases[] = {{"cpu", NULL, NULL, 0},
                 {"auto", "a", "int", 0},
                 {NULL, "d", "fp64", 0},
                 {"tpu", NULL, NULL, ONEPASS_BAD_ARGUMENT},
                 {NULL, "e", NULL, ONEPASS_BAD_ARGUMENT},
                 {NULL, NULL, "fp32", ONEPASS_BAD_ARGUMENT},
                 {"cuda:998", NULL, NULL, ONEPASS_NO_DEVICE}}; /* wherever it runs */
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        onepass_config config = ONEPASS_CONFIG_INIT;
        onepass_error err = ONEPASS_ERROR_INIT;
        onepass_context *ctx = NULL;
        config.device = cases[k].device;
        config.jit = cases[k].jit;
        config.gpu_sum = cases[k].gpu_sum;
        config.cache_dir = "/nonexistent";
        int rc = onepass_context_create(&config, &ctx, &err);
        CHECKF(rc == cases[k].rc && (ctx != NULL) == (rc == 0), "case %zu: %s", k, err.message);
        CHECKF(rc == 0 || (err.message[0] != '\0' && err.hint[0] != '\0'), "case %zu", k);
        CHECK(ctx == NULL || ctx->gpus == NULL);
        onepass_context_free(ctx);
    }
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"context_create", contexts},
        {"context_words_of_devices", words_of_devices},
        {"context_words_for_gpus", words_for_gpus},
        {"context_quotas_of_control_groups", quotas_of_control_groups},
    };
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
