/* The two helps, from the table of options.  Neither opens a file, and no line is wider than 79. */
#include "help.h"

#include <string.h>

#include "exit_status.h"

enum { WIDTH = 79, TEXT_AT = 29 };

static const char usage[] = "usage: onepass [OPTION]... PIPELINE INPUT...\n"
                            "       onepass [OPTION]... -e PIPELINE INPUT...\n"
                            "       onepass [OPTION]... --bench PIPELINE [FILE]\n";

static const char examples[] = "  onepass 'abs | sum' field.f32\n"
                               "  onepass 'where(x > 0) | log | mean, std, max' a.npy b.npy\n"
                               "  producer | onepass -t f64 --json 'stats; square | sum' -\n";

static const char *const statuses[] = {
#define EXIT_ROW(id, number, meaning) [number] = meaning,
    EXIT_STATUSES
#undef EXIT_ROW
};

void help_add_spelling(struct textbuf *out, const struct option_spec *spec) {
    if (spec->letter) textbuf_format(out, "-%c", spec->letter);
    if (spec->letter && spec->name) textbuf_string(out, ", ");
    if (spec->name) textbuf_format(out, "--%s%s", spec->negatable ? "[no-]" : "", spec->name);
    if (spec->argument) textbuf_format(out, spec->optional ? "[=%s]" : " %s", spec->argument);
}

static void add_option(struct textbuf *out, const struct option_spec *spec, const char *text) {
    size_t start = out->nbytes;
    textbuf_string(out, spec->letter ? "  " : "      ");
    help_add_spelling(out, spec);
    size_t column = out->nbytes - start;
    if (column + 2 > TEXT_AT) {
        textbuf_char(out, '\n');
        column = 0;
    }
    textbuf_repeat(out, ' ', TEXT_AT - column);
    textbuf_wrap(out, text, TEXT_AT, TEXT_AT, WIDTH);
}

static void add_brief(struct textbuf *out) {
    for (size_t k = 0; k < noptions; k++) {
        const struct option_spec *spec = &option_table[k];
        struct textbuf first = {0};
        if (!spec->brief) continue;
        const char *end = strstr(spec->help, ". ");
        size_t nbytes = end ? (size_t)(end - spec->help) : strlen(spec->help) - 1;
        textbuf_add(&first, spec->help, nbytes);
        add_option(out, spec, textbuf_text(&first));
        if (first.failed) out->failed = 1;
        textbuf_free(&first);
    }
}

static void add_full(struct textbuf *out) {
    for (int group = 0; group < NGROUPS; group++) {
        textbuf_format(out, "\n%s:\n", option_groups[group]);
        for (size_t k = 0; k < noptions; k++) {
            const struct option_spec *spec = &option_table[k];
            struct textbuf text = {0};
            if (spec->kind == KIND_FUTURE || (int)spec->group != group) continue;
            textbuf_string(&text, spec->help);
            if (spec->alias) textbuf_format(&text, " Alias: --%s.", spec->alias);
            if (option_default(spec)) textbuf_format(&text, " [default: %s]", option_default(spec));
            add_option(out, spec, textbuf_text(&text));
            if (text.failed) out->failed = 1;
            textbuf_free(&text);
        }
    }
    textbuf_string(out, "\nExit status:\n");
    for (size_t k = 0; k < sizeof(statuses) / sizeof(statuses[0]); k++) {
        textbuf_format(out, "  %zu  ", k);
        textbuf_wrap(out, statuses[k], 5, 5, WIDTH);
    }
    textbuf_string(out,
                   "If several apply, it is the first of 2, 3, 5, 4, 1.\n\n"
                   "The language: man onepass-pipeline, onepass --list-ops.  All else: man onepass.\n"
                   "Home page and address for bugs: README.md of the source.\n");
}

void help_add(struct textbuf *out, enum help_length length) {
    textbuf_string(out, "onepass: exact reductions of the arrays in files, all in one pass\n\n");
    textbuf_string(out, usage);
    textbuf_char(out, '\n');
    textbuf_string(out, examples);
    if (length == HELP_BRIEF) {
        textbuf_char(out, '\n');
        add_brief(out);
        textbuf_string(out, "\n--help shows all options; the language: man onepass-pipeline\n");
    } else {
        add_full(out);
    }
}
