/* A growable text.  Owns the memory of texts and the wrapping of words into lines; escaping for the
 * output formats is in escape.c, writing in output.c and message.c. */
#include "textbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for nbytes more and the terminator; 0 when there is none. */
static int reserve(struct textbuf *t, size_t nbytes) {
    if (t->failed) return 0;
    if (nbytes < t->capacity - t->nbytes) return 1;
    size_t capacity = t->capacity ? t->capacity : 256;
    while (capacity - t->nbytes <= nbytes) {
        if (capacity > (size_t)-1 / 2) {
            t->failed = 1;
            return 0;
        }
        capacity *= 2;
    }
    char *data = realloc(t->data, capacity);
    if (!data) {
        t->failed = 1;
        return 0;
    }
    t->data = data;
    t->capacity = capacity;
    return 1;
}

void textbuf_add(struct textbuf *t, const char *bytes, size_t nbytes) {
    if (!reserve(t, nbytes)) return;
    if (nbytes) memcpy(t->data + t->nbytes, bytes, nbytes);
    t->nbytes += nbytes;
    t->data[t->nbytes] = '\0';
}

void textbuf_string(struct textbuf *t, const char *text) {
    textbuf_add(t, text, strlen(text));
}

void textbuf_char(struct textbuf *t, char c) {
    textbuf_add(t, &c, 1);
}

void textbuf_repeat(struct textbuf *t, char c, size_t times) {
    if (!reserve(t, times)) return;
    memset(t->data + t->nbytes, c, times);
    t->nbytes += times;
    t->data[t->nbytes] = '\0';
}

void textbuf_format(struct textbuf *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int nbytes = vsnprintf(NULL, 0, format, args);
    if (nbytes < 0) {
        t->failed = 1;
    } else if (reserve(t, (size_t)nbytes)) {
        vsnprintf(t->data + t->nbytes, (size_t)nbytes + 1, format, again);
        t->nbytes += (size_t)nbytes;
    }
    va_end(again);
    va_end(args);
}

const char *textbuf_text(const struct textbuf *t) {
    return t->nbytes ? t->data : "";
}

void textbuf_clear(struct textbuf *t) {
    t->nbytes = 0;
    if (t->data) t->data[0] = '\0';
}

void textbuf_free(struct textbuf *t) {
    free(t->data);
    memset(t, 0, sizeof(*t));
}

void textbuf_wrap(struct textbuf *t, const char *words, size_t column, size_t indent, size_t width) {
    int first = 1;
    while (*words) {
        size_t nbytes = strcspn(words, " ");
        if (!first && column + 1 + nbytes > width) {
            textbuf_char(t, '\n');
            textbuf_repeat(t, ' ', indent);
            column = indent;
            first = 1;
        }
        if (!first) {
            textbuf_char(t, ' ');
            column++;
        }
        textbuf_add(t, words, nbytes);
        column += nbytes;
        first = 0;
        words += nbytes + strspn(words + nbytes, " ");
    }
    textbuf_char(t, '\n');
}
