/* Text that grows. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int make_room(struct text *t, size_t more) {
    size_t capacity = t->capacity ? t->capacity : 128;
    while (capacity - t->n <= more)
        capacity *= 2;
    if (capacity == t->capacity) return 1;
    char *bytes = realloc(t->bytes, capacity);
    if (bytes == NULL) return 0;
    t->bytes = bytes;
    t->capacity = capacity;
    return 1;
}

void text_add(struct text *t, const char *format, ...) {
    va_list args;
    if (t->failed) return;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0 || !make_room(t, (size_t)n)) {
        t->failed = 1;
        return;
    }
    va_start(args, format);
    vsnprintf(t->bytes + t->n, (size_t)n + 1, format, args);
    va_end(args);
    t->n += (size_t)n;
}
