/* libFuzzer target: any bytes as a pipeline.
 *
 * What is accepted must be understood the same way when its canonical text is parsed again; what is
 * refused must say so and point into the text. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onepass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static void require(int condition, const char *what, const char *text) {
    if (condition) return;
    fprintf(stderr, "fuzz_pipeline: %s: %s\n", what, text);
    abort();
}

#ifdef PLANTED_OVERFLOW
/* A fault that no seed reaches: none is one pipeline of two reductions. */
static void plant(const onepass_program *program) {
    size_t *one = malloc(sizeof *one), ncolumns = onepass_program_ncolumns(program);
    if (onepass_program_npipelines(program) == 1 && ncolumns == 2)
        for (volatile size_t k = 0; k < ncolumns; k++)
            one[k] = strlen(onepass_program_column(program, k));
    free(one);
}
#else
static void plant(const onepass_program *program) {
    (void)program;
}
#endif

static void check_error(int rc, const onepass_error *err, const onepass_program *program,
                        size_t nbytes) {
    require(program == NULL, "an error and a program", err->message);
    require(err->code == rc, "err.code is not what was returned", err->message);
    require(memchr(err->message, '\0', sizeof err->message) != NULL, "an endless message", "");
    require(memchr(err->hint, '\0', sizeof err->hint) != NULL, "an endless hint", "");
    require(err->message[0] != '\0', "no message", "");
    require(err->span_start <= err->span_end && err->span_end <= nbytes, "span outside", err->message);
}

/* All canonical texts, joined by ';'; the caller's, to be freed. */
static char *join_texts(const onepass_program *program) {
    size_t size = 1, n = 0;
    for (size_t k = 0; k < onepass_program_npipelines(program); k++)
        size += strlen(onepass_program_text(program, k)) + 1;
    char *joined = malloc(size);
    if (joined == NULL) abort();
    joined[0] = '\0';
    for (size_t k = 0; k < onepass_program_npipelines(program); k++) {
        const char *text = onepass_program_text(program, k);
        if (k > 0) joined[n++] = ';';
        memcpy(joined + n, text, strlen(text) + 1);
        n += strlen(text);
    }
    return joined;
}

static void check_same(const onepass_program *a, const onepass_program *b, const char *text) {
    size_t n = onepass_program_npipelines(a), ncolumns = onepass_program_ncolumns(a), nnotes = 0;
    require(onepass_program_npipelines(b) == n, "another number of pipelines", text);
    require(onepass_program_ncolumns(b) == ncolumns && ncolumns >= n, "another number of columns",
            text);
    for (size_t k = 0; k < n; k++)
        require(strcmp(onepass_program_text(a, k), onepass_program_text(b, k)) == 0, "another text",
                text);
    for (size_t k = 0; k < ncolumns; k++)
        require(strcmp(onepass_program_column(a, k), onepass_program_column(b, k)) == 0,
                "another column", text);
    for (; onepass_program_note(a, nnotes) != NULL; nnotes++)
        require(onepass_program_note(b, nnotes) != NULL, "a note is gone", text);
    require(onepass_program_note(b, nnotes) == NULL, "a new note", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *program = NULL, *again = NULL;
    int rc = onepass_program_parse((const char *)data, nbytes, &program, &err);
    if (rc != 0) {
        check_error(rc, &err, program, nbytes);
        return 0;
    }
    plant(program);
    char *text = join_texts(program);
    rc = onepass_program_parse(text, strlen(text), &again, &err);
    require(rc == 0, "the canonical text is refused", text);
    check_same(program, again, text);
    onepass_program_free(again);
    onepass_program_free(program);
    free(text);
    return 0;
}
