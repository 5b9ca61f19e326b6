/* Naming what a program computes; the parser's side of program_text.c. */
#ifndef PROGRAM_TEXT_H
#define PROGRAM_TEXT_H

#include <stddef.h>

#include "ast.h"
#include "lexer.h"

/* All return 0, or ONEPASS_NO_MEMORY. */

/* The text of a pipeline, tokens [first, end), and the columns of its reductions; its posts are tokens
 * [posts, end), the '|' before them included. */
int program_name_pipeline(struct onepass_program *program, struct ast_pipeline *pl, const char *text,
                          const struct token *tokens, size_t first, size_t posts, size_t end);
/* The unique columns of all pipelines. */
int program_name_columns(struct onepass_program *program);
int program_note(struct onepass_program *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
