/* json and jsonl: the record layout "onepass/1" that onepass(1) documents.  Keys are only ever added.
 * Numbers are the library's exact texts; --digits, --hex and --ofmt do not come here. */
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "json.h"
#include "report.h"
#include "version.h"

static void add_counts(struct textbuf *out, const char *key, const uint64_t *n, size_t many) {
    textbuf_format(out, ",\"%s\":[", key);
    for (size_t k = 0; k < many; k++)
        textbuf_format(out, "%s%llu", k ? "," : "", (unsigned long long)n[k]);
    textbuf_char(out, ']');
}

void report_json_file(struct textbuf *out, const char *name) {
    textbuf_string(out, ",\"file\":");
    if (!escape_json(out, name, strlen(name))) return;
    textbuf_string(out, ",\"file_b64\":");
    escape_json_base64(out, name, strlen(name));
}

/* ,"files":[...], and ,"files_b64":[...] with null for those that lost nothing. */
static void add_files(struct textbuf *out, const struct subject *s) {
    int lost = 0;
    textbuf_string(out, ",\"files\":[");
    for (size_t k = 0; k < s->nnames; k++) {
        if (k > 0) textbuf_char(out, ',');
        lost |= escape_json(out, s->names[k], strlen(s->names[k]));
    }
    textbuf_char(out, ']');
    if (!lost) return;
    textbuf_string(out, ",\"files_b64\":[");
    for (size_t k = 0; k < s->nnames; k++) {
        struct textbuf scratch = {0};
        if (k > 0) textbuf_char(out, ',');
        if (escape_json(&scratch, s->names[k], strlen(s->names[k])))
            escape_json_base64(out, s->names[k], strlen(s->names[k]));
        else
            textbuf_string(out, "null");
        textbuf_free(&scratch);
    }
    textbuf_char(out, ']');
}

/* Where an arg reduction found its element; in --concat also the input that holds it. */
static void add_index(struct textbuf *out, const struct subject *s, const onepass_value *v) {
    json_count(out, "index", v->index);
    if (!s->concat) {
        add_counts(out, "coords", v->coords, (size_t)v->ncoords);
        return;
    }
    int several = s->nnames > 1;
    if (v->part < s->nnames || !several) report_json_file(out, s->names[several ? v->part : 0]);
    json_count(out, "file_index", several ? v->part_index : v->index);
    add_counts(out, "file_coords", several ? v->part_coords : v->coords,
               (size_t)(several ? v->part_ncoords : v->ncoords));
}

static void add_value(struct textbuf *out, const struct subject *s, const onepass_value *v) {
    textbuf_char(out, '{');
    json_string(out, "name", v->name);
    textbuf_string(out, ",\"column\":");
    (void)escape_json(out, v->column, strlen(v->column));
    /* The text of a finite number is a JSON number as it stands. */
    textbuf_format(out, ",\"value\":%s,", v->hex ? v->text : "null");
    json_string(out, "text", v->text);
    textbuf_char(out, ',');
    json_string(out, "hex", v->hex);
    textbuf_char(out, ',');
    json_string(out, "type", v->type);
    if (v->has_index) add_index(out, s, v);
    textbuf_char(out, '}');
}

void report_json_pipeline(struct textbuf *out, const struct subject *s, const onepass_pipeline *p) {
    textbuf_char(out, '{');
    json_string(out, "text", p->text);
    json_count(out, "used", p->used);
    json_count(out, "dropped", p->dropped);
    json_count(out, "skipped", p->skipped);
    json_count(out, "nan", p->nan);
    json_count(out, "posinf", p->posinf);
    json_count(out, "neginf", p->neginf);
    textbuf_string(out, ",\"results\":[");
    for (size_t k = 0; k < p->nvalues; k++) {
        if (k > 0) textbuf_char(out, ',');
        add_value(out, s, &p->values[k]);
    }
    textbuf_string(out, "]}");
}

/* Everything that may differ between two runs or machines. */
static void add_run(struct textbuf *out, const struct report *r, const onepass_result *result) {
    textbuf_string(out, ",\"run\":{");
    json_string(out, "version", onepass_version());
    textbuf_char(out, ',');
    json_string(out, "commit", version_commit());
    textbuf_string(out, ",\"argv\":[");
    for (size_t k = 0; r->argv[k]; k++) {
        if (k > 0) textbuf_char(out, ',');
        (void)escape_json(out, r->argv[k], strlen(r->argv[k]));
    }
    textbuf_string(out, "],");
    json_string(out, "start", r->start);
    textbuf_char(out, ',');
    json_string(out, "device", result->device);
    textbuf_char(out, ',');
    json_string(out, "isa", result->isa);
    textbuf_char(out, ',');
    json_string(out, "reader", result->reader);
    if (result->jit) {
        textbuf_char(out, ',');
        json_string(out, "jit", result->jit);
    }
    textbuf_format(out, ",\"threads\":%d,\"seconds\":%.6f,\"bytes_per_second\":", result->threads,
                   result->seconds);
    if (result->seconds > 0.0)
        textbuf_format(out, "%.0f", (double)result->decoded_bytes / result->seconds);
    else
        textbuf_string(out, "null");
    add_counts(out, "levels", result->levels, 3);
    json_count(out, "stored_bytes", result->stored_bytes);
    json_count(out, "decoded_bytes", result->decoded_bytes);
    if (result->file_size || result->mtime) {
        json_count(out, "size", result->file_size);
        textbuf_format(out, ",\"mtime\":%lld", (long long)result->mtime);
    } else {
        textbuf_string(out, ",\"size\":null,\"mtime\":null");
    }
    textbuf_char(out, '}');
}

static void add_result(struct textbuf *out, const struct report *r, const struct subject *s,
                       const onepass_result *result) {
    struct textbuf dtype = {0};
    if (s->concat)
        add_files(out, s);
    else
        report_json_file(out, s->names[0]);
    textbuf_string(out, ",\"dataset\":null,");
    report_add_dtype(&dtype, result);
    json_string(out, "dtype", textbuf_text(&dtype));
    if (s->concat)
        add_counts(out, "shape", &result->n, 1);
    else
        add_counts(out, "shape", result->shape, (size_t)result->ndim);
    json_count(out, "n", result->n);
    json_count(out, "missing", result->missing);
    if (result->has_layout) {
        json_count(out, "offset", result->offset_bytes);
        json_count(out, "count", result->count);
        json_count(out, "stride", result->stride);
    }
    textbuf_string(out, ",\"pipelines\":[");
    for (size_t k = 0; k < result->npipelines; k++) {
        if (k > 0) textbuf_char(out, ',');
        report_json_pipeline(out, s, &result->pipelines[k]);
    }
    textbuf_char(out, ']');
    if (!r->options->stable) add_run(out, r, result);
    if (dtype.failed) out->failed = 1;
    textbuf_free(&dtype);
}

static void add_error(struct textbuf *out, const struct subject *s, const onepass_error *err,
                      const char *word) {
    if (s->concat) add_files(out, s);
    report_json_file(out, s->names[s->concat && err->part < s->nnames ? err->part : 0]);
    textbuf_char(out, ',');
    json_string(out, "code", word);
    textbuf_char(out, ',');
    json_string(out, "message", err->message);
}

void report_json(struct report *r, const struct subject *s, const onepass_result *result,
                 const onepass_error *err, const char *word) {
    struct textbuf *out = &r->record;
    if (r->options->format == FORMAT_JSON) textbuf_string(out, r->nrecords ? "," : "[\n");
    textbuf_char(out, '{');
    json_string(out, "schema", ONEPASS_SCHEMA);
    textbuf_char(out, ',');
    json_string(out, "type", result ? "result" : "error");
    if (result)
        add_result(out, r, s, result);
    else
        add_error(out, s, err, word);
    textbuf_char(out, '}');
    textbuf_char(out, '\n');
}
