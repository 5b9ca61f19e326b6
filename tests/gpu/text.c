/* Prints the text of a kernel: text PIPELINE DTYPE [swap] [strided] [fortran] [int] [skipnan]
 * [blocks=N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_text.h"
#include "parser.h"

static int fail(const char *what) {
    fprintf(stderr, "text: %s\n", what);
    return 1;
}

int main(int argc, char **argv) {
    onepass_error err = ONEPASS_ERROR_INIT;
    struct cuda_variant v = {.contiguous = 1};
    onepass_program *ast = NULL;
    struct program *p = NULL;
    struct cuda_layout layout;
    struct cuda_text out;
    int big, skip_nan = 0;
    unsigned blocks = 528;
    if (argc < 3)
        return fail("usage: text PIPELINE DTYPE [swap] [strided] [fortran] [int] [skipnan] [blocks=N]");
    if (dtype_parse(argv[2], strlen(argv[2]), &v.dtype, &big, &err) != 0) return fail(err.message);
    for (int i = 3; i < argc; i++) {
        v.swap |= strcmp(argv[i], "swap") == 0;
        v.contiguous &= strcmp(argv[i], "strided") != 0;
        v.fortran |= strcmp(argv[i], "fortran") == 0;
        v.integer_sums |= strcmp(argv[i], "int") == 0;
        skip_nan |= strcmp(argv[i], "skipnan") == 0;
        if (strncmp(argv[i], "blocks=", 7) == 0) blocks = (unsigned)strtoul(argv[i] + 7, NULL, 10);
    }
    if (onepass_program_parse(argv[1], strlen(argv[1]), &ast, &err) != 0) return fail(err.message);
    if (program_lower(ast, dtype_table[v.dtype].class, skip_nan, &p, &err) != 0)
        return fail(err.message);
    if (cuda_layout_make(p, blocks, &layout) != 0) return fail("no memory");
    if (cuda_text_make(p, &layout, &v, &out) != 0) return fail("no memory");
    fputs(out.text, stdout);
    fprintf(stderr, "/* %u elements a block and tile, %u blocks a multiprocessor */\n",
            out.tile_elements, out.blocks_per_sm);
    free(out.text);
    cuda_layout_free(&layout);
    program_free(p);
    onepass_program_free(ast);
    return 0;
}
