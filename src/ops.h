/* The ops, operators and reductions of the language as enums and tables, from ops.def and
 * reductions.def: the one place that parser, evaluator, --list-ops and the manual take them from. */
#ifndef OPS_H
#define OPS_H

#include <stddef.h>
#include <stdint.h>

enum op {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) OP_##id,
#include "ops.def"
#undef OP
    NOPS
};

enum op_rule { RULE_F64, RULE_KEEP, RULE_ARMS, RULE_FLAG, RULE_TRUTH };
enum op_flags { OP_IS_OWN = 1 };

struct op_info {
    const char *name;
    int nargs;
    enum op_rule rule;
    int flags;
    const char *doc;
};
extern const struct op_info op_table[NOPS];

/* How strongly an operator binds; a call and brackets bind tightest. */
enum precedence {
    BIND_SELECT = 1, /* ?: */
    BIND_OR,
    BIND_AND,
    BIND_EQUALITY,
    BIND_RELATION,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_UNARY,
    BIND_POWER
};

/* One spelling of an operator with so many operands: '-' has two rows. */
struct operator_info {
    const char *name;  /* "<=" */
    int arity;         /* 1: before its operand, 2: between two, 3: ?: */
    int precedence;    /* enum precedence */
    int op;            /* enum op; NOPS: unary +, which does nothing */
    const char *usage; /* "a <= b" */
};
extern const struct operator_info operator_table[];
extern const size_t noperators;

/* What backends accumulate; a reduction is a finisher over some of them. */
enum accumulator_kind {
    ACC_COUNT, /* elements */
    ACC_NAN,   /* NaN: how many, and the first's index */
    ACC_POSINF,
    ACC_NEGINF,
    ACC_NONZERO, /* != 0, NaN included */
    ACC_S1,      /* exact sum of the finite values */
    ACC_S2,      /* exact sum of their squares */
    ACC_SABS,    /* exact sum of their magnitudes: lowered to ACC_S1 of abs(x), never in a program */
    ACC_LOG,     /* sum of log2|x|, zeros, signs */
    ACC_MIN,     /* of the values that are not NaN, -0 < +0 */
    ACC_MAX,
    ACC_ARGMIN, /* the same with the lowest index that has it */
    ACC_ARGMAX,
    ACC_FIRST, /* value at the lowest index, NaN included */
    ACC_LAST,
    NACCUMULATORS
};

struct finish_input;
struct finished;

struct reduction_info {
    const char *name;
    const char *alias_of; /* NULL: its own name */
    void (*finish)(const struct finish_input *in, struct finished *out);
    uint32_t needs; /* bit per enum accumulator_kind */
    const char *doc;
};
extern const struct reduction_info reduction_table[];
extern const size_t nreductions;

/* What `stats` stands for, in this order. */
extern const char *const stats_members[];
extern const size_t nstats_members;

/* Index in the table of a name (aliases included), or -1. */
int op_find(const char *name, size_t nbytes);        /* callable names only; "finite" finds isfinite */
int reduction_find(const char *name, size_t nbytes); /* "stats" is no row of the table */

/* How an op is written when it is a whole stage: "abs", "pow(b)", "clamp(lo, hi)". */
const char *op_usage(int op);

#endif
