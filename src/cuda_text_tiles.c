/* The beginning and the end of a tile.  Sums that it was not exact for are tried again element by
 * element; what fails then too, and infinities, the far path reads once more, into limbs. */
#include "cuda_text_parts.h"

#define FAIL_BITS 64 /* of a word of struct failures */

/* ---- what failed ------------------------------------------------------------------------------- */

static size_t failure_words(const struct kernel_text *k) {
    return (k->nfailures + FAIL_BITS - 1) / FAIL_BITS;
}

/* "f.w0 & 1ull << 5" */
static void write_bit(struct kernel_text *k, const char *before, size_t bit, const char *after) {
    text_add(&k->t, "%sw%zu%s1ull << %zu", before, bit / FAIL_BITS, after, bit % FAIL_BITS);
}

static void write_failures(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t,
             "/* Bits of sums that a tile was not exact for, and of groups with infinities in it. */\n"
             "struct failures {\n    u64 ");
    for (size_t i = 0; i < failure_words(k); i++)
        text_add(t, "%sw%zu", i > 0 ? ", " : "", i);
    text_add(t, ";\n};\n\nFN bool any(const struct failures &f) {\n    return (");
    for (size_t i = 0; i < failure_words(k); i++)
        text_add(t, "%sf.w%zu", i > 0 ? " | " : "", i);
    text_add(t, ") != 0;\n}\n\n");
}

/* ---- the far path ------------------------------------------------------------------------------ */

static void write_far_sum(struct kernel_text *k, size_t i) {
    const struct sum_text *s = &k->sums[i];
    int32_t value = group_value(k, &k->p->groups[s->group]);
    if (!s->kind->may_fail) return;
    write_bit(k, "        if ((f.", i, " & ");
    text_add(&k->t, ") && ");
    take_write_condition(k, s->group, "is_finite");
    text_add(&k->t, ") limbs_add%s(limbs + %zu, f64(f64_bits(o.v%d)));\n", s->squares ? "_square" : "",
             s->limbs_at, (int)value);
}

static void write_far_infinities(struct kernel_text *k, size_t i) {
    const struct acc_group *g = &k->p->groups[i];
    char mask[MEMBER_TEXT];
    int32_t value = group_value(k, g);
    if (!group_has_books(k, i)) return;
    write_bit(k, "        if ((f.", k->nsums + i, " & ");
    text_add(&k->t, ") && %s && !is_finite(o.v%d) && !is_nan(o.v%d))\n",
             mask_text(group_mask(k, g), mask), (int)value, (int)value);
    text_add(&k->t, "            atomicAdd(&infinities[o.v%d < 0 ? %zu : %zu], 1ull);\n", (int)value,
             group_infinities(k, i, 1), group_infinities(k, i, 0));
}

void tiles_write_far(struct kernel_text *k) {
    struct text *t = &k->t;
    write_failures(k);
    text_add(t, "/* A tile once more, element by element, for what failed.  Infinities: +, - of each "
                "group. */\n"
                "static __device__ __noinline__ void take_far(const struct onepass_launch *L, u64 "
                "first, u32 nloads, u32 nlanes, struct failures f,\n"
                "                     u64 *limbs, u64 *infinities) {\n"
                "#pragma unroll 1\n"
                "    for (u32 k = 0; k < nloads * nlanes; k++) {\n"
                "        u64 i = first + (u64)(k / nlanes) * (ONEPASS_THREADS * LANES) + k %% nlanes;\n"
                "        if (i >= L->nelems) break;\n"
                "        struct values o;\n        evaluate(element_of(stored_of(L, i)), o);\n");
    for (size_t i = 0; i < k->nsums; i++)
        write_far_sum(k, i);
    for (size_t i = 0; i < k->p->ngroups; i++)
        write_far_infinities(k, i);
    text_add(t, "    }\n}\n\n");
}

/* ---- a tile ------------------------------------------------------------------------------------ */

void tiles_write_begin(struct kernel_text *k) {
    text_add(&k->t, "FN void begin_tile(struct accumulators &a) {\n");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(&k->t, "    a.s%d.tile();\n", (int)k->sums[i].acc);
    text_add(&k->t, "}\n\n");
}

static void write_commit(struct kernel_text *k, const char *method, int again) {
    for (size_t i = 0; i < k->nsums; i++) {
        const struct sum_text *s = &k->sums[i];
        if (!s->kind->may_fail) continue;
        text_add(&k->t, "    if (");
        if (again) write_bit(k, "(f.", i, " & "), text_add(&k->t, ") && ");
        if (again)
            text_add(&k->t, "a.s%d.%s()) a.again++, ", (int)s->acc, method);
        else
            text_add(&k->t, "!a.s%d.%s(a.a%d)) ", (int)s->acc, method, (int)s->acc);
        write_bit(k, "f.", i, again ? " ^= " : " |= ");
        if (!again && group_has_books(k, s->group)) write_bit(k, ", f.", k->nsums + s->group, " |= ");
        text_add(&k->t, ";\n");
    }
}

/* What was not taken goes to take_far(), which reads the tile again; a sum may have failed for
 * infinities of its group. */
static void write_end_tile(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "FN struct failures end_tile(struct accumulators &a, const struct place &p) {\n"
                "    struct failures f = {0};\n    a.tiles++;\n");
    write_commit(k, "commit", 0);
    for (size_t i = 0; i < k->p->ngroups; i++) {
        const struct acc_group *g = &k->p->groups[i];
        if (group_has_books(k, i) && !group_has_sums(k, i)) {
            text_add(t, "    if (a.b%zu.has_infinity()) ", i);
            write_bit(k, "f.", k->nsums + i, " |= ");
            text_add(t, ";\n");
        }
        if (group_keeps_nan_index(k, i)) text_add(t, "    a.i%zu.end_tile(p);\n", i);
        for (int kind = ACC_ARGMIN; kind <= ACC_LAST; kind++)
            if (g->acc[kind] >= 0) text_add(t, "    a.k%d.end_tile(p);\n", (int)g->acc[kind]);
    }
    text_add(t, "    return f;\n}\n\n");
}

/* ---- once more, element by element ------------------------------------------------------------- */

static int has_again(const struct kernel_text *k) {
    for (size_t i = 0; i < k->nsums; i++)
        if (k->sums[i].kind->may_fail) return 1;
    return 0;
}

static void write_worth_again(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "FN bool worth_again(struct accumulators &a, const struct failures &f) {\n    bool is "
                "= false;\n");
    for (size_t i = 0; i < k->nsums; i++) {
        if (!k->sums[i].kind->may_fail) continue;
        text_add(t, "    if (");
        write_bit(k, "f.", i, " & ");
        text_add(t, ") is = true, a.s%d.again();\n", (int)k->sums[i].acc);
    }
    text_add(t, "    return is;\n}\n\n");
}

static void write_group_again(struct kernel_text *k, size_t group) {
    int some = 0;
    for (size_t i = 0; i < k->nsums; i++) {
        if (k->sums[i].group != group || !k->sums[i].kind->may_fail) continue;
        if (!some) {
            text_add(&k->t, "    const bool c%zu = ", group);
            take_write_condition(k, group, "is_finite");
            text_add(&k->t, ";\n");
            if (group_has_books(k, group)) take_write_look(k, group);
        }
        some = 1;
        write_bit(k, "    if (f.", i, " & ");
        text_add(&k->t, ") ");
        take_write_sum(k, &k->sums[i], "add_again");
    }
}

static void write_again(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "#define HAS_AGAIN %d\n\n", has_again(k));
    if (!has_again(k)) return;
    write_worth_again(k);
    text_add(t, "FN void take_again(struct accumulators &a, const struct values &o, const struct "
                "failures &f) {\n");
    for (size_t i = 0; i < k->p->ngroups; i++)
        write_group_again(k, i);
    text_add(t, "}\n\nFN void end_again(struct accumulators &a, struct failures &f) {\n");
    write_commit(k, "commit_again", 1);
    for (size_t i = 0; i < k->p->ngroups; i++) {
        if (!group_has_books(k, i) || !group_has_sums(k, i)) continue;
        text_add(t, "    if (!a.b%zu.has_infinity()) ", i);
        write_bit(k, "f.", k->nsums + i, " &= ~(");
        text_add(t, ");\n");
    }
    text_add(t, "}\n\n");
}

void tiles_write_end(struct kernel_text *k) {
    write_end_tile(k);
    write_again(k);
}

/* The sums that a tile was not exact for. */
void tiles_write_finish(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "FN void finish_tile(const struct place &p, struct accumulators &a, struct failures "
                "&f, bool whole,\n"
                "                    u64 *limbs, u64 *infinities) {\n");
    text_add(t,
             "#if HAS_AGAIN\n    if (whole) try_again(p, a, f);\n    if (!any(f)) return;\n#endif\n");
    for (size_t i = 0; i < k->nsums; i += FAIL_BITS) {
        size_t n = k->nsums - i < FAIL_BITS ? k->nsums - i : FAIL_BITS;
        text_add(t, "    a.slow += __popcll(f.w%zu & 0x%llxull);\n", i / FAIL_BITS,
                 ~0ull >> (FAIL_BITS - n));
    }
    text_add(t, "    take_far(p.launch, p.first, whole ? LOADS : 1, whole ? LANES : 1, f, limbs, "
                "infinities);\n}\n\n");
}
