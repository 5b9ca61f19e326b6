/* The command line as a struct, and the table of options it was read by. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "format_number.h"
#include "onepass.h"
#include "terminal.h"

enum output_format { FORMAT_PLAIN, FORMAT_TSV, FORMAT_CSV, FORMAT_JSON, FORMAT_JSONL };
enum help_length { HELP_NONE, HELP_BRIEF, HELP_FULL };
enum mode {
    MODE_RUN, /* up to MODE_BENCH they take a pipeline */
    MODE_EXPLAIN,
    MODE_BENCH,
    MODE_VERSION,
    MODE_LIST_OPS,
    MODE_LIST_DTYPES,
    MODE_LIST_FORMATS,
    MODE_LIST_DEVICES,
    MODE_GENERATE
};

/* One -e or -f. */
struct pipeline_part {
    int is_file;
    const char *text; /* the pipeline, or the file's name */
};

struct option_spec;

struct options {
    char **operands; /* what is no option, in order; freed by options_free */
    size_t noperands;
    struct pipeline_part *parts;
    size_t nparts;
    int mode;                      /* enum mode */
    const char *mode_name;         /* the option that chose it */
    int help;                      /* enum help_length */
    int generate;                  /* index in generate_words */
    const struct option_spec *ask; /* an option whose value was "?" */

    int skip_nan;
    const char *dtype;
    int endian, has_endian; /* index in endian_words */
    uint64_t offset;
    int has_offset;
    uint64_t count;
    int has_count;
    uint64_t stride; /* 0: not given */
    int ndim;        /* 0: no shape given */
    int64_t shape[ONEPASS_MAX_DIMS];
    const char *input_format;
    int concat;

    uint64_t threads;
    int has_threads;
    const char *device; /* NULL: not given */
    int jit, gpu_sum;   /* index in jit_words, in gpu_sum_words; 0: automatic */
    int no_cache;
    uint64_t piece_bytes;
    int fail_fast;
    int explain_cuda;

    uint64_t bench_bytes, runs, warmup;
    int has_bench_bytes, has_runs, has_warmup;

    const char *output;
    int format, has_format; /* enum output_format */
    const char *columns;
    int filename; /* 1, 0, -1: not said */
    int header;   /* likewise */
    struct number_style number;
    int stable;

    int quiet, verbose;
    int progress; /* 1, 0, -1: not said */
    int colour;   /* enum colour_when */
};

enum option_kind {
    KIND_SET,    /* int field = .value */
    KIND_FLAG,   /* int field = 1; 0 for --no-NAME */
    KIND_COUNT,  /* int field + 1 */
    KIND_TEXT,   /* const char * field */
    KIND_NUMBER, /* uint64_t field, .low .. .high */
    KIND_BYTES,  /* the same with a suffix */
    KIND_CHOICE, /* int field = index in .words */
    KIND_MODE,   /* mode = .value; two different modes are an error */
    KIND_CALL,   /* .call does it */
    KIND_FUTURE  /* not in this version */
};
enum option_group {
    GROUP_PIPELINE,
    GROUP_INPUT,
    GROUP_RUNNING,
    GROUP_BENCH,
    GROUP_OUTPUT,
    GROUP_MESSAGES,
    GROUP_INFORMATION,
    GROUP_TESTS,
    NGROUPS
};
enum option_list { LIST_NONE, LIST_DTYPES, LIST_FORMATS, LIST_DEVICES, LIST_COLUMNS };

struct option_spec {
    char letter;      /* 0: none */
    const char *name; /* NULL: none */
    const char *argument;
    int optional;
    enum option_kind kind;
    enum option_group group;
    size_t field, given;
    int value;
    uint64_t low, high;
    const char *const *words;
    enum option_list list;
    int negatable, brief;
    const char *alias;
    const char *otherwise;
    const char *help;
    int (*call)(struct options *o, const struct option_spec *spec, const char *value, int negated);
};

extern const struct option_spec option_table[];
extern const size_t noptions;
extern const char *const option_groups[NGROUPS];
extern const char *const format_words[];
extern const char *const jit_words[];
extern const char *const gpu_sum_words[];
extern const char *const generate_words[]; /* a NULL, then those that are not for users, then a NULL */

void options_init(struct options *o);
/* The help that is asked for anywhere on the line, whatever else is wrong with it. */
enum help_length options_find_help(int argc, char **argv);
/* 0: good; EXIT_USAGE: said so on standard error.  Texts of argv are kept. */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

/* The default of an option as text, NULL when there is none to show. */
const char *option_default(const struct option_spec *spec);

/* Up to three of names[] as "did you mean A, B or C?", "" when none is near. */
void option_suggest(const char *word, size_t nbytes, const char *const *names, size_t nnames, char *out,
                    size_t capacity);

/* Checked values, option_values.c.  0: good, else EXIT_USAGE after a message. */
int option_store(struct options *o, const struct option_spec *spec, const char *value, int negated);

/* A whole decimal number, or with suffixes such as K KB KiB, up to `high`.  0: good. */
int option_number(const char *text, int suffixes, uint64_t low, uint64_t high, uint64_t *out);

#endif
