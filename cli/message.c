/* Messages: their layout, the levels of --quiet, and the grouping of repeated ones.  Owns the state of
 * standard error; the progress line on it is progress.c's, and is erased before every message. */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "progress.h"

enum { LINES_PER_KIND = 10, NKINDS = 64 };

struct kind {
    char *word;
    const char *severity; /* "warning", "note", NULL for errors */
    size_t nlines;
};

static struct {
    int quiet, verbose, colour;
    struct kind kinds[NKINDS]; /* those beyond the last share none and are all printed */
    size_t nkinds;
    char *last_hint; /* the same hint is not repeated after each of many errors */
} state;

void message_setup(int quiet, int verbose, int colour) {
    state.quiet = quiet;
    state.verbose = verbose;
    state.colour = colour;
}

void message_write(const struct textbuf *line) {
    progress_erase();
    const char *p = textbuf_text(line);
    for (size_t left = line->nbytes; left > 0;) {
        ssize_t n = write(STDERR_FILENO, p, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        p += n;
        left -= (size_t)n;
    }
}

/* Counts a line of a kind; 0 when it is one too many. */
static int admit(const char *severity, const char *word) {
    struct kind *kind = NULL;
    for (size_t k = 0; k < state.nkinds && !kind; k++)
        if (strcmp(state.kinds[k].word, word) == 0) kind = &state.kinds[k];
    if (!kind && state.nkinds < NKINDS) {
        char *copy = strdup(word);
        if (!copy) return 1;
        kind = &state.kinds[state.nkinds++];
        *kind = (struct kind){copy, severity, 0};
    }
    if (!kind) return 1;
    kind->nlines++;
    return state.verbose > 0 || kind->nlines <= LINES_PER_KIND;
}

/* "onepass: LABEL: SUBJECT: TEXT\n" without the parts that are NULL or empty. */
static void write_line(const char *label, const char *subject, const char *text) {
    struct textbuf line = {0};
    textbuf_string(&line, "onepass: ");
    if (label) textbuf_format(&line, "%s: ", label);
    if (subject && *subject) {
        escape_visible(&line, subject, strlen(subject));
        textbuf_string(&line, ": ");
    }
    escape_visible(&line, text, strlen(text));
    textbuf_char(&line, '\n');
    message_write(&line);
    textbuf_free(&line);
}

void message_hint(const char *hint) {
    if (!hint || !*hint) return;
    struct textbuf line = {0};
    textbuf_string(&line, "hint: ");
    escape_visible(&line, hint, strlen(hint));
    textbuf_char(&line, '\n');
    message_write(&line);
    textbuf_free(&line);
}

void message_error(const char *kind, const char *subject, const char *text, const char *hint) {
    if (!admit(NULL, kind)) return;
    write_line(NULL, subject, text);
    if (!hint || (state.last_hint && strcmp(state.last_hint, hint) == 0)) return;
    message_hint(hint);
    free(state.last_hint);
    state.last_hint = strdup(hint);
}

void message_usage(const char *hint, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    write_line(NULL, NULL, text);
    message_hint(hint);
    struct textbuf line = {0};
    textbuf_string(&line, "try 'onepass --help'\n");
    message_write(&line);
    textbuf_free(&line);
}

/* Counts a note; its kind is the text before ": 12 of", so that files share it. */
static int admit_note(const char *text) {
    const char *end = text + strlen(text);
    for (const char *p = text; (p = strstr(p, ": ")) != NULL; p += 2)
        if (p[2] >= '0' && p[2] <= '9') end = p;
    char *kind = strndup(text, (size_t)(end - text));
    int admitted = kind == NULL || admit("note", kind);
    free(kind);
    return admitted;
}

void message_warning(const char *subject, const char *text) {
    if (state.quiet < 2 && admit("warning", text)) write_line("warning", subject, text);
}

void message_note(const char *subject, const char *text) {
    if (state.quiet < 1 && admit_note(text)) write_line("note", subject, text);
}

void message_finish(void) {
    for (size_t k = 0; k < state.nkinds; k++) {
        struct kind *kind = &state.kinds[k];
        if (!state.verbose && kind->nlines > LINES_PER_KIND) {
            char text[160];
            snprintf(text, sizeof(text), "and %zu more like these: %.80s (-v shows all)",
                     kind->nlines - LINES_PER_KIND, kind->word);
            write_line(kind->severity, NULL, text);
        }
        free(kind->word);
    }
    state.nkinds = 0;
    free(state.last_hint);
    state.last_hint = NULL;
}

const char *message_colour_on(void) {
    return state.colour ? "\033[1;31m" : "";
}

const char *message_colour_off(void) {
    return state.colour ? "\033[0m" : "";
}
