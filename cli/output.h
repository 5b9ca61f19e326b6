/* Where results go: standard output or --output FILE.  One write() a record; every failure is an error.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "textbuf.h"

/* NULL or "-": standard output.  A regular file is written under a temporary name beside it and renamed
 * by output_finish; anything else is written directly.  0, or EXIT_OUTPUT after a message. */
int output_open(const char *path);

/* Writes all of a text and leaves it empty.  0, EXIT_OUTPUT, or EXIT_INPUT if the text ran out of
 * memory, after a message. */
int output_write(struct textbuf *record);

/* Closes, and puts FILE in place if something was written.  0, or EXIT_OUTPUT after a message. */
int output_finish(void);

/* Closes, and leaves FILE as it was.  For signals and after failures of output_write. */
void output_discard(void);

int output_descriptor(void); /* for questions about terminals */

/* Opens descriptors 0, 1 and 2 if the caller left them closed, so that no file of ours gets their
 * number: reading from or writing to them still fails. */
void output_guard_descriptors(void);

#endif
