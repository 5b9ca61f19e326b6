/* Accumulator states: init, accumulate blocks, merge, serialise.  Every state is a commutative monoid:
 * merging in any order and any tree gives the same bytes. */
#ifndef STATE_H
#define STATE_H

#include <stddef.h>
#include <stdint.h>

#include "block_sums.h"
#include "exact.h"
#include "kept.h"
#include "kernels.h"
#include "product.h"
#include "program.h"
#include "scalar.h"

#define MAX_BLOCK  1024 /* elements of a block: a few registers of it stay in L1 */
#define MAX_STORED 4096 /* of a block that is accumulated as it is stored */

/* A block of n values of one node, and where they stand.  By storage: f64, or mag and neg.  Or, with
 * f64 NULL and stored not, the input's elements (or their magnitudes) as they are stored, one after the
 * other at any alignment, of a type that is exact in a binary64.  Only a group without values has a
 * mask (compact.h); those of bench_naive.c have both, for inexact accumulators only. */
struct block {
    size_t n;
    uint8_t type, storage; /* enum value_type, enum storage */
    const double *f64;
    const uint64_t *mag;
    const uint8_t *neg;
    const unsigned char *stored;
    enum dtype dtype;
    uint8_t swap, magnitude; /* stored in the other byte order; take |x| */
    const uint8_t *mask;     /* lanes to count, NULL: all; values are those of lanes that count */
    uint64_t index0;         /* index of lane 0, of the others index0 + lane ... */
    const uint64_t *index;   /* ... or these, when not NULL */
    uint8_t counts_up;       /* each lane's index is above that of the lane before */
};

static inline uint64_t block_index(const struct block *b, size_t lane) {
    return b->index != NULL ? b->index[lane] : b->index0 + lane;
}

struct acc_state {
    uint8_t kind;            /* enum accumulator_kind */
    uint64_t count;          /* COUNT NAN POSINF NEGINF NONZERO */
    struct kept kept;        /* MIN MAX ARGMIN ARGMAX FIRST LAST; NAN: index of the first */
    struct exact *exact;     /* S1 S2 */
    struct product *product; /* LOG */
};

/* How exact sums took a block (block_sums.h, block_stats.h): plain additions, one or two windows, bins
 * by exponent. */
enum { NLEVELS = 3 };

/* What the blocks of a group before this one were like. */
struct group_hint {
    uint8_t level;    /* at which the last sum was taken */
    uint8_t drop_nan; /* the last block had some */
    uint8_t left;     /* blocks until a lower level is tried again, */
    uint8_t wait;     /* and until then after the next failure */
    struct window_hint sums;
    double largest;    /* magnitude in the last block of binary32 statistics */
    uint8_t trip_left; /* blocks until one trip is tried again, */
    uint8_t trip_wait; /* and until then after the next failure */
};

struct state {
    const struct program *program; /* not owned */
    const struct kernels *kernels;
    double *scratch;          /* MAX_STORED values */
    struct group_hint *hints; /* by group */
    size_t naccs;
    struct acc_state *acc;    /* acc[k] belongs to program->accs[k] */
    uint64_t nelems;          /* elements read */
    int rounded;              /* whether an integer above 2^53 was rounded to binary64 */
    uint64_t levels[NLEVELS]; /* blocks that the exact sums took at each level, on a GPU tiles times
                               * sums; not serialised */
    uint32_t program_id;      /* CRC of what the accumulators are, so that only like states merge */

    /* Of an inexact program: takes all blocks; else NULL. */
    struct inexact_state *inexact;
};

/* CRC of what a program's accumulators are: states of the same one may merge. */
uint32_t state_program_id(const struct program *p);

int state_create(const struct program *p, const struct kernels *kernels, struct state **out,
                 onepass_error *err);
void state_free(struct state *s); /* accepts NULL */

/* Whether a value can be what an accumulator keeps. */
int state_is_candidate(const struct accumulator *what, const struct scalar *v);

/* Values [at, at + n) of a block in binary64, wide ones rounded: its own, or made in scratch. */
const double *block_values(const struct block *b, const struct kernels *kernels, size_t at, size_t n,
                           double *scratch);

/* Add a block of a group's values to all of its accumulators (accumulate.c). */
void state_add(struct state *s, const struct acc_group *group, const struct block *b);
/* Add `count` equal values at indices index0 .. index0 + count - 1 (constant extents: fill values). */
void state_add_repeated(struct acc_state *a, const struct accumulator *what, const struct scalar *v,
                        uint64_t count, uint64_t index0);

/* dst += src. Both of the same program. */
void state_merge(struct state *dst, struct state *src);

/* For partial states in files and other nodes' memory.  Serialised, little-endian: magic "1PST",
 * version u16, 0 u16, program_id u32, number of accumulators u32, nelems u64, rounded u64, the
 * accumulators in order, CRC-32 of all that. *out is the caller's, to be freed by free(). */
int state_store(struct state *s, unsigned char **out, size_t *nbytes, onepass_error *err);
/* Replaces s, which was created for the same program; damaged or foreign bytes, or sums that
 * no values have: ONEPASS_BAD_STATE. */
int state_load(struct state *s, const unsigned char *in, size_t nbytes, onepass_error *err);

#endif
