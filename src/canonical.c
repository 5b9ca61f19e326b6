/* Canonical text of tokens, for names of results, records and hints.  Spellings of names and numbers
 * stay as they were written. */
#include "canonical.h"

#include <string.h>

void canonical_begin(struct canonical *c, const char *text, const struct token *tokens, char *out,
                     size_t size) {
    memset(c, 0, sizeof *c);
    c->text = text, c->tokens = tokens, c->out = out, c->size = size;
    if (size > 0) out[0] = '\0';
}

void canonical_bytes(struct canonical *c, const char *bytes, size_t nbytes) {
    if (c->n + 1 < c->size) {
        size_t room = c->size - 1 - c->n, copied = nbytes < room ? nbytes : room;
        memcpy(c->out + c->n, bytes, copied);
        c->out[c->n + copied] = '\0';
    }
    c->n += nbytes;
}

static int ends_operand(int kind) {
    return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_CLOSE;
}

static int starts_operand(int kind) {
    return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_OPEN;
}

/* An operator between operands, as opposed to one before its operand. */
static int is_infix(const struct canonical *c, size_t token) {
    int kind = c->tokens[token].kind;
    if (kind == TOKEN_QUESTION || kind == TOKEN_COLON) return 1;
    return kind == TOKEN_OPERATOR && token > 0 && ends_operand(c->tokens[token - 1].kind);
}

static int needs_blank(const struct canonical *c, size_t token) {
    int kind = c->tokens[token].kind, before = c->tokens[c->previous].kind;
    if (!c->started) return 0;
    if (is_infix(c, token) || is_infix(c, c->previous)) return 1;
    if (before == TOKEN_COMMA) return c->depth > 0;
    int is_call = before == TOKEN_NAME && kind == TOKEN_OPEN;
    return ends_operand(before) && starts_operand(kind) && !is_call; /* only in texts with errors */
}

void canonical_token(struct canonical *c, size_t token) {
    const struct token *t = &c->tokens[token];
    if (needs_blank(c, token)) canonical_bytes(c, " ", 1);
    canonical_bytes(c, c->text + t->start, t->end - t->start);
    if (t->kind == TOKEN_OPEN) c->depth++;
    if (t->kind == TOKEN_CLOSE) c->depth--;
    c->previous = token;
    c->started = 1;
}

size_t canonical_text(const char *text, const struct token *tokens, size_t first, size_t end, char *out,
                      size_t size) {
    struct canonical c;
    canonical_begin(&c, text, tokens, out, size);
    for (size_t k = first; k < end; k++)
        canonical_token(&c, k);
    return c.n;
}
