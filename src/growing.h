/* Arrays that double: amortised linear growth without a capacity to keep, since it is always the
 * smallest power of two that holds the items. */
#ifndef GROWING_H
#define GROWING_H

#include <stdint.h>
#include <stdlib.h>

/* Room for one more item after n.  Returns the array, perhaps moved; NULL when memory runs out, with
 * the old array still valid. */
static inline void *grow(void *array, size_t n, size_t itemsize) {
    if ((n & (n - 1)) != 0) return array; /* n = 0 wraps to 0 & SIZE_MAX = 0 */
    size_t capacity = n == 0 ? 1 : 2 * n;
    if (capacity > SIZE_MAX / 2 / itemsize) return NULL;
    return realloc(array, capacity * itemsize);
}

#endif
