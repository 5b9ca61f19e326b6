/* Running --bench: what goes with it, the measurement, warnings, the verdict. */
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "exit_status.h"
#include "message.h"
#include "output.h"
#include "progress.h"

#define NOISY 0.05  /* spread from which on figures mean little */
#define SHORT 0.005 /* seconds below which starting threads and the clock's steps show */

/* An option that says something about a file, where there is none. */
static const char *find_layout_option(const struct options *o) {
    const struct {
        int given;
        const char *name;
    } layout[] = {{o->has_offset, "offset"},
                  {o->has_count, "count"},
                  {o->stride > 0, "stride"},
                  {o->ndim > 0, "shape"},
                  {o->input_format != NULL, "input-format"}};
    for (size_t k = 0; k < sizeof(layout) / sizeof(layout[0]); k++)
        if (layout[k].given) return layout[k].name;
    return NULL;
}

int bench_check(const struct options *o, const char *const *inputs, size_t ninputs) {
    const char *layout = ninputs == 0 ? find_layout_option(o) : NULL;
    const char *hint = NULL;
    if (o->concat)
        message_usage(hint, "--bench and --concat cannot be combined");
    else if (o->columns)
        message_usage(hint,
                      "--bench and --columns cannot be combined: its table has columns of its own");
    else if (o->filename >= 0)
        message_usage(hint, "--bench has no column for file names: --with-filename and --no-filename "
                            "cannot be combined with it");
    else if (ninputs > 1)
        message_usage(hint, "--bench takes one file, or none: there are %zu", ninputs);
    else if (ninputs == 1 && strcmp(inputs[0], "-") == 0)
        message_usage("name a file; or no input, and data of --size bytes are made",
                      "--bench reads its data many times, which standard input cannot be");
    else if (ninputs == 1 && o->has_bench_bytes)
        message_usage("--count takes a part of raw data",
                      "--size is for data that are made: of a FILE all is measured");
    else if (layout)
        message_usage("--size says how much data are made, --dtype of which type",
                      "--%s describes a FILE, and --bench has none", layout);
    else
        return 0;
    return EXIT_USAGE;
}

/* The errors of inexact rows are what the second table is there for; a count has none. */
size_t bench_shown_value(const onepass_bench_report *report) {
    const onepass_value *values = report->rows[report->nrows - 1].values;
    uint64_t most = 0;
    size_t shown = report->nvalues;
    for (size_t k = 0; k < report->nvalues; k++)
        for (size_t i = 0; i < report->nrows; i++)
            if (report->rows[i].ulps[k] > most) most = report->rows[i].ulps[k], shown = k;
    for (size_t k = 0; shown == report->nvalues && k < report->nvalues; k++)
        if (values[k].kind == ONEPASS_REAL) shown = k;
    return shown < report->nvalues ? shown : 0;
}

/* ---- warnings ---- */

static int is_short(const onepass_bench_row *row) {
    return row->median_seconds < SHORT;
}

static int is_noisy(const onepass_bench_row *row) {
    return row->spread > NOISY && !is_short(row); /* which has a warning already, and is why */
}

/* One line for all rows of which something is true. */
static void warn(const onepass_bench_report *report, int (*is_true)(const onepass_bench_row *),
                 const char *text) {
    struct textbuf names = {0};
    for (size_t k = 0; k < report->nrows; k++)
        if (is_true(&report->rows[k]))
            textbuf_format(&names, "%s%s", names.nbytes ? ", " : "", report->rows[k].name);
    if (names.nbytes) message_warning(textbuf_text(&names), text);
    textbuf_free(&names);
}

static void warn_all(const struct bench_subject *s) {
    const onepass_result *result = s->report->result;
    for (size_t k = 0; result->warnings && result->warnings[k]; k++)
        message_warning(s->name, result->warnings[k]);
    for (size_t k = 0; result->notes && result->notes[k]; k++)
        message_note(s->name, result->notes[k]);
    warn(s->report, is_noisy,
         "the times spread by more than 5 %: something else runs, or the clock changes; "
         "stop it, or take more --runs");
    warn(s->report, is_short,
         s->name ? "a run takes less than 5 ms, too short to measure well; take a larger file"
                 : "a run takes less than 5 ms, too short to measure well; take a larger --size");
}

/* ---- the whole ---- */

static int report_all(const struct bench_subject *s) {
    struct textbuf text = {0};
    const struct options *o = s->batch->options;
    if (o->format == FORMAT_PLAIN)
        bench_add_plain(&text, s);
    else if (o->format == FORMAT_TSV || o->format == FORMAT_CSV)
        bench_add_rows(&text, s);
    else
        bench_add_json(&text, s);
    int status = output_write(&text);
    textbuf_free(&text);
    warn_all(s);
    if (!s->report->fault) return status;
    message_error("value_differs", s->name, s->report->fault,
                  "a file that is being written, or an error of onepass: please report it");
    return exit_worse(status, EXIT_NO);
}

int bench_run(const struct batch *b) {
    const struct options *o = b->options;
    onepass_bench_options how = ONEPASS_BENCH_OPTIONS_INIT;
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_report *report = NULL;
    char start[32] = "";
    struct tm utc;
    time_t now = time(NULL);
    const char *note, *name = b->ninputs ? b->inputs[0] : NULL;
    for (size_t k = 0; (note = onepass_program_note(b->program, k)) != NULL; k++)
        message_note(NULL, note);
    int status = output_open(o->output);
    if (status) return status;
    if (gmtime_r(&now, &utc)) strftime(start, sizeof(start), "%Y-%m-%dT%H:%M:%SZ", &utc);
    onepass_input input = batch_input(o, name);
    how.runs = (int)o->runs;
    how.warmup = (int)o->warmup;
    how.nbytes = o->bench_bytes;
    how.skip_nan = o->skip_nan;
    progress_begin(name ? name : "--bench", 0, 1);
    err.code = onepass_bench(b->context, b->program, &input, &how, &report, &err);
    progress_erase();
    const struct bench_subject s = {b, name, start, report, err.code ? 0 : bench_shown_value(report)};
    status = err.code ? batch_error(name, &err) : report_all(&s);
    onepass_bench_report_free(report);
    return status;
}
