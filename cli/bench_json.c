/* --bench as a JSON record of type "bench".  What is declared or exact stands at the top, all that
 * differs between machines and runs under "run". */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "escape.h"
#include "json.h"
#include "machine.h"
#include "report.h"
#include "version.h"

static void add_text(struct textbuf *out, const char *key, void (*add)(struct textbuf *)) {
    struct textbuf text = {0};
    add(&text);
    json_string(out, key, textbuf_text(&text));
    if (text.failed) out->failed = 1;
    textbuf_free(&text);
}

/* ,"key":1.5 with null for NaN */
static void add_number(struct textbuf *out, const char *key, int decimals, double v) {
    textbuf_format(out, ",\"%s\":", key);
    if (isnan(v))
        textbuf_string(out, "null");
    else
        textbuf_format(out, "%.*f", decimals, v);
}

static void add_subject(struct textbuf *out, const struct bench_subject *s) {
    const onepass_bench_report *r = s->report;
    struct textbuf dtype = {0};
    if (s->name)
        report_json_file(out, s->name);
    else
        textbuf_string(out, ",\"file\":null");
    if (r->made) {
        textbuf_string(out, ",\"made\":{");
        json_string(out, "series", r->series);
        json_count(out, "seed", r->seed);
        textbuf_char(out, '}');
    } else {
        textbuf_string(out, ",\"made\":null");
    }
    textbuf_char(out, ',');
    report_add_dtype(&dtype, r->result);
    json_string(out, "dtype", textbuf_text(&dtype));
    json_count(out, "n", r->result->n);
    json_count(out, "data_bytes", r->nbytes);
    if (dtype.failed) out->failed = 1;
    textbuf_free(&dtype);
}

/* What each row does, whatever it does it on. */
static void add_declared(struct textbuf *out, const onepass_bench_report *r) {
    textbuf_string(out, ",\"rows\":[");
    for (size_t k = 0; k < r->nrows; k++) {
        const onepass_bench_row *row = &r->rows[k];
        textbuf_string(out, k ? ",{" : "{");
        json_string(out, "name", row->name);
        textbuf_char(out, ',');
        json_string(out, "reads", row->reads);
        json_count(out, "passes", row->passes);
        json_count(out, "intermediate_bytes", row->intermediate_bytes);
        json_count(out, "moved_bytes", row->moved_bytes);
        textbuf_char(out, '}');
    }
    textbuf_char(out, ']');
}

static void add_values(struct textbuf *out, const onepass_bench_report *r,
                       const onepass_bench_row *row) {
    textbuf_string(out, ",\"results\":[");
    for (size_t k = 0; k < r->nvalues; k++) {
        const onepass_value *v = &row->values[k];
        textbuf_string(out, k ? ",{" : "{");
        json_string(out, "column", v->column);
        textbuf_format(out, ",\"value\":%s,", v->hex ? v->text : "null");
        json_string(out, "text", v->text);
        textbuf_char(out, ',');
        json_string(out, "hex", v->hex);
        if (row->ulps[k] == ONEPASS_NO_ULPS)
            textbuf_string(out, ",\"ulps\":null");
        else
            json_count(out, "ulps", row->ulps[k]);
        textbuf_char(out, '}');
    }
    textbuf_char(out, ']');
}

static void add_measured(struct textbuf *out, const onepass_bench_report *r) {
    textbuf_string(out, ",\"rows\":[");
    for (size_t k = 0; k < r->nrows; k++) {
        const onepass_bench_row *row = &r->rows[k];
        textbuf_string(out, k ? ",{" : "{");
        json_string(out, "name", row->name);
        textbuf_char(out, ',');
        json_string(out, "reader", row->reader);
        add_number(out, "median_seconds", 9, row->median_seconds);
        add_number(out, "spread", 6, row->spread);
        add_number(out, "bytes_per_second", 0, row->bytes_per_second);
        add_number(out, "speedup", 6, row->speedup);
        json_count(out, "distinct_values", row->ndistinct);
        textbuf_string(out, ",\"seconds\":[");
        for (int run = 0; run < r->runs; run++)
            textbuf_format(out, "%s%.9f", run ? "," : "", row->seconds[run]);
        textbuf_char(out, ']');
        add_values(out, r, row);
        textbuf_char(out, '}');
    }
    textbuf_char(out, ']');
}

static void add_run(struct textbuf *out, const struct bench_subject *s) {
    const onepass_bench_report *r = s->report;
    char *const *argv = s->batch->argv;
    textbuf_string(out, ",\"run\":{");
    json_string(out, "version", onepass_version());
    textbuf_char(out, ',');
    json_string(out, "commit", version_commit());
    textbuf_string(out, ",\"argv\":[");
    for (size_t k = 0; argv[k]; k++) {
        if (k > 0) textbuf_char(out, ',');
        (void)escape_json(out, argv[k], strlen(argv[k]));
    }
    textbuf_string(out, "],");
    json_string(out, "start", s->start);
    textbuf_char(out, ',');
    add_text(out, "machine", machine_add_cpu);
    textbuf_char(out, ',');
    add_text(out, "system", machine_add_system);
    textbuf_char(out, ',');
    json_string(out, "device", r->result->device);
    textbuf_char(out, ',');
    json_string(out, "isa", r->result->isa);
    json_count(out, "threads", (uint64_t)r->threads);
    json_count(out, "runs", (uint64_t)r->runs);
    json_count(out, "warmup", (uint64_t)r->warmup);
    textbuf_char(out, ',');
    json_string(out, "fault", r->fault);
    add_measured(out, r);
    textbuf_char(out, '}');
}

void bench_add_json(struct textbuf *out, const struct bench_subject *s) {
    const struct options *o = s->batch->options;
    const struct subject subject = {&s->name, 1, 0};
    const onepass_result *result = s->report->result;
    if (o->format == FORMAT_JSON) textbuf_string(out, "[\n");
    textbuf_char(out, '{');
    json_string(out, "schema", ONEPASS_SCHEMA);
    textbuf_char(out, ',');
    json_string(out, "type", "bench");
    add_subject(out, s);
    textbuf_string(out, ",\"pipelines\":[");
    for (size_t k = 0; k < result->npipelines; k++) {
        if (k > 0) textbuf_char(out, ',');
        report_json_pipeline(out, &subject, &result->pipelines[k]);
    }
    textbuf_char(out, ']');
    add_declared(out, s->report);
    if (!o->stable) add_run(out, s);
    textbuf_string(out, "}\n");
    if (o->format == FORMAT_JSON) textbuf_string(out, "]\n");
}
