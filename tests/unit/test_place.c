/* Index arithmetic against plain nested loops. */
#include <stdlib.h>

#include "check.h"
#include "source.h"

/* The storage order by counting coordinates one element at a time, first dimension fastest, and the
 * C-order number of each by Horner's rule. */
static void fortran_by_counting(const struct place *p, uint64_t n, uint64_t *index) {
    uint64_t at[ONEPASS_MAX_DIMS] = {0};
    for (uint64_t k = 0; k < n; k++) {
        index[k] = 0;
        for (int d = 0; d < p->ndim; d++)
            index[k] = index[k] * p->shape[d] + at[d];
        index[k] += p->base;
        for (int d = 0; d < p->ndim && ++at[d] == p->shape[d]; d++)
            at[d] = 0;
    }
}

static uint64_t nelems(const struct place *p) {
    uint64_t n = 1;
    for (int d = 0; d < p->ndim; d++)
        n *= p->shape[d];
    return n;
}

static void check_fortran(const struct place *p) {
    uint64_t n = nelems(p);
    uint64_t *want = calloc(n + 1, sizeof *want), *got = calloc(n + 1, sizeof *got);
    fortran_by_counting(p, n, want);
    for (uint64_t first = 0; first < n; first++) {
        size_t some = (size_t)(n - first < 7 ? n - first : 7);
        got[some] = 12345;
        place_indices(p, first, some, got);
        for (size_t k = 0; k < some; k++)
            CHECKF(got[k] == want[first + k], "ndim %d first %llu lane %zu: %llu, not %llu", p->ndim,
                   (unsigned long long)first, k, (unsigned long long)got[k],
                   (unsigned long long)want[first + k]);
        CHECK(got[some] == 12345);
    }
    place_indices(p, 0, (size_t)n, got);
    CHECK(memcmp(got, want, n * sizeof *want) == 0);
    free(want);
    free(got);
}

static void fault_26_fortran_order_of_small_shapes(void) {
    static const struct place places[] = {
        {.ndim = 2, .shape = {3, 4}, .fortran = 1},
        {.ndim = 2, .shape = {4, 3}, .fortran = 1, .base = 1000},
        {.ndim = 2, .shape = {1, 9}, .fortran = 1},
        {.ndim = 2, .shape = {9, 1}, .fortran = 1},
        {.ndim = 3, .shape = {2, 3, 5}, .fortran = 1},
        {.ndim = 3, .shape = {5, 1, 7}, .fortran = 1, .base = 3},
        {.ndim = 5, .shape = {2, 1, 3, 2, 4}, .fortran = 1},
        {.ndim = 7, .shape = {1, 1, 2, 1, 2, 1, 1}, .fortran = 1},
    };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        check_fortran(&places[k]);
}

static void fault_26_fortran_order_above_2_32(void) {
    /* Element k of storage lies at row k % 5, column k / 5; column number + row * columns in C order.
     */
    struct place p = {.ndim = 2, .shape = {5, UINT64_C(3000000000)}, .fortran = 1, .base = 11};
    uint64_t first = UINT64_C(5) * 2500000000 + 3, index[1024];
    place_indices(&p, first, 1024, index);
    for (uint64_t k = 0; k < 1024; k++) {
        uint64_t row = (first + k) % 5, column = (first + k) / 5;
        CHECK(index[k] == 11 + row * UINT64_C(3000000000) + column);
    }
}

static void c_order_is_the_storage_order(void) {
    struct place p = {.ndim = 3, .shape = {7, 8, 9}, .base = UINT64_C(1) << 33};
    uint64_t index[4] = {0};
    place_indices(&p, 100, 3, index);
    CHECK(index[0] == p.base + 100 && index[1] == p.base + 101 && index[2] == p.base + 102);
    CHECK(index[3] == 0);
}

static void a_dimension_of_zero_has_no_indices(void) {
    struct place p = {.ndim = 2, .shape = {0, 3}, .fortran = 1};
    uint64_t index = 77;
    place_indices(&p, 0, 0, &index);
    CHECK(index == 77);
}

static void coords_invert_c_order(void) {
    struct place p = {.ndim = 4, .shape = {3, 1, 5, 2}};
    uint64_t c[4];
    for (uint64_t k = 0; k < 30; k++) {
        place_coords(&p, k, c);
        CHECK(c[0] < 3 && c[1] == 0 && c[2] < 5 && c[3] < 2);
        CHECK(((c[0] * 1 + c[1]) * 5 + c[2]) * 2 + c[3] == k);
    }
}

static void coords_of_strided_data_are_where_they_lie(void) {
    struct place p = {.ndim = 1, .shape = {10}, .step = 3};
    uint64_t c[1];
    place_coords(&p, 4, c);
    CHECK(c[0] == 12);
    p.step = 0;
    place_coords(&p, 4, c);
    CHECK(c[0] == 4);
}

static void coords_of_a_scalar_are_none(void) {
    struct place p = {.ndim = 0};
    uint64_t c[1] = {99};
    place_coords(&p, 0, c);
    CHECK(c[0] == 99);
}

static void coords_above_2_32(void) {
    struct place p = {.ndim = 2, .shape = {UINT64_C(1) << 33, 3}};
    uint64_t c[2];
    place_coords(&p, (UINT64_C(1) << 33) * 3 - 1, c);
    CHECK(c[0] == (UINT64_C(1) << 33) - 1 && c[1] == 2);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"fault_26_fortran_order_of_small_shapes", fault_26_fortran_order_of_small_shapes},
        {"fault_26_fortran_order_above_2_32", fault_26_fortran_order_above_2_32},
        {"c_order_is_the_storage_order", c_order_is_the_storage_order},
        {"a_dimension_of_zero_has_no_indices", a_dimension_of_zero_has_no_indices},
        {"coords_invert_c_order", coords_invert_c_order},
        {"coords_of_strided_data_are_where_they_lie", coords_of_strided_data_are_where_they_lie},
        {"coords_of_a_scalar_are_none", coords_of_a_scalar_are_none},
        {"coords_above_2_32", coords_above_2_32},
    };
    return RUN_TESTS(tests);
}
