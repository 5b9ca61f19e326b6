/* plain, tsv and csv: the same columns, order and digits; only separators, escapes and padding differ.
 */
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "format_number.h"
#include "report.h"

enum {
    LEAST_REAL = 19,
    LEAST_INTEGER = 12
}; /* columns kept free for later rows of a terminal's table */

static void add_count(struct textbuf *out, uint64_t n) {
    textbuf_format(out, "%llu", (unsigned long long)n);
}

/* The value of a column, NULL if the result has none. */
static const onepass_value *find_value(const onepass_result *result, size_t k) {
    for (size_t p = 0; p < result->npipelines; p++) {
        const onepass_pipeline *pipeline = &result->pipelines[p];
        if (k < pipeline->nvalues) return &pipeline->values[k];
        k -= pipeline->nvalues;
    }
    return NULL;
}

static void add_files(struct textbuf *out, const struct subject *s) {
    for (size_t k = 0; k < s->nnames; k++) {
        if (k > 0) textbuf_char(out, '+');
        textbuf_string(out, s->names[k]);
    }
}

static uint64_t book(const onepass_pipeline *p, enum column_id id) {
    switch (id) {
    case COLUMN_USED:
        return p->used;
    case COLUMN_DROPPED:
        return p->dropped;
    case COLUMN_SKIPPED:
        return p->skipped;
    case COLUMN_NAN:
        return p->nan;
    case COLUMN_POSINF:
        return p->posinf;
    default:
        return p->neginf;
    }
}

/* What a result has in a column, not yet escaped. */
static void add_cell(struct textbuf *out, const struct report *r, const struct column *c,
                     const onepass_result *result) {
    const onepass_value *value;
    switch (c->id) {
    case COLUMN_VALUE:
        value = find_value(result, c->value);
        if (value) number_add(out, &r->options->number, value);
        break;
    case COLUMN_DTYPE:
        report_add_dtype(out, result);
        break;
    case COLUMN_N:
        add_count(out, result->n);
        break;
    case COLUMN_MISSING:
        add_count(out, result->missing);
        break;
    case COLUMN_SECONDS:
        textbuf_format(out, "%.6f", result->seconds);
        break;
    case COLUMN_RATE:
        if (result->seconds > 0.0)
            textbuf_format(out, "%.0f", (double)result->decoded_bytes / result->seconds);
        break;
    case COLUMN_THREADS:
        textbuf_format(out, "%d", result->threads);
        break;
    case COLUMN_FILE:
    case COLUMN_DATASET:
    case COLUMN_ERROR:
        break;
    default:
        if (c->pipeline < result->npipelines)
            add_count(out, book(&result->pipelines[c->pipeline], c->id));
    }
}

static void add_escaped(struct textbuf *out, const struct report *r, const char *text, size_t nbytes) {
    if (r->options->format == FORMAT_TSV)
        escape_tsv(out, text, nbytes);
    else if (r->options->format == FORMAT_CSV)
        escape_csv(out, text, nbytes);
    else
        escape_visible(out, text, nbytes);
}

/* All cells of a row, escaped; result or err is NULL. */
static void fill_cells(const struct report *r, const struct subject *s, const onepass_result *result,
                       const onepass_error *err, const char *word, struct textbuf *cells) {
    struct textbuf raw = {0};
    for (size_t k = 0; k < r->columns.ncolumns; k++) {
        const struct column *c = &r->columns.columns[k];
        textbuf_clear(&raw);
        if (c->id == COLUMN_FILE)
            add_files(&raw, s);
        else if (err && c->id == COLUMN_ERROR)
            textbuf_format(&raw, "%s: %s", word, err->message);
        else if (result)
            add_cell(&raw, r, c, result);
        add_escaped(&cells[k], r, textbuf_text(&raw), raw.nbytes);
        if (raw.failed) cells[k].failed = 1;
    }
    textbuf_free(&raw);
}

static int is_text_column(enum column_id id) {
    return id == COLUMN_FILE || id == COLUMN_DATASET || id == COLUMN_DTYPE || id == COLUMN_ERROR;
}

/* Cells joined by separators; on a terminal padded, numbers to the right. */
static void join_cells(struct report *r, const struct textbuf *cells) {
    size_t n = r->columns.ncolumns;
    const char *separator = r->aligned ? "  " : r->options->format == FORMAT_CSV ? "," : "\t";
    for (size_t k = 0; k < n; k++) {
        const char *text = textbuf_text(&cells[k]);
        size_t width = escape_width(text, cells[k].nbytes);
        size_t padding = r->aligned && r->widths[k] > width ? r->widths[k] - width : 0;
        int left = is_text_column(r->columns.columns[k].id);
        if (k > 0) textbuf_string(&r->record, separator);
        if (!left) textbuf_repeat(&r->record, ' ', padding);
        textbuf_add(&r->record, text, cells[k].nbytes);
        if (left && k + 1 < n) textbuf_repeat(&r->record, ' ', padding);
        if (cells[k].failed) r->record.failed = 1;
    }
    textbuf_char(&r->record, '\n');
}

/* The names are known before the first row. */
static void grow_names(struct report *r) {
    for (size_t k = 0; k < r->columns.ncolumns; k++) {
        if (r->columns.columns[k].id != COLUMN_FILE) continue;
        for (size_t i = 0; i < r->nnames; i++) {
            struct textbuf name = {0};
            escape_visible(&name, r->names[i], strlen(r->names[i]));
            size_t width = escape_width(textbuf_text(&name), name.nbytes);
            if (r->widths[k] < width) r->widths[k] = width;
            textbuf_free(&name);
        }
    }
}

/* Rows leave as they come, so widths are chosen at the first one, with room for longer numbers. */
static void grow_widths(struct report *r, const onepass_result *result, const struct textbuf *cells,
                        int first) {
    for (size_t k = 0; k < r->columns.ncolumns; k++) {
        const struct column *c = &r->columns.columns[k];
        size_t width = escape_width(textbuf_text(&cells[k]), cells[k].nbytes);
        if (first && result && !r->single && c->id == COLUMN_VALUE) {
            const onepass_value *v = find_value(result, c->value);
            size_t least = v && v->kind == ONEPASS_REAL ? LEAST_REAL : LEAST_INTEGER;
            if (width < least) width = least;
        }
        if (r->widths[k] < width) r->widths[k] = width;
    }
}

static void free_cells(struct textbuf *cells, size_t n) {
    for (size_t k = 0; k < n; k++)
        textbuf_free(&cells[k]);
    free(cells);
}

static void add_header(struct report *r) {
    size_t n = r->columns.ncolumns;
    struct textbuf *names = calloc(n + 1, sizeof(*names));
    if (!names) {
        r->record.failed = 1;
        return;
    }
    for (size_t k = 0; k < n; k++) {
        const char *name = r->columns.columns[k].name;
        add_escaped(&names[k], r, name, strlen(name));
    }
    grow_widths(r, NULL, names, 0);
    if (r->colour) textbuf_string(&r->record, "\033[1m");
    join_cells(r, names);
    if (r->colour) {
        r->record.nbytes--; /* before the line's end */
        textbuf_string(&r->record, "\033[0m\n");
    }
    free_cells(names, n);
}

void report_row(struct report *r, const struct subject *s, const onepass_result *result,
                const onepass_error *err, const char *word) {
    size_t n = r->columns.ncolumns;
    int first = r->nrecords == 0;
    struct textbuf *cells = calloc(n + 1, sizeof(*cells));
    if (!cells) {
        r->record.failed = 1;
        return;
    }
    fill_cells(r, s, result, err, word, cells);
    if (r->aligned && first && !r->single) grow_names(r);
    if (r->aligned && !r->bare) grow_widths(r, result, cells, first);
    if (first && !r->bare && r->options->header != 0) add_header(r);
    join_cells(r, cells);
    free_cells(cells, n);
}
