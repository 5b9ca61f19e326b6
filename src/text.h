/* Text that grows: messages and plans whose length is not known beforehand. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

struct text {
    char *bytes; /* NUL-terminated once something was added; the owner's, to be freed by free() */
    size_t n, capacity;
    int failed; /* memory ran out: later additions do nothing, so one check at the end will do */
};

/* printf with %s %d %u %c %zu %llu %.*s only (no numbers whose text depends on the locale). */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
