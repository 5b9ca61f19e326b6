/* --generate: completion scripts and the manual page. */
#ifndef GENERATE_H
#define GENERATE_H

#include "textbuf.h"

/* what: one of generate_words. */
void generate_add(struct textbuf *out, const char *what);

/* manual.c: the whole page; its list of options, made from the table; and the facts that
 * tests/man_check looks for in the page. */
void manual_add_page(struct textbuf *out);
void manual_add_options(struct textbuf *out);
void manual_add_facts(struct textbuf *out);

#endif
