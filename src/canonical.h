/* The canonical text of tokens: no comments, no blanks around '|', ';' and the commas of a list, one
 * blank around operators between operands and after the commas of a call. */
#ifndef CANONICAL_H
#define CANONICAL_H

#include <stddef.h>

#include "lexer.h"

/* Writing into a buffer that may be too small, as snprintf does: n counts what would be written. */
struct canonical {
    const char *text;
    const struct token *tokens;
    char *out;
    size_t size; /* of out, terminator included */
    size_t n;
    size_t previous; /* the token written last ... */
    int started;     /* ... if one was */
    int depth;       /* of brackets */
};

void canonical_begin(struct canonical *c, const char *text, const struct token *tokens, char *out,
                     size_t size);
/* Append the token with what belongs before it; bytes as they are. */
void canonical_token(struct canonical *c, size_t token);
void canonical_bytes(struct canonical *c, const char *bytes, size_t nbytes);

/* Tokens [first, end) into out, cut to size (0: out is not touched) and terminated; returns the whole
 * length. */
size_t canonical_text(const char *text, const struct token *tokens, size_t first, size_t end, char *out,
                      size_t size);

#endif
