/* Reading the command line by the table of options.def.  Checks of single values are option_values.c's;
 * what the options do is everybody else's.
 *
 * getopt_long in its in-order mode: options may stand anywhere, `--` ends them, POSIXLY_CORRECT changes
 * nothing.  Its abbreviations are refused, since a new option would change what they mean. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "option_calls.h"

static const char *const endian_words[] = {"little", "big", NULL};
static const char *const colour_words[] = {"auto", "always", "never", NULL};
const char *const jit_words[] = {"auto", "a", "b", "c", "d", NULL};
const char *const gpu_sum_words[] = {"auto", "fp64", "int", NULL};
const char *const format_words[] = {"plain", "tsv", "csv", "json", "jsonl", NULL};
const char *const generate_words[] = {"bash", "zsh",         "fish",      "man",
                                      NULL,   "man-options", "man-facts", NULL};

#define FIELD(name) offsetof(struct options, name)
#define FUTURE      .kind = KIND_FUTURE
#define OPTION(...) {__VA_ARGS__},
const struct option_spec option_table[] = {
#include "options.def"
};
#undef OPTION
const size_t noptions = sizeof(option_table) / sizeof(option_table[0]);

const char *const option_groups[NGROUPS] = {
    [GROUP_PIPELINE] = "Pipeline",       [GROUP_INPUT] = "Input",
    [GROUP_RUNNING] = "Running",         [GROUP_BENCH] = "Benchmark",
    [GROUP_OUTPUT] = "Output",           [GROUP_MESSAGES] = "Messages",
    [GROUP_INFORMATION] = "Information", [GROUP_TESTS] = "For tests, without an effect on results",
};

/* A long spelling: the option, and whether it is its --no- form. */
struct spelling {
    const struct option_spec *spec;
    int negated;
    char name[32];
};

enum { MOST_SPELLINGS = 160, LONG_BASE = 1000, MOST_LETTERS = 64 };

/* getopt's view of the table. */
struct parser {
    struct spelling spellings[MOST_SPELLINGS];
    struct option longs[MOST_SPELLINGS + 1];
    size_t nspellings;
    char letters[3 * MOST_LETTERS];
};

static void add_spelling(struct parser *p, const struct option_spec *spec, const char *name,
                         int negated) {
    size_t k = p->nspellings++;
    p->spellings[k].spec = spec;
    p->spellings[k].negated = negated;
    snprintf(p->spellings[k].name, sizeof(p->spellings[k].name), "%s%s", negated ? "no-" : "", name);
    int argument = negated || !spec->argument ? no_argument
                   : spec->optional           ? optional_argument
                                              : required_argument;
    p->longs[k] = (struct option){p->spellings[k].name, argument, NULL, LONG_BASE + (int)k};
}

static void parser_init(struct parser *p) {
    memset(p, 0, sizeof(*p));
    char *letters = p->letters;
    *letters++ = '-'; /* in order: operands come as option 1 */
    *letters++ = ':'; /* a missing value is ':', and getopt prints nothing */
    for (size_t k = 0; k < noptions; k++) {
        const struct option_spec *spec = &option_table[k];
        if (spec->letter) {
            *letters++ = spec->letter;
            if (spec->argument && !spec->optional) *letters++ = ':';
        }
        if (spec->name) add_spelling(p, spec, spec->name, 0);
        if (spec->alias) add_spelling(p, spec, spec->alias, 0);
        if (spec->negatable) add_spelling(p, spec, spec->name, 1);
    }
    opterr = 0;
    optind = 0; /* restarts glibc's scan, also in its in-order mode */
}

void options_init(struct options *o) {
    *o = (struct options){
        .count = ONEPASS_ALL, .filename = -1, .header = -1, .progress = -1, .mode = MODE_RUN};
    const onepass_bench_options bench = ONEPASS_BENCH_OPTIONS_INIT;
    o->bench_bytes = bench.nbytes, o->runs = (uint64_t)bench.runs;
    o->warmup = (uint64_t)bench.warmup;
}

void options_free(struct options *o) {
    free(o->operands);
    free(o->parts);
    memset(o, 0, sizeof(*o));
}

const char *option_default(const struct option_spec *spec) {
    if (spec->otherwise) return spec->otherwise;
    if (spec->kind != KIND_CHOICE || spec->given == FIELD(has_endian)) return NULL;
    struct options o;
    options_init(&o);
    return spec->words[*(int *)((char *)&o + spec->field)];
}

void option_suggest(const char *word, size_t nbytes, const char *const *names, size_t nnames, char *out,
                    size_t capacity) {
    const char *best[3];
    size_t n = onepass_nearest(word, nbytes, names, nnames, best);
    out[0] = '\0';
    if (n == 1) snprintf(out, capacity, "did you mean %s?", best[0]);
    if (n == 2) snprintf(out, capacity, "did you mean %s or %s?", best[0], best[1]);
    if (n == 3) snprintf(out, capacity, "did you mean %s, %s or %s?", best[0], best[1], best[2]);
}

/* ---- one element of the line ---- */

/* What getopt found, with the element it stands in. */
struct found {
    int code;                       /* as getopt_long */
    const char *element;            /* "--name=value", "-j4" */
    const struct option_spec *spec; /* NULL: an operand or unknown */
    int negated;
};

static const struct option_spec *find_letter(int letter) {
    for (size_t k = 0; k < noptions; k++)
        if (letter && option_table[k].letter == letter) return &option_table[k];
    return NULL;
}

/* The option that code (a letter or LONG_BASE + k) names; abbreviated long names are none. */
static void resolve(const struct parser *p, int code, struct found *f) {
    if (code < LONG_BASE) {
        f->spec = find_letter(code);
        return;
    }
    const struct spelling *s = &p->spellings[code - LONG_BASE];
    size_t nbytes = strcspn(f->element + 2, "=");
    if (nbytes != strlen(s->name) || memcmp(s->name, f->element + 2, nbytes) != 0) return;
    f->spec = s->spec;
    f->negated = s->negated;
}

/* The next option or operand; 0 at the end of the options. */
static int next_found(const struct parser *p, int argc, char **argv, struct found *f) {
    int element = optind ? optind : 1;
    int code = getopt_long(argc, argv, p->letters, p->longs, NULL);
    if (code == -1) return 0;
    *f = (struct found){.code = code, .element = argv[element]};
    if (code == '?' || code == ':')
        resolve(p, optopt, f);
    else if (code != 1)
        resolve(p, code, f);
    return 1;
}

enum help_length options_find_help(int argc, char **argv) {
    struct parser p;
    struct found f;
    struct options found;
    options_init(&found);
    parser_init(&p);
    while (next_found(&p, argc, argv, &f)) {
        int is_help = f.spec && f.spec->kind == KIND_SET && f.spec->field == FIELD(help);
        if (is_help && f.spec->value > found.help) found.help = f.spec->value;
    }
    return (enum help_length)found.help;
}

/* Options that numpy, pandas and torch lead one to expect, and what to do instead. */
struct foreign_option {
    const char *name, *instead;
};
#define AXIS_HINT                                                                                      \
    "there is no reduction along an axis in this version: all elements are reduced to one value"
#define TEXT_HINT "text is not read: numbers are in binary form, of a type such as --dtype f32"
static const struct foreign_option FOREIGN[] = {
    {"axis", AXIS_HINT},
    {"dim", AXIS_HINT},
    {"keepdims", AXIS_HINT},
    {"keepdim", AXIS_HINT},
    {"sep", TEXT_HINT},
    {"delimiter", TEXT_HINT},
    {"skiprows", TEXT_HINT},
    {"ddof", "std and var divide by n; std1 and var1 by n - 1, as ddof=1 does"},
};

/* The hint for "--name=value", NULL if there is none. */
static const char *find_foreign(const char *element) {
    const char *name = element + 2;
    size_t nbytes = strcspn(name, "=");
    for (size_t k = 0; k < sizeof(FOREIGN) / sizeof(FOREIGN[0]); k++)
        if (strlen(FOREIGN[k].name) == nbytes && memcmp(FOREIGN[k].name, name, nbytes) == 0)
            return FOREIGN[k].instead;
    return NULL;
}

static int is_pipeline(const char *text) {
    onepass_program *program = NULL;
    int good = onepass_program_parse(text, strlen(text), &program, NULL) == ONEPASS_OK;
    onepass_program_free(program);
    return good;
}

static int report_unknown(const struct parser *p, const struct found *f) {
    const char *names[MOST_SPELLINGS];
    char dashed[MOST_SPELLINGS][sizeof(p->spellings[0].name) + 2];
    char hint[256] = "";
    size_t nnames = 0;
    if (f->element[1] == '-') {
        size_t nbytes = strcspn(f->element, "=");
        for (size_t k = 0; k < p->nspellings; k++) {
            if (p->spellings[k].spec->kind == KIND_FUTURE) continue;
            snprintf(dashed[nnames], sizeof(dashed[0]), "--%s", p->spellings[k].name);
            names[nnames] = dashed[nnames];
            nnames++;
        }
        option_suggest(f->element, nbytes, names, nnames, hint, sizeof(hint));
        const char *instead = find_foreign(f->element);
        message_usage(instead ? instead : hint, "unknown option '%.*s'",
                      (int)(nbytes < 200 ? nbytes : 200), f->element);
    } else {
        const char letter[2] = {(char)optopt, '\0'};
        int alone = strcmp(f->element + 1, letter) == 0;
        message_usage("an operand that starts with a dash goes after --",
                      "unknown option '-%s'%s%.200s%s", letter, alone ? "" : " in '",
                      alone ? "" : f->element, alone ? "" : "'");
    }
    return EXIT_USAGE;
}

/* An option that is wrong on the line: unknown, without its value, or with one it does not take. */
static int report_bad(const struct parser *p, const struct found *f) {
    if (is_pipeline(f->element)) {
        message_usage("-e PIPELINE, or -- before it",
                      "'%.200s' is a pipeline that starts with a dash, so it reads as "
                      "options",
                      f->element);
        return EXIT_USAGE;
    }
    if (!f->spec) return report_unknown(p, f);
    if (f->spec->kind == KIND_FUTURE) {
        message_usage(NULL, "option '%.200s' is not in this version", f->element);
    } else if (f->code == ':') {
        message_usage(NULL, "option '%.200s' needs a value: %s", f->element, f->spec->argument);
    } else {
        message_usage(NULL, "option '%.*s' takes no value", (int)strcspn(f->element, "="), f->element);
    }
    return EXIT_USAGE;
}

static int take(struct options *o, const struct parser *p, const struct found *f) {
    if (f->code == 1) {
        o->operands[o->noperands++] = optarg;
        return 0;
    }
    if (f->code == '?' || f->code == ':' || !f->spec || f->spec->kind == KIND_FUTURE)
        return report_bad(p, f);
    const char *value = f->spec->argument && !f->negated ? optarg : NULL;
    return option_store(o, f->spec, value, f->negated);
}

/* Options that contradict each other, whatever the inputs are. */
static int check_together(const struct options *o) {
    int json = o->format == FORMAT_JSON || o->format == FORMAT_JSONL;
    const char *fault = NULL;
    if (o->ndim && o->has_count)
        fault = "--shape says how many elements there are, so --count cannot be given with it";
    else if (o->ndim && o->stride > 1)
        fault = "--shape cannot be combined with a --stride above 1";
    else if (o->columns && json)
        fault = "--columns works with --format plain, tsv and csv; JSON records always have all fields";
    else if (o->mode != MODE_BENCH && (o->has_bench_bytes || o->has_runs || o->has_warmup))
        fault = "--size, --runs and --warmup work with --bench only";
    else if (o->output && !*o->output)
        fault = "option --output: the file name is empty";
    if (!fault) return 0;
    message_usage(NULL, "%s", fault);
    return EXIT_USAGE;
}

int options_parse(struct options *o, int argc, char **argv) {
    struct parser p;
    struct found f;
    int status = 0;
    o->operands = calloc((size_t)argc + 1, sizeof(*o->operands));
    o->parts = calloc((size_t)argc + 1, sizeof(*o->parts));
    if (!o->operands || !o->parts) {
        message_error("out_of_memory", NULL, "out of memory", NULL);
        return EXIT_INPUT;
    }
    parser_init(&p);
    while (status == 0 && next_found(&p, argc, argv, &f))
        status = take(o, &p, &f);
    for (int k = optind; status == 0 && k < argc; k++)
        o->operands[o->noperands++] = argv[k];
    return status ? status : check_together(o);
}
