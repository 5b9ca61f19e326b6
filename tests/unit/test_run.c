/* onepass_run as a host program calls it. */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "onepass.h"
#include "temporary.h"

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

/* path "-": of descriptor fd. */
static onepass_result *reduce_input(const char *pipeline, const char *path, int fd,
                                    onepass_error *err) {
    onepass_program *program = NULL;
    onepass_context *context = NULL;
    onepass_result *result = NULL;
    onepass_config config = ONEPASS_CONFIG_INIT;
    onepass_input input = ONEPASS_INPUT_INIT;
    config.threads = 2;
    config.piece_bytes = 64;
    input.path = path;
    input.fd = fd;
    input.dtype = "f64";
    int rc = onepass_program_parse(pipeline, strlen(pipeline), &program, err);
    if (rc == 0) rc = onepass_context_create(&config, &context, err);
    if (rc == 0) rc = onepass_run(context, program, &input, 1, NULL, &result, err);
    onepass_context_free(context);
    onepass_program_free(program);
    return rc == 0 ? result : NULL;
}

static onepass_result *reduce(const char *pipeline, const char *path, onepass_error *err) {
    return reduce_input(pipeline, path, 0, err);
}

static double one_value(const char *pipeline, const double *v, size_t n) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_result *r = reduce(pipeline, test_file("v.f64", v, n * sizeof *v), &err);
    double value = r == NULL ? NAN : r->pipelines[0].values[0].value;
    CHECKF(r != NULL, "%s: %s", pipeline, err.message);
    onepass_result_free(r);
    return value;
}

/* From a pipe, of which the calling thread evaluates nothing: workers do. */
static double one_value_of_workers(const char *pipeline, const double *v, size_t n) {
    onepass_error err = ONEPASS_ERROR_INIT;
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], v, n * sizeof *v) != (ssize_t)(n * sizeof *v)) abort();
    close(ends[1]);
    onepass_result *r = reduce_input(pipeline, "-", ends[0], &err);
    double value = r == NULL || r->threads < 1 ? NAN : r->pipelines[0].values[0].value;
    CHECKF(r != NULL, "%s: %s", pipeline, err.message);
    onepass_result_free(r);
    close(ends[0]);
    return value;
}

static void set_host_environment(int rounding) {
    CHECK(fesetround(rounding) == 0);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040); /* FTZ and DAZ */
#endif
}

/* A host that flushes subnormals and rounds upwards gets the same bits, and its environment back. */
static void test_host_environment(void) {
    double v[100];
    for (int k = 0; k < 100; k++)
        v[k] = k % 2 ? 0x1p-1074 : 0.1;
    double sum = one_value("sum", v, 100), product = one_value("x * 0.3 | max", v, 100);
    CHECK(one_value("min", v, 100) == 0x1p-1074);
    set_host_environment(FE_UPWARD);
    double sum_there = one_value("sum", v, 100), product_there = one_value("x * 0.3 | max", v, 100);
    double least = one_value("where(x > 0) | min", v, 100),
           count = one_value("where(x > 0)|count", v, 100);
    int rounding = fegetround();
#ifdef __x86_64__
    CHECK((_mm_getcsr() & 0x8040) == 0x8040);
#endif
    fesetenv(FE_DFL_ENV);
    CHECK(rounding == FE_UPWARD);
    CHECK(sum_there == sum && product_there == product);
    CHECK(least == 0x1p-1074 && count == 100);
}

/* So do its worker threads, which start with the environment of the thread that creates them.  Each
 * pipeline shows one thing: rounding of maps, of windows and statistics, and subnormals. */
static void test_environment_of_workers(void) {
    static const char *const pipelines[] = {"x * 0.3 | sum", "x / 3 | max", "sum",
                                            "sumsq",         "min",         "where(x > 0) | count"};
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    double v[100];
    for (int k = 0; k < 100; k++)
        v[k] = k % 2 ? 0x1p-1074 * k : (k % 4 ? -0.1 : 0.1) * k;
    for (size_t p = 0; p < sizeof pipelines / sizeof *pipelines; p++) {
        double want = one_value(pipelines[p], v, 100);
        for (size_t k = 0; k < sizeof roundings / sizeof *roundings; k++) {
            set_host_environment(roundings[k]);
            double got = one_value_of_workers(pipelines[p], v, 100);
            int kept = fegetround() == roundings[k];
            fesetenv(FE_DFL_ENV);
            CHECKF(got == want, "%s: %.17g, not %.17g", pipelines[p], got, want);
            CHECK(kept);
        }
    }
}

static void test_result_is_complete(void) {
    double v[] = {3, NAN, -1, INFINITY};
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_result *r =
        reduce("where(x != 3) | argmax, count; max", test_file("v.f64", v, sizeof v), &err);
    CHECKF(r != NULL, "%s", err.message);
    if (r != NULL) {
        const onepass_pipeline *p = &r->pipelines[0];
        CHECK(r->n == 4 && r->missing == 0 && r->npipelines == 2 && r->ndim == 1 && r->shape[0] == 4);
        CHECK(p->used == 3 && p->dropped == 1 && p->skipped == 0);
        CHECK(p->nan == 1 && p->posinf == 1 && p->neginf == 0);
        CHECK(p->nvalues == 2 && p->values[0].has_index && p->values[0].index == 1);
        CHECK(p->values[0].ncoords == 1 && p->values[0].coords[0] == 1);
        CHECK(strcmp(p->values[1].text, "3") == 0 && p->values[1].kind == ONEPASS_INTEGER);
        CHECK(isnan(r->pipelines[1].values[0].value) && r->pipelines[1].values[0].hex == NULL);
        CHECK(strcmp(r->pipelines[1].values[0].text, "nan") == 0);
        CHECK(r->warnings[0] == NULL);
        /* argmax gives the NaN's index, max the NaN: one note, of the latter. */
        CHECK(r->notes[0] != NULL &&
              strcmp(r->notes[0], "nan in 'max', since NaN reached it; --skip-nan "
                                  "leaves those out: 1 of 4 values") == 0);
        CHECK(r->notes[0] != NULL && r->notes[1] == NULL);
    }
    onepass_result_free(r);
}

static void test_input_check(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = "/nowhere/x";
    CHECK(onepass_input_check(&in, &err) == 0); /* only opening can tell */
    in.dtype = "f33";
    CHECK(onepass_input_check(&in, &err) == ONEPASS_BAD_ARGUMENT);
    in.dtype = "f32";
    in.ndim = 2, in.shape[0] = -1, in.shape[1] = -1;
    CHECK(onepass_input_check(&in, &err) == ONEPASS_BAD_ARGUMENT);
    in.path = "";
    CHECK(onepass_input_check(&in, &err) == ONEPASS_BAD_ARGUMENT);
}

static const struct test tests[] = {
    {"fault_14_host_environment", test_host_environment},
    {"run_environment_of_workers", test_environment_of_workers},
    {"run_result_is_complete", test_result_is_complete},
    {"run_input_check", test_input_check},
};

int main(int argc, char **argv) {
    int rc = RUN_TESTS(tests);
    test_cleanup();
    return rc;
}
