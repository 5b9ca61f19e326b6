/* The excerpt under a pipeline error.  Columns are counted in what is printed: control characters are
 * shown escaped, a tab as a blank, and every other character is taken to be one column wide. */
#include "excerpt.h"

#include <string.h>

#include "escape.h"

enum { INDENT = 4 };

void excerpt_position(const char *text, size_t nbytes, size_t at, size_t *line, size_t *column) {
    size_t begin = 0;
    if (at > nbytes) at = nbytes;
    *line = 1;
    for (size_t k = 0; k < at; k++) {
        if (text[k] != '\n') continue;
        ++*line;
        begin = k + 1;
    }
    *column = 1 + escape_width(text + begin, at - begin);
}

/* Appends text as it is shown, returns the columns it takes. */
static size_t add_shown(struct textbuf *out, const char *text, size_t nbytes) {
    size_t width = 0;
    for (size_t k = 0; k < nbytes;) {
        size_t length = escape_utf8(text + k, nbytes - k);
        size_t before = out->nbytes;
        if (length == 0) length = 1;
        if (text[k] == '\t')
            textbuf_char(out, ' ');
        else
            escape_visible(out, text + k, length);
        width += escape_width(out->data ? out->data + before : "", out->nbytes - before);
        k += length;
    }
    return width;
}

/* Byte offset of a column in shown text. */
static size_t column_offset(const char *shown, size_t nbytes, size_t column) {
    size_t k = 0;
    while (k < nbytes && column > 0) {
        size_t length = escape_utf8(shown + k, nbytes - k);
        k += length ? length : 1;
        column--;
    }
    return k;
}

/* What part of a line of `total` columns is shown: [*from, *to), the span [start, end) near its middle.
 */
static void choose_window(size_t total, size_t start, size_t end, size_t width, size_t *from,
                          size_t *to) {
    *from = 0;
    *to = total;
    if (total <= width) return;
    size_t span = end - start < width / 2 ? end - start : width / 2;
    size_t lead = (width - span) / 2;
    *from = start > lead ? start - lead : 0;
    if (*from + width > total) *from = total > width ? total - width : 0;
    *to = *from + width;
}

void excerpt_add(struct textbuf *out, const char *text, size_t nbytes, size_t start, size_t end,
                 size_t width, const char *colour_on, const char *colour_off) {
    if (start > nbytes) start = nbytes;
    if (end > nbytes) end = nbytes;
    size_t begin = start, stop = start;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    while (stop < nbytes && text[stop] != '\n')
        stop++;
    if (end > stop) end = stop;
    if (end < start) end = start;
    if (begin == stop) return; /* an empty line shows nothing */
    struct textbuf shown = {0};
    size_t at = add_shown(&shown, text + begin, start - begin);
    size_t marks = add_shown(&shown, text + start, end - start);
    size_t total = at + marks + add_shown(&shown, text + end, stop - end);
    size_t from, to, room = width > 2 * INDENT + 8 ? width - INDENT - 6 : 10;
    choose_window(total, at, at + marks, room, &from, &to);
    if (marks == 0) marks = 1;
    const char *line = textbuf_text(&shown);
    size_t a = column_offset(line, shown.nbytes, from);
    size_t b = a + column_offset(line + a, shown.nbytes - a, to - from);
    textbuf_repeat(out, ' ', INDENT);
    if (from > 0) textbuf_string(out, "...");
    textbuf_add(out, line + a, b - a);
    textbuf_string(out, to < total ? "...\n" : "\n");
    textbuf_repeat(out, ' ', INDENT + (from > 0 ? 3 : 0) + (at - from));
    if (at + marks > to && at < to) marks = to - at;
    textbuf_string(out, colour_on);
    textbuf_repeat(out, '^', marks);
    textbuf_string(out, colour_off);
    textbuf_char(out, '\n');
    if (shown.failed) out->failed = 1;
    textbuf_free(&shown);
}
