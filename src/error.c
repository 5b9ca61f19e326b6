/* Error records: filling them, and the one table of codes with their stable words and classes.
 *
 * Texts are written by the lowest level that knows; this file only formats and cuts them.  Escaping of
 * control characters and the program's name are the command line's. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct code_info {
    int code;
    const char *word;
    onepass_error_class class;
};

static const struct code_info CODES[] = {
    {ONEPASS_OK, "ok", ONEPASS_CLASS_NONE},
    {ONEPASS_BAD_PIPELINE, "bad_pipeline", ONEPASS_CLASS_USAGE},
    {ONEPASS_BAD_ARGUMENT, "bad_argument", ONEPASS_CLASS_USAGE},
    {ONEPASS_NO_MEMORY, "no_memory", ONEPASS_CLASS_INPUT},
    {ONEPASS_NO_DEVICE, "no_device", ONEPASS_CLASS_DEVICE},
    {ONEPASS_CANCELLED, "cancelled", ONEPASS_CLASS_CANCELLED},
    {ONEPASS_OPEN_FAILED, "open_failed", ONEPASS_CLASS_INPUT},
    {ONEPASS_READ_FAILED, "read_failed", ONEPASS_CLASS_INPUT},
    {ONEPASS_NOT_READABLE, "not_readable", ONEPASS_CLASS_INPUT},
    {ONEPASS_CHANGED, "changed", ONEPASS_CLASS_INPUT},
    {ONEPASS_TRUNCATED, "truncated", ONEPASS_CLASS_INPUT},
    {ONEPASS_NO_DTYPE, "no_dtype", ONEPASS_CLASS_INPUT},
    {ONEPASS_LEFT_OVER_BYTES, "left_over_bytes", ONEPASS_CLASS_INPUT},
    {ONEPASS_PAST_END, "past_end", ONEPASS_CLASS_INPUT},
    {ONEPASS_BAD_HEADER, "bad_header", ONEPASS_CLASS_INPUT},
    {ONEPASS_UNSUPPORTED, "unsupported", ONEPASS_CLASS_INPUT},
    {ONEPASS_FORMAT_MISMATCH, "format_mismatch", ONEPASS_CLASS_INPUT},
    {ONEPASS_SHAPE_MISMATCH, "shape_mismatch", ONEPASS_CLASS_INPUT},
    {ONEPASS_BAD_STATE, "bad_state", ONEPASS_CLASS_INPUT},
    {ONEPASS_INTERNAL, "internal", ONEPASS_CLASS_INPUT},
};

static const struct code_info *find_code(int code) {
    for (size_t k = 0; k < sizeof(CODES) / sizeof(CODES[0]); k++)
        if (CODES[k].code == code) return &CODES[k];
    return NULL;
}

const char *onepass_strerror(int code) {
    const struct code_info *info = find_code(code);
    return info ? info->word : "unknown";
}

/* An unknown code is a failure all the same: never "none". */
onepass_error_class onepass_classify(int code) {
    const struct code_info *info = find_code(code);
    return info ? info->class : ONEPASS_CLASS_INPUT;
}

/* A caller's struct without our fields (or without a size) is left alone: the code is returned too. */
static int usable(const onepass_error *err) {
    return err && err->size >= sizeof(onepass_error);
}

static void format_text(char *out, size_t capacity, const char *format, va_list args) {
    static const char CUT[] = "...";
    int length = vsnprintf(out, capacity, format, args);
    if (length < 0) {
        out[0] = '\0';
    } else if ((size_t)length >= capacity) {
        size_t end = capacity - sizeof(CUT);
        while (end > 0 && ((unsigned char)out[end] & 0xc0) == 0x80) /* not inside a UTF-8 character */
            end--;
        memcpy(out + end, CUT, sizeof(CUT));
    }
}

int error_set(onepass_error *err, int code, const char *format, ...) {
    if (!usable(err)) return code;
    va_list args;
    va_start(args, format);
    format_text(err->message, sizeof(err->message), format, args);
    va_end(args);
    err->code = code;
    err->sys_errno = 0;
    err->hint[0] = '\0';
    return code;
}

void error_hint(onepass_error *err, const char *format, ...) {
    if (!usable(err)) return;
    va_list args;
    va_start(args, format);
    format_text(err->hint, sizeof(err->hint), format, args);
    va_end(args);
}

int error_system(onepass_error *err, int code, int errno_value, const char *what) {
    char buffer[128];
    error_set(err, code, "%s: %s", what, strerror_r(errno_value, buffer, sizeof(buffer)));
    if (usable(err)) err->sys_errno = errno_value;
    return code;
}

int error_no_memory(onepass_error *err) {
    return error_set(err, ONEPASS_NO_MEMORY, "out of memory");
}

int error_copy(onepass_error *err, const onepass_error *from) {
    if (usable(err)) *err = *from;
    return from->code;
}

void error_part(onepass_error *err, size_t part) {
    if (usable(err)) err->part = part;
}

void error_span(onepass_error *err, size_t start, size_t end) {
    if (!usable(err)) return;
    err->span_start = start;
    err->span_end = end;
}
