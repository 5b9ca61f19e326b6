/* The parsed pipeline text (LANGUAGE: onepass-pipeline(7)): expressions as trees in one array, and the
 * stages, reductions and posts of every pipeline.  Nothing here depends on the input's type.
 *
 * Trees can be as deep as they are large (1+1+1+...), so whoever walks one goes along the array, in
 * which children come before their parents, and does not recurse. */
#ifndef AST_H
#define AST_H

#include <stddef.h>
#include <stdint.h>

#include "onepass.h"
#include "ops.h"
#include "scalar.h"

enum ast_kind {
    AST_X, /* the value that reaches the stage; in a post, the scalar result */
    AST_NUMBER,
    AST_OP /* op applied to arg[0 .. op_table[op].nargs) */
};

struct ast_node {
    uint8_t kind;
    uint8_t op;           /* enum op */
    uint8_t uses_x;       /* x occurs in the tree below */
    int32_t arg[3];       /* nodes; children come before their parents; -1 where there is none */
    struct scalar number; /* AST_NUMBER: without a sign, which is OP_NEG */
};

/* One stage before the reductions: a map (x becomes the expression's value) or where(condition). */
struct ast_stage {
    int is_where;
    int32_t root; /* node */
};

struct ast_reduction {
    int reduction;      /* index in reduction_table */
    const char *column; /* with posts, not yet made unique */
    const char *name;   /* as written: "l1" stays l1; of `stats` each member */
};

struct ast_pipeline {
    char *text; /* canonical */
    struct ast_stage *stages;
    size_t nstages;
    struct ast_reduction *reductions;
    size_t nreductions;
    int32_t *posts; /* nodes, applied in order to every reduction's result */
    size_t nposts;
};

struct onepass_program {
    struct ast_node *nodes;
    size_t nnodes;
    struct ast_pipeline *pipelines;
    size_t npipelines;
    const char **columns; /* unique names of all results, in written order */
    size_t ncolumns;
    char **notes; /* remarks about the text */
    size_t nnotes;
    char **strings; /* owns the columns above and those of the reductions */
    size_t nstrings;
};

#endif
