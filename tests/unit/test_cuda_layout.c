/* The words of a kernel: what starts empty stays empty, and what blocks add up becomes the state that
 * the CPU has of the same elements. */
#include "cuda_layout.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "exact_help.h"
#include "reduce.h"

#define BLOCKS 3

/* A program, its layout and words, and a state to add them to. */
struct bench {
    struct reducer r;
    struct cuda_layout layout;
    uint64_t *words;
    struct state *s;
};

static struct bench bench_open(const char *pipeline, enum value_class class) {
    struct bench b = {.r = reducer_open(pipeline, class, 0)};
    onepass_error err = ONEPASS_ERROR_INIT;
    if (cuda_layout_make(b.r.program, BLOCKS, &b.layout) != 0) abort();
    b.words = malloc(b.layout.nwords * sizeof *b.words);
    if (b.words == NULL || state_create(b.r.program, test_kernels(), &b.s, &err) != 0) abort();
    cuda_layout_init(b.r.program, &b.layout, b.words);
    return b;
}

static void bench_close(struct bench *b) {
    state_free(b->s);
    free(b->words);
    cuda_layout_free(&b->layout);
    reducer_close(&b->r);
}

static void bench_add(struct bench *b, uint64_t nelems) {
    cuda_layout_add(b->r.program, &b->layout, b->words, nelems, b->s);
}

static int acc_of(const struct bench *b, int kind) {
    for (size_t k = 0; k < b->r.program->naccs; k++)
        if (b->r.program->accs[k].kind == kind) return (int)k;
    fprintf(stderr, "no accumulator of kind %d\n", kind);
    abort();
}

static uint64_t *words_of(const struct bench *b, int kind) {
    return b->words + b->layout.at[acc_of(b, kind)];
}

static struct acc_state *state_of(const struct bench *b, int kind) {
    return &b->s->acc[acc_of(b, kind)];
}

static uint64_t bits_of(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Ordered as the values are. */
static uint64_t key_of(double v) {
    uint64_t bits = bits_of(v);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void set_slot(uint64_t *slot, int neg, uint64_t bits, uint64_t index) {
    slot[0] = 1 + 2 * (uint64_t)neg;
    slot[1] = bits;
    slot[2] = index;
}

/* Whether the state is the one that the CPU has of n native elements. */
static int is_state_of(const struct bench *b, enum dtype type, const void *data, uint64_t n) {
    struct evaluator *ev = reducer_feed(&b->r, type, data, 0, n);
    onepass_error err = ONEPASS_ERROR_INIT;
    unsigned char *got, *want;
    size_t ngot, nwant;
    if (state_store(b->s, &got, &ngot, &err) != 0) abort();
    if (state_store(evaluator_state(ev), &want, &nwant, &err) != 0) abort();
    int same = ngot == nwant && memcmp(got, want, ngot) == 0;
    free(got);
    free(want);
    evaluator_free(ev);
    return same;
}

static const char *const everything = "sum,sumsq,min,max,argmin,argmax,nonzero,prod,first,last,nnan";

static void test_empty(void) {
    static const enum value_class classes[] = {CLASS_F64, CLASS_NARROW, CLASS_WIDE};
    for (size_t k = 0; k < COUNT(classes); k++) {
        struct bench b = bench_open(everything, classes[k]);
        bench_add(&b, 0);
        bench_add(&b, 0);
        CHECKF(is_state_of(&b, classes[k] == CLASS_F64 ? DTYPE_F64 : DTYPE_I64, NULL, 0), "class %zu",
               k);
        CHECK(b.s->rounded == 0);
        for (int level = 0; level < NLEVELS; level++)
            CHECK(b.s->levels[level] == 0);
        bench_close(&b);
    }
}

/* All there is to a state, by hand: 1.5, -0.0, NaN, -2, Inf. */
static void test_floats(void) {
    static const double v[] = {1.5, -0.0, NAN, -2, INFINITY};
    struct bench b = bench_open(everything, CLASS_F64);
    words_of(&b, ACC_COUNT)[0] = 5;
    words_of(&b, ACC_NAN)[0] = 1;
    words_of(&b, ACC_NAN)[1] = 2;
    words_of(&b, ACC_POSINF)[0] = 1;
    words_of(&b, ACC_NONZERO)[0] = 4;
    /* -0.5 = -2^1073 units: limb 33, bit 17 */
    words_of(&b, ACC_S1)[33] = -(UINT64_C(1) << 17);
    /* 6.25 = 25 * 2^2146 units: limb 67, bit 2 */
    words_of(&b, ACC_S2)[67] = 25 << 2;
    words_of(&b, ACC_MIN)[0] = key_of(-2);
    words_of(&b, ACC_MAX)[0] = key_of(INFINITY);
    set_slot(words_of(&b, ACC_ARGMIN) + SLOT_WORDS, 0, bits_of(-2), 3);
    set_slot(words_of(&b, ACC_ARGMIN), 0, bits_of(1.5), 0);
    set_slot(words_of(&b, ACC_ARGMAX) + 2 * SLOT_WORDS, 0, bits_of(INFINITY), 4);
    set_slot(words_of(&b, ACC_FIRST), 0, bits_of(1.5), 0);
    set_slot(words_of(&b, ACC_FIRST) + SLOT_WORDS, 0, bits_of(-2), 3);
    set_slot(words_of(&b, ACC_LAST), 0, bits_of(-2), 3);
    set_slot(words_of(&b, ACC_LAST) + 2 * SLOT_WORDS, 0, bits_of(INFINITY), 4);
    /* log2|-2| = 1, and log2 of 1.5 as the CPU has it: 2^128 units are one */
    struct product p;
    product_init(&p);
    product_add_f64(&p, v, 1);
    uint64_t *log = words_of(&b, ACC_LOG);
    for (int i = 0; i < 8; i++)
        log[i] = (uint32_t)(p.log2_sum[i / 2] >> 32 * (i % 2));
    log[4] += 1;
    log[9] = 1;
    log[10] = 2;
    log[11] = 1;
    bench_add(&b, 5);
    CHECK(is_state_of(&b, DTYPE_F64, v, 5));
    bench_close(&b);
}

static void test_first_nan_is_kept_where_wanted(void) {
    struct bench b = bench_open("nnan", CLASS_F64);
    struct acc_state *a = state_of(&b, ACC_NAN);
    int wanted = b.r.program->accs[acc_of(&b, ACC_NAN)].keep_index;
    words_of(&b, ACC_NAN)[0] = 2;
    words_of(&b, ACC_NAN)[1] = 7;
    bench_add(&b, 9);
    words_of(&b, ACC_NAN)[1] = 3;
    bench_add(&b, 9);
    CHECK(a->count == 4);
    CHECK(a->kept.valid == wanted && (!wanted || a->kept.index == 3));
    b.r.program->accs[acc_of(&b, ACC_NAN)].keep_index = (uint8_t)!wanted;
    words_of(&b, ACC_NAN)[1] = 2;
    bench_add(&b, 9);
    CHECK(a->kept.valid && a->kept.index == (wanted ? 3 : 2));
    bench_close(&b);
}

/* limbs, and the same number carried by hand */
static void check_sum(int kind, const int64_t *limbs, int at, int n, int neg, int nwords,
                      const uint64_t *words, int shift) {
    struct bench b = bench_open(kind == ACC_S1 ? "sum" : "sumsq", CLASS_F64);
    memcpy(words_of(&b, kind) + at, limbs, (size_t)n * sizeof *limbs);
    bench_add(&b, 1);
    CHECKF(value_is(state_of(&b, kind)->exact, neg, nwords, words, shift), "limb %d of kind %d", at,
           kind);
    bench_close(&b);
}

static void test_limbs(void) {
    int last = SUM_LIMBS - 4;
    uint64_t one = 1, three[] = {1, 2, 3};
    check_sum(ACC_S1, (int64_t[]){1}, 0, 1, 0, 1, &one, 0);
    check_sum(ACC_S1, (int64_t[]){-1}, 0, 1, 1, 1, &one, 0);
    /* beyond 2^32, of both signs: 5 - 3 2^32 + (3 - 2^40) 2^32 + 2^8 2^64 = 5 */
    check_sum(ACC_S1, (int64_t[]){5 - (INT64_C(3) << 32), 3 - (INT64_C(1) << 40), 256}, 10, 3, 0, 1,
              (uint64_t[]){5}, 320);
    /* -2^63 and 2^63 - 1 */
    check_sum(ACC_S1, (int64_t[]){INT64_MIN}, 7, 1, 1, 1, (uint64_t[]){UINT64_C(1) << 63}, 224);
    check_sum(ACC_S1, (int64_t[]){INT64_MAX, INT64_MAX}, 7, 2, 0, 2,
              (uint64_t[]){0x80000000, UINT64_C(0x7ffffffeffffffff)}, 224); /* (2^63 - 1) (2^32 + 1) */
    /* words one after the other, read as 32-bit digits */
    check_sum(ACC_S1, (int64_t[]){3, 0, 2, 0, 1}, 20, 5, 0, 3, three, 640);
    check_sum(ACC_S1, (int64_t[]){-3, 0, -2, 0, -1}, 20, 5, 1, 3, three, 640);
    /* the highest value there is, below what its limbs could hold, and its negative */
    check_sum(ACC_S1, (int64_t[]){0, 1}, last, 2, 0, 1, &one, 32 * last + 32);
    check_sum(ACC_S1, (int64_t[]){0, -1}, last, 2, 1, 1, &one, 32 * last + 32);
    check_sum(ACC_S2, (int64_t[]){INT64_C(1) << 40}, 100, 1, 0, 1, &one, 3200 + 40);
    check_sum(ACC_S2, (int64_t[]){-1, 1}, 0, 2, 0, 1, (uint64_t[]){UINT32_MAX}, 0);
}

static void test_sums_add_up(void) {
    struct bench b = bench_open("sum", CLASS_F64);
    words_of(&b, ACC_S1)[34] = 5; /* 5 * 2^14 */
    bench_add(&b, 1);
    words_of(&b, ACC_S1)[34] = (uint64_t)-4;
    bench_add(&b, 2);
    CHECK(rounded(state_of(&b, ACC_S1)->exact, EXACT_SUM) == 0x1p14);
    CHECK(b.s->nelems == 3);
    bench_close(&b);
}

/* Digits of a product's logarithms that many blocks added up, and carries beyond 256 bits. */
static void test_logarithms(void) {
    struct bench b = bench_open("prod", CLASS_F64);
    uint64_t *log = words_of(&b, ACC_LOG);
    for (int i = 0; i < 8; i++)
        log[i] = UINT64_C(5) * UINT32_MAX; /* -1 unit five times over: -5 */
    log[8] = 4;
    bench_add(&b, 5);
    const struct product *p = state_of(&b, ACC_LOG)->product;
    CHECK(p->log2_sum[0] == (uint64_t)-5);
    for (int i = 1; i < 4; i++)
        CHECK(p->log2_sum[i] == UINT64_MAX);
    log[0] += 7;
    bench_add(&b, 5); /* -5 + 2 */
    CHECK(p->log2_sum[0] == (uint64_t)-3 && p->log2_sum[3] == UINT64_MAX);
    bench_close(&b);
}

static void test_keys(void) {
    static const double values[] = {
        -INFINITY, -0x1.fffffffffffffp1023, -1, -0x1p-1074, -0.0, 0.0, 0x1p-1074, 1, INFINITY};
    for (size_t k = 0; k < COUNT(values); k++) {
        struct bench b = bench_open("min,max", CLASS_F64);
        words_of(&b, ACC_MIN)[0] = words_of(&b, ACC_MAX)[0] = key_of(values[k]);
        bench_add(&b, 1);
        CHECKF(same_bits(state_of(&b, ACC_MIN)->kept.value.f, values[k]), "min %zu", k);
        CHECKF(same_bits(state_of(&b, ACC_MAX)->kept.value.f, values[k]), "max %zu", k);
        words_of(&b, ACC_MIN)[0] = words_of(&b, ACC_MAX)[0] = key_of(0.0);
        bench_add(&b, 1);
        CHECK(same_bits(state_of(&b, ACC_MIN)->kept.value.f, signbit(values[k]) ? values[k] : 0.0));
        CHECK(same_bits(state_of(&b, ACC_MAX)->kept.value.f, signbit(values[k]) ? 0.0 : values[k]));
        bench_close(&b);
    }
}

/* Integers that are carried in a binary64, and those that are not. */
static void test_integers(void) {
    static const int32_t narrow[] = {-7, 3};
    static const uint64_t wide[] = {UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 63};
    struct bench b = bench_open("min,max,argmax,first", CLASS_NARROW);
    words_of(&b, ACC_COUNT)[0] = 2;
    words_of(&b, ACC_MIN)[0] = key_of(-7);
    words_of(&b, ACC_MAX)[0] = key_of(3);
    set_slot(words_of(&b, ACC_ARGMAX), 0, bits_of(3), 1);
    set_slot(words_of(&b, ACC_FIRST) + SLOT_WORDS, 0, bits_of(-7), 0);
    bench_add(&b, 2);
    CHECK(is_state_of(&b, DTYPE_I32, narrow, 2));
    bench_close(&b);

    b = bench_open("min,max,argmin,last", CLASS_WIDE);
    words_of(&b, ACC_COUNT)[0] = 3;
    for (unsigned k = 0; k < BLOCKS; k++) { /* each block saw all of them, the last one alone */
        set_slot(words_of(&b, ACC_MIN) + k * SLOT_WORDS, 0, k == 1 ? wide[0] : UINT64_MAX, 0);
        set_slot(words_of(&b, ACC_MAX) + k * SLOT_WORDS, 0, k == 1 ? UINT64_MAX : wide[0], 0);
        set_slot(words_of(&b, ACC_ARGMIN) + k * SLOT_WORDS, 0, wide[0], 2 - k);
        set_slot(words_of(&b, ACC_LAST) + k * SLOT_WORDS, 0, wide[k], k);
    }
    bench_add(&b, 3);
    CHECK(is_state_of(&b, DTYPE_U64, wide, 3));
    bench_close(&b);

    b = bench_open("neg | min", CLASS_WIDE);
    set_slot(words_of(&b, ACC_MIN), 1, UINT64_MAX, 0);
    set_slot(words_of(&b, ACC_MIN) + SLOT_WORDS, 0, 0, 0);
    bench_add(&b, 2);
    const struct scalar *v = &state_of(&b, ACC_MIN)->kept.value;
    CHECK(v->type == TYPE_INT && v->neg && v->mag == UINT64_MAX);
    bench_close(&b);
}

static void test_beside(void) {
    struct bench b = bench_open("sum", CLASS_F64);
    for (size_t level = 0; level < NLEVELS; level++)
        b.words[b.layout.levels + level] = level + 1;
    bench_add(&b, 10);
    CHECK(b.s->rounded == 0);
    b.words[b.layout.rounded] = 77;
    bench_add(&b, 5);
    CHECK(b.s->rounded == 1 && b.s->nelems == 15);
    for (uint64_t level = 0; level < NLEVELS; level++)
        CHECK(b.s->levels[level] == 2 * (level + 1));
    bench_close(&b);
}

/* No two things share a word, and none lies outside. */
static void test_places(void) {
    static const enum value_class classes[] = {CLASS_F64, CLASS_NARROW, CLASS_WIDE};
    for (size_t c = 0; c < COUNT(classes); c++) {
        struct bench b = bench_open(everything, classes[c]);
        for (size_t k = 0; k < b.r.program->naccs; k++) {
            size_t end = k + 1 < b.r.program->naccs ? b.layout.at[k + 1] : b.layout.levels;
            CHECK(b.layout.at[k] < end);
        }
        CHECK(b.layout.levels + NLEVELS == b.layout.rounded);
        CHECK(b.layout.rounded + 1 == b.layout.nwords);
        bench_close(&b);
    }
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"cuda_layout_empty_words_change_nothing", test_empty},
        {"cuda_layout_words_of_floats", test_floats},
        {"cuda_layout_first_nan", test_first_nan_is_kept_where_wanted},
        {"cuda_layout_limbs_of_any_sign_and_size", test_limbs},
        {"cuda_layout_sums_add_up", test_sums_add_up},
        {"cuda_layout_logarithms_carry", test_logarithms},
        {"cuda_layout_keys", test_keys},
        {"cuda_layout_integers", test_integers},
        {"cuda_layout_levels_and_rounding", test_beside},
        {"cuda_layout_places", test_places},
    };
    return RUN_TESTS(tests);
}
