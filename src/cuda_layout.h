/* What a program's kernel keeps in device memory: 64-bit words, those of each accumulator in a row.
 *
 *   COUNT NONZERO POSINF NEGINF  1 word, a count
 *   NAN                          a count; the lowest index (all ones: none)
 *   S1, S2                       SUM_LIMBS, SQUARES_LIMBS signed limbs of radix 2^32; units 2^-1074,
 *                                2^-2148
 *   LOG                          LOG_LIMBS unsigned 32-bit limbs in words: two's complement of 256
 *                                bits, unit 2^-128, the last takes carries out and is ignored; then
 *                                zeros, signs, negatives
 *   MIN MAX of STORE_F64         1 word: the ordered key of the binary64 (kernels/keys.cuh), identity
 *                                first
 *   MIN MAX of STORE_WIDE,       a slot of SLOT_WORDS words a block: SLOT_VALID, SLOT_NEGATIVE; the
 *   ARGMIN ARGMAX FIRST LAST     value's bits (binary64 or magnitude); index
 *
 * and after them, 3 words: tiles of threads that the exact sums took at once, at the second try, and
 * by limbs, each sum for itself; 1 word: integers that were rounded.  All start as cuda_layout_init
 * says; a kernel only adds to them, so that they live across launches. */
#ifndef CUDA_LAYOUT_H
#define CUDA_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "../kernels/launch.h"
#include "program.h"
#include "state.h"

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
