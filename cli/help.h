/* -h and --help. */
#ifndef HELP_H
#define HELP_H

#include "options.h"
#include "textbuf.h"

void help_add(struct textbuf *out, enum help_length length);

/* "-t, --dtype TYPE", "--[no-]header", "-n, --explain[=cuda]". */
void help_add_spelling(struct textbuf *out, const struct option_spec *spec);

#endif
