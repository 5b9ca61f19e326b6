/* Completion scripts for bash, zsh and fish, from the tables of options and names. */
#include "generate.h"

#include <string.h>

#include "columns.h"
#include "onepass.h"
#include "options.h"

/* ---- pieces ---- */

/* The first sentence of a help, without its full stop. */
static void add_sentence(struct textbuf *out, const char *help) {
    const char *end = strstr(help, ". ");
    textbuf_add(out, help, end ? (size_t)(end - help) : strlen(help) - 1);
}

/* Text inside single quotes, with `special` characters escaped by a backslash; `quote` is how the shell
 * writes a single quote there. */
static void add_quoted(struct textbuf *out, const char *text, const char *special, const char *quote) {
    for (; *text; text++) {
        if (*text == '\'') {
            textbuf_string(out, quote);
            continue;
        }
        if (strchr(special, *text)) textbuf_char(out, '\\');
        textbuf_char(out, *text);
    }
}

static void add_names(struct textbuf *out, int (*next)(size_t, onepass_name *), int callable) {
    onepass_name name = {.size = sizeof(name)};
    for (size_t k = 0; next(k, &name); k++) {
        if (callable && !((name.name[0] | 32) >= 'a' && (name.name[0] | 32) <= 'z')) continue;
        textbuf_format(out, "%s%s", out->nbytes ? " " : "", name.name);
    }
}

/* The values that are known beforehand, separated by blanks; nothing for others. */
static void add_values(struct textbuf *out, const struct option_spec *spec) {
    const char *doc, *name;
    for (size_t k = 0; spec->words && spec->words[k]; k++)
        textbuf_format(out, "%s%s", k ? " " : "", spec->words[k]);
    if (spec->list == LIST_DTYPES) add_names(out, onepass_dtype, 0);
    if (spec->list == LIST_FORMATS) add_names(out, onepass_format, 0);
    if (spec->list == LIST_DEVICES) textbuf_string(out, "auto cpu cuda");
    for (size_t k = 0; spec->list == LIST_COLUMNS && (name = column_fixed(k, &doc)) != NULL; k++)
        textbuf_format(out, "%s%s", k ? " " : "", name);
    if (spec->optional) textbuf_string(out, spec->argument);
}

static int takes_file(const struct option_spec *spec) {
    return spec->argument && strcmp(spec->argument, "FILE") == 0;
}

/* Every spelling with `before` each, for one option or (NULL) for all. */
static void add_spellings(struct textbuf *out, const struct option_spec *only, const char *before) {
    for (size_t k = 0; k < noptions; k++) {
        const struct option_spec *s = &option_table[k];
        if ((only && s != only) || s->kind == KIND_FUTURE) continue;
        if (s->letter) textbuf_format(out, "%s-%c", before, s->letter);
        if (s->name) textbuf_format(out, "%s--%s", before, s->name);
        if (s->alias) textbuf_format(out, "%s--%s", before, s->alias);
        if (s->negatable) textbuf_format(out, "%s--no-%s", before, s->name);
    }
}

/* ---- bash ---- */

static const char bash_head[] =
    "# bash completion for onepass; made by: onepass --generate bash\n"
    "_onepass() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} i operands=0\n"
    "    # bash splits --option=value at the equals sign\n"
    "    if [[ $cur == '=' ]]; then cur=; elif [[ $prev == '=' ]]; then "
    "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
    "    COMPREPLY=()\n"
    "    case $prev in\n";

static const char bash_tail[] =
    "    if [[ $cur == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
    "        return\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in\n"
    "        -e | --expression | -f | --from-file) operands=1 ;;\n"
    "        -*) [[ \" $with_value \" == *\" ${COMP_WORDS[i]} \"* ]] && ((i++)) ;;\n"
    "        *) operands=1 ;;\n"
    "        esac\n"
    "    done\n"
    "    ((operands)) || mapfile -t COMPREPLY < <(compgen -W \"$ops\" -- \"$cur\")\n"
    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "    compopt -o filenames\n"
    "}\n"
    "complete -F _onepass onepass\n";

static void add_bash_case(struct textbuf *out, const struct option_spec *spec) {
    struct textbuf values = {0}, names = {0};
    add_values(&values, spec);
    add_spellings(&names, spec, " | ");
    textbuf_format(out, "    %s)\n", textbuf_text(&names) + 3);
    if (strcmp(spec->argument, "PIPELINE") == 0)
        textbuf_string(out, "        mapfile -t COMPREPLY < <(compgen -W \"$ops\" -- \"$cur\")\n");
    else if (takes_file(spec))
        textbuf_string(out, "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                            "        compopt -o filenames\n");
    else if (values.nbytes)
        textbuf_format(out, "        mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\")\n",
                       values.data);
    textbuf_string(out, "        return\n        ;;\n");
    if (values.failed || names.failed) out->failed = 1;
    textbuf_free(&values);
    textbuf_free(&names);
}

static int takes_value(const struct option_spec *spec) {
    return spec->argument && !spec->optional && spec->kind != KIND_FUTURE;
}

static void add_bash(struct textbuf *out) {
    struct textbuf ops = {0};
    add_names(&ops, onepass_op, 1);
    size_t split = strcspn(bash_head, "\n") + 1; /* after the comment */
    split += strcspn(bash_head + split, "\n") + 1;
    textbuf_add(out, bash_head, split);
    textbuf_format(out, "    local ops='%s'\n    local options='", textbuf_text(&ops));
    add_spellings(out, NULL, " ");
    textbuf_string(out, "'\n    local with_value='");
    for (size_t k = 0; k < noptions; k++)
        if (takes_value(&option_table[k])) add_spellings(out, &option_table[k], " ");
    textbuf_string(out, "'\n");
    textbuf_string(out, bash_head + split);
    for (size_t k = 0; k < noptions; k++)
        if (takes_value(&option_table[k])) add_bash_case(out, &option_table[k]);
    textbuf_string(out, "    esac\n");
    textbuf_string(out, bash_tail);
    if (ops.failed) out->failed = 1;
    textbuf_free(&ops);
}

/* ---- zsh ---- */

/* One spelling: '--name=[help]:ARGUMENT:action'; an asterisk since options may be repeated. */
static void add_zsh_spelling(struct textbuf *out, const struct option_spec *spec, const char *dashes,
                             const char *name, int negated) {
    int argument = spec->argument && !negated && !(spec->optional && dashes[1] == '\0');
    struct textbuf help = {0}, values = {0};
    add_sentence(&help, spec->help);
    add_values(&values, spec);
    textbuf_format(out, "    '*%s%s%s", dashes, negated ? "no-" : "", name);
    if (argument) textbuf_string(out, dashes[1] ? spec->optional ? "=-" : "=" : "+");
    textbuf_char(out, '[');
    if (negated) textbuf_string(out, "not\\: ");
    add_quoted(out, textbuf_text(&help), "[]:\\", "'\\''");
    textbuf_char(out, ']');
    if (argument) {
        textbuf_format(out, ":%s:", spec->argument);
        if (strcmp(spec->argument, "PIPELINE") == 0)
            textbuf_string(out, "($ops)");
        else if (takes_file(spec))
            textbuf_string(out, "_files");
        else if (values.nbytes)
            textbuf_format(out, "(%s)", values.data);
        else
            textbuf_char(out, ' ');
    }
    textbuf_string(out, "' \\\n");
    if (help.failed || values.failed) out->failed = 1;
    textbuf_free(&help);
    textbuf_free(&values);
}

static void add_zsh(struct textbuf *out) {
    struct textbuf ops = {0};
    add_names(&ops, onepass_op, 1);
    textbuf_format(out,
                   "#compdef onepass\n"
                   "# zsh completion for onepass; made by: onepass --generate zsh\n"
                   "local -a ops=(%s)\n"
                   "_arguments -s -S \\\n",
                   textbuf_text(&ops));
    for (size_t k = 0; k < noptions; k++) {
        const struct option_spec *s = &option_table[k];
        const char letter[2] = {s->letter, '\0'};
        if (s->kind == KIND_FUTURE) continue;
        if (s->letter) add_zsh_spelling(out, s, "-", letter, 0);
        if (s->name) add_zsh_spelling(out, s, "--", s->name, 0);
        if (s->alias) add_zsh_spelling(out, s, "--", s->alias, 0);
        if (s->negatable) add_zsh_spelling(out, s, "--", s->name, 1);
    }
    textbuf_string(out, "    \"1:pipeline: _alternative 'ops:op:($ops)' 'files:file:_files'\" \\\n"
                        "    '*:input:_files'\n");
    if (ops.failed) out->failed = 1;
    textbuf_free(&ops);
}

/* ---- fish ---- */

static void add_fish_spelling(struct textbuf *out, const struct option_spec *spec, char letter,
                              const char *name, int negated) {
    struct textbuf help = {0}, values = {0};
    add_sentence(&help, spec->help);
    add_values(&values, spec);
    textbuf_string(out, "complete -c onepass");
    if (letter) textbuf_format(out, " -s %c", letter);
    if (name) textbuf_format(out, " -l %s%s", negated ? "no-" : "", name);
    if (takes_value(spec) && !negated) {
        textbuf_string(out, takes_file(spec) ? " -r -F" : " -x");
        if (strcmp(spec->argument, "PIPELINE") == 0)
            textbuf_string(out, " -a \"$__onepass_ops\"");
        else if (values.nbytes)
            textbuf_format(out, " -a '%s'", values.data);
    }
    textbuf_format(out, " -d '%s", negated ? "Not: " : "");
    add_quoted(out, textbuf_text(&help), "\\", "\\'");
    textbuf_string(out, "'\n");
    if (help.failed || values.failed) out->failed = 1;
    textbuf_free(&help);
    textbuf_free(&values);
}

static void add_fish(struct textbuf *out) {
    struct textbuf ops = {0};
    add_names(&ops, onepass_op, 1);
    textbuf_format(out,
                   "# fish completion for onepass; made by: onepass --generate fish\n"
                   "set -g __onepass_ops '%s'\n"
                   "complete -c onepass -n __fish_is_first_arg -a \"$__onepass_ops\" -d op\n",
                   textbuf_text(&ops));
    for (size_t k = 0; k < noptions; k++) {
        const struct option_spec *s = &option_table[k];
        if (s->kind == KIND_FUTURE) continue;
        add_fish_spelling(out, s, s->letter, s->name, 0);
        if (s->alias) add_fish_spelling(out, s, 0, s->alias, 0);
        if (s->negatable) add_fish_spelling(out, s, 0, s->name, 1);
    }
    if (ops.failed) out->failed = 1;
    textbuf_free(&ops);
}

void generate_add(struct textbuf *out, const char *what) {
    static const struct {
        const char *what;
        void (*add)(struct textbuf *out);
    } generators[] = {
        {"bash", add_bash},
        {"zsh", add_zsh},
        {"fish", add_fish},
        {"man", manual_add_page},
        {"man-options", manual_add_options},
        {"man-facts", manual_add_facts},
    };
    for (size_t k = 0; k < sizeof(generators) / sizeof(generators[0]); k++)
        if (strcmp(generators[k].what, what) == 0) generators[k].add(out);
}
