/* The tables of ops, operators and reductions, looking names up in them, and the public list of both.
 * What the ops compute is in maps.c, how reductions finish in finish.c; binding and arity of names in a
 * pipeline are the parser's. */
#include "ops.h"

#include <string.h>

#include "finish.h"
#include "onepass.h"

#define OWN OP_IS_OWN
#define OP(id, name, nargs, rule, flags, integer, expression, doc)                                     \
    {name, nargs, RULE_##rule, flags, doc},
const struct op_info op_table[NOPS] = {
#include "ops.def"
};
#undef OP
#undef OWN

/* ** is a second spelling of ^; a literal power of 2 or 3 becomes square or cube in the parser. */
const struct operator_info operator_table[] = {
    {"^", 2, BIND_POWER, OP_POW, "a ^ b"},     {"**", 2, BIND_POWER, OP_POW, "a ** b"},
    {"-", 1, BIND_UNARY, OP_NEG, "-a"},        {"+", 1, BIND_UNARY, NOPS, "+a"},
    {"!", 1, BIND_UNARY, OP_NOT, "!a"},        {"*", 2, BIND_PRODUCT, OP_MUL, "a * b"},
    {"/", 2, BIND_PRODUCT, OP_DIV, "a / b"},   {"+", 2, BIND_SUM, OP_ADD, "a + b"},
    {"-", 2, BIND_SUM, OP_SUB, "a - b"},       {"<", 2, BIND_RELATION, OP_LT, "a < b"},
    {"<=", 2, BIND_RELATION, OP_LE, "a <= b"}, {">", 2, BIND_RELATION, OP_GT, "a > b"},
    {">=", 2, BIND_RELATION, OP_GE, "a >= b"}, {"==", 2, BIND_EQUALITY, OP_EQ, "a == b"},
    {"!=", 2, BIND_EQUALITY, OP_NE, "a != b"}, {"&&", 2, BIND_AND, OP_AND, "a && b"},
    {"||", 2, BIND_OR, OP_OR, "a || b"},       {"?:", 3, BIND_SELECT, OP_SELECT, "c ? a : b"},
};
const size_t noperators = sizeof operator_table / sizeof operator_table[0];

#define NEEDS(kind)                               (UINT32_C(1) << ACC_##kind)
#define RED(name, alias_of, finisher, needs, doc) {name, alias_of, finish_##finisher, needs, doc},
const struct reduction_info reduction_table[] = {
#include "reductions.def"
};
#undef RED
#undef NEEDS
const size_t nreductions = sizeof reduction_table / sizeof reduction_table[0];

#define STATS_DOC "count, nnan, ninf, min, max, mean, std, sum"
const char *const stats_members[] = {"count", "nnan", "ninf", "min", "max", "mean", "std", "sum"};
const size_t nstats_members = sizeof stats_members / sizeof stats_members[0];

struct op_alias {
    const char *name;
    enum op op;
    const char *doc;
};
static const struct op_alias OP_ALIASES[] = {
#define OP(id, name, nargs, rule, flags, integer, expression, doc)
#define OP_ALIAS(name, id, doc) {name, OP_##id, doc},
#include "ops.def"
#undef OP
#undef OP_ALIAS
};
#define NALIASES (sizeof OP_ALIASES / sizeof OP_ALIASES[0])

static int callable(const struct op_info *info) {
    return info->name[0] >= 'a' && info->name[0] <= 'z';
}

static int same_name(const char *a, const char *name, size_t nbytes) {
    return strlen(a) == nbytes && memcmp(a, name, nbytes) == 0;
}

int op_find(const char *name, size_t nbytes) {
    for (int k = 0; k < NOPS; k++)
        if (callable(&op_table[k]) && same_name(op_table[k].name, name, nbytes)) return k;
    for (size_t k = 0; k < NALIASES; k++)
        if (same_name(OP_ALIASES[k].name, name, nbytes)) return (int)OP_ALIASES[k].op;
    return -1;
}

int reduction_find(const char *name, size_t nbytes) {
    for (size_t k = 0; k < nreductions; k++)
        if (same_name(reduction_table[k].name, name, nbytes)) return (int)k;
    return -1;
}

/* ---- the public list ------------------------------------------------------------------------- */

#define USAGE_1(name)                                              name
#define USAGE_2(name)                                              name "(b)"
#define USAGE_3(name)                                              name "(b, c)"
#define OP(id, name, nargs, rule, flags, integer, expression, doc) USAGE_##nargs(name),
static const char *const STAGE_USAGE[NOPS] = {
#include "ops.def"
};
#undef OP

/* Where the names of the arguments say more than b and c. */
struct usage {
    enum op op;
    const char *usage;
};
static const struct usage SPECIAL_USAGES[] = {
    {OP_CLAMP, "clamp(lo, hi)"},
    {OP_SELECT, "where(c, a, b)"},
};

const char *op_usage(int op) {
    for (size_t k = 0; k < sizeof SPECIAL_USAGES / sizeof SPECIAL_USAGES[0]; k++)
        if ((int)SPECIAL_USAGES[k].op == op) return SPECIAL_USAGES[k].usage;
    return STAGE_USAGE[op];
}

static void fill(onepass_name *out, const char *group, const char *name, const char *usage,
                 const char *doc) {
    out->group = group, out->name = name, out->usage = usage, out->doc = doc;
}

/* The list_ functions: row *k of a group of the list, or 0 with the group's rows taken off *k. */
static int list_maps(size_t *k, onepass_name *out) {
    for (int op = 0; op < NOPS; op++) {
        const struct op_info *info = &op_table[op];
        if (!callable(info) || (*k)-- != 0) continue;
        fill(out, "map", info->name, op_usage(op), info->doc);
        return 1;
    }
    if ((*k)-- != 0) return 0;
    fill(out, "map", "where", "where(c)", "drops the elements where c is 0");
    return 1;
}

static int list_operators(size_t *k, onepass_name *out) {
    if (*k >= noperators) {
        *k -= noperators;
        return 0;
    }
    const struct operator_info *row = &operator_table[*k];
    const struct op_info *info = row->op == NOPS ? NULL : &op_table[row->op];
    fill(out, "operator", row->name, row->usage, info ? info->doc : "a itself");
    return 1;
}

static int list_reductions(size_t *k, onepass_name *out) {
    for (size_t i = 0; i < nreductions; i++) {
        const struct reduction_info *info = &reduction_table[i];
        if (info->alias_of || (*k)-- != 0) continue;
        fill(out, "reduction", info->name, info->name, info->doc);
        return 1;
    }
    if ((*k)-- != 0) return 0;
    fill(out, "reduction", "stats", "stats", STATS_DOC);
    return 1;
}

static int list_aliases(size_t *k, onepass_name *out) {
    for (size_t i = 0; i < NALIASES; i++) {
        const struct op_alias *alias = &OP_ALIASES[i];
        if ((*k)-- != 0) continue;
        fill(out, "alias", alias->name, alias->name, alias->doc);
        return 1;
    }
    for (size_t i = 0; i < nreductions; i++) {
        const struct reduction_info *info = &reduction_table[i];
        if (!info->alias_of || (*k)-- != 0) continue;
        fill(out, "alias", info->name, info->name, info->doc);
        return 1;
    }
    return 0;
}

int onepass_op(size_t k, onepass_name *out) {
    if (out->size < sizeof *out) return 0;
    return list_maps(&k, out) || list_operators(&k, out) || list_reductions(&k, out) ||
           list_aliases(&k, out);
}
