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

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"context_create", contexts},
        {"context_quotas_of_control_groups", quotas_of_control_groups},
    };
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
