/* The text of a program's CUDA kernel for one layout of elements: readable CUDA C++ that includes
 * kernels/fused.cuh and what it needs of onemath.h; `--explain=cuda` prints it. */
#ifndef CUDA_TEXT_H
#define CUDA_TEXT_H

#include "cuda_layout.h"
#include "dtype.h"
#include "program.h"

/* What a kernel depends on besides the program. */
struct cuda_variant {
    enum dtype dtype;
    uint8_t swap;         /* stored in the other byte order */
    uint8_t contiguous;   /* no stride */
    uint8_t fortran;      /* indices are those of a Fortran-ordered array */
    uint8_t integer_sums; /* no binary64 instruction where values are exact in a float */
};

struct cuda_text {
    char *text;             /* NUL-terminated, the caller's, to be freed by free() */
    unsigned tile_elements; /* that a block takes in one go: more blocks than that have nothing to do */
    unsigned blocks_per_sm; /* for which registers were limited */
};

/* 0 or ONEPASS_NO_MEMORY.  p is the program as lowered; layout is of it. */
int cuda_text_make(const struct program *p, const struct cuda_layout *layout,
                   const struct cuda_variant *variant, struct cuda_text *out);

/* What of a text comes behind the comment that names the program: programs that are the same in
 * machine code differ in that alone. */
const char *cuda_text_code(const char *text);

/* The headers that texts include, k = 0, 1, ...: embedded copies of kernels/ and src/ (NVRTC's header
 * arguments).  NULL name after the last. */
struct cuda_header {
    const char *name;
    const char *text;
};
extern const struct cuda_header cuda_headers[];

#endif
