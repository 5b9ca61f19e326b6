/* The unit tests' harness: a table of named tests per program, one line per test on stdout:
 * "ok NAME", "not ok NAME: FILE:LINE: what" or "skip NAME: why"; tests/run adds them up. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <string.h>

struct test {
    const char *name;
    void (*run)(void);
};

static int check_failed;
static const char *check_skipped;

#define CHECK(condition) CHECKF(condition, "%s", #condition)

/* With a printf-like description of the case, for tests that loop. */
#define CHECKF(condition, ...)                                                                         \
    do {                                                                                               \
        if (!(condition) && !check_failed++) {                                                         \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
            fprintf(stderr, __VA_ARGS__);                                                              \
            fputc('\n', stderr);                                                                       \
        }                                                                                              \
    } while (0)

#define SKIP(why) (check_skipped = (why))

#define RUN_TESTS(table) check_run(table, sizeof(table) / sizeof((table)[0]), argc, argv)

/* All tests, or those named on the command line; the exit status is 1 if one failed. */
static int check_run(const struct test *tests, size_t ntests, int argc, char **argv) {
    int bad = 0;
    for (size_t k = 0; k < ntests; k++) {
        int wanted = argc < 2;
        for (int i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], tests[k].name) == 0;
        if (!wanted) continue;
        check_failed = 0;
        check_skipped = NULL;
        tests[k].run();
        if (check_failed) {
            printf("not ok %s: %d checks failed\n", tests[k].name, check_failed);
            bad = 1;
        } else if (check_skipped) {
            printf("skip %s: %s\n", tests[k].name, check_skipped);
        } else {
            printf("ok %s\n", tests[k].name);
        }
        fflush(stdout);
    }
    return bad;
}

#endif
