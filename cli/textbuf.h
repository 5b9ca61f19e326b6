/* A growable text: every record, message and table is built in one before a single write. */
#ifndef TEXTBUF_H
#define TEXTBUF_H

#include <stddef.h>

/* Zero-initialised is empty.  When memory runs out `failed` is set and stays set; what was added after
 * that is missing, so whoever writes the text out looks at `failed` first. */
struct textbuf {
    char *data; /* NUL-terminated once something was added, else NULL */
    size_t nbytes;
    size_t capacity;
    int failed;
};

void textbuf_add(struct textbuf *t, const char *bytes, size_t nbytes);
void textbuf_string(struct textbuf *t, const char *text);
void textbuf_char(struct textbuf *t, char c);
void textbuf_repeat(struct textbuf *t, char c, size_t times);
void textbuf_format(struct textbuf *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text so far, "" when nothing was added. */
const char *textbuf_text(const struct textbuf *t);

void textbuf_clear(struct textbuf *t); /* empties it, keeps the memory */
void textbuf_free(struct textbuf *t);

/* Words wrapped into lines of at most `width` columns; later lines start with `indent` blanks.
 * `column` is where the first word starts. */
void textbuf_wrap(struct textbuf *t, const char *words, size_t column, size_t indent, size_t width);

#endif
