/* Which columns a table has: the default ones, or those of --columns. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stddef.h>

#include "onepass.h"
#include "options.h"
#include "textbuf.h"

/* COLUMN(ID, name, one of each pipeline, doc), in the order of the man page. */
#define FIXED_COLUMNS                                                                                  \
    COLUMN(FILE, "file", 0, "name of the input; of --concat all of them, joined by +")                 \
    COLUMN(DATASET, "dataset", 0, "array inside the file; always empty in this version")               \
    COLUMN(DTYPE, "dtype", 0, "element type, or mixed")                                                \
    COLUMN(N, "n", 0, "elements read")                                                                 \
    COLUMN(USED, "used", 1, "elements that reached the reductions")                                    \
    COLUMN(DROPPED, "dropped", 1, "elements that where() dropped")                                     \
    COLUMN(SKIPPED, "skipped", 1, "NaN that --skip-nan left out")                                      \
    COLUMN(MISSING, "missing", 0, "elements that are marked as missing; always 0 in this version")     \
    COLUMN(NAN, "nan", 1, "NaN that reached the reductions, skipped ones included")                    \
    COLUMN(POSINF, "posinf", 1, "the same for +Inf")                                                   \
    COLUMN(NEGINF, "neginf", 1, "the same for -Inf")                                                   \
    COLUMN(SECONDS, "seconds", 0, "time from opening the input to its result")                         \
    COLUMN(RATE, "bytes_per_second", 0, "bytes of elements in that time")                              \
    COLUMN(THREADS, "threads", 0, "worker threads that took part")                                     \
    COLUMN(ERROR, "error", 0, "what went wrong: code and message; last in tsv and csv")

enum column_id {
#define COLUMN(id, name, each, doc) COLUMN_##id,
    FIXED_COLUMNS
#undef COLUMN
        NFIXED_COLUMNS,
    COLUMN_VALUE = NFIXED_COLUMNS /* a reduction */
};

struct column {
    enum column_id id;
    char *name;
    size_t pipeline; /* of those that each pipeline has */
    size_t value;    /* COLUMN_VALUE: number over all pipelines */
};

struct columns {
    struct column *columns;
    size_t ncolumns;
};

/* Name and description of fixed column k; NULL after the last. */
const char *column_fixed(size_t k, const char **doc);

/* The columns of a run over `noperands` inputs (`single`: there will be one record).
 * 0, EXIT_USAGE or EXIT_INPUT after a message. */
int columns_choose(struct columns *c, const struct options *o, const onepass_program *program,
                   size_t noperands, int single);
void columns_free(struct columns *c);

#endif
