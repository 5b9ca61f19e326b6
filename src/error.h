/* Filling an onepass_error.  The lowest level that knows writes the text; others pass the code up. */
#ifndef ERROR_H
#define ERROR_H

#include "onepass.h"

/* printf with %s %d %u %c %zu %lld %llu %.*s only; texts are cut to fit.  Both accept err == NULL.
 * error_set returns code, so that `return error_set(err, CODE, "...", ...)` passes it on. */
int error_set(onepass_error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void error_hint(onepass_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "WHAT: strerror(errno_value)", sys_errno kept. */
int error_system(onepass_error *err, int code, int errno_value, const char *what);
int error_no_memory(onepass_error *err);
/* An error recorded elsewhere, handed to the caller; returns its code. */
int error_copy(onepass_error *err, const onepass_error *from);
/* Where in the pipeline text, bytes [start, end). */
void error_span(onepass_error *err, size_t start, size_t end);
/* Which input it concerns. */
void error_part(onepass_error *err, size_t part);

#endif
