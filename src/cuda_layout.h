/* What a program's kernel keeps in device memory: 64-bit words, those of each accumulator in a row.
 *
 *   COUNT NONZERO POSINF NEGINF  1 word, a count
 *   NAN                          a count; the lowest index (all ones: none)
 *   S1, S2                       CUDA_SUM_LIMBS, CUDA_SQUARES_LIMBS signed limbs of radix 2^32, units
 *                                2^-1074 and 2^-2148
 *   LOG                          8 + 1 unsigned 32-bit limbs in words (two's complement of 256 bits,
 * unit 2^-128, the last takes carries out and is ignored), zeros, signs, negatives MIN MAX of STORE_F64
 * 1 word: the ordered key of the binary64 (cuda_key), identity first MIN MAX of STORE_WIDE, ARGMIN
 * ARGMAX FIRST LAST     a slot of CUDA_SLOT words a block: 1 valid + 2 negative, the value's bits
 * (binary64 or magnitude), index and after them: blocks by level of the exact sums (3 words), integers
 * that were rounded (1 word). All start as cuda_layout_init says; a kernel only adds to them, so that
 * they live across launches. */
#ifndef CUDA_LAYOUT_H
#define CUDA_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "program.h"
#include "state.h"

#define CUDA_SUM_LIMBS     74
#define CUDA_SQUARES_LIMBS 146
#define CUDA_LOG_WORDS     12
#define CUDA_SLOT          3

struct cuda_layout {
    size_t nwords;
    size_t *at;      /* by accumulator: its first word */
    size_t levels;   /* the first of NLEVELS words */
    size_t rounded;  /* one word: not 0 if an integer above 2^53 was rounded */
    unsigned blocks; /* most of a launch: slots */
};

/* 0 or ONEPASS_NO_MEMORY. */
int cuda_layout_make(const struct program *p, unsigned blocks, struct cuda_layout *out);
void cuda_layout_free(struct cuda_layout *layout);

/* words[0 .. nwords) of a state that has seen nothing. */
void cuda_layout_init(const struct program *p, const struct cuda_layout *layout, uint64_t *words);

/* Adds what a device accumulated of nelems elements to a state of the same program. */
void cuda_layout_add(const struct program *p, const struct cuda_layout *layout, const uint64_t *words,
                     uint64_t nelems, struct state *s);

#endif
