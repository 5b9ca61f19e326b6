/* One run per input, or one over all with --concat: results to report.c, remarks to message.c, the
 * speed line at the end. */
#include "batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit_status.h"
#include "message.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "signals.h"

/* What the speed line adds up. */
struct totals {
    uint64_t nelems, decoded_bytes, stored_bytes;
    double seconds; /* of a single run */
    double start;
    size_t nresults;
    int threads;
    char device[200], dtype[16];
};

struct loop {
    const struct batch *batch;
    struct report report;
    struct totals totals;
    int status;
    int stop;
};

onepass_input batch_input(const struct options *o, const char *name) {
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = name;
    in.fd = STDIN_FILENO;
    in.format = o->input_format;
    in.dtype = o->dtype;
    in.endian = !o->has_endian ? 0 : o->endian ? 'b' : 'l';
    in.has_offset = o->has_offset;
    in.offset_bytes = o->offset;
    in.count = o->count;
    in.stride = o->stride;
    in.ndim = o->ndim;
    memcpy(in.shape, o->shape, sizeof(in.shape));
    return in;
}

onepass_input *batch_inputs(const struct options *o, const char *const *names, size_t n) {
    onepass_input *inputs = calloc(n + 1, sizeof(*inputs));
    for (size_t k = 0; inputs && k < n; k++)
        inputs[k] = batch_input(o, names[k]);
    return inputs;
}

int batch_error(const char *name, const onepass_error *err) {
    const char *word = onepass_strerror(err->code);
    switch (onepass_classify(err->code)) {
    case ONEPASS_CLASS_NONE:
    case ONEPASS_CLASS_CANCELLED:
        return EXIT_GOOD;
    case ONEPASS_CLASS_USAGE:
        message_usage(err->hint, "%s", err->message);
        return EXIT_USAGE;
    case ONEPASS_CLASS_DEVICE:
        message_error(word, NULL, err->message, err->hint);
        return EXIT_DEVICE;
    case ONEPASS_CLASS_INPUT:
        break;
    }
    message_error(word, name, err->message, err->hint);
    return EXIT_INPUT;
}

static void take_status(struct loop *l, int status) {
    l->status = exit_worse(l->status, status);
    if (status == EXIT_OUTPUT || status == EXIT_USAGE || status == EXIT_DEVICE) l->stop = 1;
}

static void add_totals(struct totals *t, const onepass_result *result) {
    struct textbuf dtype = {0};
    report_add_dtype(&dtype, result);
    t->nelems += result->n;
    t->decoded_bytes += result->decoded_bytes;
    t->stored_bytes += result->stored_bytes;
    t->seconds = result->seconds;
    if (result->threads > t->threads) t->threads = result->threads;
    int differs = t->nresults > 0 && strcmp(t->dtype, textbuf_text(&dtype)) != 0;
    strncpy(t->dtype, differs ? "mixed" : textbuf_text(&dtype), sizeof(t->dtype) - 1);
    strncpy(t->device, result->device, sizeof(t->device) - 1);
    t->nresults++;
    textbuf_free(&dtype);
}

/* -v: how the input was read. */
static void describe_input(const char *name, const onepass_result *result) {
    struct textbuf text = {0};
    textbuf_format(&text, "%s ", result->format);
    report_add_dtype(&text, result);
    textbuf_string(&text, ", shape [");
    for (int k = 0; k < result->ndim; k++)
        textbuf_format(&text, "%s%llu", k ? "," : "", (unsigned long long)result->shape[k]);
    textbuf_format(&text, "], %llu bytes read by %s, %d thread%s, %s, blocks by level %llu %llu %llu",
                   (unsigned long long)result->stored_bytes, result->reader, result->threads,
                   result->threads == 1 ? "" : "s", result->isa, (unsigned long long)result->levels[0],
                   (unsigned long long)result->levels[1], (unsigned long long)result->levels[2]);
    message_note(name, textbuf_text(&text));
    textbuf_free(&text);
}

static void take_result(struct loop *l, const struct subject *s, const onepass_result *result) {
    const char *name = s->nnames > 1 ? NULL : s->names[0];
    add_totals(&l->totals, result);
    if (l->batch->options->verbose) describe_input(name, result);
    take_status(l, report_result(&l->report, s, result));
    for (size_t k = 0; result->warnings && result->warnings[k]; k++)
        message_warning(name, result->warnings[k]);
    for (size_t k = 0; result->notes && result->notes[k]; k++)
        message_note(name, result->notes[k]);
}

/* 'onepass sum mean FILE': what is missing is the name of a reduction. */
static void hint_reduction(const struct loop *l, const char *name, onepass_error *err) {
    onepass_name row = {.size = sizeof(row)};
    if (err->sys_errno != ENOENT || err->hint[0]) return;
    for (size_t k = 0; onepass_op(k, &row); k++)
        if (strcmp(row.group, "reduction") == 0 && strcmp(row.name, name) == 0)
            snprintf(err->hint, sizeof(err->hint), "%s is a reduction: '%.200s, %s'", name,
                     onepass_program_text(l->batch->program, 0), name);
}

static void take_error(struct loop *l, const struct subject *s, onepass_error *err) {
    const char *name = s->names[err->part < s->nnames ? err->part : 0];
    const char *word = onepass_strerror(err->code);
    hint_reduction(l, name, err);
    int status = batch_error(name, err);
    take_status(l, status);
    if (onepass_classify(err->code) == ONEPASS_CLASS_CANCELLED) {
        onepass_error interrupted = *err;
        strcpy(interrupted.message, "interrupted before its result");
        word = "interrupted";
        l->stop = 1;
        take_status(l, report_error(&l->report, s, &interrupted, word));
    } else if (status == EXIT_INPUT) {
        take_status(l, report_error(&l->report, s, err, word));
        if (l->batch->options->fail_fast) l->stop = 1;
    }
}

static void reduce(struct loop *l, const struct subject *s) {
    const struct batch *b = l->batch;
    onepass_options how = ONEPASS_OPTIONS_INIT;
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_result *result = NULL;
    onepass_input *inputs = batch_inputs(b->options, s->names, s->nnames);
    how.skip_nan = b->options->skip_nan;
    if (!inputs) {
        err.code = ONEPASS_NO_MEMORY;
        strcpy(err.message, "out of memory");
    } else {
        err.code = onepass_run(b->context, b->program, inputs, s->nnames, &how, &result, &err);
    }
    progress_erase();
    if (err.code == ONEPASS_OK)
        take_result(l, s, result);
    else
        take_error(l, s, &err);
    onepass_result_free(result);
    free(inputs);
}

/* "268435456 f32, 1.07 GB in 0.051 s, 21.0 GB/s (cpu, 2 threads)" */
static void write_speed(const struct totals *t) {
    struct textbuf line = {0}, stored = {0};
    double seconds = t->nresults == 1 ? t->seconds : progress_now() - t->start;
    textbuf_format(&line, "%llu %s, ", (unsigned long long)t->nelems, t->dtype);
    size_t start = line.nbytes;
    progress_add_bytes(&line, (double)t->decoded_bytes);
    progress_add_bytes(&stored, (double)t->stored_bytes);
    if (!line.failed && !stored.failed && strcmp(line.data + start, stored.data) != 0)
        textbuf_format(&line, " (%s stored)", stored.data);
    textbuf_format(&line, " in %.*f s", seconds < 0.01 ? 6 : 3, seconds);
    if (seconds > 0.0) {
        textbuf_string(&line, ", ");
        progress_add_bytes(&line, (double)t->decoded_bytes / seconds);
        textbuf_string(&line, "/s");
    }
    textbuf_format(&line, " (%s, %d thread%s)\n", t->device, t->threads, t->threads == 1 ? "" : "s");
    message_write(&line);
    textbuf_free(&line);
    textbuf_free(&stored);
}

static void run_all(struct loop *l) {
    const struct batch *b = l->batch;
    size_t step = b->options->concat ? b->ninputs : 1;
    l->totals.start = progress_now();
    for (size_t k = 0; k < b->ninputs && !l->stop && !signals_pending(); k += step) {
        const struct subject s = {b->inputs + k, step, b->options->concat};
        progress_begin(b->inputs[k], k, b->ninputs / step);
        progress_poll();
        reduce(l, &s);
    }
    /* Nothing was computed: there is no record to end, and no speed. */
    int hopeless = l->status == EXIT_USAGE || l->status == EXIT_DEVICE;
    if (l->status == EXIT_OUTPUT || (hopeless && l->report.nrecords == 0)) return;
    take_status(l, report_close(&l->report));
    int machine = b->options->has_format && b->options->format != FORMAT_PLAIN;
    if (l->totals.nresults > 0 && !b->options->quiet && !machine && !signals_pending())
        write_speed(&l->totals);
}

/* The input would be replaced by its result. */
static int output_is_input(const struct batch *b) {
    struct stat output, input;
    if (!b->options->output || stat(b->options->output, &output) != 0 || !S_ISREG(output.st_mode))
        return 0;
    for (size_t k = 0; k < b->ninputs; k++) {
        int is_stdin = strcmp(b->inputs[k], "-") == 0;
        if ((is_stdin ? fstat(STDIN_FILENO, &input) : stat(b->inputs[k], &input)) != 0) continue;
        if (input.st_dev != output.st_dev || input.st_ino != output.st_ino) continue;
        message_usage(NULL, "option --output: '%s' is an input", b->options->output);
        return 1;
    }
    return 0;
}

int batch_check(const struct batch *b) {
    struct report report;
    if (output_is_input(b)) return EXIT_USAGE;
    int status = report_open(&report, b->options, b->program, b->argv, b->inputs, b->ninputs);
    report_free(&report);
    return status;
}

int batch_run(const struct batch *b) {
    struct loop l = {.batch = b};
    const char *note;
    for (size_t k = 0; (note = onepass_program_note(b->program, k)) != NULL; k++)
        message_note(NULL, note);
    l.status = report_open(&l.report, b->options, b->program, b->argv, b->inputs, b->ninputs);
    if (l.status == 0) l.status = output_open(b->options->output);
    if (l.status == 0) {
        report_begin(&l.report);
        run_all(&l);
    }
    report_free(&l.report);
    return l.status;
}
