/* Parsing, for tests. */
#ifndef PARSE_H
#define PARSE_H

#include "check.h"
#include "onepass.h"

static inline onepass_program *parse(const char *text, onepass_error *err) {
    onepass_program *program = NULL;
    int rc = onepass_program_parse(text, strlen(text), &program, err);
    CHECKF((rc == 0) == (program != NULL), "%s: code %d and program %p", text, rc, (void *)program);
    return program;
}

static inline onepass_program *parse_good(const char *text) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *program = parse(text, &err);
    CHECKF(program != NULL, "%s: refused: %s", text, err.message);
    return program;
}

#endif
