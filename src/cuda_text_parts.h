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
    int32_t origin; /* the node itself, or the one that a NODE_COMPACT takes lanes of */
};

/* An exact sum of a group. */
struct sum_text {
    size_t group;
    int32_t acc;
    int squares;      /* of squares */
    const char *kind; /* struct of exact.cuh or fused_wide.cuh */
    int may_fail;     /* commit may */
    int has_again;
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
    size_t nfailures; /* bits: those of sums, then one a group for its infinities */
    int in_shared;    /* limbs */
    size_t nlimbs;
    struct shape shape;
    int outlined; /* too many registers: accumulators in local memory, their methods are called */
};

/* cuda_text_nodes.c: carriers of all nodes; the text of evaluate(); what an element costs, in about
 * instructions, and whether om_ functions are among them. */
void nodes_plan(struct kernel_text *k);
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
int is_floating(const struct kernel_text *k, int32_t node);

/* cuda_text_accumulators.c */
int accumulators_plan(struct kernel_text *k); /* 0 or ONEPASS_NO_MEMORY */
void accumulators_write_struct(struct kernel_text *k);
void accumulators_write_far(struct kernel_text *k);
void accumulators_write_take(struct kernel_text *k);
void accumulators_write_flush(struct kernel_text *k);
void accumulators_write_give(struct kernel_text *k);
unsigned accumulators_cost(const struct kernel_text *k);
unsigned accumulators_registers(const struct kernel_text *k);
int accumulators_have(const struct kernel_text *k, const char *kind); /* sums of a kind so named */
int accumulators_have_logs(const struct kernel_text *k);

#endif
