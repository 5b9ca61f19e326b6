/* --bench: the library's measurements as a table or a record. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "batch.h"

/* What does not go with --bench, found before anything is opened: 0, or EXIT_USAGE after a message. */
int bench_check(const struct options *o, const char *const *inputs, size_t ninputs);

/* Measures and reports; the exit status, after messages.  EXIT_NO if a value differed. */
int bench_run(const struct batch *b);

/* A report in an output format.  name: of the file, NULL: the data were made. */
struct bench_subject {
    const struct batch *batch;
    const char *name;
    const char *start; /* UTC */
    const onepass_bench_report *report;
    size_t shown; /* the value that tables show, bench_shown_value() */
};
/* The one whose values in the inexact rows are farthest from the exact one; of equals the first that is
 * not an integer, else the first. */
size_t bench_shown_value(const onepass_bench_report *report);
void bench_add_plain(struct textbuf *out, const struct bench_subject *s);
void bench_add_rows(struct textbuf *out, const struct bench_subject *s); /* tsv and csv */
void bench_add_json(struct textbuf *out, const struct bench_subject *s); /* json and jsonl */

#endif
