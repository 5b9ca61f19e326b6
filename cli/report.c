/* Records in order: what is common to all output formats.  report_table.c and report_json.c lay a
 * record out, output.c writes it, each with one write(). */
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "exit_status.h"
#include "message.h"
#include "output.h"
#include "terminal.h"

static int is_json(const struct report *r) {
    return r->options->format == FORMAT_JSON || r->options->format == FORMAT_JSONL;
}

int report_open(struct report *r, const struct options *o, const onepass_program *program,
                char *const *argv, const char *const *names, size_t nnames) {
    *r = (struct report){
        .options = o, .program = program, .argv = argv, .names = names, .nnames = nnames};
    r->single = o->concat || nnames == 1;
    if (is_json(r)) { /* elsewhere the time is not worth reading the time zones */
        struct tm utc;
        time_t now = time(NULL);
        if (gmtime_r(&now, &utc)) strftime(r->start, sizeof(r->start), "%Y-%m-%dT%H:%M:%SZ", &utc);
        return 0;
    }
    int status = columns_choose(&r->columns, o, program, nnames, r->single);
    if (status) return status;
    int plain = o->format == FORMAT_PLAIN;
    r->bare = plain && r->single && r->columns.ncolumns == 1 && o->header < 0;
    r->widths = calloc(r->columns.ncolumns + 1, sizeof(*r->widths));
    if (r->widths) return 0;
    message_error("out_of_memory", NULL, "out of memory", NULL);
    return EXIT_INPUT;
}

static int write_record(struct report *r, const struct subject *s, const onepass_result *result,
                        const onepass_error *err, const char *word) {
    if (is_json(r))
        report_json(r, s, result, err, word);
    else
        report_row(r, s, result, err, word);
    int status = output_write(&r->record);
    if (status == 0) r->nrecords++;
    return status;
}

void report_begin(struct report *r) {
    int plain = r->options->format == FORMAT_PLAIN;
    r->aligned = plain && isatty(output_descriptor());
    r->colour = plain && terminal_colour((enum colour_when)r->options->colour, output_descriptor());
}

int report_result(struct report *r, const struct subject *s, const onepass_result *result) {
    return write_record(r, s, result, NULL, NULL);
}

int report_error(struct report *r, const struct subject *s, const onepass_error *err,
                 const char *word) {
    /* A plain table has no column for it: the message on standard error is all. */
    if (r->options->format == FORMAT_PLAIN) return 0;
    return write_record(r, s, NULL, err, word);
}

int report_close(struct report *r) {
    if (r->options->format == FORMAT_JSON) textbuf_string(&r->record, r->nrecords ? "]\n" : "[]\n");
    return output_write(&r->record);
}

void report_free(struct report *r) {
    columns_free(&r->columns);
    textbuf_free(&r->record);
    free(r->widths);
    memset(r, 0, sizeof(*r));
}

void report_add_dtype(struct textbuf *out, const onepass_result *result) {
    textbuf_string(out, result->dtype);
    if (result->big_endian) textbuf_string(out, "be");
}
