/* Lines on standard error: errors, warnings, notes, hints.  Texts are escaped here, so callers pass
 * file names and messages as they are. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "textbuf.h"

/* quiet: 1 drops notes, 2 warnings too, errors never; verbose: every line of a kind, not only ten. */
void message_setup(int quiet, int verbose, int colour);

/* "onepass: SUBJECT: TEXT", then "hint: HINT".  subject and hint may be NULL or "".  `kind` groups:
 * after ten lines of one kind the others are only counted. */
void message_error(const char *kind, const char *subject, const char *text, const char *hint);

/* A misuse of the command line: "onepass: TEXT", the hint (may be NULL), and where the help is. */
void message_usage(const char *hint, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "onepass: warning: SUBJECT: TEXT" and "onepass: note: ..."; grouped by text. */
void message_warning(const char *subject, const char *text);
void message_note(const char *subject, const char *text);

/* "hint: HINT" unless NULL or empty. */
void message_hint(const char *hint);

/* Says how many lines were left out; for the end of the run. */
void message_finish(void);

/* Writes text to standard error after erasing the progress line.  Failures are ignored: there is no
 * place left to report them. */
void message_write(const struct textbuf *line);

/* Escape sequences that start and end the emphasis of `^^^`, "" without colour. */
const char *message_colour_on(void);
const char *message_colour_off(void);

#endif
