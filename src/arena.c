/* Memory that is freed all at once. */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *next;
    max_align_t data[];
};

void *arena_alloc(struct arena *a, size_t nbytes) {
    struct arena_chunk *chunk = a->failed ? NULL : calloc(1, sizeof *chunk + nbytes);
    if (chunk == NULL) {
        a->failed = 1;
        return NULL;
    }
    chunk->next = a->chunks;
    a->chunks = chunk;
    return chunk->data;
}

char *arena_copy(struct arena *a, const char *text) {
    if (text == NULL) return NULL;
    size_t nbytes = strlen(text) + 1;
    char *copy = arena_alloc(a, nbytes);
    if (copy != NULL) memcpy(copy, text, nbytes);
    return copy;
}

void arena_free(struct arena *a) {
    while (a->chunks != NULL) {
        struct arena_chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
}
