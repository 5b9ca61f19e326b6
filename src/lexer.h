/* The tokens of a pipeline text.  Only memory can run out here: what is no token becomes TOKEN_WRONG or
 * TOKEN_BAD, and the parser says so when it gets there, so that the first error is reported. */
#ifndef LEXER_H
#define LEXER_H

#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END, /* the end of the text, always the last token */
    TOKEN_NAME,
    TOKEN_NUMBER,   /* whatever starts like a number, also 2x and 1e: number_parse decides */
    TOKEN_OPERATOR, /* detail: a row of operator_table with this spelling, of any arity */
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_PIPE,
    TOKEN_SEMICOLON,
    TOKEN_QUESTION,
    TOKEN_COLON,
    TOKEN_WRONG, /* no operator here, though elsewhere; detail: a row of wrong_table */
    TOKEN_BAD    /* any other character; UTF-8 stays together */
};

struct token {
    uint32_t start, end; /* bytes of the text */
    uint8_t kind;        /* enum token_kind */
    uint8_t detail;
};

/* Spellings from other languages and from typography, and what to write instead. */
struct wrong_info {
    const char *spelling;
    const char *instead; /* a hint */
};
extern const struct wrong_info wrong_table[];

/* The text must be shorter than 4 GiB.  *out is the caller's, to be freed by free(); its last token is
 * TOKEN_END and not counted in *ntokens.  ONEPASS_NO_MEMORY or 0. */
int lexer_tokens(const char *text, size_t nbytes, struct token **out, size_t *ntokens);

#endif
