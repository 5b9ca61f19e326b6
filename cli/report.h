/* Results and errors as records of the chosen output format, one per input, in input order. */
#ifndef REPORT_H
#define REPORT_H

#include <stddef.h>

#include "columns.h"
#include "onepass.h"
#include "options.h"
#include "textbuf.h"

/* What a record is about: one input, or all of --concat. */
struct subject {
    const char *const *names;
    size_t nnames;
    int concat;
};

struct report {
    const struct options *options;
    const onepass_program *program;
    char *const *argv;
    const char *const *names; /* of all inputs */
    size_t nnames;
    char start[32];         /* UTC */
    struct columns columns; /* of tables */
    int single;             /* there will be one record */
    int bare;               /* which is one value: no header, no other column */
    int aligned;            /* padded for a terminal */
    int colour;             /* of column names */
    size_t *widths;         /* of aligned columns, grown as rows come */
    size_t nrecords;
    struct textbuf record;
};

/* Before the output is opened, since it finds wrong options.  0 or an exit status after a message, here
 * and below. */
int report_open(struct report *r, const struct options *o, const onepass_program *program,
                char *const *argv, const char *const *names, size_t nnames);
void report_begin(struct report *r); /* once the output is open */
int report_result(struct report *r, const struct subject *s, const onepass_result *result);
/* word: the stable word of the error, as in JSON. */
int report_error(struct report *r, const struct subject *s, const onepass_error *err, const char *word);
/* Ends the output, after an interrupt too. */
int report_close(struct report *r);
void report_free(struct report *r);

/* The formats append one record to r->record; result or err is NULL. */
void report_json(struct report *r, const struct subject *s, const onepass_result *result,
                 const onepass_error *err, const char *word);
void report_row(struct report *r, const struct subject *s, const onepass_result *result,
                const onepass_error *err, const char *word);

/* Parts of JSON records: ,"file":"..." and, where bytes were lost, ,"file_b64":"..."; an element of the
 * list of pipelines. */
void report_json_file(struct textbuf *out, const char *name);
void report_json_pipeline(struct textbuf *out, const struct subject *s, const onepass_pipeline *p);

/* "f32", "f32be": the type with its byte order as --dtype takes it. */
void report_add_dtype(struct textbuf *out, const onepass_result *result);

#endif
