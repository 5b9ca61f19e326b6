/* The texts of a parsed program: canonical pipelines, names of results, notes; the public functions
 * that hand them out, and the program's end. */
#include "program_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canonical.h"
#include "growing.h"

/* The string becomes the program's (and is freed at once if that fails). */
static int own_string(struct onepass_program *program, char *string) {
    char **grown = string == NULL ? NULL : grow(program->strings, program->nstrings, sizeof *grown);
    if (grown == NULL) {
        free(string);
        return ONEPASS_NO_MEMORY;
    }
    program->strings = grown;
    grown[program->nstrings++] = string;
    return 0;
}

static int name_reduction(struct onepass_program *program, struct ast_reduction *r, const char *posts,
                          size_t nposts) {
    size_t length = strlen(r->name);
    char *column = malloc(length + nposts + 1);
    if (column != NULL) {
        memcpy(column, r->name, length);
        memcpy(column + length, posts, nposts + 1);
    }
    r->column = column;
    return own_string(program, column);
}

int program_name_pipeline(struct onepass_program *program, struct ast_pipeline *pl, const char *text,
                          const struct token *tokens, size_t first, size_t posts, size_t end) {
    size_t n = canonical_text(text, tokens, first, end, NULL, 0);
    size_t nposts = canonical_text(text, tokens, posts, end, NULL, 0);
    pl->text = malloc(n + 1);
    if (pl->text == NULL) return ONEPASS_NO_MEMORY;
    canonical_text(text, tokens, first, end, pl->text, n + 1);
    for (size_t k = 0; k < pl->nreductions; k++)
        if (name_reduction(program, &pl->reductions[k], pl->text + n - nposts, nposts) != 0)
            return ONEPASS_NO_MEMORY;
    return 0;
}

/* A column, and where in the list it stands. */
struct named {
    const char *column;
    size_t pipeline, at;
};

static int by_column(const void *a, const void *b) {
    return strcmp(((const struct named *)a)->column, ((const struct named *)b)->column);
}

/* "2:max", for the second pipeline. */
static int prefix_column(struct onepass_program *program, const struct named *named) {
    size_t size = strlen(named->column) + 24;
    char *column = malloc(size);
    if (column != NULL) snprintf(column, size, "%zu:%s", named->pipeline + 1, named->column);
    program->columns[named->at] = column;
    return own_string(program, column);
}

/* Sorted, so that equal ones are neighbours: linear but for the sort.  Within one pipeline no column
 * occurs twice, and none starts with a digit, so that a prefix makes all unique. */
int program_name_columns(struct onepass_program *program) {
    size_t n = 0;
    int rc = ONEPASS_NO_MEMORY;
    struct named *named = malloc(program->ncolumns * sizeof *named);
    program->columns = malloc(program->ncolumns * sizeof *program->columns);
    if (named == NULL || program->columns == NULL) goto out;
    for (size_t i = 0; i < program->npipelines; i++)
        for (size_t k = 0; k < program->pipelines[i].nreductions; k++, n++) {
            const char *column = program->pipelines[i].reductions[k].column;
            named[n] = (struct named){column, i, n};
            program->columns[n] = column;
        }
    qsort(named, n, sizeof *named, by_column);
    for (size_t k = 0; k < n; k++) {
        int twice = (k > 0 && by_column(&named[k], &named[k - 1]) == 0) ||
                    (k + 1 < n && by_column(&named[k], &named[k + 1]) == 0);
        if (twice && prefix_column(program, &named[k]) != 0) goto out;
    }
    rc = 0;
out:
    free(named);
    return rc;
}

int program_note(struct onepass_program *program, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char **grown = grow(program->notes, program->nnotes, sizeof *grown);
    if (grown == NULL) return ONEPASS_NO_MEMORY;
    program->notes = grown;
    grown[program->nnotes] = malloc(strlen(text) + 1);
    if (grown[program->nnotes] == NULL) return ONEPASS_NO_MEMORY;
    memcpy(grown[program->nnotes++], text, strlen(text) + 1);
    return 0;
}

/* ---- the public functions -------------------------------------------------------------------- */

size_t onepass_program_npipelines(const onepass_program *program) {
    return program->npipelines;
}

const char *onepass_program_text(const onepass_program *program, size_t k) {
    return k < program->npipelines ? program->pipelines[k].text : NULL;
}

size_t onepass_program_ncolumns(const onepass_program *program) {
    return program->ncolumns;
}

const char *onepass_program_column(const onepass_program *program, size_t k) {
    return k < program->ncolumns ? program->columns[k] : NULL;
}

const char *onepass_program_note(const onepass_program *program, size_t k) {
    return k < program->nnotes ? program->notes[k] : NULL;
}

static void free_strings(char **strings, size_t n) {
    for (size_t k = 0; k < n; k++)
        free(strings[k]);
    free(strings);
}

void onepass_program_free(onepass_program *program) {
    if (program == NULL) return;
    for (size_t k = 0; k < program->npipelines; k++) {
        struct ast_pipeline *pl = &program->pipelines[k];
        free(pl->text);
        free(pl->stages);
        free(pl->reductions);
        free(pl->posts);
    }
    free(program->pipelines);
    free(program->nodes);
    free(program->columns);
    free_strings(program->notes, program->nnotes);
    free_strings(program->strings, program->nstrings);
    free(program);
}
