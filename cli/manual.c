/* The manual page in the program.  man/onepass.1 is the source of the prose and is embedded as it is;
 * the list of options in it is made from the table by `--generate man-options` and checked in.  The
 * test tests/man_check compares the two, and the page with the facts below. */
#include <string.h>

#include "columns.h"
#include "environment.h"
#include "exit_status.h"
#include "generate.h"
#include "options.h"

/* The path counts from the directory that make runs in. */
__asm__(".section .rodata\n"
        ".balign 16\n"
        "manual_page:\n"
        ".incbin \"man/onepass.1\"\n"
        "manual_page_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char manual_page[] __attribute__((visibility("hidden")));
extern const char manual_page_end[] __attribute__((visibility("hidden")));

void manual_add_page(struct textbuf *out) {
    textbuf_add(out, manual_page, (size_t)(manual_page_end - manual_page));
}

enum { LINE_WIDTH = 78 };

/* A word of running text: backslashes doubled, the dashes of options kept dashes. */
static void add_word(struct textbuf *out, const char *word, size_t nbytes) {
    if (word[0] == '.' || word[0] == '\'') textbuf_string(out, "\\&");
    for (size_t k = 0; k < nbytes; k++) {
        int starts = k == 0 || strchr("-/(", word[k - 1]);
        if (word[k] == '\\')
            textbuf_string(out, "\\e");
        else if (word[k] == '-' && starts)
            textbuf_string(out, "\\-");
        else
            textbuf_char(out, word[k]);
    }
}

/* Running text for mdoc, which wants every sentence to start a line. */
static void add_text(struct textbuf *out, const char *text) {
    size_t line = out->nbytes;
    while (*text) {
        size_t nbytes = strcspn(text, " ");
        size_t column = out->nbytes - line;
        int ends = column > 0 && out->data[out->nbytes - 1] == '.';
        if (ends || column + 1 + nbytes > LINE_WIDTH) {
            textbuf_char(out, '\n');
            line = out->nbytes;
        } else if (column > 0) {
            textbuf_char(out, ' ');
        }
        add_word(out, text, nbytes);
        text += nbytes + strspn(text + nbytes, " ");
    }
    textbuf_char(out, '\n');
}

/* ".It Fl t Ar TYPE , Fl -dtype Ar TYPE" */
static void add_item(struct textbuf *out, const struct option_spec *spec) {
    const char *between = "";
    textbuf_string(out, ".It");
    if (spec->letter) {
        textbuf_format(out, " Fl %c", spec->letter);
        if (spec->argument && !spec->optional) textbuf_format(out, " Ar %s", spec->argument);
        between = " ,";
    }
    if (spec->name) {
        textbuf_format(out, "%s Fl -%s", between, spec->name);
        if (spec->optional) textbuf_format(out, " Ns Oo = Ns Ar %s Oc", spec->argument);
        if (spec->argument && !spec->optional) textbuf_format(out, " Ar %s", spec->argument);
    }
    if (spec->alias) textbuf_format(out, " , Fl -%s", spec->alias);
    if (spec->negatable) textbuf_format(out, " , Fl -no-%s", spec->name);
    textbuf_char(out, '\n');
}

void manual_add_options(struct textbuf *out) {
    for (int group = 0; group < NGROUPS; group++) {
        textbuf_format(out, ".Ss %s\n.Bl -tag -width Ds\n", option_groups[group]);
        for (size_t k = 0; k < noptions; k++) {
            const struct option_spec *spec = &option_table[k];
            if (spec->kind == KIND_FUTURE || (int)spec->group != group) continue;
            add_item(out, spec);
            add_text(out, spec->help);
            if (option_default(spec)) textbuf_format(out, "Default: %s.\n", option_default(spec));
        }
        textbuf_string(out, ".El\n");
    }
}

void manual_add_facts(struct textbuf *out) {
    const char *doc, *name;
    for (size_t k = 0; k < noptions; k++) {
        const struct option_spec *s = &option_table[k];
        if (s->kind == KIND_FUTURE) continue;
        if (s->letter) textbuf_format(out, "option %c\n", s->letter);
        if (s->name) textbuf_format(out, "option -%s\n", s->name);
        if (s->alias) textbuf_format(out, "option -%s\n", s->alias);
        if (s->negatable) textbuf_format(out, "option -no-%s\n", s->name);
    }
#define EXIT_ROW(id, number, meaning) textbuf_format(out, "status %d\n", number);
    EXIT_STATUSES
#undef EXIT_ROW
    for (size_t k = 0; (name = column_fixed(k, &doc)) != NULL; k++)
        textbuf_format(out, "column %s\n", name);
    for (int v = 0; v < NVARIABLES; v++)
        textbuf_format(out, "variable %s\n", environment_name((enum variable)v));
}
