/* The pipeline's text: from the first operand, or from -e and -f, joined into one program. */
#ifndef PIPELINE_TEXT_H
#define PIPELINE_TEXT_H

#include <stddef.h>

#include "onepass.h"
#include "options.h"
#include "textbuf.h"

/* Where a stretch of the joined text came from. */
struct pipeline_segment {
    const char *file; /* of -f, "-" is standard input; NULL: written on the line */
    size_t start, nbytes;
};

struct pipeline_text {
    struct textbuf joined; /* what is parsed: comments blanked, parts joined by ';' */
    struct textbuf shown;  /* the same length, as it was written */
    struct pipeline_segment *segments;
    size_t nsegments;
    int from_operand;
    int used_stdin;
};

/* Gathers the text; *first_input is the number of operands that belong to it (0 or 1).
 * 0 or an exit status after a message. */
int pipeline_text_load(struct pipeline_text *t, const struct options *o, size_t *first_input);

/* Parses it.  0 or an exit status after a message; has_inputs says whether operands follow. */
int pipeline_text_parse(const struct pipeline_text *t, int has_inputs, const char *const *inputs,
                        onepass_program **out);

void pipeline_text_free(struct pipeline_text *t);

#endif
