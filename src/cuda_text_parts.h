/* What the files that write a kernel's text share. */
#ifndef CUDA_TEXT_PARTS_H
#define CUDA_TEXT_PARTS_H

#include "cuda_text.h"
#include "text.h"

/* The device type of a node's value: the cheapest that has it exactly. */
enum carrier {
    AS_F32,  /* float */
    AS_F64,  /* double */
    AS_INT,  /* int, |v| < 2^31 - 1 */
    AS_LONG, /* i64, |v| <= 2^53 */
    AS_WIDE, /* struct scalar */
    AS_MASK  /* bool */
};
extern const char *const carrier_names[];

struct node_text {
    uint8_t carrier;
    uint8_t wanted;
    double bound;   /* AS_INT, AS_LONG: largest magnitude */
    int32_t origin; /* itself, or the node whose lanes it takes: a NODE_COMPACT's */
};

/* A kind of sums: a struct of exact.cuh, exact_integers.cuh or fused_wide.cuh. */
struct sum_kind {
    const char *name;
    uint8_t may_fail;    /* a tile may be inexact; there is a second try then, and limbs */
    uint8_t anchored;    /* its members take an anchor */
    uint8_t binary64;    /* of values that no float has */
    const char *summand; /* the type that integers are converted to */
    unsigned registers;  /* between tiles and within one, as compilers were seen to need them */
};

/* An exact sum of a group. */
struct sum_text {
    size_t group;
    int32_t acc;
    int squares; /* of squares */
    const struct sum_kind *kind;
    size_t limbs_at; /* in the block's limbs, or in state words */
    size_t nlimbs;
};

/* How threads take elements. */
struct shape {
    int rolled;     /* element by element in a loop, read one at a time; else registers, unrolled */
    unsigned loads; /* a tile's, of 16 bytes or, with a stride, of an element */
    unsigned lanes; /* elements a load */
    int staged;     /* loads of the next tile go to shared memory meanwhile */
    unsigned blocks_per_sm;
};

struct kernel_text {
    struct text t;
    const struct program *p; /* compacted */
    const struct cuda_layout *layout;
    const struct cuda_variant *variant;
    struct node_text *nodes;
    struct sum_text *sums;
    size_t nsums;
    size_t nfailures;           /* bits: those of sums, then one a group for its infinities */
    size_t nlimbs, ninfinities; /* words; infinities: 2 a group that has books */
    int limbs_in_shared, infinities_in_shared; /* memory of the block, else state words */
    struct shape shape;
    int outlined; /* too many registers: accumulators in local memory, their methods are called */
};

static inline const struct node *node_at(const struct kernel_text *k, int32_t node) {
    return &k->p->nodes[node];
}

/* cuda_text_carriers.c: k->nodes, and what of nodes fits which carrier. */
void carriers_plan(struct kernel_text *k);
int is_floating(const struct kernel_text *k, int32_t node);
int fits_f32(const struct kernel_text *k, int32_t node); /* has a float every value of it? */
/* The cheapest carrier in which n values can be compared, or tested. */
enum carrier common_carrier(const struct kernel_text *k, const int32_t *arg, int n);

/* cuda_text_ops.c: an op's expression of arguments a, b, c carried so (AS_WIDE: its function), NULL if
 * it has none; the header that it needs beside fused.cuh, NULL: none; about how many instructions it
 * takes. */
const char *op_expression(int op, enum carrier as);
const char *op_header(int op);
unsigned op_cost(int op);

/* cuda_text_expressions.c: constants; ops and masks of arguments that are nodes (-1: none). */
void expression_write_literal(struct text *t, enum carrier as, const struct scalar *v);
void expression_write_op(struct kernel_text *k, const struct node *node, enum carrier as,
                         const int32_t arg[3]);
void expression_write_mask(struct kernel_text *k, const struct node *node, const int32_t arg[3]);

/* cuda_text_nodes.c: from the bits of an element to `struct values`; what it costs, in about
 * instructions. */
void nodes_write_includes(struct kernel_text *k);
void nodes_write_element(struct kernel_text *k);
void nodes_write_evaluate(struct kernel_text *k, int called);
unsigned nodes_cost(const struct kernel_text *k);

/* The group's value and predicate as members of `struct values o`: "o.v3", "o.m5"; "true" for every
 * element. */
#define MEMBER_TEXT 32
int32_t group_value(const struct kernel_text *k, const struct acc_group *g); /* origin, -1: none */
int32_t group_mask(const struct kernel_text *k, const struct acc_group *g);
const char *mask_text(int32_t mask, char out[MEMBER_TEXT]);

static inline const struct accumulator *acc_at(const struct kernel_text *k, int32_t acc) {
    return &k->p->accs[acc];
}

/* cuda_text_accumulators.c: k->sums; struct accumulators and begin(); costs in about instructions. */
int accumulators_plan(struct kernel_text *k); /* 0 or ONEPASS_NO_MEMORY */
void accumulators_write_struct(struct kernel_text *k);
void accumulators_write_begin(struct kernel_text *k);
unsigned accumulators_cost(const struct kernel_text *k);
unsigned accumulators_registers(const struct kernel_text *k);
int accumulators_have_binary64(const struct kernel_text *k); /* sums of such a kind */
int accumulators_have_squares(const struct kernel_text *k);
int accumulators_have_logs(const struct kernel_text *k);
/* Whether a block has so much shared memory left beside what accumulators take of it. */
int shared_memory_has_room(const struct kernel_text *k, size_t nbytes);
int group_has_sums(const struct kernel_text *k, size_t group);
int group_has_books(const struct kernel_text *k, size_t group); /* NaN and infinities are counted */
int group_keeps_nan_index(const struct kernel_text *k, size_t group);
/* Where a group with books counts infinities of a sign, in the block's words or in the state's. */
size_t group_infinities(const struct kernel_text *k, size_t group, int negative);

/* cuda_text_take.c: take(); whether a value counts in sums: it passes the mask and is of a kind
 * (is_finite; for a tile, which fails if it has an infinity, !is_nan); a look for infinities; a call of
 * the sum's add or add_again where `c` and the group's number is that condition. */
void take_write(struct kernel_text *k);
void take_write_condition(struct kernel_text *k, size_t group, const char *kind);
void take_write_look(struct kernel_text *k, size_t group);
void take_write_sum(struct kernel_text *k, const struct sum_text *s, const char *method);

/* cuda_text_tiles.c: struct failures and take_far(); begin_tile(); end_tile() and what tries again;
 * finish_tile(), after the loops of tiles_*.cuh. */
void tiles_write_far(struct kernel_text *k);
void tiles_write_begin(struct kernel_text *k);
void tiles_write_end(struct kernel_text *k);
void tiles_write_finish(struct kernel_text *k);

/* cuda_text_give.c: place_anchors(), carry(), flush() and EPOCH; the statements at the kernel's end. */
void give_write_flush(struct kernel_text *k);
void give_write(struct kernel_text *k);

#endif
