/* Cases at random: expressions of any ops, filters before them, any reductions. */
#ifndef SAME_RANDOM_H
#define SAME_RANDOM_H

#include <stdint.h>

#include "onepass.h"
#include "same_cases.h"

#define MOST_RANDOM 1000
#define RANDOM_TEXT 2000

static uint64_t random_seed;

static unsigned random_below(unsigned n) {
    random_seed = random_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((random_seed >> 33) % n);
}

static void random_add(char *text, const char *more) {
    size_t used = strlen(text);
    if (used + strlen(more) + 1 > RANDOM_TEXT) abort();
    strcpy(text + used, more);
}

static void random_leaf(char *text) {
    static const char *const constants[] = {"0",          "1",     "2",     "-3",
                                            "0.5",        "-0.0",  "255",   "1e300",
                                            "4294967296", "0.1",   "1e-40", "9007199254740993",
                                            "7",          "65504", "-1.5",  "1e-310"};
    random_add(text,
               random_below(4) ? "x" : constants[random_below(sizeof constants / sizeof constants[0])]);
}

static void random_expression(char *text, int depth) {
    const struct op_info *op = &op_table[random_below(NOPS)];
    int is_name = isalpha((unsigned char)op->name[0]);
    if (depth == 0) {
        random_leaf(text);
        return;
    }
    if (is_name || op->nargs == 1) random_add(text, op->name);
    random_add(text, "(");
    for (int k = 0; k < op->nargs; k++) {
        if (k > 0) random_add(text, is_name ? ", " : " "), random_add(text, is_name ? "" : op->name);
        if (k > 0 && !is_name) random_add(text, " ");
        random_expression(text, (int)random_below((unsigned)depth));
    }
    random_add(text, ")");
}

static void random_pipeline(char *text) {
    for (unsigned n = random_below(3); n > 0; n--) {
        random_add(text, "where(");
        random_expression(text, 2);
        random_add(text, ")|");
    }
    if (random_below(4)) {
        random_add(text, "(");
        random_expression(text, 3);
        random_add(text, ")|");
    }
    random_add(text, "nnan");
    for (size_t k = 0; k < nreductions; k++) {
        const struct reduction_info *r = &reduction_table[k];
        if (r->alias_of != NULL || strcmp(r->name, "nnan") == 0 || random_below(8)) continue;
        random_add(text, ",");
        random_add(text, r->name);
    }
}

/* Some are refused: limits the wrong way round. */
static int random_is_good(const char *text) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *ast = NULL;
    int good = onepass_program_parse(text, strlen(text), &ast, &err) == 0;
    onepass_program_free(ast);
    return good;
}

static void random_program(char *text) {
    do {
        text[0] = 0;
        for (unsigned i = 0, pipelines = 1 + random_below(3); i < pipelines; i++) {
            if (i > 0) random_add(text, "; ");
            random_pipeline(text);
        }
    } while (!random_is_good(text));
}

static const struct same_case *random_cases(size_t n, uint64_t seed) {
    static struct same_case cases[MOST_RANDOM];
    static char texts[MOST_RANDOM][RANDOM_TEXT], names[MOST_RANDOM][40];
    if (n > MOST_RANDOM) abort();
    for (size_t k = 0; k < n; k++) {
        random_seed = seed + k;
        random_below(1);
        random_program(texts[k]);
        snprintf(names[k], sizeof names[k], "random_%llu", (unsigned long long)(seed + k));
        unsigned dtypes = 1u << random_below(NDTYPES), variants = 1u << random_below(6);
        cases[k] = (struct same_case){names[k], texts[k], dtypes,   variants, (int)random_below(2),
                                      0,        -1,       ALL_TYPES};
    }
    return cases;
}

#endif
