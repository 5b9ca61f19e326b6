/* The value that an accumulator keeps of all it has seen: an extreme or an end, and its index. */
#ifndef KEPT_H
#define KEPT_H

#include "scalar.h"

struct kept {
    int valid;
    struct scalar value;
    uint64_t index;
};

/* One candidate of an accumulator of a kind (enum accumulator_kind) against what is kept.  Whatever the
 * order of candidates, the same one stays. */
void kept_offer(struct kept *k, int kind, const struct scalar *v, uint64_t index);

/* Whether an offer would be taken. */
int kept_is_better(const struct kept *k, int kind, const struct scalar *v, uint64_t index);

/* Keeps the lowest index alone. */
void kept_lowest_index(struct kept *k, uint64_t index);

int kept_is_extreme(int kind); /* MIN MAX ARGMIN ARGMAX */
int kept_is_highest(int kind); /* MAX ARGMAX */
int kept_has_index(int kind);  /* ARGMIN ARGMAX */

#endif
