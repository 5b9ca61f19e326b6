/* Calls of ops: how many arguments there are, x put first where a whole stage leaves it out, where(c)
 * as a filter, calls that would reduce a constant, and clamp's limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser.h"
#include "program.h"

struct call {
    size_t name; /* token */
    int op;
    int nargs; /* given, perhaps more than an op takes */
    int32_t arg[3];
    int32_t low[3]; /* the lowest node that belongs to arg[k] */
    int uses_x;     /* in any argument */
    int is_whole;   /* the whole stage or post */
};

/* What an op with too many arguments, or with constant ones only, may have been meant for. */
struct remedy {
    int op;
    const char *too_many, *constant; /* hints, NULL: none of its own */
};
#define LOG_HINT   "write log2, log10, or log(x) / log(b) for another base b"
#define ROUND_HINT "round(x) rounds to integers; round(x * 100) / 100 keeps two digits"
static const struct remedy REMEDIES[] = {
    {OP_LOG, LOG_HINT, LOG_HINT},
    {OP_ROUND, ROUND_HINT, ROUND_HINT},
    {OP_MIN, "two at a time: min(min(x, 1), 2)", NULL},
    {OP_MAX, "two at a time: max(max(x, 1), 2)", NULL},
};

static const struct remedy *find_remedy(int op) {
    static const struct remedy NONE = {NOPS, NULL, NULL};
    for (size_t k = 0; k < sizeof REMEDIES / sizeof REMEDIES[0]; k++)
        if (REMEDIES[k].op == op) return &REMEDIES[k];
    return &NONE;
}

/* An op's arguments when it is called with all of them. */
static const char *full_usage(int op) {
    static const char *const ARGUMENTS[] = {"", "x", "a, b", "a, b, c"};
    if (op == OP_CLAMP) return "x, lo, hi";
    return op == OP_SELECT ? "c, a, b" : ARGUMENTS[op_table[op].nargs];
}

static int wrong_count(struct parser *p, const struct call *call) {
    const struct op_info *info = &op_table[call->op];
    FAIL(p, call->name, p->pos, "%s takes %d argument%s, %d given", info->name, info->nargs,
         info->nargs == 1 ? "" : "s", call->nargs);
    int can_reduce = is_reduction_at(p, call->name) && call->nargs == 1;
    if (can_reduce)
        error_hint(p->err, "%s(x, 1) is a map; the reduction is written '| %s'", info->name,
                   info->name);
    else if (call->nargs > info->nargs && find_remedy(call->op)->too_many != NULL)
        error_hint(p->err, "%s", find_remedy(call->op)->too_many);
    else if (info->nargs > 1)
        error_hint(p->err, "write '%s(%s)', or '%s' as a whole stage", info->name, full_usage(call->op),
                   op_usage(call->op));
    else
        error_hint(p->err, "write '%s(x)'", info->name);
    return -1;
}

static int constant_call(struct parser *p, const struct call *call) {
    struct quote shown = quote_tokens(p, call->name, p->pos);
    FAIL(p, call->name, p->pos, "'%s' does not use x: every element would be the same constant",
         shown.text);
    if (find_remedy(call->op)->constant != NULL)
        error_hint(p->err, "%s", find_remedy(call->op)->constant);
    else
        error_hint(p->err, "write '%s(%s)' with x among the arguments", op_table[call->op].name,
                   full_usage(call->op));
    return -1;
}

int constant_value(struct parser *p, int32_t low, int32_t root, struct scalar *out) {
    size_t n = (size_t)(root - low) + 1;
    struct ast_node *nodes = malloc(n * sizeof *nodes);
    if (nodes == NULL) return parser_no_memory(p);
    memcpy(nodes, p->program->nodes + low, n * sizeof *nodes);
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            nodes[k].arg[i] -= nodes[k].arg[i] < 0 ? 0 : low;
    int rc = program_constant(nodes, n, root - low, NULL, out, p->err);
    free(nodes);
    p->code = rc;
    return rc == 0 ? 0 : -1;
}

static int check_clamp(struct parser *p, const struct call *call) {
    const struct ast_node *nodes = p->program->nodes;
    struct scalar limit[2];
    if (nodes[call->arg[1]].uses_x || nodes[call->arg[2]].uses_x) return 0;
    for (int k = 0; k < 2; k++)
        if (constant_value(p, call->low[1 + k], call->arg[1 + k], &limit[k]) != 0)
            return p->code == ONEPASS_BAD_PIPELINE ? parser_span(p, call->name, p->pos) : -1;
    int order = scalar_compare(&limit[0], &limit[1]);
    if (order != 1) return 0;
    FAIL(p, call->name, p->pos, "clamp's lower limit is above its upper limit");
    error_hint(p->err, "write clamp(lo, hi) with lo <= hi");
    return -1;
}

/* Whether tokens [first, end) would come apart beside &&. */
static int binds_weaker_than_and(const struct parser *p, size_t first, size_t end) {
    for (size_t k = first; k < end; k++) {
        if (token_kind(p, k) == TOKEN_OPEN)
            k = closing(p, k);
        else if (token_kind(p, k) == TOKEN_QUESTION ||
                 (token_kind(p, k) == TOKEN_OPERATOR && token_is(p, k, "||")))
            return 1;
    }
    return 0;
}

/* 'where(a) && where(b)', also with 'and' or nothing between, shows where(a && b). */
static void hint_one_where(struct parser *p) {
    char joined[PROPOSAL_BYTES] = "";
    size_t at = p->segment, end = item_end(p, at), n = 0;
    while (at < end && token_is(p, at, "where") && token_kind(p, at + 1) == TOKEN_OPEN) {
        size_t close = closing(p, at + 1);
        int loose = binds_weaker_than_and(p, at + 2, close);
        int length = snprintf(joined + n, sizeof joined - n, "%s%s%s%s", n > 0 ? " && " : "",
                              loose ? "(" : "", quote_tokens(p, at + 2, close).text, loose ? ")" : "");
        if (length < 0 || (size_t)length >= sizeof joined - n) break;
        n += (size_t)length;
        at = close + 1;
        if (at + 1 < end && (token_is(p, at, "&&") || token_is(p, at, "and"))) at++;
    }
    if (at < end) joined[0] = '\0'; /* something else is there too */
    hint_proposal(p, "write ",
                  "where(c) stands between '|', all conditions in it: 'where(x > 0 && x < 1)'; or "
                  "select with where(c, a, b)",
                  "where(%s)", joined);
}

/* where(c) drops elements, where(c, a, b) selects; the node of c, or -1. */
static int32_t where_filter(struct parser *p, const struct call *call) {
    if (call->nargs != 1) {
        FAIL(p, call->name, p->pos, "where takes 1 or 3 arguments, %d given", call->nargs);
        error_hint(p->err, "where(c) drops the elements where c is 0; where(c, a, b) selects a or b");
    } else if (p->in_posts) {
        FAIL(p, call->name, p->pos, "where(c) drops elements: it cannot follow the reductions");
        error_hint(p->err, "put it before them, or select with where(c, a, b)");
    } else if (!call->is_whole) {
        FAIL(p, call->name, p->pos, "where(c) drops elements: it is a stage of its own");
        hint_one_where(p);
    } else {
        p->is_filter = 1;
        return call->arg[0];
    }
    return -1;
}

static int prepend_x(struct parser *p, struct call *call) {
    for (int k = call->nargs; k > 0; k--)
        call->arg[k] = call->arg[k - 1], call->low[k] = call->low[k - 1];
    call->arg[0] = call->low[0] = add_x(p, call->name);
    call->nargs++;
    return call->arg[0] < 0 ? -1 : 0;
}

static int32_t finish_call(struct parser *p, struct call *call) {
    int takes = op_table[call->op].nargs;
    if (call->op == OP_SELECT && call->nargs != takes) return where_filter(p, call);
    if (call->is_whole && !call->uses_x && call->nargs == takes) return constant_call(p, call);
    if (call->is_whole && !call->uses_x && call->nargs == takes - 1 && prepend_x(p, call) != 0)
        return -1;
    if (call->nargs != takes) return wrong_count(p, call);
    if (call->op == OP_CLAMP && check_clamp(p, call) != 0) return -1;
    return add_op(p, call->op, call->arg, call->name, p->pos);
}

static int parse_arguments(struct parser *p, struct call *call) {
    if (token_kind(p, p->pos) == TOKEN_CLOSE) return 0;
    for (;;) {
        int32_t low = (int32_t)p->program->nnodes, arg = parse_expression(p);
        if (arg < 0) return -1;
        if (call->nargs < 3) call->low[call->nargs] = low, call->arg[call->nargs] = arg;
        call->nargs++;
        call->uses_x |= p->program->nodes[arg].uses_x;
        if (token_kind(p, p->pos) != TOKEN_COMMA) return 0;
        p->pos++;
    }
}

int32_t parse_call(struct parser *p) {
    size_t name = p->pos, open = name + 1;
    struct call call = {name, op_at(p, name), 0, {-1, -1, -1}, {0, 0, 0}, 0, 0};
    if (call.op < 0) return name_error(p, name, PLACE_CALL);
    if (enter(p) != 0) return -1;
    p->pos = open + 1;
    if (parse_arguments(p, &call) != 0 || expect_close(p, open) != 0) return -1;
    p->depth--;
    call.is_whole = name == p->segment && ends_item(p, p->pos);
    return finish_call(p, &call);
}

int32_t parse_bare_op(struct parser *p, int op) {
    size_t name = p->pos++;
    if (op_table[op].nargs == 1) {
        int32_t x = add_x(p, name);
        return x < 0 ? -1 : add_op(p, op, &x, name, name + 1);
    }
    if (op == OP_SELECT)
        FAIL(p, name, name + 1, "where needs a condition");
    else
        FAIL(p, name, name + 1, "%s needs %d argument%s beside x", op_table[op].name,
             op_table[op].nargs - 1, op_table[op].nargs > 2 ? "s" : "");
    error_hint(p->err, "write '%s'", op == OP_SELECT ? "where(x > 0)" : op_usage(op));
    return -1;
}
