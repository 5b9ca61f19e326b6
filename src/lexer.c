/* Cutting a pipeline text into tokens, in one pass, for any bytes.
 *
 * White space separates: blank, tab, line ends, and comments from '#' to the end of the line.  Of the
 * symbols the longest that fits is taken.  What tokens mean is the parser's. */
#include "lexer.h"

#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "onepass.h"
#include "ops.h"

struct symbol {
    const char *spelling;
    enum token_kind kind;
};

static const struct symbol PUNCTUATION[] = {
    {"(", TOKEN_OPEN},      {")", TOKEN_CLOSE},    {",", TOKEN_COMMA}, {"|", TOKEN_PIPE},
    {";", TOKEN_SEMICOLON}, {"?", TOKEN_QUESTION}, {":", TOKEN_COLON},
};
#define NPUNCTUATION (sizeof PUNCTUATION / sizeof PUNCTUATION[0])

const struct wrong_info wrong_table[] = {
    {"=", "'==' compares, and there is no assignment"},
    {"===", "'==' compares"},
    {"!==", "'!=' compares"},
    {"<>", "'!=' compares"},
    {"=<", "write '<='"},
    {"=>", "write '>='"},
    {"->", "stages are joined by '|'"},
    {"|>", "stages are joined by '|'"},
    {"\xe2\x86\x92", "stages are joined by '|'"}, /* arrow to the right */
    {"&", "'&&' is the logical and; there are no bit operators"},
    {"~", "'!' is the logical not; there are no bit operators"},
    {"%", "fmod(a, b) has the sign of a, mod(a, b) the sign of b"},
    {"//", "'/' is real division; floor(a / b) rounds it down"},
    {"\xe2\x88\x92", "write '-'"},           /* minus sign */
    {"\xe2\x80\x93", "write '-'"},           /* en dash */
    {"\xc3\x97", "write '*'"},               /* multiplication sign */
    {"\xc2\xb7", "write '*'"},               /* middle dot */
    {"\xc3\xb7", "write '/'"},               /* division sign */
    {"\xe2\x89\xa4", "write '<='"},          /* less-than or equal to */
    {"\xe2\x89\xa5", "write '>='"},          /* greater-than or equal to */
    {"\xe2\x89\xa0", "write '!='"},          /* not equal to */
    {"\xc2\xb2", "write '^2' or square(x)"}, /* superscript two */
    {"\xc2\xb3", "write '^3' or cube(x)"},   /* superscript three */
    {"\xe2\x88\x9a", "write sqrt(x)"},       /* square root */
    {"\xcf\x80", "write 'pi'"},              /* pi */
    {"\xe2\x88\x9e", "write 'inf'"},         /* infinity */
    {"\xc2\xa0", "write a plain blank"},     /* no-break space */
    {"'", "quotes are the shell's: none belong inside the pipeline"},
    {"\"", "quotes are the shell's: none belong inside the pipeline"},
    {"`", "quotes are the shell's: none belong inside the pipeline"},
    {"\xe2\x80\x98", "quotes are the shell's: use the plain ' around the pipeline"},
    {"\xe2\x80\x99", "quotes are the shell's: use the plain ' around the pipeline"},
    {"\xe2\x80\x9c", "quotes are the shell's: use the plain \" around the pipeline"},
    {"\xe2\x80\x9d", "quotes are the shell's: use the plain \" around the pipeline"},
};
#define NWRONG (sizeof wrong_table / sizeof wrong_table[0])

static int is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int continues_name(char c) {
    return starts_name(c) || is_digit(c);
}

static size_t skip_blanks(const char *text, size_t i, size_t n) {
    int comment = 0;
    for (; i < n; i++) {
        if (text[i] == '#') comment = 1;
        if (text[i] == '\n') comment = 0;
        if (!comment && !is_blank(text[i])) break;
    }
    return i;
}

/* The end of what starts like a number: letters, digits and points, so that 2x and 1.2.3 are one
 * mistake, and a sign where it belongs to an exponent (e, or p after 0x). */
static size_t number_end(const char *text, size_t i, size_t n) {
    int hex = i + 1 < n && text[i] == '0' && (text[i + 1] | 0x20) == 'x';
    size_t start = i;
    for (; i < n; i++) {
        if (continues_name(text[i]) || text[i] == '.') continue;
        int sign = (text[i] == '-' || text[i] == '+') && i > start;
        int exponent = sign && (text[i - 1] | 0x20) == (hex ? 'p' : 'e');
        if (!exponent || i + 1 == n || !is_digit(text[i + 1])) break;
    }
    return i;
}

/* Length of the UTF-8 character there; 1 for a byte that is part of none. */
static size_t character_length(const unsigned char *s, size_t n) {
    size_t length = s[0] < 0xc2 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 1;
    if (length > n) return 1;
    for (size_t k = 1; k < length; k++)
        if ((s[k] & 0xc0) != 0x80) return 1;
    return length;
}

/* Whether the symbol stands there and is longer than the best so far. */
static int longer(const char *symbol, const char *text, size_t n, size_t *best) {
    if (symbol[0] != text[0]) return 0; /* nearly always */
    size_t length = strlen(symbol);
    if (length <= *best || length > n || memcmp(symbol, text, length) != 0) return 0;
    *best = length;
    return 1;
}

/* Kind and detail of the symbol at text; returns its length. */
static size_t match_symbol(const char *text, size_t n, struct token *t) {
    size_t best = 0;
    for (size_t k = 0; k < NPUNCTUATION; k++)
        if (longer(PUNCTUATION[k].spelling, text, n, &best)) t->kind = (uint8_t)PUNCTUATION[k].kind;
    for (size_t k = 0; k < noperators; k++)
        if (operator_table[k].arity < 3 && longer(operator_table[k].name, text, n, &best))
            t->kind = TOKEN_OPERATOR, t->detail = (uint8_t)k;
    for (size_t k = 0; k < NWRONG; k++)
        if (longer(wrong_table[k].spelling, text, n, &best))
            t->kind = TOKEN_WRONG, t->detail = (uint8_t)k;
    if (best > 0) return best;
    t->kind = TOKEN_BAD;
    return character_length((const unsigned char *)text, n);
}

static struct token next_token(const char *text, size_t start, size_t n) {
    struct token t = {(uint32_t)start, (uint32_t)start, TOKEN_END, 0};
    size_t end = start;
    if (start == n) return t;
    char c = text[start];
    if (starts_name(c)) {
        t.kind = TOKEN_NAME;
        while (end < n && continues_name(text[end]))
            end++;
    } else if (is_digit(c) || (c == '.' && start + 1 < n && is_digit(text[start + 1]))) {
        t.kind = TOKEN_NUMBER;
        end = number_end(text, start, n);
    } else {
        end = start + match_symbol(text + start, n - start, &t);
    }
    t.end = (uint32_t)end;
    return t;
}

int lexer_tokens(const char *text, size_t nbytes, struct token **out, size_t *ntokens) {
    struct token *tokens = NULL;
    size_t n = 0, i = 0;
    for (;;) {
        struct token *grown = grow(tokens, n, sizeof *tokens);
        if (grown == NULL) {
            free(tokens);
            return ONEPASS_NO_MEMORY;
        }
        tokens = grown;
        i = skip_blanks(text, i, nbytes);
        tokens[n] = next_token(text, i, nbytes);
        if (tokens[n].kind == TOKEN_END) break;
        i = tokens[n++].end;
    }
    *out = tokens;
    *ntokens = n;
    return 0;
}
