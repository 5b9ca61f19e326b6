/* Tables of names: aligned for readers, tab- or comma-separated with a header for programs.  The names
 * come from the library's tables and from columns.h. */
#include "lists.h"

#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "escape.h"
#include "exit_status.h"
#include "message.h"

enum { MOST_CELLS = 5, MOST_ROWS = 512 };

struct list {
    size_t ncells;
    const char *rows[MOST_ROWS][MOST_CELLS]; /* row 0 is the header */
    size_t nrows;
};

static void add_row(struct list *l, const char *const *cells) {
    if (l->nrows == MOST_ROWS) return;
    for (size_t k = 0; k < l->ncells; k++)
        l->rows[l->nrows][k] = cells[k];
    l->nrows++;
}

/* Blanks between the columns of readers, separators between those of programs. */
static void print_list(struct textbuf *out, const struct options *o, const struct list *l) {
    size_t widths[MOST_CELLS] = {0};
    size_t first = o->header == 0 ? 1 : 0;
    for (size_t i = first; i < l->nrows; i++)
        for (size_t k = 0; k < l->ncells; k++)
            if (strlen(l->rows[i][k]) > widths[k]) widths[k] = strlen(l->rows[i][k]);
    for (size_t i = first; i < l->nrows; i++) {
        for (size_t k = 0; k < l->ncells; k++) {
            const char *cell = l->rows[i][k];
            size_t nbytes = strlen(cell);
            if (o->format == FORMAT_PLAIN) {
                if (k > 0) textbuf_string(out, "  ");
                textbuf_string(out, cell);
                if (k + 1 < l->ncells) textbuf_repeat(out, ' ', widths[k] - nbytes);
                continue;
            }
            if (k > 0) textbuf_char(out, o->format == FORMAT_CSV ? ',' : '\t');
            if (o->format == FORMAT_CSV)
                escape_csv(out, cell, nbytes);
            else
                escape_tsv(out, cell, nbytes);
        }
        textbuf_char(out, '\n');
    }
}

/* Readers get the usage in place of the bare name, and the description last. */
static void fill_ops(struct list *l, int plain) {
    static const char *const full[] = {"group", "name", "usage", "doc"};
    static const char *const brief[] = {"group", "usage", "doc"};
    l->ncells = plain ? 3 : 4;
    add_row(l, plain ? brief : full);
    onepass_name name = {.size = sizeof(name)};
    for (size_t k = 0; onepass_op(k, &name); k++) {
        const char *cells[] = {name.group, name.name, name.usage, name.doc};
        const char *readable[] = {name.group, name.usage, name.doc};
        add_row(l, plain ? readable : cells);
    }
}

static void fill_names(struct list *l, const char *usage, int (*next)(size_t, onepass_name *)) {
    const char *const header[] = {"name", usage, "doc"};
    l->ncells = 3;
    add_row(l, header);
    onepass_name name = {.size = sizeof(name)};
    for (size_t k = 0; next(k, &name); k++) {
        const char *cells[] = {name.name, name.usage ? name.usage : "", name.doc ? name.doc : ""};
        add_row(l, cells);
    }
}

static void fill_columns(struct list *l) {
    static const char *const header[] = {"name", "doc"};
    const char *cells[2];
    l->ncells = 2;
    add_row(l, header);
    for (size_t k = 0; (cells[0] = column_fixed(k, &cells[1])) != NULL; k++)
        add_row(l, cells);
}

static void fill_devices(struct list *l) {
    static const char *const rows[][2] = {{"name", "doc"},
                                          {"auto", "whatever is fastest: the CPU in this build"},
                                          {"cpu", "the CPU"},
                                          {"cuda[:LIST]", "NVIDIA GPUs; not in this build"}};
    l->ncells = 2;
    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        add_row(l, rows[k]);
}

static void fill_words(struct list *l, const char *const *words) {
    static const char *const header[] = {"name"};
    l->ncells = 1;
    add_row(l, header);
    for (size_t k = 0; words[k]; k++)
        add_row(l, &words[k]);
}

static int print_filled(struct textbuf *out, const struct options *o, enum option_list which,
                        enum mode mode, const char *const *words) {
    if (o->format == FORMAT_JSON || o->format == FORMAT_JSONL) {
        message_usage(NULL, "lists have --format plain, tsv and csv, not %s", format_words[o->format]);
        return EXIT_USAGE;
    }
    struct list *l = calloc(1, sizeof(*l));
    if (!l) {
        out->failed = 1;
        return 0;
    }
    if (mode == MODE_LIST_OPS)
        fill_ops(l, o->format == FORMAT_PLAIN);
    else if (which == LIST_DTYPES || mode == MODE_LIST_DTYPES)
        fill_names(l, "spellings", onepass_dtype);
    else if (which == LIST_FORMATS || mode == MODE_LIST_FORMATS)
        fill_names(l, "extensions", onepass_format);
    else if (which == LIST_COLUMNS)
        fill_columns(l);
    else if (which == LIST_DEVICES)
        fill_devices(l);
    else
        fill_words(l, words);
    print_list(out, o, l);
    free(l);
    return 0;
}

int lists_add(struct textbuf *out, const struct options *o, enum mode mode) {
    return print_filled(out, o, LIST_NONE, mode, NULL);
}

int lists_add_values(struct textbuf *out, const struct options *o) {
    struct options plain = *o; /* values are for readers, whatever the output's format is */
    plain.format = FORMAT_PLAIN;
    plain.header = 0;
    return print_filled(out, &plain, o->ask->list, MODE_RUN, o->ask->words);
}
