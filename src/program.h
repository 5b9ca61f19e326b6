/* A program lowered for one class of input: typed SSA over blocks of values, and a deduplicated set of
 * accumulators over it.  Backends know these two things only. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "ast.h"
#include "dtype.h"
#include "ops.h"
#include "scalar.h"

/* What a node does: the ops of ops.def, then these. */
enum node_kind {
    NODE_INPUT = NOPS, /* the loaded elements */
    NODE_CONSTANT,
    NODE_TO_F64, /* a wide integer rounded to binary64; in a compacted program that is worth a note only
                    in the lanes that pass the mask arg[1] (-1: in all) */
    NODE_TO_TRUTH, /* the same where only zero or not matters, so that no rounding is worth a note */
    NODE_MASK,     /* lanes that pass the mask arg[0] (-1: all) and where(arg[1]), or, in a compacted
                      program, where `test` (enum op) of arg[1] and arg[2] holds */
    NODE_COMPACT   /* the lanes of arg[0] that pass the mask arg[1], side by side (compact.h) */
};

/* How a node's block lies in memory.  Integers known to fit are narrow: carried in a binary64.  An
 * integer op whose result is wide takes arguments of either. */
enum storage { STORE_F64, STORE_WIDE, STORE_MASK, NSTORAGES };

struct node {
    uint8_t kind;    /* enum op or enum node_kind */
    uint8_t type;    /* enum value_type; of masks TYPE_INT */
    uint8_t storage; /* enum storage */
    uint8_t test;    /* NODE_MASK: a FLAG or TRUTH op; 0: none */
    uint8_t own;     /* still a value of the file's own type */
    int32_t arg[3];  /* nodes, -1: none; always lower numbers */
    int32_t behind;  /* NODE_TO_F64: the mask it stands behind, -1: none.  Those behind different ones
                        are different nodes, each worth a note in its own lanes; so pipelines with
                        filters of their own share no map of wide integers */
    int32_t dense;   /* the mask whose lanes alone are here, side by side; -1: all lanes */
    int32_t reg;     /* register of its storage that holds its block, reused after the last use */
    struct scalar value; /* NODE_CONSTANT */
};

struct accumulator {
    uint8_t kind;       /* enum accumulator_kind */
    int32_t value;      /* node */
    int32_t mask;       /* node of STORE_MASK, -1: every element */
    uint8_t skip_nan;   /* ACC_FIRST, ACC_LAST: NaN are passed over (the others never take them) */
    uint8_t keep_index; /* ACC_NAN: the index of the first is wanted too */
};

/* The accumulators over one value and mask: a backend serves them in one trip over a block. */
struct acc_group {
    int32_t value, mask;        /* as those of the accumulators */
    int32_t dense;              /* as that of value */
    int32_t acc[NACCUMULATORS]; /* number in program.accs by kind, -1: not wanted */
};

struct lowered_reduction {
    const struct reduction_info *info;
    int32_t acc[NACCUMULATORS]; /* accumulator number by kind, -1 where not needed; ACC_SABS: of |x| */
};

struct lowered_pipeline {
    int32_t value, mask;                /* nodes that reach the reductions */
    int32_t nan, posinf, neginf, count; /* accumulators: the books */
    struct lowered_reduction *reductions;
    size_t nreductions;
};

struct program {
    const struct onepass_program *ast; /* not owned */
    enum value_class input_class;
    int skip_nan;
    struct node *nodes;
    size_t nnodes;
    int32_t nregs[NSTORAGES]; /* registers of MAX_BLOCK values each, by enum storage */
    struct accumulator *accs;
    size_t naccs;
    struct acc_group *groups; /* each accumulator is in one of them */
    size_t ngroups;
    struct lowered_pipeline *pipelines; /* ast->npipelines of them */
    int needs_index;                    /* some accumulator wants element indices */
    int rounded;                        /* an integer among the literals was rounded to binary64 */
    int inexact;                        /* states round (inexact.h): a row of a benchmark */
};

/* Lower for elements of a class; options: skip_nan.  Fails when the program is too large for a block
 * evaluator (MAX_NODES) or memory runs out. */
#define MAX_NODES 4096
int program_lower(const struct onepass_program *ast, enum value_class input_class, int skip_nan,
                  struct program **out, onepass_error *err);
void program_free(struct program *p); /* accepts NULL */

/* The class that values of both classes share (concatenation). */
enum value_class class_join(enum value_class a, enum value_class b);

/* Value of an expression tree without x (x NULL), or of a post with x = *x: lowering folds all of it by
 * the block kernels. */
int program_constant(const struct ast_node *nodes, size_t nnodes, int32_t root, const double *x,
                     struct scalar *out, onepass_error *err);

#endif
