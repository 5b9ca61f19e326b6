/* apply ISA OP <IN >OUT: OP over binary64 of this machine's byte order.  IN is N values of the first
 * argument, then N of the second, then of the third, as many as the op has; OUT is the N results.  The
 * kernels are those of the instruction set ISA; "best": the best of this CPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "kernels.h"

#define BLOCK 1024

static int fail(const char *what, const char *why) {
    fprintf(stderr, "apply: %s: %s\n", what, why);
    return 1;
}

/* All of standard input; the caller frees. */
static double *read_values(size_t *nvalues) {
    size_t room = 1 << 16, have = 0, got;
    double *values = malloc(room * sizeof *values);
    while (values != NULL && (got = fread(values + have, sizeof *values, room - have, stdin)) > 0) {
        have += got;
        if (have < room) continue;
        double *more = realloc(values, 2 * room * sizeof *values);
        if (more == NULL) free(values);
        values = more, room *= 2;
    }
    *nvalues = have;
    return values;
}

static int find(const char *name) {
    for (int op = 0; op < NOPS; op++)
        if (strcmp(op_table[op].name, name) == 0) return op;
    return -1;
}

static int apply(map_kernel *kernel, size_t nargs, size_t n, const double *values) {
    static double out[BLOCK];
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK;
        const double *a = values + i, *b = nargs > 1 ? a + n : a, *c = nargs > 2 ? b + n : a;
        kernel(m, a, b, c, out);
        if (fwrite(out, sizeof *out, m, stdout) != m) return fail("standard output", "not written");
    }
    return fflush(stdout) == 0 ? 0 : fail("standard output", "not written");
}

int main(int argc, char **argv) {
    onepass_error err = ONEPASS_ERROR_INIT;
    const struct kernels *kernels;
    size_t nvalues = 0;
    if (argc != 3) return fail("usage", "apply ISA OP");
    int op = find(argv[2]);
    if (op < 0) return fail(argv[2], "no op");
    if (kernels_find(strcmp(argv[1], "best") == 0 ? NULL : argv[1], &kernels, &err) != 0)
        return fail(argv[1], err.message);
    double *values = read_values(&nvalues);
    if (values == NULL) return fail("standard input", "no memory");
    size_t nargs = (size_t)op_table[op].nargs;
    int rc = nvalues % nargs != 0 ? fail("standard input", "arguments of unlike lengths")
                                  : apply(kernels->maps->f64[op], nargs, nvalues / nargs, values);
    free(values);
    return rc;
}
