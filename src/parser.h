/* What the parser's files share:
 *   parser.c             pipelines, stages, lists of reductions, posts
 *   parser_expression.c  expressions
 *   parser_call.c        calls, and what a call that is a whole stage may leave out
 *   parser_names.c       what is wrong with a name
 *   parser_messages.c    what is wrong with any other token */
#ifndef PARSER_H
#define PARSER_H

#include <stddef.h>
#include <stdint.h>

#include "ast.h"
#include "error.h"
#include "lexer.h"

#define MAX_TEXT_BYTES (4u << 20)
#define MAX_NESTING    256 /* levels of brackets, prefix and right-associative operators */
#define MAX_AST_NODES  65536
#define MAX_RESULTS    4096 /* reductions over all pipelines */
#define QUOTE_BYTES    72   /* of the user's text in a message */
#define PROPOSAL_BYTES 384  /* of what to write instead, in a hint */

struct parser {
    const char *text;
    struct token *tokens;
    size_t ntokens;
    size_t pos;     /* the next token */
    size_t first;   /* the first token of the pipeline at hand, */
    size_t segment; /* and of its stage, list or post */
    int depth;
    int in_posts;  /* the reductions of this pipeline are behind */
    int is_filter; /* set by a whole stage where(c), whose node is c */
    struct onepass_program *program;
    int code; /* of the first error, 0: none */
    onepass_error *err;
};

/* Report the first error, which covers tokens [first, end); a printf format and its arguments follow.
 * The value is -1, so that `return FAIL(...)` fits every function of the parser: they return 0 (or a
 * node, >= 0) when good, -1 when p->code says what went wrong. */
#define FAIL(p, first, end, ...)                                                                       \
    ((p)->code = error_set((p)->err, ONEPASS_BAD_PIPELINE, __VA_ARGS__), parser_span(p, first, end))

/* ---- tokens, parser_messages.c --------------------------------------------------------------- */

int parser_span(struct parser *p, size_t first, size_t end);
int parser_no_memory(struct parser *p);

/* Kind of a token, TOKEN_END past the last. */
int token_kind(const struct parser *p, size_t token);
/* The token's text, and whether it is exactly that. */
const char *token_text(const struct parser *p, size_t token, size_t *nbytes);
int token_is(const struct parser *p, size_t token, const char *spelling);
/* Whether the token ends a stage, a reduction or a post. */
int ends_item(const struct parser *p, size_t token);
/* The end of the item that starts at a token: of its first ',' '|' or ';' outside brackets. */
size_t item_end(const struct parser *p, size_t token);
/* The end of the list of items, of one or more, that starts at a token. */
size_t list_end(const struct parser *p, size_t token);

/* The canonical text of tokens [first, end), cut to fit a message. */
struct quote {
    char text[QUOTE_BYTES + 4];
    int cut;
};
struct quote quote_tokens(const struct parser *p, size_t first, size_t end);
/* The ')' of the '(' at a token; item_end(p, open) if it is never closed. */
size_t closing(const struct parser *p, size_t open);

/* The hint "LEAD'TEXT'" of a text in printf's format, if that can be parsed, perhaps with a reduction
 * behind it; else the hint `otherwise`. */
void hint_proposal(struct parser *p, const char *lead, const char *otherwise, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Whether a text is a pipeline; memory that runs out becomes p's error. */
int parser_accepts(struct parser *p, const char *text);

/* The token at pos does not go on what is complete before it. */
int unexpected(struct parser *p);
/* The token at pos starts no value. */
int expected_value(struct parser *p);
/* Nothing stands before or behind a '|' (or what is taken for two of them). */
int empty_stage(struct parser *p, size_t token);
/* Step over the ')' of the '(' at a token. */
int expect_close(struct parser *p, size_t open);

/* ---- expressions, parser_expression.c -------------------------------------------------------- */

/* The expression at pos; its node. */
int32_t parse_expression(struct parser *p);
/* Nodes; tokens [first, end) are what they stand for. */
int32_t add_x(struct parser *p, size_t token);
int32_t add_op(struct parser *p, int op, const int32_t *arg, size_t first, size_t end);
/* One level deeper; p->depth-- leaves it. */
int enter(struct parser *p);
/* The infix operator at a token; NULL if there is none. */
const struct operator_info *infix_at(const struct parser *p, size_t token);

/* ---- calls, parser_call.c -------------------------------------------------------------------- */

/* The call at pos.  A call that is a whole stage may leave x out, and where(c) sets p->is_filter. */
int32_t parse_call(struct parser *p);
/* Value of a constant expression: of the nodes low .. root, which are all of it. */
int constant_value(struct parser *p, int32_t low, int32_t root, struct scalar *out);
/* op(x) for the bare name of an op at pos. */
int32_t parse_bare_op(struct parser *p, int op);

/* ---- names, parser_names.c ------------------------------------------------------------------- */

enum name_place {
    PLACE_STAGE,     /* alone between '|' */
    PLACE_REDUCTION, /* beside a reduction */
    PLACE_OPERAND,   /* in an expression */
    PLACE_CALL       /* before '(' */
};
/* Why the name at a token cannot stand there; always fails. */
int name_error(struct parser *p, size_t token, enum name_place place);

/* What a token is the name of; op_at gives an enum op or -1. */
int op_at(const struct parser *p, size_t token);
int is_reduction_at(const struct parser *p, size_t token); /* "stats" too */
int is_constant_name(const char *name, size_t nbytes);     /* x pi inf nan */
/* What to write instead of a name from elsewhere, as a hint; NULL. */
const char *name_instead(const struct parser *p, size_t token);

#endif
