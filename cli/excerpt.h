/* A line of text with ^^^ under a part of it. */
#ifndef EXCERPT_H
#define EXCERPT_H

#include <stddef.h>

#include "textbuf.h"

/* Line and column, from 1, of byte `at` of text[0 .. nbytes); columns count characters. */
void excerpt_position(const char *text, size_t nbytes, size_t at, size_t *line, size_t *column);

/* Adds the line of text that holds byte `start`, and below it marks from start to end (to the end of
 * that line at most, one mark at least).  Long lines are cut to a window around the span.  Nothing when
 * the line is empty. */
void excerpt_add(struct textbuf *out, const char *text, size_t nbytes, size_t start, size_t end,
                 size_t width, const char *colour_on, const char *colour_off);

#endif
