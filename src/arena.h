/* Memory that is freed all at once: the parts of a result. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunks;
    int failed; /* an allocation failed: everything later fails too, so one check at the end will do */
};

void *arena_alloc(struct arena *a, size_t nbytes);   /* zeroed, aligned for any type; NULL: failed */
char *arena_copy(struct arena *a, const char *text); /* of NULL: NULL */
void arena_free(struct arena *a);

#endif
