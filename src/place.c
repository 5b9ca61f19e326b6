/* Index arithmetic of struct place: from storage order to C order, and to coordinates.
 *
 * For C-ordered arrays only place->base is read, because a stream's shape is written at its end, while
 * other workers are still busy with its extents. */
#include "source.h"

/* How far apart in C order neighbours along each dimension are. */
static void c_order_steps(const struct place *p, uint64_t *step) {
    uint64_t product = 1;
    for (int d = p->ndim - 1; d >= 0; d--) {
        step[d] = product;
        product *= p->shape[d];
    }
}

static void fortran_indices(const struct place *p, uint64_t first, size_t n, uint64_t *index) {
    uint64_t step[ONEPASS_MAX_DIMS], at[ONEPASS_MAX_DIMS];
    uint64_t value = p->base;
    c_order_steps(p, step);
    for (int d = 0; d < p->ndim; d++) {
        at[d] = first % p->shape[d];
        first /= p->shape[d];
        value += at[d] * step[d];
    }
    for (size_t k = 0; k < n; k++) {
        index[k] = value;
        value += step[0];
        at[0]++;
        for (int d = 0; d + 1 < p->ndim && at[d] == p->shape[d]; d++) {
            value += step[d + 1] - step[d] * p->shape[d];
            at[d] = 0;
            at[d + 1]++;
        }
    }
}

void place_indices(const struct place *p, uint64_t first, size_t n, uint64_t *index) {
    if (p->fortran && n != 0) { /* n != 0: no dimension is 0 */
        fortran_indices(p, first, n, index);
        return;
    }
    for (size_t k = 0; k < n; k++)
        index[k] = p->base + first + k;
}

void place_coords(const struct place *p, uint64_t index, uint64_t *coords) {
    for (int d = p->ndim - 1; d > 0; d--) {
        coords[d] = index % p->shape[d];
        index /= p->shape[d];
    }
    if (p->ndim > 0) coords[0] = index * (p->step == 0 ? 1 : p->step);
}
