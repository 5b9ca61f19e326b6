/* --bench as a table for readers, and as rows of tsv and csv. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "escape.h"
#include "format_number.h"
#include "machine.h"
#include "progress.h"
#include "report.h"
#include "version.h"

/* ---- cells ---- */

/* Three digits. */
static void add_figure(struct textbuf *out, double v) {
    textbuf_format(out, "%.*f", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v);
}

static void add_time(struct textbuf *out, double seconds) {
    int unit = seconds >= 0.9995 ? 0 : seconds >= 0.9995e-3 ? 1 : 2;
    static const double scale[] = {1, 1e3, 1e6};
    static const char *const names[] = {"s", "ms", "us"};
    add_figure(out, seconds * scale[unit]);
    textbuf_format(out, " %s", names[unit]);
}

static void add_ulps(struct textbuf *out, uint64_t ulps) {
    if (ulps == ONEPASS_NO_ULPS)
        textbuf_string(out, "inf");
    else if (ulps < 10000000)
        textbuf_format(out, "%llu", (unsigned long long)ulps);
    else
        textbuf_format(out, "%.1e", (double)ulps);
}

enum cell {
    CELL_NAME,
    CELL_READS,
    CELL_PASSES,
    CELL_BETWEEN,
    CELL_MOVED,
    CELL_TIME,
    CELL_SPREAD,
    CELL_RATE,
    CELL_SPEEDUP,
    CELL_DISTINCT,
    CELL_ULPS,
    CELL_VALUE
};

static void add_cell(struct textbuf *out, const struct bench_subject *s, const onepass_bench_row *row,
                     enum cell cell) {
    switch (cell) {
    case CELL_NAME:
        textbuf_string(out, row->name);
        break;
    case CELL_READS:
        textbuf_string(out, row->reader);
        break;
    case CELL_PASSES:
        textbuf_format(out, "%llu", (unsigned long long)row->passes);
        break;
    case CELL_BETWEEN:
        progress_add_bytes(out, (double)row->intermediate_bytes);
        break;
    case CELL_MOVED:
        progress_add_bytes(out, (double)row->moved_bytes);
        break;
    case CELL_TIME:
        add_time(out, row->median_seconds);
        break;
    case CELL_SPREAD:
        if (isnan(row->spread))
            textbuf_char(out, '-');
        else
            textbuf_format(out, "%.1f %%", 100 * row->spread);
        break;
    case CELL_RATE:
        add_figure(out, row->bytes_per_second / 1e9);
        break;
    case CELL_SPEEDUP:
        add_figure(out, row->speedup);
        break;
    case CELL_DISTINCT:
        textbuf_format(out, "%llu", (unsigned long long)row->ndistinct);
        break;
    case CELL_ULPS:
        add_ulps(out, row->ulps[s->shown]);
        break;
    case CELL_VALUE:
        number_add(out, &s->batch->options->number, &row->values[s->shown]);
        break;
    }
}

/* ---- the table ---- */

/* Further columns, such as the percentage of a device's peak, have room: 100 columns in all. */
struct table_column {
    enum cell cell;
    const char *name; /* NULL: the shown reduction's */
    size_t width;
    int left;
};

static const struct table_column speed_columns[] = {
    {CELL_NAME, "row", 13, 1},       {CELL_READS, "reads", 10, 1}, {CELL_PASSES, "passes", 6, 0},
    {CELL_BETWEEN, "between", 7, 0}, {CELL_MOVED, "moved", 7, 0},  {CELL_TIME, "time", 7, 0},
    {CELL_SPREAD, "spread", 6, 0},   {CELL_RATE, "GB/s", 5, 0},    {CELL_SPEEDUP, "speed-up", 8, 0},
};

static const struct table_column value_columns[] = {
    {CELL_NAME, "row", 13, 1},
    {CELL_DISTINCT, "values", 6, 0},
    {CELL_ULPS, "error", 8, 0},
    {CELL_VALUE, NULL, 0, 1},
};

static void add_padded(struct textbuf *out, const struct table_column *c, const struct textbuf *cell,
                       int is_last) {
    size_t width = escape_width(textbuf_text(cell), cell->nbytes);
    size_t padding = c->width > width ? c->width - width : 0;
    if (!c->left) textbuf_repeat(out, ' ', padding);
    textbuf_add(out, textbuf_text(cell), cell->nbytes);
    if (c->left && !is_last) textbuf_repeat(out, ' ', padding);
    textbuf_string(out, is_last ? "\n" : "  ");
    if (cell->failed) out->failed = 1;
}

static void add_column_name(struct textbuf *out, const struct bench_subject *s) {
    const char *name = s->report->rows[0].values[s->shown].column;
    escape_visible(out, name, strlen(name));
}

/* row NULL: the names of the columns. */
static void add_line(struct textbuf *out, const struct bench_subject *s,
                     const struct table_column *columns, size_t ncolumns,
                     const onepass_bench_row *row) {
    struct textbuf cell = {0};
    for (size_t k = 0; k < ncolumns; k++) {
        const struct table_column *c = &columns[k];
        textbuf_clear(&cell);
        if (row)
            add_cell(&cell, s, row, c->cell);
        else if (c->name)
            textbuf_string(&cell, c->name);
        else
            add_column_name(&cell, s);
        add_padded(out, c, &cell, k + 1 == ncolumns);
    }
    textbuf_free(&cell);
}

static void add_table(struct textbuf *out, const struct bench_subject *s,
                      const struct table_column *columns, size_t ncolumns) {
    textbuf_char(out, '\n');
    if (s->batch->options->header != 0) add_line(out, s, columns, ncolumns, NULL);
    for (size_t k = 0; k < s->report->nrows; k++)
        add_line(out, s, columns, ncolumns, &s->report->rows[k]);
}

/* ---- what stands above it ---- */

static void add_pipelines(struct textbuf *out, const struct bench_subject *s) {
    for (size_t k = 0; k < onepass_program_npipelines(s->batch->program); k++) {
        const char *text = onepass_program_text(s->batch->program, k);
        textbuf_string(out, k ? "; " : "");
        escape_visible(out, text, strlen(text));
    }
}

static void add_data(struct textbuf *out, const struct bench_subject *s) {
    const onepass_bench_report *r = s->report;
    textbuf_format(out, "%llu ", (unsigned long long)r->result->n);
    report_add_dtype(out, r->result);
    textbuf_string(out, ", ");
    progress_add_bytes(out, (double)r->nbytes);
    if (r->made)
        textbuf_format(out, ", made in memory: %s, seed %llu", r->series, (unsigned long long)r->seed);
    else
        textbuf_string(out, " of ");
    if (!r->made) escape_visible(out, s->name, strlen(s->name));
}

static const char legend[] =
    "#\n"
    "# reads    an array in memory, or a file: through the page cache (pread) or past it (direct, "
    "uring)\n"
    "# passes   loops over all elements, of the data or of intermediate results\n"
    "# between  bytes of intermediate results that passes write to memory\n"
    "# moved    bytes that passes read and write: data and intermediate results, each time\n"
    "# time     median of the runs; spread = half the distance between their quartiles / median\n"
    "# GB/s     bytes of the data / time / 10^9; speed-up = time of naive / time\n"
    "# values   different results among the runs\n"
    "# error    ulp: binary64 numbers from the exact value to the one shown\n";

void bench_add_plain(struct textbuf *out, const struct bench_subject *s) {
    const onepass_bench_report *r = s->report;
    const char *commit = version_commit();
    textbuf_format(out, "# onepass %s%s%s%s --bench: ", onepass_version(), commit ? " (" : "",
                   commit ? commit : "", commit ? ")" : "");
    add_pipelines(out, s);
    textbuf_string(out, "\n# machine  ");
    machine_add_cpu(out);
    textbuf_format(out, ", %s, %d thread%s\n# system   ", r->result->isa, r->threads,
                   r->threads == 1 ? "" : "s");
    machine_add_system(out);
    textbuf_string(out, "\n# data     ");
    add_data(out, s);
    textbuf_format(out, "\n# runs     %d of each row, after %d to warm up, the rows taking turns\n",
                   r->runs, r->warmup);
    textbuf_string(out, legend);
    if (r->nvalues > 1)
        textbuf_format(out,
                       "#          Of %zu values the one with the largest error is shown; all are "
                       "compared.\n",
                       r->nvalues);
    add_table(out, s, speed_columns, sizeof(speed_columns) / sizeof(speed_columns[0]));
    add_table(out, s, value_columns, sizeof(value_columns) / sizeof(value_columns[0]));
}

/* ---- tsv and csv ---- */

static const char *const row_columns[] = {"row",         "reads",
                                          "passes",      "intermediate_bytes",
                                          "moved_bytes", "seconds",
                                          "spread",      "bytes_per_second",
                                          "speedup",     "distinct_values",
                                          "ulps",        "value",
                                          "result",      "error"};
enum { NROW_COLUMNS = sizeof(row_columns) / sizeof(row_columns[0]) };

static void join(struct textbuf *out, const struct options *o, const char *text, size_t k) {
    if (k > 0) textbuf_char(out, o->format == FORMAT_CSV ? ',' : '\t');
    if (o->format == FORMAT_CSV)
        escape_csv(out, text, strlen(text));
    else
        escape_tsv(out, text, strlen(text));
    if (k + 1 == NROW_COLUMNS) textbuf_char(out, '\n');
}

static void add_exact_cell(struct textbuf *out, const struct bench_subject *s,
                           const onepass_bench_row *row, size_t k) {
    const onepass_bench_report *r = s->report;
    switch (k) {
    case 0:
        textbuf_string(out, row->name);
        break;
    case 1:
        textbuf_string(out, row->reader);
        break;
    case 2:
    case 3:
    case 4:
        textbuf_format(out, "%llu",
                       (unsigned long long)(k == 2   ? row->passes
                                            : k == 3 ? row->intermediate_bytes
                                                     : row->moved_bytes));
        break;
    case 5:
        textbuf_format(out, "%.9f", row->median_seconds);
        break;
    case 6:
        if (!isnan(row->spread)) textbuf_format(out, "%.6f", row->spread);
        break;
    case 7:
        textbuf_format(out, "%.0f", row->bytes_per_second);
        break;
    case 8:
        textbuf_format(out, "%.6f", row->speedup);
        break;
    case 9:
        textbuf_format(out, "%llu", (unsigned long long)row->ndistinct);
        break;
    case 10:
        if (row->ulps[s->shown] != ONEPASS_NO_ULPS)
            textbuf_format(out, "%llu", (unsigned long long)row->ulps[s->shown]);
        break;
    case 11:
        number_add(out, &s->batch->options->number, &row->values[s->shown]);
        break;
    case 12:
        textbuf_string(out, row->values[s->shown].column);
        break;
    default: /* onepass itself is last */
        if (r->fault && row == &r->rows[r->nrows - 1])
            textbuf_format(out, "value_differs: %s", r->fault);
    }
}

void bench_add_rows(struct textbuf *out, const struct bench_subject *s) {
    const struct options *o = s->batch->options;
    struct textbuf cell = {0};
    for (size_t k = 0; o->header != 0 && k < NROW_COLUMNS; k++)
        join(out, o, row_columns[k], k);
    for (size_t i = 0; i < s->report->nrows; i++)
        for (size_t k = 0; k < NROW_COLUMNS; k++) {
            textbuf_clear(&cell);
            add_exact_cell(&cell, s, &s->report->rows[i], k);
            join(out, o, textbuf_text(&cell), k);
        }
    if (cell.failed) out->failed = 1;
    textbuf_free(&cell);
}
