/* hash ISA N [FIRST [CUT [OP...]]]: a hash of the bits of the results of every op (or of those named),
 * one line "OP N HASH" each, over the elements FIRST .. FIRST+N-1 of math_inputs.h.
 * hash --fma: what a call of the C library's fma() takes, in ns.
 *
 * The kernels are those of the instruction set ISA ("best": the best of this CPU); 3 is the exit status
 * if this CPU lacks it.  They are called for blocks of 1 to 1024 elements, most of them below 68, with
 * arguments and result at unlike distances from an aligned address; CUT chooses among such ways to cut
 * the same elements into blocks, none of which may change the hash.  What a kernel writes outside its
 * block is an error. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "kernels.h"
#include "math_inputs.h"

#define LONGEST 1024
#define SHIFTS  8 /* distances from an aligned address, in elements */
#define GUARD   UINT64_C(0x7FF4BADBADBADBAD)

struct block {
    uint64_t first; /* element */
    size_t n;
    unsigned shift[4]; /* of the arguments and of the result */
};

static struct block cut_block(uint64_t first, uint64_t left, uint64_t cut) {
    uint64_t u = scramble(first ^ scramble(cut));
    size_t n = u & 3 ? 1 + (u >> 2) % 67 : 1 + (u >> 2) % LONGEST;
    struct block b = {first, n < left ? n : (size_t)left, {0}};
    for (int k = 0; k < 4; k++)
        b.shift[k] = (unsigned)(u >> (52 + 3 * k)) % SHIFTS;
    return b;
}

static int guards_are_whole(const double *out, const double *from, size_t n, size_t size) {
    for (const double *p = out; p < out + size; p++)
        if ((p < from || p >= from + n) && double_to_bits(*p) != GUARD) return 0;
    return 1;
}

/* The block's part of the hash, added to *hash; 0 if the kernel wrote outside the block. */
static int hash_block(map_kernel *kernel, int nargs, const struct block *b, uint64_t *hash) {
    static _Alignas(64) double args[3][LONGEST + SHIFTS], out[LONGEST + 2 * SHIFTS];
    const double *a[3];
    double *result = out + b->shift[3];
    size_t size = b->n + 2 * SHIFTS;
    for (int k = 0; k < 3; k++) {
        double *to = args[k < nargs ? k : 0] + b->shift[k < nargs ? k : 0];
        a[k] = to;
        for (size_t i = 0; i < b->n && k < nargs; i++)
            to[i] = math_input(b->first + i, (unsigned)k);
    }
    for (size_t i = 0; i < size; i++)
        out[i] = bits_to_double(GUARD);
    kernel(b->n, a[0], a[1], a[2], result);
    for (size_t i = 0; i < b->n; i++)
        *hash += hash_term(b->first + i, result[i]);
    return guards_are_whole(out, result, b->n, size);
}

static int hash_op(const struct kernels *kernels, int op, uint64_t first, uint64_t n, uint64_t cut) {
    uint64_t hash = 0;
    for (uint64_t done = 0; done < n;) {
        struct block b = cut_block(first + done, n - done, cut);
        if (!hash_block(kernels->maps->f64[op], op_table[op].nargs, &b, &hash)) {
            printf("%s: writes outside its block of %zu\n", op_table[op].name, b.n);
            return 1;
        }
        done += b.n;
    }
    printf("%s %" PRIu64 " %016" PRIx64 "\n", op_table[op].name, n, hash);
    return 0;
}

static int is_wanted(const char *name, char **names) {
    if (*names == NULL) return 1;
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0) return 1;
    return 0;
}

/* By a pointer that the compiler cannot see through, so that no instruction takes the call's place. */
static int print_fma_time(void) {
    double (*volatile function)(double, double, double) = fma;
    double x = 1.25, best = 1e9;
    for (int repetition = 0; repetition < 20; repetition++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int k = 0; k < 1000; k++)
            x = function(x, 0x1.23456789abcdfp-1, 0x1.fedcba987654fp-1);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double ns =
            (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) * 1e-3;
        if (ns < best) best = ns;
    }
    printf("%.1f\n", x > 0 ? best : 0);
    return 0;
}

int main(int argc, char **argv) {
    onepass_error err = ONEPASS_ERROR_INIT;
    const struct kernels *kernels;
    if (argc == 2 && strcmp(argv[1], "--fma") == 0) return print_fma_time();
    if (argc < 3) {
        fprintf(stderr, "usage: hash ISA N [FIRST [CUT [OP...]]]\n");
        return 2;
    }
    if (kernels_find(strcmp(argv[1], "best") == 0 ? NULL : argv[1], &kernels, &err) != 0) {
        printf("%s\n", err.message);
        return 3;
    }
    uint64_t n = strtoull(argv[2], NULL, 10);
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    uint64_t cut = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
    int failed = 0;
    for (int op = 0; op < NOPS; op++)
        if (is_wanted(op_table[op].name, argc > 5 ? argv + 5 : argv + argc))
            failed |= hash_op(kernels, op, first, n, cut);
    return failed;
}
