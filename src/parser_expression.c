/* Expressions: precedence climbing over the tokens, literals and constants.  Recursion goes through
 * enter(), which bounds it; chains of left-associative operators are loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "number.h"
#include "parser.h"
#include "program_text.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

static int32_t add_node(struct parser *p, struct ast_node *node, size_t first, size_t end) {
    struct onepass_program *program = p->program;
    if (program->nnodes == MAX_AST_NODES)
        return FAIL(p, first, end, "the pipeline is too large: more than %d operations and values",
                    MAX_AST_NODES);
    struct ast_node *grown = grow(program->nodes, program->nnodes, sizeof *grown);
    if (grown == NULL) return parser_no_memory(p);
    program->nodes = grown;
    grown[program->nnodes] = *node;
    return (int32_t)program->nnodes++;
}

static int32_t add_number(struct parser *p, const struct scalar *number, size_t token) {
    struct ast_node node = {AST_NUMBER, 0, 0, {-1, -1, -1}, *number};
    return add_node(p, &node, token, token + 1);
}

int32_t add_x(struct parser *p, size_t token) {
    struct ast_node node = {AST_X, 0, 1, {-1, -1, -1}, {0}};
    return add_node(p, &node, token, token + 1);
}

static int is_literal(const struct ast_node *node, uint64_t value) {
    return node->kind == AST_NUMBER && node->number.type == TYPE_INT && node->number.mag == value;
}

/* A power of literal 2 or 3 is a square or a cube. */
int32_t add_op(struct parser *p, int op, const int32_t *arg, size_t first, size_t end) {
    const struct ast_node *nodes = p->program->nodes;
    int is_power = op == OP_POW;
    if (is_power && is_literal(&nodes[arg[1]], 2)) op = OP_SQUARE;
    if (is_power && is_literal(&nodes[arg[1]], 3)) op = OP_CUBE;
    struct ast_node node = {AST_OP, (uint8_t)op, 0, {-1, -1, -1}, {0}};
    for (int k = 0; k < op_table[op].nargs; k++) {
        node.arg[k] = arg[k];
        node.uses_x |= nodes[arg[k]].uses_x;
    }
    return add_node(p, &node, first, end);
}

int enter(struct parser *p) {
    if (p->depth == MAX_NESTING)
        return FAIL(p, p->pos, p->pos + 1, "nested deeper than %d levels", MAX_NESTING);
    p->depth++;
    return 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

struct constant {
    const char *name;
    double value;
};
static const struct constant CONSTANTS[] = {
    {"pi", 0x1.921fb54442d18p+1}, {"inf", INFINITY}, {"nan", NAN}};
#define NCONSTANTS (sizeof CONSTANTS / sizeof CONSTANTS[0])

int is_constant_name(const char *name, size_t nbytes) {
    if (nbytes == 1 && name[0] == 'x') return 1;
    for (size_t k = 0; k < NCONSTANTS; k++)
        if (strlen(CONSTANTS[k].name) == nbytes && memcmp(CONSTANTS[k].name, name, nbytes) == 0)
            return 1;
    return 0;
}

static int bad_number(struct parser *p, size_t token, size_t used) {
    size_t nbytes;
    const char *text = token_text(p, token, &nbytes), *rest = text + used;
    struct quote shown = quote_tokens(p, token, token + 1);
    FAIL(p, token, token + 1, "'%s' is not a number", shown.text);
    int is_op = op_find(rest, nbytes - used) >= 0;
    if (used > 0 && !shown.cut && (used > 1 || text[0] != '0') &&
        (is_constant_name(rest, nbytes - used) || is_op))
        hint_proposal(p, "multiplication is written ", "multiplication is written '*'", "%.*s * %.*s%s",
                      (int)used, text, (int)(nbytes - used), rest, is_op ? "(x)" : "");
    else
        error_hint(p->err, "numbers look like 1, .5, 1e-3 or 0x1p-3");
    return -1;
}

static int32_t parse_number(struct parser *p) {
    struct scalar number;
    int overflow = 0;
    size_t at = p->pos++, nbytes;
    const char *text = token_text(p, at, &nbytes);
    size_t used = number_parse(text, nbytes, &number, &overflow);
    if (used != nbytes) return bad_number(p, at, used);
    if (overflow) {
        struct quote shown = quote_tokens(p, at, at + 1);
        FAIL(p, at, at + 1, "'%s' is beyond the range of binary64, about 1.8e308", shown.text);
        error_hint(p->err, "infinity is written inf");
        return -1;
    }
    return add_number(p, &number, at);
}

static int32_t parse_name(struct parser *p) {
    size_t at = p->pos;
    if (token_kind(p, at + 1) == TOKEN_OPEN) return parse_call(p);
    p->pos++;
    if (token_is(p, at, "x")) return add_x(p, at);
    for (size_t k = 0; k < NCONSTANTS; k++) {
        struct scalar value = {TYPE_F64, 0, 0, CONSTANTS[k].value};
        if (token_is(p, at, CONSTANTS[k].name)) return add_number(p, &value, at);
    }
    int is_whole = at == p->segment && ends_item(p, at + 1);
    return name_error(p, at, is_whole ? PLACE_STAGE : PLACE_OPERAND);
}

static int32_t parse_value(struct parser *p) {
    size_t open = p->pos;
    int kind = token_kind(p, open);
    if (kind == TOKEN_NUMBER) return parse_number(p);
    if (kind == TOKEN_NAME) return parse_name(p);
    if (kind != TOKEN_OPEN) return expected_value(p);
    if (enter(p) != 0) return -1;
    p->pos++;
    int32_t inner = parse_expression(p);
    if (inner < 0 || expect_close(p, open) != 0) return -1;
    p->depth--;
    return inner;
}

/* ---- operators ------------------------------------------------------------------------------- */

static const struct operator_info *operator_at(const struct parser *p, size_t token, int arity) {
    if (token_kind(p, token) != TOKEN_OPERATOR) return NULL;
    const char *name = operator_table[p->tokens[token].detail].name;
    for (size_t k = 0; k < noperators; k++)
        if (operator_table[k].arity == arity && strcmp(operator_table[k].name, name) == 0)
            return &operator_table[k];
    return NULL;
}

const struct operator_info *infix_at(const struct parser *p, size_t token) {
    return operator_at(p, token, 2);
}

static int32_t parse_unary(struct parser *p);

/* The exponent may have a sign, and binds to the right: 2^-x^2 is 2^(-(x^2)). */
static int32_t parse_power(struct parser *p) {
    size_t first = p->pos;
    int32_t arg[2] = {parse_value(p), -1};
    const struct operator_info *row = infix_at(p, p->pos);
    if (arg[0] < 0 || row == NULL || row->precedence != BIND_POWER) return arg[0];
    if (enter(p) != 0) return -1;
    p->pos++;
    arg[1] = parse_unary(p);
    if (arg[1] < 0) return -1;
    p->depth--;
    return add_op(p, row->op, arg, first, p->pos);
}

static int32_t parse_unary(struct parser *p) {
    size_t first = p->pos;
    const struct operator_info *row = operator_at(p, first, 1);
    if (row == NULL) return parse_power(p);
    if (enter(p) != 0) return -1;
    p->pos++;
    int32_t operand = parse_unary(p);
    if (operand < 0) return -1;
    p->depth--;
    return row->op == NOPS ? operand : add_op(p, row->op, &operand, first, p->pos);
}

/* An operand of a comparison: its nodes and its tokens. */
struct operand {
    int32_t low, root;
    size_t first, end;
};

#define LARGEST_NAN 64 /* nodes of a constant that is looked at: nobody writes nan in more */

static int is_nan(struct parser *p, const struct operand *o, int *yes) {
    const struct ast_node *root = &p->program->nodes[o->root];
    struct scalar value = root->number;
    *yes = 0;
    if (root->uses_x || o->root - o->low >= LARGEST_NAN) return 0;
    if (root->kind == AST_OP && constant_value(p, o->low, o->root, &value) != 0) return -1;
    *yes = value.type == TYPE_F64 && isnan(value.f);
    return 0;
}

/* 'x == nan' finds no NaN: it is 0 for all elements. */
static int note_nan(struct parser *p, int op, const struct operand *left, const struct operand *right) {
    int on_left, on_right;
    if (is_nan(p, left, &on_left) != 0 || is_nan(p, right, &on_right) != 0) return -1;
    if (!on_left && !on_right) return 0;
    const struct operand *other = on_left ? right : left;
    struct quote whole = quote_tokens(p, left->first, right->end),
                 part = quote_tokens(p, other->first, other->end);
    if (program_note(p->program, "'%s' is always %d, for NaN too; '%sisnan(%s)' tells what is NaN",
                     whole.text, op == OP_NE, op == OP_NE ? "!" : "", part.text) != 0)
        return parser_no_memory(p);
    return 0;
}

/* 'a < b < c', of which the second operator stands at a token, the first at another. */
static int chained(struct parser *p, size_t first, size_t one, size_t two) {
    struct quote a = quote_tokens(p, first, two), b = quote_tokens(p, one + 1, p->pos);
    FAIL(p, first, p->pos, "comparisons do not chain: '%s' is 0 or 1", a.text);
    hint_proposal(p, "write ", "two comparisons are joined by &&: '0 < x && x < 1'", "%s && %s", a.text,
                  b.text);
    return -1;
}

/* 'abs||sum' is two pipes with nothing between, not an or. */
static int is_pipes(const struct parser *p, size_t at) {
    size_t next = at + 1;
    if (!token_is(p, at, "||")) return 0;
    if (ends_item(p, next) || (token_kind(p, next) == TOKEN_OPERATOR && token_is(p, next, "||")))
        return 1;
    return (op_at(p, next) >= 0 || is_reduction_at(p, next)) && token_kind(p, next + 1) != TOKEN_OPEN;
}

static int32_t parse_binary(struct parser *p, int least) {
    size_t first = p->pos, last = 0;
    struct operand before = {.low = (int32_t)p->program->nnodes, .first = first}, behind;
    int compared = 0; /* precedence of the comparison that `left` is, whose operator stands at last */
    int32_t left = parse_unary(p);
    while (left >= 0) {
        const struct operator_info *row = infix_at(p, p->pos);
        if (row == NULL || row->precedence < least) break;
        size_t at = p->pos++;
        if (is_pipes(p, at)) return empty_stage(p, at);
        behind = (struct operand){.low = (int32_t)p->program->nnodes, .first = p->pos};
        int32_t arg[2] = {left, parse_binary(p, row->precedence + 1)};
        if (arg[1] < 0) return -1;
        if (compared == row->precedence) return chained(p, first, last, at);
        int compares = row->precedence == BIND_RELATION || row->precedence == BIND_EQUALITY;
        compared = compares ? row->precedence : 0;
        last = at;
        before.root = left, before.end = at, behind.root = arg[1], behind.end = p->pos;
        if (compares && note_nan(p, row->op, &before, &behind) != 0) return -1;
        left = add_op(p, row->op, arg, first, p->pos);
    }
    return left;
}

int32_t parse_expression(struct parser *p) {
    size_t first = p->pos;
    int32_t arg[3] = {parse_binary(p, BIND_OR), -1, -1};
    if (arg[0] < 0 || token_kind(p, p->pos) != TOKEN_QUESTION) return arg[0];
    size_t question = p->pos;
    if (enter(p) != 0) return -1;
    p->pos++;
    arg[1] = parse_expression(p);
    if (arg[1] < 0) return -1;
    if (token_kind(p, p->pos) != TOKEN_COLON) {
        if (!ends_item(p, p->pos) && token_kind(p, p->pos) != TOKEN_CLOSE) return unexpected(p);
        FAIL(p, question, question + 1, "'?' without ':'");
        error_hint(p->err, "write 'c ? a : b'");
        return -1;
    }
    p->pos++;
    arg[2] = parse_expression(p);
    if (arg[2] < 0) return -1;
    p->depth--;
    return add_op(p, OP_SELECT, arg, first, p->pos);
}
