/* Choosing the columns of tables.  What stands in their cells is report_table.c's. */
#include "columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

static const struct {
    const char *name;
    int each;
    const char *doc;
} fixed[NFIXED_COLUMNS] = {
#define COLUMN(id, name, each, doc) {name, each, doc},
    FIXED_COLUMNS
#undef COLUMN
};

const char *column_fixed(size_t k, const char **doc) {
    if (k >= NFIXED_COLUMNS) return NULL;
    *doc = fixed[k].doc;
    return fixed[k].name;
}

void columns_free(struct columns *c) {
    for (size_t k = 0; k < c->ncolumns; k++)
        free(c->columns[k].name);
    free(c->columns);
    memset(c, 0, sizeof(*c));
}

static int no_memory(void) {
    message_error("out_of_memory", NULL, "out of memory", NULL);
    return EXIT_INPUT;
}

/* Puts a column at a position; 0, or EXIT_INPUT when memory runs out. */
static int insert(struct columns *c, size_t at, enum column_id id, const char *name, size_t pipeline,
                  size_t value) {
    struct column *bigger = realloc(c->columns, (c->ncolumns + 1) * sizeof(*bigger));
    char *copy = strdup(name);
    if (bigger) c->columns = bigger;
    if (!bigger || !copy) {
        free(copy);
        return no_memory();
    }
    memmove(bigger + at + 1, bigger + at, (c->ncolumns - at) * sizeof(*bigger));
    bigger[at] = (struct column){id, copy, pipeline, value};
    c->ncolumns++;
    return 0;
}

static int append(struct columns *c, enum column_id id, const char *name, size_t pipeline,
                  size_t value) {
    return insert(c, c->ncolumns, id, name, pipeline, value);
}

static int has(const struct columns *c, enum column_id id) {
    for (size_t k = 0; k < c->ncolumns; k++)
        if (c->columns[k].id == id) return 1;
    return 0;
}

static void drop(struct columns *c, enum column_id id) {
    size_t kept = 0;
    for (size_t k = 0; k < c->ncolumns; k++) {
        if (c->columns[k].id == id)
            free(c->columns[k].name);
        else
            c->columns[kept++] = c->columns[k];
    }
    c->ncolumns = kept;
}

/* ---- --columns ---- */

/* Equal but for blanks: the heading "max|x - 1" may be asked for as "max | x-1". */
static int same_name(const char *a, const char *b) {
    for (;;) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b) return 0;
        if (!*a) return 1;
        a++;
        b++;
    }
}

/* One name of the list: a reduction's heading, a fixed column, or "2:used". */
static int add_named(struct columns *c, const onepass_program *program, const char *name) {
    size_t npipelines = onepass_program_npipelines(program), pipeline = 0;
    for (size_t k = 0; k < onepass_program_ncolumns(program); k++)
        if (same_name(name, onepass_program_column(program, k)))
            return append(c, COLUMN_VALUE, onepass_program_column(program, k), 0, k);
    const char *rest = strchr(name, ':');
    if (rest) {
        char number[24];
        uint64_t which;
        snprintf(number, sizeof(number), "%.*s", (int)(rest - name < 20 ? rest - name : 20), name);
        rest = option_number(number, 0, 1, npipelines, &which) == 0 ? rest + 1 : NULL;
        if (rest) pipeline = (size_t)which - 1;
    }
    for (int k = 0; k < NFIXED_COLUMNS; k++) {
        if (strcmp(rest ? rest : name, fixed[k].name) != 0 || (rest && !fixed[k].each)) continue;
        if (rest || !fixed[k].each || npipelines == 1)
            return append(c, (enum column_id)k, name, pipeline, 0);
        message_usage(NULL, "option --columns: each pipeline has a column '%s': say 1:%s to %zu:%s",
                      name, name, npipelines, name);
        return EXIT_USAGE;
    }
    return -1;
}

static int unknown_name(const onepass_program *program, const char *name) {
    enum { MOST = 256 };
    const char *names[MOST];
    char hint[512];
    size_t n = 0;
    for (; n < NFIXED_COLUMNS; n++)
        names[n] = fixed[n].name;
    for (size_t k = 0; k < onepass_program_ncolumns(program) && n < MOST; k++)
        names[n++] = onepass_program_column(program, k);
    option_suggest(name, strlen(name), names, n, hint, sizeof(hint));
    if (!hint[0])
        snprintf(hint, sizeof(hint), "--columns=? lists them; reductions are named as in the header");
    message_usage(hint, "option --columns: there is no column '%.200s'", name);
    return EXIT_USAGE;
}

/* Splits at commas outside brackets: "max|clamp(0,1)" is one name. */
static int add_list(struct columns *c, const onepass_program *program, const char *list) {
    int status = 0;
    for (const char *p = list; status == 0;) {
        const char *end = p;
        for (int depth = 0; *end && (depth > 0 || *end != ','); end++)
            depth += (*end == '(') - (*end == ')');
        size_t nbytes = (size_t)(end - p);
        while (nbytes > 0 && *p == ' ')
            p++, nbytes--;
        while (nbytes > 0 && p[nbytes - 1] == ' ')
            nbytes--;
        char *name = strndup(p, nbytes);
        if (!name) return no_memory();
        status = add_named(c, program, name);
        if (status == -1) status = unknown_name(program, name);
        free(name);
        if (!*end) break;
        p = end + 1;
    }
    return status;
}

int columns_choose(struct columns *c, const struct options *o, const onepass_program *program,
                   size_t noperands, int single) {
    int status = 0, machine = o->format != FORMAT_PLAIN;
    if (o->columns) {
        status = add_list(c, program, o->columns);
    } else {
        for (size_t k = 0; k < onepass_program_ncolumns(program) && status == 0; k++)
            status = append(c, COLUMN_VALUE, onepass_program_column(program, k), 0, k);
    }
    /* One value in all stands alone, so --concat with one reduction has no names either. */
    int several = noperands > 1 && !(single && c->ncolumns == 1);
    int names = o->filename >= 0 ? o->filename : !o->columns && (machine || several);
    if (status == 0 && names && !has(c, COLUMN_FILE)) status = insert(c, 0, COLUMN_FILE, "file", 0, 0);
    if (status == 0 && o->filename == 0) drop(c, COLUMN_FILE);
    if (status == 0 && machine) { /* always the last */
        drop(c, COLUMN_ERROR);
        status = append(c, COLUMN_ERROR, "error", 0, 0);
    }
    if (status == 0 && c->ncolumns == 0) {
        message_usage(NULL, "--columns and --no-filename leave no column");
        return EXIT_USAGE;
    }
    return status;
}
