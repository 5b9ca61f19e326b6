/* How real numbers are printed in plain, tsv and csv: the library's text, or what --digits, --hex and
 * --ofmt ask for.  JSON does not come by here. */
#ifndef FORMAT_NUMBER_H
#define FORMAT_NUMBER_H

#include <stddef.h>

#include "onepass.h"
#include "textbuf.h"

enum number_kind { NUMBER_SHORTEST, NUMBER_HEX, NUMBER_DIGITS, NUMBER_TEMPLATE };

/* --ofmt, taken apart: the user's text never is a format of printf. */
struct number_template {
    const char *before, *after; /* literal text around the conversion, "%%" still doubled */
    size_t before_nbytes;
    unsigned flags; /* bits of number_flags[] */
    int width;
    int precision;   /* -1: not given */
    char conversion; /* e f g a */
};

struct number_style {
    enum number_kind kind;
    int digits;
    struct number_template template;
};

/* Takes --ofmt apart; text is kept.  NULL, or what is wrong with it. */
const char *number_template_parse(const char *text, struct number_template *out);

/* The value as a cell of a table. */
void number_add(struct textbuf *out, const struct number_style *style, const onepass_value *value);

#endif
