/* Gathering the pipeline's text and explaining what is wrong with it.  The language itself is the
 * library's; this file knows where on the command line or in which file each byte stood. */
#include "pipeline_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "excerpt.h"
#include "exit_status.h"
#include "message.h"
#include "terminal.h"

enum { LARGEST_FILE = 16 << 20 };

static int parses(const char *text, size_t nbytes) {
    onepass_program *program = NULL;
    int good = onepass_program_parse(text, nbytes, &program, NULL) == ONEPASS_OK;
    onepass_program_free(program);
    return good;
}

/* '-exp(x)|sum' and '-floor(x)|sum' read as -e and -f with the rest as their value. */
static const char *dash_hint(char letter, const char *value) {
    struct textbuf whole = {0};
    textbuf_format(&whole, "-%c%s", letter, value);
    int is_pipeline = !whole.failed && parses(whole.data, whole.nbytes);
    textbuf_free(&whole);
    return is_pipeline ? "a pipeline that starts with a dash goes after '-e ', or after --" : NULL;
}

/* ---- gathering ---- */

static int read_failed(const char *name, int number) {
    char text[200];
    snprintf(text, sizeof(text), "cannot read the pipeline: %s", strerror(number));
    message_error("pipeline_file", name, text, dash_hint('f', name));
    return EXIT_USAGE;
}

/* All of a pipeline file into out. */
static int read_file(const char *name, struct textbuf *out) {
    int is_stdin = strcmp(name, "-") == 0;
    if (is_stdin && isatty(STDIN_FILENO)) {
        message_error("pipeline_file", name, "the pipeline would be read from a terminal", NULL);
        return EXIT_USAGE;
    }
    int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return read_failed(name, errno);
    char buffer[4096];
    ssize_t n;
    int status = 0;
    while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 || out->nbytes + (size_t)n > LARGEST_FILE) {
            status = read_failed(name, n < 0 ? errno : EFBIG);
            break;
        }
        textbuf_add(out, buffer, (size_t)n);
    }
    if (!is_stdin) close(fd);
    return status;
}

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Blanks comments; in the last part of several too, one ';' at the end is only an end. */
static void blank_comments(char *text, size_t nbytes) {
    int comment = 0;
    for (size_t k = 0; k < nbytes; k++) {
        comment = text[k] == '#' || (comment && text[k] != '\n');
        if (comment) text[k] = ' ';
    }
}

static void blank_last_semicolon(char *text, size_t nbytes) {
    while (nbytes > 0 && is_blank(text[nbytes - 1]))
        nbytes--;
    if (nbytes > 1 && text[nbytes - 1] == ';') text[nbytes - 1] = ' ';
}

static int add_part(struct pipeline_text *t, const struct pipeline_part *part, int is_last) {
    struct pipeline_segment *s = &t->segments[t->nsegments++];
    if (s != t->segments) {
        textbuf_char(&t->joined, ';');
        textbuf_char(&t->shown, ';');
    }
    s->file = part->is_file ? part->text : NULL;
    s->start = t->shown.nbytes;
    if (part->is_file) {
        struct textbuf content = {0};
        int status = read_file(part->text, &content);
        textbuf_add(&t->shown, textbuf_text(&content), content.nbytes);
        if (content.failed) t->shown.failed = 1;
        textbuf_free(&content);
        if (status) return status;
        if (strcmp(part->text, "-") == 0 && t->used_stdin++) {
            message_usage(NULL, "standard input ('-') can be read only once");
            return EXIT_USAGE;
        }
    } else {
        textbuf_string(&t->shown, part->text);
    }
    s->nbytes = t->shown.nbytes - s->start;
    if (t->shown.failed) return 0; /* the caller looks */
    textbuf_add(&t->joined, t->shown.data + s->start, s->nbytes);
    if (t->joined.failed) return 0;
    blank_comments(t->joined.data + s->start, s->nbytes);
    if (part->is_file || !is_last) blank_last_semicolon(t->joined.data + s->start, s->nbytes);
    return 0;
}

int pipeline_text_load(struct pipeline_text *t, const struct options *o, size_t *first_input) {
    const struct pipeline_part operand = {0, o->noperands ? o->operands[0] : NULL};
    const struct pipeline_part *parts = o->nparts ? o->parts : &operand;
    size_t nparts = o->nparts ? o->nparts : 1;
    *first_input = o->nparts ? 0 : 1;
    t->from_operand = o->nparts == 0;
    if (t->from_operand && !operand.text) {
        message_usage("onepass 'abs|sum' FILE", "there is no pipeline and no input");
        return EXIT_USAGE;
    }
    t->segments = calloc(nparts, sizeof(*t->segments));
    int status = 0;
    for (size_t k = 0; t->segments && k < nparts && status == 0; k++)
        status = add_part(t, &parts[k], k + 1 == nparts);
    if (status) return status;
    if (!t->segments || t->joined.failed || t->shown.failed) {
        message_error("out_of_memory", NULL, "out of memory", NULL);
        return EXIT_INPUT;
    }
    return 0;
}

void pipeline_text_free(struct pipeline_text *t) {
    textbuf_free(&t->joined);
    textbuf_free(&t->shown);
    free(t->segments);
    memset(t, 0, sizeof(*t));
}

/* ---- what is wrong with it ---- */

/* Only maps and filters: a reduction behind it would make it whole. */
static int lacks_reduction(const struct pipeline_text *t) {
    struct textbuf longer = {0};
    textbuf_add(&longer, textbuf_text(&t->joined), t->joined.nbytes);
    textbuf_string(&longer, "|count");
    int lacks = !longer.failed && parses(textbuf_text(&longer), longer.nbytes);
    textbuf_free(&longer);
    return lacks;
}

/* The shell took the rest: `onepass abs|sum FILE` without quotes. */
static void report_unquoted(const struct pipeline_text *t) {
    struct textbuf text = {0}, hint = {0};
    const char *pipeline = textbuf_text(&t->joined);
    textbuf_format(&text, "pipeline '%.200s' has no reduction and no input", pipeline);
    textbuf_format(&hint, "quote it: onepass '%.200s|sum' FILE", pipeline);
    message_error("bad_pipeline", NULL, textbuf_text(&text), textbuf_text(&hint));
    textbuf_free(&text);
    textbuf_free(&hint);
}

static void report_file_first(const char *name, const char *next) {
    struct textbuf text = {0}, hint = {0};
    textbuf_format(&text, "'%.200s' is a file: the pipeline comes first", name);
    if (next && parses(next, strlen(next)))
        textbuf_format(&hint, "onepass '%.200s' %.200s", next, name);
    else
        textbuf_format(&hint, "onepass 'abs|sum' %.200s", name);
    message_error("bad_pipeline", NULL, textbuf_text(&text), textbuf_text(&hint));
    textbuf_free(&text);
    textbuf_free(&hint);
}

/* The message, the line with the marks, the hint. */
static void report_span(const struct pipeline_text *t, const onepass_error *err) {
    const struct pipeline_segment *s = t->segments;
    for (size_t k = 1; k < t->nsegments; k++)
        if (err->span_start >= t->segments[k].start) s = &t->segments[k];
    size_t start = err->span_start - s->start,
           end = err->span_end > s->start ? err->span_end - s->start : 0;
    const char *text = textbuf_text(&t->shown) + s->start;
    struct textbuf place = {0}, lines = {0};
    if (s->file) {
        size_t line, column;
        excerpt_position(text, s->nbytes, start, &line, &column);
        textbuf_format(&place, "%s:%zu:%zu", s->file, line, column);
    }
    message_error("bad_pipeline", textbuf_text(&place), err->message, NULL);
    excerpt_add(&lines, text, s->nbytes, start, end, (size_t)terminal_width(STDERR_FILENO),
                message_colour_on(), message_colour_off());
    message_write(&lines);
    const char *dash = t->nsegments == 1 && !t->from_operand && !s->file ? dash_hint('e', text) : NULL;
    message_hint(dash ? dash : err->hint);
    textbuf_free(&place);
    textbuf_free(&lines);
}

/* Each part of several is a program of its own: none may be empty, or end in another. */
static int parse_parts(const struct pipeline_text *t, onepass_program **out, onepass_error *err) {
    const char *text = textbuf_text(&t->joined);
    for (size_t k = 0; t->nsegments > 1 && k < t->nsegments; k++) {
        const struct pipeline_segment *s = &t->segments[k];
        int code = onepass_program_parse(text + s->start, s->nbytes, out, err);
        onepass_program_free(*out);
        *out = NULL;
        if (code == ONEPASS_OK) continue;
        err->span_start += s->start;
        err->span_end += s->start;
        return code;
    }
    return onepass_program_parse(text, t->joined.nbytes, out, err);
}

int pipeline_text_parse(const struct pipeline_text *t, int has_inputs, const char *const *inputs,
                        onepass_program **out) {
    onepass_error err = ONEPASS_ERROR_INIT;
    int code = parse_parts(t, out, &err);
    if (code == ONEPASS_OK) return 0;
    if (code != ONEPASS_BAD_PIPELINE) {
        message_error(onepass_strerror(code), NULL, err.message, err.hint);
        return onepass_classify(code) == ONEPASS_CLASS_USAGE ? EXIT_USAGE : EXIT_INPUT;
    }
    struct stat st;
    const char *text = textbuf_text(&t->joined);
    if (t->from_operand && (strcmp(text, "-") == 0 || stat(text, &st) == 0))
        report_file_first(text, has_inputs ? inputs[0] : NULL);
    else if (!has_inputs && lacks_reduction(t))
        report_unquoted(t);
    else
        report_span(t, &err);
    return EXIT_USAGE;
}
