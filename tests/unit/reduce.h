/* For unit tests: a pipeline lowered and evaluated over arrays in memory, without files or engine. */
#ifndef REDUCE_H
#define REDUCE_H

#include <stdio.h>
#include <stdlib.h>

#include "evaluator.h"
#include "isa.h"
#include "onepass.h"
#include "program.h"

struct reducer {
    onepass_program *ast;
    struct program *program;
};

/* Dies on a pipeline that does not compile: a mistake of the test. */
static inline struct reducer reducer_open(const char *pipeline, enum value_class class, int skip_nan) {
    struct reducer r = {0};
    onepass_error err = ONEPASS_ERROR_INIT;
    if (onepass_program_parse(pipeline, strlen(pipeline), &r.ast, &err) != 0 ||
        program_lower(r.ast, class, skip_nan, &r.program, &err) != 0) {
        fprintf(stderr, "%s: %s\n", pipeline, err.message);
        exit(1);
    }
    return r;
}

static inline void reducer_close(struct reducer *r) {
    program_free(r->program);
    onepass_program_free(r->ast);
}

/* An evaluator that has seen n native elements at `data`, the first of them number `first`. */
static inline struct evaluator *reducer_feed(const struct reducer *r, enum dtype type, const void *data,
                                             uint64_t first, uint64_t n) {
    struct evaluator *ev = NULL;
    onepass_error err = ONEPASS_ERROR_INIT;
    struct place place = {.ndim = 1, .shape = {first + n}};
    struct extent e = {.fetch = FETCH_RANGE, .first = first, .nelems = n, .place = &place};
    e.layout.dtype = type;
    e.layout.stride_bytes = dtype_table[type].itemsize;
    if (evaluator_create(r->program, test_kernels(), &ev, &err) != 0) exit(1);
    evaluator_extent(ev, &e, data);
    return ev;
}

#endif
