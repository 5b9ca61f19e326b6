/* dump_map DTYPE FILE PIPELINES >OUT: the mapped values that reach the reductions, element by element.
 *
 * FILE holds little-endian elements and nothing else; each pipeline must end in `| last` and map to
 * binary64.  For every pipeline, then every element, 9 bytes go to standard output: the value's bits,
 * little-endian, and 1 if the element passed where(), else 0 (and the bits are 0).  The oracle takes
 * from here what IEEE 754 does not decide, judges it by itself, and reduces it exactly.
 *
 * How: every element is an extent of its own; the accumulator of `last` then holds its mapped value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/isa.h"
#include "evaluator.h"

#define RECORD 9 /* bytes */

static int fail(const char *what, const char *why) {
    fprintf(stderr, "dump_map: %s: %s\n", what, why);
    return 1;
}

static unsigned char *read_file(const char *path, size_t *nbytes) {
    FILE *f = fopen(path, "rb");
    if (f == NULL) return NULL;
    unsigned char *data = NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (*nbytes = (size_t)ftell(f)) != (size_t)-1 &&
        fseek(f, 0, SEEK_SET) == 0 && (data = malloc(*nbytes + 1)) != NULL &&
        fread(data, 1, *nbytes, f) != *nbytes) {
        free(data);
        data = NULL;
    }
    fclose(f);
    return data;
}

static void put_record(const struct kept *last, int passed, unsigned char *out) {
    uint64_t bits = 0;
    if (passed) memcpy(&bits, &last->value.f, sizeof bits);
    for (int k = 0; k < 8; k++)
        out[k] = (unsigned char)(bits >> 8 * k);
    out[8] = (unsigned char)passed;
}

/* Evaluates element k of the input alone and stores a record for each pipeline, n records apart. */
static int dump_element(struct evaluator *ev, const struct program *p, const struct extent *e,
                        const unsigned char *bytes, size_t n, unsigned char *out) {
    struct state *s = evaluator_state(ev);
    for (size_t i = 0; i < p->ast->npipelines; i++)
        s->acc[p->pipelines[i].count].count = 0;
    evaluator_extent(ev, e, bytes);
    for (size_t i = 0; i < p->ast->npipelines; i++) {
        const struct lowered_pipeline *pipe = &p->pipelines[i];
        const struct kept *last = &s->acc[pipe->reductions[0].acc[ACC_LAST]].kept;
        int passed = s->acc[pipe->count].count > 0;
        if (passed && last->value.type != TYPE_F64) return fail("pipeline", "does not map to binary64");
        put_record(last, passed, out + (i * n + (size_t)e->first) * RECORD);
    }
    return 0;
}

static int dump(const struct program *p, enum dtype type, const unsigned char *data, size_t n) {
    unsigned size = dtype_table[type].itemsize;
    struct place place = {.ndim = 1, .shape = {n}};
    struct extent e = {.fetch = FETCH_READY, .nbytes = size, .nelems = 1, .place = &place};
    struct evaluator *ev = NULL;
    onepass_error err = ONEPASS_ERROR_INIT;
    size_t nbytes = p->ast->npipelines * n * RECORD;
    unsigned char *out = malloc(nbytes + 1);
    int one = 1, rc = out == NULL;
    e.layout = (struct layout){.dtype = type, .swap = *(char *)&one == 0, .stride_bytes = size};
    if (rc == 0 && evaluator_create(p, test_kernels(), &ev, &err) != 0)
        rc = fail("evaluator", err.message);
    for (size_t k = 0; k < n && rc == 0; k++) {
        e.first = k;
        rc = dump_element(ev, p, &e, data + k * size, n, out);
    }
    if (rc == 0 && (fwrite(out, 1, nbytes, stdout) != nbytes || fflush(stdout) != 0))
        rc = fail("standard output", "not written");
    evaluator_free(ev);
    free(out);
    return rc;
}

static int all_end_in_last(const struct program *p) {
    for (size_t i = 0; i < p->ast->npipelines; i++)
        if (p->pipelines[i].nreductions != 1 || p->pipelines[i].reductions[0].acc[ACC_LAST] < 0)
            return 0;
    return 1;
}

int main(int argc, char **argv) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *ast = NULL;
    struct program *p = NULL;
    enum dtype type;
    int big_endian, rc = 1;
    size_t nbytes = 0;
    if (argc != 4) return fail("usage", "dump_map DTYPE FILE PIPELINES");
    unsigned char *data = read_file(argv[2], &nbytes);
    if (data == NULL) return fail(argv[2], "cannot be read");
    if (dtype_parse(argv[1], strlen(argv[1]), &type, &big_endian, &err) != 0 ||
        onepass_program_parse(argv[3], strlen(argv[3]), &ast, &err) != 0 ||
        program_lower(ast, dtype_table[type].class, 0, &p, &err) != 0)
        fail("arguments", err.message);
    else if (!all_end_in_last(p))
        fail("pipeline", "must end in | last");
    else
        rc = dump(p, type, data, nbytes / dtype_table[type].itemsize);
    program_free(p);
    onepass_program_free(ast);
    free(data);
    return rc;
}
