/* The parser's look at single tokens, and what it says when one does not fit.  Names that do not fit
 * are parser_names.c's. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "canonical.h"
#include "parser.h"

int token_kind(const struct parser *p, size_t token) {
    return token < p->ntokens ? p->tokens[token].kind : TOKEN_END;
}

const char *token_text(const struct parser *p, size_t token, size_t *nbytes) {
    const struct token *t = &p->tokens[token];
    *nbytes = t->end - t->start;
    return p->text + t->start;
}

int token_is(const struct parser *p, size_t token, const char *spelling) {
    size_t nbytes;
    const char *text = token_text(p, token, &nbytes);
    return nbytes == strlen(spelling) && memcmp(text, spelling, nbytes) == 0;
}

int ends_item(const struct parser *p, size_t token) {
    int kind = token_kind(p, token);
    return kind == TOKEN_END || kind == TOKEN_PIPE || kind == TOKEN_SEMICOLON || kind == TOKEN_COMMA;
}

size_t item_end(const struct parser *p, size_t token) {
    long depth = 0;
    for (; token < p->ntokens && (depth > 0 || !ends_item(p, token)); token++)
        depth += (p->tokens[token].kind == TOKEN_OPEN) - (p->tokens[token].kind == TOKEN_CLOSE);
    return token;
}

size_t list_end(const struct parser *p, size_t token) {
    size_t end = item_end(p, token);
    while (token_kind(p, end) == TOKEN_COMMA)
        end = item_end(p, end + 1);
    return end;
}

struct quote quote_tokens(const struct parser *p, size_t first, size_t end) {
    struct quote q;
    size_t n = canonical_text(p->text, p->tokens, first, end, q.text, QUOTE_BYTES + 1);
    q.cut = n > QUOTE_BYTES;
    if (!q.cut) return q;
    size_t keep = QUOTE_BYTES;
    while (keep > 0 && ((unsigned char)q.text[keep - 1] & 0x80) != 0) /* no half of a character */
        keep--;
    memcpy(q.text + keep, "...", 4);
    return q;
}

size_t closing(const struct parser *p, size_t open) {
    size_t end = item_end(p, open);
    long depth = 0;
    for (size_t k = open; k < end; k++) {
        depth += (p->tokens[k].kind == TOKEN_OPEN) - (p->tokens[k].kind == TOKEN_CLOSE);
        if (depth == 0) return k;
    }
    return end;
}

int parser_span(struct parser *p, size_t first, size_t end) {
    size_t start = p->tokens[first].start;
    error_span(p->err, start, end > first ? p->tokens[end - 1].end : start);
    return -1;
}

int parser_no_memory(struct parser *p) {
    p->code = error_no_memory(p->err);
    return -1;
}

void hint_proposal(struct parser *p, const char *lead, const char *otherwise, const char *format, ...) {
    static const char REDUCED[] = "|sum";
    char text[PROPOSAL_BYTES + sizeof REDUCED];
    va_list args;
    if (p->err == NULL) return; /* so that a proposal makes no proposals */
    va_start(args, format);
    int n = vsnprintf(text, PROPOSAL_BYTES, format, args);
    va_end(args);
    int accepted = 0;
    if (n >= 0 && n < PROPOSAL_BYTES) {
        accepted = parser_accepts(p, text) || parser_accepts(p, strcat(text, REDUCED));
        text[n] = '\0';
    }
    if (p->code == ONEPASS_NO_MEMORY) return;
    if (accepted)
        error_hint(p->err, "%s'%s'", lead, text);
    else
        error_hint(p->err, "%s", otherwise);
}

static int is_printable(const unsigned char *s, size_t n) {
    if (n == 1) return s[0] >= 0x20 && s[0] < 0x7f;
    return s[0] != 0xc2 || s[1] >= 0xa0; /* U+0080 .. U+009F are controls */
}

/* 'x.abs()', 'abs(x).sum()': names of ours as methods; 0: something else. */
static int called_as_method(struct parser *p) {
    size_t dot = p->pos;
    int is_op = op_at(p, dot + 1) >= 0;
    if (dot == p->segment || !token_is(p, dot, ".") || (!is_op && !is_reduction_at(p, dot + 1)))
        return 0;
    struct quote before = quote_tokens(p, p->segment, dot), name = quote_tokens(p, dot + 1, dot + 2);
    int is_x = strcmp(before.text, "x") == 0;
    FAIL(p, dot, dot + 2, "'.%s' has no meaning in a pipeline", name.text);
    hint_proposal(p, "stages are joined by '|': ", "stages are joined by '|': 'abs | sum'", "%s%s%s%s",
                  is_x ? "" : before.text, is_x ? "" : " | ", name.text, is_op ? " | sum" : "");
    return -1;
}

static int bad_character(struct parser *p) {
    static const char HEX[] = "0123456789abcdef";
    char shown[4 * 4 + 1];
    size_t nbytes, n = 0;
    const unsigned char *s = (const unsigned char *)token_text(p, p->pos, &nbytes);
    int raw = is_printable(s, nbytes);
    for (size_t k = 0; k < nbytes; k++) {
        if (!raw) shown[n++] = '\\', shown[n++] = 'x', shown[n++] = HEX[s[k] >> 4];
        shown[n++] = raw ? (char)s[k] : HEX[s[k] & 15];
    }
    FAIL(p, p->pos, p->pos + 1, "unexpected character '%.*s'", (int)n, shown);
    error_hint(p->err, "a pipeline is made of names, numbers, brackets and "
                       "+ - * / ^ < <= > >= == != ! && || ? : , | ;");
    return -1;
}

/* A token that fits nowhere has a message of its own; 0: some other token. */
static int fits_nowhere(struct parser *p) {
    if (token_kind(p, p->pos) == TOKEN_BAD) return called_as_method(p) != 0 ? -1 : bad_character(p);
    if (token_kind(p, p->pos) != TOKEN_WRONG) return 0;
    size_t nbytes;
    const char *text = token_text(p, p->pos, &nbytes);
    FAIL(p, p->pos, p->pos + 1, "'%.*s' has no meaning in a pipeline", (int)nbytes, text);
    error_hint(p->err, "%s", wrong_table[p->tokens[p->pos].detail].instead);
    return -1;
}

int empty_stage(struct parser *p, size_t token) {
    if (token_is(p, token, "||"))
        FAIL(p, token, token + 1, "empty stage: '||' is the operator or, a pipe is one '|'");
    else
        FAIL(p, token, token + 1, "empty stage");
    error_hint(p->err, "something stands on either side of '|': 'abs | sum'");
    return -1;
}

/* Behind the value that starts at a token: a sign, a call, brackets, a name or a number, and powers. */
static size_t operand_end(const struct parser *p, size_t token) {
    for (;;) {
        if (token_kind(p, token) == TOKEN_OPERATOR) token++;
        if (token_kind(p, token) == TOKEN_NAME && token_kind(p, token + 1) == TOKEN_OPEN) token++;
        token = token_kind(p, token) == TOKEN_OPEN ? closing(p, token) + 1 : token + 1;
        if (token >= p->ntokens || !(token_is(p, token, "^") || token_is(p, token, "**"))) return token;
        token++;
    }
}

/* 'x mod 2 == 0' shows mod(x, 2) == 0. */
static void hint_infix(struct parser *p, const struct op_info *op) {
    size_t at = p->pos, end = item_end(p, at), behind = operand_end(p, at + 1);
    char otherwise[64 + QUOTE_BYTES];
    if (behind > end) behind = end;
    int is_signed = token_kind(p, at + 1) == TOKEN_OPERATOR;
    struct quote before = quote_tokens(p, p->segment, at);
    struct quote sign = quote_tokens(p, at + 1, at + 1 + (size_t)is_signed);
    struct quote operand = quote_tokens(p, at + 1 + (size_t)is_signed, behind);
    struct quote rest = quote_tokens(p, behind, end);
    snprintf(otherwise, sizeof otherwise, "arguments follow a name: '%s(x, 1)'", op->name);
    hint_proposal(p, "write ", otherwise, "%s(%s, %s%s)%s%s", op->name, before.text, sign.text,
                  operand.text, behind < end ? " " : "", rest.text);
}

/* The name of a stage or a reduction behind what is complete: 'x sum', or 'x min 3'. */
static void hint_joined(struct parser *p) {
    size_t at = p->pos;
    struct quote before = quote_tokens(p, p->segment, at), rest = quote_tokens(p, at, list_end(p, at));
    int op = op_at(p, at), is_infix = op >= 0 && op_table[op].nargs == 2 && at == p->segment + 1;
    if (is_infix && !ends_item(p, at + 1) && token_kind(p, at + 1) != TOKEN_OPEN)
        hint_infix(p, &op_table[op]);
    else
        hint_proposal(p, "stages are joined by '|': ", "stages are joined by '|'", "%s | %s",
                      before.text, rest.text);
}

/* 'min 3' is a map that lacks brackets, 'sum x' a reduction that takes no argument. */
static void hint_argument(struct parser *p) {
    size_t name = p->segment, end = item_end(p, name);
    struct quote called = quote_tokens(p, name, name + 1), rest = quote_tokens(p, p->pos, end);
    if (op_at(p, name) >= 0 && token_kind(p, p->pos) == TOKEN_NUMBER)
        hint_proposal(p, "arguments stand in brackets: ", "arguments stand in brackets", "%s(%s)",
                      called.text, rest.text);
    else
        error_hint(p->err, "reductions take no arguments: '%s' takes all elements that reach it",
                   called.text);
}

static void hint_operator(struct parser *p, const struct quote *found) {
    int kind = token_kind(p, p->pos);
    int is_name = kind == TOKEN_NAME;
    if (is_name && (is_reduction_at(p, p->pos) || op_at(p, p->pos) >= 0))
        hint_joined(p);
    else if (is_name && name_instead(p, p->pos) != NULL)
        error_hint(p->err, "%s", name_instead(p, p->pos));
    else if (p->pos == p->segment + 1 && is_reduction_at(p, p->segment) && !ends_item(p, p->pos))
        hint_argument(p);
    else if (is_name || kind == TOKEN_NUMBER || kind == TOKEN_OPEN)
        error_hint(p->err, "multiplication is written '*'");
    else if (kind == TOKEN_OPERATOR)
        error_hint(p->err, "'%s' stands before its value, not between two", found->text);
}

int unexpected(struct parser *p) {
    int kind = token_kind(p, p->pos);
    if (fits_nowhere(p) != 0) return -1;
    if (kind == TOKEN_CLOSE) return FAIL(p, p->pos, p->pos + 1, "')' closes no '('");
    if (kind == TOKEN_COLON) {
        FAIL(p, p->pos, p->pos + 1, "':' without '?'");
        error_hint(p->err, "write 'c ? a : b'");
        return -1;
    }
    struct quote before = quote_tokens(p, p->pos - 1, p->pos);
    struct quote found = quote_tokens(p, p->pos, p->pos + 1);
    FAIL(p, p->pos, p->pos + 1, "expected an operator, '|' or the end after '%s', found '%s'",
         before.text, found.text);
    hint_operator(p, &found);
    return -1;
}

int expected_value(struct parser *p) {
    int kind = token_kind(p, p->pos);
    if (fits_nowhere(p) != 0) return -1;
    if (p->pos > p->segment && kind != TOKEN_OPERATOR) {
        struct quote before = quote_tokens(p, p->pos - 1, p->pos);
        FAIL(p, p->pos - 1, p->pos, "expected a value after '%s'", before.text);
    } else if (kind == TOKEN_CLOSE) {
        return unexpected(p);
    } else {
        struct quote found = quote_tokens(p, p->pos, p->pos + 1);
        FAIL(p, p->pos, p->pos + 1, "expected a value, found '%s'", found.text);
    }
    error_hint(p->err,
               "a value is x, a number, pi, inf, nan, a call such as abs(x), or one in brackets");
    return -1;
}

int expect_close(struct parser *p, size_t open) {
    int kind = token_kind(p, p->pos);
    if (kind == TOKEN_CLOSE) {
        p->pos++;
        return 0;
    }
    if (kind == TOKEN_COMMA) {
        FAIL(p, p->pos, p->pos + 1, "',' in brackets that are no call");
        error_hint(p->err, "arguments follow a name: 'max(x, 1)'");
        return -1;
    }
    if (!ends_item(p, p->pos)) return unexpected(p);
    FAIL(p, open, open + 1, "'(' is never closed");
    if (kind == TOKEN_PIPE) error_hint(p->err, "a '|' cannot stand in brackets");
    return -1;
}
