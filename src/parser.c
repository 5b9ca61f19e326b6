/* From the pipeline text to an onepass_program: pipelines, stages, lists of reductions and posts, their
 * names and the notes.  Expressions are in parser_expression.c, the program's public face and its end
 * in program_text.c.
 *
 * A bare name of a reduction starts the list of reductions: min and max reduce when they are bare, so
 * no look ahead is needed to tell stages from reductions. */
#include "parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canonical.h"
#include "error.h"
#include "fp_guard.h"
#include "growing.h"
#include "program.h"
#include "program_text.h"

/* ---- reductions ------------------------------------------------------------------------------ */

static int is_bare_reduction(const struct parser *p, size_t token) {
    return is_reduction_at(p, token) && token_kind(p, token + 1) != TOKEN_OPEN;
}

/* Parts of a proposal, each behind its separator. */
struct parts {
    char text[PROPOSAL_BYTES];
    size_t n;
};

/* What `kind` joins among tokens [first, end). */
static void add_parts(const struct parser *p, size_t first, size_t end, int kind, struct parts *out) {
    while (first < end) {
        size_t stop = first;
        while (stop < end && token_kind(p, stop) != kind) /* none is in brackets */
            stop++;
        size_t room = sizeof out->text - out->n;
        int n = snprintf(out->text + out->n, room, "%s%s", kind == TOKEN_PIPE ? " | " : ", ",
                         quote_tokens(p, first, stop).text);
        out->n += n < 0 || (size_t)n >= room ? room - 1 : (size_t)n;
        first = stop + 1;
    }
}

/* Item [first, end) of a list is a map: show the pipeline with the map before the list. */
static int map_in_list(struct parser *p, size_t first, size_t end) {
    struct parts stages = {"", 0}, list = {"", 0}, posts = {"", 0};
    size_t last = list_end(p, end), pipeline_end = last;
    FAIL(p, first, end, "a map stands beside a reduction: only reductions form a list");
    while (token_kind(p, pipeline_end) == TOKEN_PIPE)
        pipeline_end = item_end(p, pipeline_end + 1);
    add_parts(p, p->first, p->segment, TOKEN_PIPE, &stages);
    add_parts(p, first, end, TOKEN_PIPE, &stages);
    if (first > p->segment) add_parts(p, p->segment, first - 1, TOKEN_COMMA, &list);
    add_parts(p, end + 1, last, TOKEN_COMMA, &list);
    add_parts(p, last + 1, pipeline_end, TOKEN_PIPE, &posts);
    hint_proposal(p, "maps come first: ", "maps come first: 'abs | sum'", "%s | %s%s",
                  stages.text + strlen(" | "), list.text + strlen(", "), posts.text);
    return -1;
}

/* What stands at pos in a list is no bare reduction. */
static int bad_list_item(struct parser *p) {
    size_t at = p->pos, nbytes;
    if (ends_item(p, at)) {
        FAIL(p, at - 1, at, "expected a reduction after ','");
        error_hint(p->err, "write 'sum, mean'");
        return -1;
    }
    if (token_kind(p, at) == TOKEN_NAME) {
        const char *name = token_text(p, at, &nbytes);
        int called = token_kind(p, at + 1) == TOKEN_OPEN, is_op = op_at(p, at) >= 0;
        if (called && !is_op && is_reduction_at(p, at)) return name_error(p, at, PLACE_CALL);
        if (!is_op && !is_constant_name(name, nbytes)) return name_error(p, at, PLACE_REDUCTION);
    }
    size_t end = item_end(p, at);
    for (size_t k = at; k < end; k++) { /* a mistake within counts more than the place */
        if (token_kind(p, k) != TOKEN_WRONG && token_kind(p, k) != TOKEN_BAD) continue;
        p->pos = k;
        return unexpected(p);
    }
    return map_in_list(p, at, end);
}

static int add_reduction(struct parser *p, struct ast_pipeline *pl, size_t token, const char *name,
                         size_t nbytes) {
    int reduction = reduction_find(name, nbytes);
    for (size_t k = 0; k < pl->nreductions; k++) {
        if (pl->reductions[k].reduction != reduction) continue;
        FAIL(p, token, token + 1, "'%.*s' appears twice in one pipeline", (int)nbytes, name);
        error_hint(p->err,
                   "once is enough; stats stands for count, nnan, ninf, min, max, mean, std, sum");
        return -1;
    }
    if (p->program->ncolumns == MAX_RESULTS)
        return FAIL(p, token, token + 1, "more than %d results", MAX_RESULTS);
    struct ast_reduction *grown = grow(pl->reductions, pl->nreductions, sizeof *grown);
    if (grown == NULL) return parser_no_memory(p);
    pl->reductions = grown;
    grown[pl->nreductions++] = (struct ast_reduction){reduction, NULL, reduction_table[reduction].name};
    p->program->ncolumns++;
    return 0;
}

static int add_named_reduction(struct parser *p, struct ast_pipeline *pl, size_t token) {
    size_t nbytes;
    const char *name = token_text(p, token, &nbytes);
    if (!token_is(p, token, "stats")) return add_reduction(p, pl, token, name, nbytes);
    for (size_t k = 0; k < nstats_members; k++)
        if (add_reduction(p, pl, token, stats_members[k], strlen(stats_members[k])) != 0) return -1;
    return 0;
}

/* What follows a reduction in its list and ends none. */
static int after_reduction(struct parser *p) {
    size_t at = p->pos;
    int kind = token_kind(p, at);
    if (kind == TOKEN_OPERATOR && token_is(p, at, "||")) return empty_stage(p, at);
    if (kind == TOKEN_OPERATOR || kind == TOKEN_QUESTION) return name_error(p, at - 1, PLACE_OPERAND);
    if (!is_reduction_at(p, at)) return unexpected(p);
    struct quote one = quote_tokens(p, at - 1, at), two = quote_tokens(p, at, at + 1);
    FAIL(p, at, at + 1, "expected ',' '|' or the end after '%s', found '%s'", one.text, two.text);
    hint_proposal(p, "write ", "',' stands between reductions: 'sum, mean'", "%s, %s", one.text,
                  two.text);
    return -1;
}

static int reduces_again(struct parser *p, const struct ast_pipeline *pl) {
    struct quote name = quote_tokens(p, p->pos, p->pos + 1);
    FAIL(p, p->pos, p->pos + 1, "a reduction follows a reduction: only one result would reach '%s'",
         name.text);
    hint_proposal(p, "reductions stand side by side: ", "reductions stand side by side: 'sum, mean'",
                  "%s, %s", pl->reductions[0].name, name.text);
    return -1;
}

static int parse_reductions(struct parser *p, struct ast_pipeline *pl) {
    for (;;) {
        if (!is_bare_reduction(p, p->pos)) return bad_list_item(p);
        if (add_named_reduction(p, pl, p->pos++) != 0) return -1;
        if (!ends_item(p, p->pos)) return after_reduction(p);
        if (token_kind(p, p->pos) != TOKEN_COMMA) break;
        p->pos++;
    }
    p->in_posts = 1;
    return 0;
}

/* ---- stages and posts ------------------------------------------------------------------------ */

static int add_post(struct parser *p, struct ast_pipeline *pl, int32_t root) {
    int32_t *grown = grow(pl->posts, pl->nposts, sizeof *grown);
    if (grown == NULL) return parser_no_memory(p);
    pl->posts = grown;
    grown[pl->nposts++] = root;
    return 0;
}

static int add_stage(struct parser *p, struct ast_pipeline *pl, int32_t root) {
    struct ast_stage *grown = grow(pl->stages, pl->nstages, sizeof *grown);
    if (grown == NULL) return parser_no_memory(p);
    pl->stages = grown;
    grown[pl->nstages++] = (struct ast_stage){p->is_filter, root};
    return 0;
}

/* A ',' behind a stage or post. */
static int bad_list(struct parser *p) {
    size_t comma = p->pos, next = comma + 1;
    if (p->in_posts) {
        FAIL(p, comma, comma + 1, "',' between posts: each post applies to every result");
        error_hint(p->err, "posts are joined by '|'");
        return -1;
    }
    if (is_bare_reduction(p, next)) return map_in_list(p, p->segment, comma);
    FAIL(p, comma, comma + 1, "',' between stages: only reductions form a list");
    error_hint(p->err, "stages are joined by '|': 'abs | sqrt | sum, mean'");
    return -1;
}

static int parse_stage(struct parser *p, struct ast_pipeline *pl) {
    int op = op_at(p, p->pos);
    p->is_filter = 0;
    int32_t root = op >= 0 && ends_item(p, p->pos + 1) ? parse_bare_op(p, op) : parse_expression(p);
    if (root < 0) return -1;
    if (!ends_item(p, p->pos)) return unexpected(p);
    if (token_kind(p, p->pos) == TOKEN_COMMA) return bad_list(p);
    return p->in_posts ? add_post(p, pl, root) : add_stage(p, pl, root);
}

/* ---- pipelines ------------------------------------------------------------------------------- */

static int is_condition(int op) {
    return op_table[op].rule == RULE_FLAG || op_table[op].rule == RULE_TRUTH;
}

/* 'x>0|count' counts all elements, which may not be what was meant; tokens [first, end) are the last
 * stage before the reductions. */
static int note_count(struct parser *p, const struct ast_pipeline *pl, size_t first, size_t end) {
    if (pl->nstages == 0 || pl->stages[pl->nstages - 1].is_where) return 0;
    const struct ast_node *root = &p->program->nodes[pl->stages[pl->nstages - 1].root];
    if (root->kind != AST_OP || !is_condition(root->op)) return 0;
    for (size_t k = 0; k < pl->nreductions; k++) {
        if (strcmp(pl->reductions[k].name, "count") != 0) continue;
        struct quote stage = quote_tokens(p, first, end);
        const char *x = end - first == 1 ? "(x)" : "";
        if (program_note(
                p->program,
                "'%s | count' counts all elements; 'where(%s%s) | count' counts those that pass, "
                "as does 'nonzero' in place of 'count'",
                stage.text, stage.text, x) != 0)
            return parser_no_memory(p);
    }
    return 0;
}

static int no_reduction(struct parser *p, size_t first) {
    struct quote text = quote_tokens(p, first, p->pos), last = quote_tokens(p, p->segment, p->pos);
    FAIL(p, first, p->pos, "pipeline '%s' has no reduction", text.text);
    if (is_reduction_at(p, p->segment)) /* min(3) */
        error_hint(p->err, "'%s' is a map; the reduction is written without brackets", last.text);
    else
        error_hint(p->err, "end it with one or more: '%s|sum,mean'", text.cut ? "abs" : text.text);
    return -1;
}

static int parse_segment(struct parser *p, struct ast_pipeline *pl) {
    size_t at = p->segment = p->pos;
    int kind = token_kind(p, at), is_reduction = is_bare_reduction(p, at);
    if (kind == TOKEN_PIPE || (kind == TOKEN_OPERATOR && token_is(p, at, "||")))
        return empty_stage(p, at);
    if (kind == TOKEN_END || kind == TOKEN_SEMICOLON) return empty_stage(p, at - 1);
    if (is_reduction && p->in_posts && ends_item(p, at + 1)) return reduces_again(p, pl);
    return is_reduction && !p->in_posts ? parse_reductions(p, pl) : parse_stage(p, pl);
}

static int parse_pipeline(struct parser *p, struct ast_pipeline *pl) {
    size_t first = p->first = p->pos, stage = first, stage_end = first, list_end = first;
    p->in_posts = 0;
    for (;;) {
        int was_in_posts = p->in_posts;
        if (parse_segment(p, pl) != 0) return -1;
        if (!p->in_posts) stage = p->segment, stage_end = p->pos;
        if (p->in_posts && !was_in_posts) list_end = p->pos;
        if (token_kind(p, p->pos) != TOKEN_PIPE) break;
        p->pos++;
    }
    if (!p->in_posts) return no_reduction(p, first);
    if (program_name_pipeline(p->program, pl, p->text, p->tokens, first, list_end, p->pos) != 0)
        return parser_no_memory(p);
    return note_count(p, pl, stage, stage_end);
}

static int empty_pipeline(struct parser *p) {
    FAIL(p, p->pos, p->pos + (p->pos < p->ntokens), "empty pipeline");
    error_hint(p->err, "write something like 'abs | sum'");
    return -1;
}

static int parse_program(struct parser *p) {
    struct onepass_program *program = p->program;
    do {
        int kind = token_kind(p, p->pos);
        if (kind == TOKEN_END || kind == TOKEN_SEMICOLON) return empty_pipeline(p);
        struct ast_pipeline *grown = grow(program->pipelines, program->npipelines, sizeof *grown);
        if (grown == NULL) return parser_no_memory(p);
        program->pipelines = grown;
        memset(&grown[program->npipelines], 0, sizeof *grown);
        if (parse_pipeline(p, &grown[program->npipelines++]) != 0) return -1;
    } while (token_kind(p, p->pos++) == TOKEN_SEMICOLON && token_kind(p, p->pos) != TOKEN_END);
    return program_name_columns(program) != 0 ? parser_no_memory(p) : 0;
}

/* An upper bound of the nodes that lowering makes: of an op three conversions and itself, of a where
 * its truth and its mask, of a reduction |x|, and the input. */
static size_t most_nodes(const struct onepass_program *program) {
    size_t n = 1 + 4 * program->nnodes;
    for (size_t k = 0; k < program->npipelines; k++)
        n += 2 * program->pipelines[k].nstages + 2 * program->pipelines[k].nreductions;
    return n;
}

/* Too large for a block evaluator?  Better known before an input is opened. */
static int check_size(struct parser *p, size_t nbytes) {
    if (most_nodes(p->program) <= MAX_NODES) return 0;
    for (int class = CLASS_F64; class <= CLASS_WIDE && p->code == 0; class ++) {
        struct program *lowered = NULL;
        p->code = program_lower(p->program, (enum value_class) class, 0, &lowered, p->err);
        program_free(lowered);
    }
    if (p->code == ONEPASS_BAD_PIPELINE) error_span(p->err, 0, nbytes);
    return p->code;
}

static int parse_text(struct parser *p, size_t nbytes) {
    if (nbytes > MAX_TEXT_BYTES)
        return p->code = error_set(p->err, ONEPASS_BAD_PIPELINE,
                                   "the pipeline text is longer than %u bytes", MAX_TEXT_BYTES);
    p->program = calloc(1, sizeof *p->program);
    if (p->program == NULL || lexer_tokens(p->text, nbytes, &p->tokens, &p->ntokens) != 0)
        parser_no_memory(p);
    else if (parse_program(p) == 0)
        check_size(p, nbytes);
    free(p->tokens);
    return p->code;
}

int parser_accepts(struct parser *p, const char *text) {
    struct parser other = {.text = text};
    int rc = parse_text(&other, strlen(text));
    onepass_program_free(other.program);
    if (rc == ONEPASS_NO_MEMORY) parser_no_memory(p);
    return rc == 0;
}

int onepass_program_parse(const char *text, size_t nbytes, onepass_program **out, onepass_error *err) {
    struct parser p = {.text = text, .err = err};
    fenv_t host;
    *out = NULL;
    int rc = fp_guard_enter(&host, err); /* constants are folded */
    if (rc != 0) return rc;
    rc = parse_text(&p, nbytes);
    fp_guard_leave(&host);
    if (rc == 0)
        *out = p.program;
    else
        onepass_program_free(p.program);
    return rc;
}
