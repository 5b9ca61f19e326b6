/* Masks and the lanes they keep: the kernels against plain loops on every instruction set, and programs
 * in which what follows a where() works on fewer lanes. */
#include "compact.h"

#include <math.h>

#include "check.h"
#include "reduce.h"
#include "registers.h"

#define N            1024
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = {"portable", "noflags", "avx2", "avx512"};

/* The k-th instruction set's kernels, NULL if this CPU cannot run them. */
static const struct kernels *kernels_of(size_t k) {
    const struct kernels *kernels;
    return kernels_find(names[k], &kernels, NULL) == 0 ? kernels : NULL;
}

static uint64_t next_random(uint64_t *z) {
    *z ^= *z << 13, *z ^= *z >> 7, *z ^= *z << 17;
    return *z;
}

/* About `kept` of 8 lanes pass. */
static void random_mask(uint64_t *z, int kept, size_t n, uint8_t *mask) {
    for (size_t i = 0; i < n; i++)
        mask[i] = next_random(z) % 8 < (uint64_t)kept;
}

static void kept_lanes_lie_side_by_side(void) {
    static uint64_t v[N + 1], out[N];
    static uint8_t mask[N + 3], small[N], small_out[N];
    uint64_t z = 5;
    for (size_t i = 0; i <= N; i++)
        v[i] = next_random(&z);
    for (size_t isa = 0; isa < COUNT(names); isa++) {
        const struct kernels *k = kernels_of(isa);
        for (size_t n = 0; k != NULL && n <= N; n += n < 67 ? 1 : 87)
            for (int kept = 0; kept <= 8; kept += 2) {
                size_t want = 0, start = n % 2; /* mask and values at odd places too */
                random_mask(&z, kept, n, mask + 3 * start);
                for (size_t i = 0; i < n; i++)
                    small[i] = (uint8_t)v[i];
                size_t got = k->compact->of8(n, mask + 3 * start, v + start, out);
                size_t got1 = k->compact->of1(n, mask + 3 * start, small, small_out);
                for (size_t i = 0; i < n; i++) {
                    if (!mask[3 * start + i]) continue;
                    CHECKF(out[want] == v[start + i] && small_out[want] == small[i],
                           "%s: lane %zu of %zu", names[isa], i, n);
                    want++;
                }
                CHECKF(got == want && got1 == want, "%s: %zu of %zu, wanted %zu", names[isa], got, n,
                       want);
            }
    }
}

static double odd_value(uint64_t *z) {
    static const double odd[] = {0.0, -0.0, 1, -1, NAN, INFINITY, -INFINITY, 0x1p-1074};
    return odd[next_random(z) % COUNT(odd)];
}

/* A mask of a comparison is the comparison's result and the mask before. */
static void tests_make_masks(void) {
    static double a[N], b[N], result[N];
    static uint8_t before[N], out[N];
    uint64_t z = 9;
    size_t tested = 0;
    for (size_t i = 0; i < N; i++)
        a[i] = odd_value(&z), b[i] = odd_value(&z);
    random_mask(&z, 5, N, before);
    for (size_t isa = 0; isa < COUNT(names); isa++)
        for (int op = 0; op < NOPS; op++) {
            const struct kernels *k = kernels_of(isa);
            if (k == NULL) continue;
            int is_test = op_table[op].rule == RULE_FLAG || op_table[op].rule == RULE_TRUTH;
            CHECK(is_test == (k->maps->mask_of[op] != NULL));
            for (size_t n = 0; is_test && n <= N; n += n < 67 ? 1 : 87) {
                kernels_portable.maps->f64[op](n, a, b, a, result);
                k->maps->mask_of[op](n, before, a, b, out);
                for (size_t i = 0; i < n; i++)
                    CHECKF(out[i] == ((result[i] != 0) & before[i]), "%s %s lane %zu of %zu",
                           names[isa], op_table[op].name, i, n);
                k->maps->mask_of[op](n, NULL, a, b, out);
                for (size_t i = 0; i < n; i++)
                    CHECKF(out[i] == (result[i] != 0), "%s %s lane %zu of %zu, no mask before",
                           names[isa], op_table[op].name, i, n);
                tested++;
            }
        }
    CHECK(tested > 0);
}

static size_t count_dense(const struct program *p) {
    size_t n = 0;
    for (size_t k = 0; k < p->nnodes; k++)
        n += p->nodes[k].dense >= 0 && p->nodes[k].kind < NOPS;
    return n;
}

/* How many ops work on kept lanes only: those that nothing else wants. */
static void only_what_follows_is_compacted(void) {
    static const struct {
        const char *pipeline;
        size_t dense;
    } cases[] = {
        {"log|sum", 0},
        {"where(x > 0)|sum", 0},
        {"where(x > 0)|log|sum", 1},
        {"where(x > 0)|log|sin|sum, argmax", 2},
        {"where(log(x) > 0)|log|sum", 0},     /* the mask wants it of all lanes */
        {"where(x > 0)|log|sum; log|max", 0}, /* so does another pipeline */
        {"where(x > 0)|log|sum; where(x < 0)|log|sum", 0},
        {"where(x > 0)|log|sum; where(x < 0)|exp|sum", 2},
        {"where(x > 0)|sum; where(x < 0)|sum; where(x > 0)|log|sum; where(x < 0)|log|sum", 0},
        {"where(x > 0)|log|where(x > 1)|exp|sum", 1}, /* exp; the second mask wants log */
        {"log|where(1)|exp|sum", 1},                  /* log comes before its mask */
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct reducer r = reducer_open(cases[k].pipeline, CLASS_F64, 0);
        struct program *compacted;
        if (program_compact(r.program, &compacted) != 0) abort();
        CHECKF(count_dense(compacted) == cases[k].dense, "%s: %zu", cases[k].pipeline,
               count_dense(compacted));
        for (size_t g = 0; g < compacted->ngroups; g++)
            CHECK(compacted->groups[g].value < 0 || compacted->groups[g].mask < 0);
        program_free(compacted);
        reducer_close(&r);
    }
}

/* Integers above 2^53 are rounded, by a sum or a product, where a where() before it let them through.
 */
static void rounding_counts_in_kept_lanes(void) {
    static const struct {
        const char *pipeline;
        int rounded;
    } cases[] = {
        {"x*2|sum", 1},
        {"where(x < 100)|x*2|sum", 0},
        {"where(x < 100)|where(x*2 > 2)|sum", 0},
        {"where(x < 100)|where(x*2 > 2)|x*2|sum", 0},
        {"where(x < 100)|where(x > 1)|where(x*2 + x > 2)|x*2|sum", 0},
        {"where(x*2 > 2)|where(x < 100)|sum", 1},
        {"where(x > 1)|where(x*2 > 2)|where(x < 100)|sum", 1},
        {"where(x > 100)|where(x*2 > 2)|sum", 1},
        {"where(x < 100)|where(x*2 > 2)|sum; x*2|sum", 1},
        {"x*2|sum; where(x < 100)|where(x*2 > 2)|sum", 1},
        {"where(x < 100)|where(x > 1)|x*2|sum; where(x < 100)|where(x < 1)|x*2|sum", 0},
        {"where(x < 100)|x*2|sum; where(x < 50)|x*3|sum", 0},
        {"where(x < 100)|x*2|sum; where(x < 50)|x*2|max", 0},
        {"where(x < 100)|sqrt|sum; where(x < 99)|sqrt|max", 0},
        {"where(x > 0)|where(x < 9)|x/2|mean; where(x < 0)|x/2|mean", 0},
        {"where(x < 100)|x*2|sum; where(x > 100)|x*2|sum", 1},
        {"where(x < 100)|x*2|sum; x*2|sum", 1},
        {"where(x < 100)|x*0 + 9007199254740993|max", 1}, /* a literal that is rounded */
        {"where(x < 100)|x*0 + 9007199254740994|max", 0},
        {"where(x == 0, 9007199254740993, 0.5)|max", 1},
        {"where(x < 9007199254740993)|where(x < 100)|x*2|max", 0}, /* integers compare as such */
    };
    static const int64_t data[] = {1, 2, INT64_MAX, -3};
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct reducer r = reducer_open(cases[k].pipeline, CLASS_WIDE, 0);
        struct evaluator *ev = reducer_feed(&r, DTYPE_I64, data, 0, COUNT(data));
        CHECKF(evaluator_state(ev)->rounded == cases[k].rounded, "%s", cases[k].pipeline);
        evaluator_free(ev);
        reducer_close(&r);
    }
}

/* Indices of the lanes that passed are looked up after all nodes ran. */
static void masks_of_groups_last(void) {
    static struct node nodes[] = {
        {.kind = NODE_INPUT, .arg = {-1, -1, -1}},
        {.kind = NODE_MASK, .storage = STORE_MASK, .arg = {-1, 0, -1}},
        {.kind = NODE_COMPACT, .arg = {0, 1, -1}, .dense = 1},
        {.kind = OP_SQRT, .arg = {2, -1, -1}, .dense = 1},
        {.kind = NODE_MASK, .storage = STORE_MASK, .arg = {-1, 0, -1}},
        {.kind = NODE_COMPACT, .arg = {0, 4, -1}, .dense = 4},
    };
    struct accumulator accs[] = {{.kind = ACC_ARGMAX, .value = 3, .mask = -1},
                                 {.kind = ACC_ARGMAX, .value = 5, .mask = -1}};
    struct acc_group groups[] = {{.value = 3, .mask = -1, .dense = 1},
                                 {.value = 5, .mask = -1, .dense = 4}};
    struct program p = {.nodes = nodes,
                        .nnodes = COUNT(nodes),
                        .accs = accs,
                        .naccs = COUNT(accs),
                        .groups = groups,
                        .ngroups = COUNT(groups)};
    CHECK(registers_assign(&p) == 0);
    CHECK(nodes[1].reg != nodes[4].reg && p.nregs[STORE_MASK] == 2);
}

static const struct test tests[] = {
    {"compact_kept_lanes_lie_side_by_side", kept_lanes_lie_side_by_side},
    {"compact_tests_make_masks", tests_make_masks},
    {"compact_only_what_follows", only_what_follows_is_compacted},
    {"compact_rounding_in_kept_lanes", rounding_counts_in_kept_lanes},
    {"compact_masks_of_groups_last", masks_of_groups_last},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
