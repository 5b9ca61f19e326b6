/* --list-ops, --list-dtypes, --list-formats, and the values that `--option=?` shows. */
#ifndef LISTS_H
#define LISTS_H

#include "options.h"
#include "textbuf.h"

/* 0, or EXIT_USAGE after a message (a format that lists do not have). */
int lists_add(struct textbuf *out, const struct options *o, enum mode mode);

/* What o->ask allows. */
int lists_add_values(struct textbuf *out, const struct options *o);

#endif
