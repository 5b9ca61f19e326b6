/* Tables of names: aligned for readers, tab- or comma-separated with a header for programs.  The names
 * come from the library's tables and from columns.h. */
#include "lists.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "escape.h"
#include "exit_status.h"
#include "machine.h"
#include "message.h"

enum { MOST_CELLS = 6, MOST_ROWS = 512, MOST_GPUS_SHOWN = 64, MOST_KEPT = 6 * MOST_GPUS_SHOWN + 2 };

struct list {
    size_t ncells;
    const char *rows[MOST_ROWS][MOST_CELLS]; /* row 0 is the header */
    size_t nrows;
    char *kept[MOST_KEPT]; /* texts that were made for it */
    size_t nkept;
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
        size_t ncells = l->ncells;
        while (o->format == FORMAT_PLAIN && ncells > 1 && !*l->rows[i][ncells - 1])
            ncells--; /* no blanks at the end */
        for (size_t k = 0; k < ncells; k++) {
            const char *cell = l->rows[i][k];
            size_t nbytes = strlen(cell);
            if (o->format == FORMAT_PLAIN) {
                if (k > 0) textbuf_string(out, "  ");
                textbuf_string(out, cell);
                if (k + 1 < ncells) textbuf_repeat(out, ' ', widths[k] - nbytes);
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

/* Texts of a list's rows that stand in no table. */
static const char *keep(struct list *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *keep(struct list *l, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (l->nkept == MOST_KEPT || vasprintf(&l->kept[l->nkept], format, args) < 0) {
        va_end(args);
        return "";
    }
    va_end(args);
    return l->kept[l->nkept++];
}

static int next_gpu(size_t k, onepass_gpu *gpu, onepass_error *err) {
    *gpu = (onepass_gpu){.size = sizeof(*gpu)};
    return k < MOST_GPUS_SHOWN && onepass_device(k, gpu, err);
}

/* What --device can be: words, and the GPUs that there are. */
static void fill_device_words(struct list *l) {
    static const char *const rows[][2] = {
        {"name", "doc"},
        {"auto", "a GPU where that is faster, else the CPU"},
        {"cpu", "the CPU"},
        {"cuda[:LIST]", "the first GPU, or those of LIST: 0,1 or all or uuids"}};
    onepass_gpu gpu;
    onepass_error err = ONEPASS_ERROR_INIT;
    l->ncells = 2;
    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        add_row(l, rows[k]);
    for (size_t k = 0; next_gpu(k, &gpu, &err); k++) {
        const char *cells[] = {keep(l, "cuda:%d", gpu.number), keep(l, "%s", gpu.name)};
        add_row(l, cells);
    }
}

static void fill_devices(struct list *l) {
    static const char *const header[] = {"device",     "name",       "memory_bytes",
                                         "capability", "processors", "uuid"};
    struct textbuf cpu = {0};
    onepass_gpu gpu;
    onepass_error err = ONEPASS_ERROR_INIT;
    size_t ngpus = 0;
    machine_add_cpu(&cpu);
    const char *first[] = {"cpu", keep(l, "%s", textbuf_text(&cpu)),  "",
                           "",    keep(l, "%d", onepass_cpu_count()), ""};
    textbuf_free(&cpu);
    l->ncells = sizeof(header) / sizeof(header[0]);
    add_row(l, header);
    add_row(l, first);
    for (; next_gpu(ngpus, &gpu, &err); ngpus++) {
        const char *cells[] = {keep(l, "cuda:%d", gpu.number),
                               keep(l, "%s", gpu.name),
                               keep(l, "%llu", (unsigned long long)gpu.memory_bytes),
                               keep(l, "%d.%d", gpu.major, gpu.minor),
                               keep(l, "%d", gpu.multiprocessors),
                               keep(l, "%s", gpu.uuid)};
        add_row(l, cells);
    }
    if (ngpus == 0) message_note(NULL, err.message);
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
        fill_device_words(l);
    else if (mode == MODE_LIST_DEVICES)
        fill_devices(l);
    else
        fill_words(l, words);
    print_list(out, o, l);
    for (size_t k = 0; k < l->nkept; k++)
        free(l->kept[k]);
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
