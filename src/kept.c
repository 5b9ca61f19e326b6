/* Kept values: kept.h. */
#include "kept.h"

#include "ops.h"

int kept_is_extreme(int kind) {
    return kind == ACC_MIN || kind == ACC_MAX || kept_has_index(kind);
}

int kept_is_highest(int kind) {
    return kind == ACC_MAX || kind == ACC_ARGMAX;
}

int kept_has_index(int kind) {
    return kind == ACC_ARGMIN || kind == ACC_ARGMAX;
}

/* The order is total with the index. */
int kept_is_better(const struct kept *k, int kind, const struct scalar *v, uint64_t index) {
    if (!k->valid) return 1;
    if (kind == ACC_FIRST) return index < k->index;
    if (kind == ACC_LAST) return index > k->index;
    int order = scalar_order(v, &k->value);
    if (kept_is_highest(kind)) order = -order;
    return order < 0 || (order == 0 && kept_has_index(kind) && index < k->index);
}

void kept_offer(struct kept *k, int kind, const struct scalar *v, uint64_t index) {
    if (!kept_is_better(k, kind, v, index)) return;
    k->valid = 1;
    k->value = *v;
    k->index = kind == ACC_MIN || kind == ACC_MAX ? 0 : index;
}

void kept_lowest_index(struct kept *k, uint64_t index) {
    if (k->valid && k->index <= index) return;
    k->valid = 1;
    k->index = index;
}
