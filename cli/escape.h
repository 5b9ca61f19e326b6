/* Untrusted text (file names, messages that quote them) made safe for each output. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stddef.h>

#include "textbuf.h"

/* Bytes of the valid UTF-8 sequence that s[0 .. nbytes) starts with, 0 if it starts with none. */
size_t escape_utf8(const char *s, size_t nbytes);

/* For terminals and messages: control characters and bytes that are not UTF-8 become \xNN. */
void escape_visible(struct textbuf *out, const char *s, size_t nbytes);

/* Tab-separated values: \t \n \r \\. */
void escape_tsv(struct textbuf *out, const char *s, size_t nbytes);

/* Comma-separated values, RFC 4180: quoted where necessary. */
void escape_csv(struct textbuf *out, const char *s, size_t nbytes);

/* A JSON string with its quotes.  Bytes that are not UTF-8 become U+FFFD, and 1 is returned. */
int escape_json(struct textbuf *out, const char *s, size_t nbytes);

/* A JSON string with its quotes that holds the bytes in base64. */
void escape_json_base64(struct textbuf *out, const char *s, size_t nbytes);

/* Columns that UTF-8 text without control characters takes, one a code point. */
size_t escape_width(const char *s, size_t nbytes);

#endif
