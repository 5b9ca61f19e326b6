/* The parts of a kernel's text that accumulate: a thread's registers, what an element adds to them, the
 * ends of tiles and epochs, and what a block hands over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_text_parts.h"
#include "onepass.h"

#define SHARED_BYTES 40960 /* of limbs, at most */
#define FAIL_BITS    64    /* of a word of struct failures */

static const struct accumulator *acc_at(const struct kernel_text *k, int32_t acc) {
    return &k->p->accs[acc];
}

/* ---- plan ------------------------------------------------------------------------------------ */

static void plan_kind(const struct kernel_text *k, struct sum_text *s) {
    const struct node_text *value = &k->nodes[group_value(k, &k->p->groups[s->group])];
    int narrow = (value->carrier == AS_INT || value->carrier == AS_LONG) && value->bound < 0x1p32;
    s->may_fail = 1;
    if (value->carrier == AS_WIDE) {
        s->kind = s->squares ? "squares_wide" : "sum_wide";
        s->may_fail = 0;
    } else if (narrow) {
        s->kind = s->squares ? "squares_int" : "sum_int";
    } else if (value->carrier == AS_F32) {
        int integer = k->variant->integer_sums;
        s->kind = s->squares ? "squares_f32" : integer ? "integer_sum_f32" : "sum_f32";
        s->has_again = 1;
    } else {
        s->kind = s->squares ? "squares_f64" : "sum_f64";
        s->has_again = 1;
    }
}

static void plan_limbs(struct kernel_text *k) {
    size_t n = 0;
    for (size_t i = 0; i < k->nsums; i++) {
        struct sum_text *s = &k->sums[i];
        s->nlimbs = s->squares ? CUDA_SQUARES_LIMBS : CUDA_SUM_LIMBS;
        s->limbs_at = n;
        n += s->nlimbs;
    }
    k->nlimbs = n;
    k->in_shared = n * sizeof(uint64_t) <= SHARED_BYTES;
    for (size_t i = 0; i < k->nsums && !k->in_shared; i++)
        k->sums[i].limbs_at = k->layout->at[k->sums[i].acc];
}

int accumulators_plan(struct kernel_text *k) {
    k->sums = calloc(2 * k->p->ngroups + 1, sizeof *k->sums);
    if (k->sums == NULL) return ONEPASS_NO_MEMORY;
    for (size_t i = 0; i < k->p->ngroups; i++)
        for (int squares = 0; squares < 2; squares++) {
            int32_t acc = k->p->groups[i].acc[squares ? ACC_S2 : ACC_S1];
            if (acc < 0) continue;
            struct sum_text *s = &k->sums[k->nsums++];
            *s = (struct sum_text){.group = i, .acc = acc, .squares = squares};
            plan_kind(k, s);
        }
    plan_limbs(k);
    k->nfailures = k->nsums + k->p->ngroups;
    return 0;
}

/* ---- what a group has -------------------------------------------------------------------------- */

static int has_books(const struct kernel_text *k, size_t group) {
    const struct acc_group *g = &k->p->groups[group];
    return g->acc[ACC_NAN] >= 0 && is_floating(k, group_value(k, g));
}

static int keeps_nan_index(const struct kernel_text *k, size_t group) {
    return has_books(k, group) && acc_at(k, k->p->groups[group].acc[ACC_NAN])->keep_index;
}

int accumulators_have(const struct kernel_text *k, const char *kind) {
    for (size_t i = 0; i < k->nsums; i++)
        if (strstr(k->sums[i].kind, kind) != NULL) return 1;
    return 0;
}

int accumulators_have_logs(const struct kernel_text *k) {
    for (size_t i = 0; i < k->p->ngroups; i++)
        if (k->p->groups[i].acc[ACC_LOG] >= 0) return 1;
    return 0;
}

/* Structs of fused.cuh, and their second argument. */
static const struct {
    const char *type, *more;
} kept_types[NACCUMULATORS] = {
    [ACC_MIN] = {"least", ""},
    [ACC_MAX] = {"most", ""},
    [ACC_ARGMIN] = {"indexed", ", false"},
    [ACC_ARGMAX] = {"indexed", ", true"},
    [ACC_FIRST] = {"end_of", ", false"},
    [ACC_LAST] = {"end_of", ", true"},
};

static const char *value_type(const struct kernel_text *k, const struct acc_group *g) {
    return carrier_names[k->nodes[group_value(k, g)].carrier];
}

/* ---- registers --------------------------------------------------------------------------------- */

void accumulators_write_struct(struct kernel_text *k) {
    struct text *t = &k->t;
    const char *of = k->outlined ? "outlined<" : "", *end = k->outlined ? ">" : "";
    text_add(t, "struct accumulators {\n");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, "    %s%s%s s%d;\n    double a%d;\n", k->outlined ? "outlined_sum<" : "",
                 k->sums[i].kind, end, (int)k->sums[i].acc, (int)k->sums[i].acc);
    for (size_t i = 0; i < k->p->ngroups; i++) {
        const struct acc_group *g = &k->p->groups[i];
        if (g->acc[ACC_COUNT] >= 0 && group_mask(k, g) >= 0)
            text_add(t, "    u32 n%d;\n", (int)g->acc[ACC_COUNT]);
        if (has_books(k, i)) text_add(t, "    %sbooks%s b%zu;\n", of, end, i);
        if (keeps_nan_index(k, i)) text_add(t, "    %send_of<int, false>%s i%zu;\n", of, end, i);
        if (g->acc[ACC_NONZERO] >= 0) text_add(t, "    u32 n%d;\n", (int)g->acc[ACC_NONZERO]);
        if (g->acc[ACC_LOG] >= 0)
            text_add(t, "    %sproduct_sum%s l%d;\n", of, end, (int)g->acc[ACC_LOG]);
        for (int kind = ACC_MIN; kind <= ACC_LAST; kind++)
            if (g->acc[kind] >= 0)
                text_add(t, "    %s%s<%s%s>%s k%d;\n", of, kept_types[kind].type, value_type(k, g),
                         kept_types[kind].more, end, (int)g->acc[kind]);
    }
    text_add(t, "    u32 tiles, again, slow;\n    bool rounded;\n};\n\n");
}

static void write_begin(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "FN void begin(struct accumulators &a) {\n    a.tiles = a.again = a.slow = 0;\n"
                "    a.rounded = false;\n");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, "    a.s%d.begin();\n", (int)k->sums[i].acc);
    for (size_t i = 0; i < k->p->ngroups; i++) {
        const struct acc_group *g = &k->p->groups[i];
        if (g->acc[ACC_COUNT] >= 0 && group_mask(k, g) >= 0)
            text_add(t, "    a.n%d = 0;\n", (int)g->acc[ACC_COUNT]);
        if (has_books(k, i)) text_add(t, "    a.b%zu.begin();\n", i);
        if (keeps_nan_index(k, i)) text_add(t, "    a.i%zu.begin();\n", i);
        if (g->acc[ACC_NONZERO] >= 0) text_add(t, "    a.n%d = 0;\n", (int)g->acc[ACC_NONZERO]);
        if (g->acc[ACC_LOG] >= 0) text_add(t, "    a.l%d.begin();\n", (int)g->acc[ACC_LOG]);
        for (int kind = ACC_MIN; kind <= ACC_LAST; kind++)
            if (g->acc[kind] >= 0) text_add(t, "    a.k%d.begin();\n", (int)g->acc[kind]);
    }
    text_add(t, "}\n\n");
}

/* ---- one element ------------------------------------------------------------------------------- */

/* Does a value count in sums: it passes the mask and is finite; for a tile, which fails if it has an
 * infinity, is no NaN. */
static void write_condition(struct kernel_text *k, size_t group, const char *kind) {
    const struct acc_group *g = &k->p->groups[group];
    char mask[MEMBER_TEXT];
    int32_t value = group_value(k, g);
    text_add(&k->t, "%s", mask_text(group_mask(k, g), mask));
    if (is_floating(k, value)) text_add(&k->t, " && %s(o.v%d)", kind, (int)value);
}

/* A value as the sum's kind takes it, 0 where it does not count. */
static void write_summand(struct kernel_text *k, const struct sum_text *s) {
    int32_t value = group_value(k, &k->p->groups[s->group]);
    static const char *const zeros[] = {"0.0f", "0.0", "0", "0ll"};
    int is_long = strstr(s->kind, "_int") == NULL;
    enum carrier as = (enum carrier)k->nodes[value].carrier;
    if (as == AS_INT || as == AS_LONG)
        text_add(&k->t, "c%zu ? (%s)o.v%d : 0", s->group, is_long ? "double" : "i64", (int)value);
    else
        text_add(&k->t, "c%zu ? o.v%d : %s", s->group, (int)value, zeros[as]);
}

static void write_adding(struct kernel_text *k, const struct sum_text *s, const char *method) {
    int32_t acc = s->acc, value = group_value(k, &k->p->groups[s->group]);
    if (k->nodes[value].carrier == AS_WIDE) {
        text_add(&k->t, "a.s%d.%s(o.v%d, c%zu);\n", (int)acc, method, (int)value, s->group);
        return;
    }
    text_add(&k->t, "a.s%d.%s(", (int)acc, method);
    write_summand(k, s);
    text_add(&k->t, ", a.a%d);\n", (int)acc);
}

static int has_sums(const struct kernel_text *k, size_t group) {
    return k->p->groups[group].acc[ACC_S1] >= 0 || k->p->groups[group].acc[ACC_S2] >= 0;
}

static void write_ends(struct kernel_text *k, const struct acc_group *g, const char *mask,
                       int32_t value) {
    for (int kind = ACC_FIRST; kind <= ACC_LAST; kind++) {
        if (g->acc[kind] < 0) continue;
        int skips = acc_at(k, g->acc[kind])->skip_nan && is_floating(k, value);
        text_add(&k->t, "    a.k%d.offer(%s", (int)g->acc[kind], mask);
        if (skips) text_add(&k->t, " && !is_nan(o.v%d)", (int)value);
        text_add(&k->t, ", o.v%d, p, at);\n", (int)value);
    }
}

static void write_group_take(struct kernel_text *k, size_t i) {
    const struct acc_group *g = &k->p->groups[i];
    struct text *t = &k->t;
    char buffer[MEMBER_TEXT];
    const char *mask = mask_text(group_mask(k, g), buffer);
    int32_t value = group_value(k, g);
    if (g->acc[ACC_COUNT] >= 0 && group_mask(k, g) >= 0)
        text_add(t, "    a.n%d += %s;\n", (int)g->acc[ACC_COUNT], mask);
    if (value < 0) return;
    if (has_books(k, i)) text_add(t, "    a.b%zu.add(%s, o.v%d);\n", i, mask, (int)value);
    if (keeps_nan_index(k, i))
        text_add(t, "    a.i%zu.offer(%s && is_nan(o.v%d), 0, p, at);\n", i, mask, (int)value);
    if (has_sums(k, i)) {
        text_add(t, "    const bool c%zu = ", i);
        write_condition(k, i, "!is_nan");
        text_add(t, ";\n");
    } else if (has_books(k, i)) {
        text_add(t, "    a.b%zu.look(%s, o.v%d);\n", i, mask, (int)value);
    }
    for (size_t j = 0; j < k->nsums; j++)
        if (k->sums[j].group == i) text_add(t, "    "), write_adding(k, &k->sums[j], "add");
    if (g->acc[ACC_NONZERO] >= 0)
        text_add(t, "    a.n%d += %s && o.v%d%s != 0;\n", (int)g->acc[ACC_NONZERO], mask, (int)value,
                 k->nodes[value].carrier == AS_WIDE ? ".mag" : "");
    if (g->acc[ACC_LOG] >= 0)
        text_add(t, "    a.l%d.add(%s, %so.v%d);\n", (int)g->acc[ACC_LOG], mask,
                 k->nodes[value].carrier == AS_WIDE ? "" : "(double)", (int)value);
    for (int kind = ACC_MIN; kind <= ACC_MAX; kind++)
        if (g->acc[kind] >= 0)
            text_add(t, "    a.k%d.offer(%s, o.v%d);\n", (int)g->acc[kind], mask, (int)value);
    for (int kind = ACC_ARGMIN; kind <= ACC_ARGMAX; kind++)
        if (g->acc[kind] >= 0)
            text_add(t, "    a.k%d.offer(%s, o.v%d, p, at);\n", (int)g->acc[kind], mask, (int)value);
    write_ends(k, g, mask, value);
}

/* ---- tiles ------------------------------------------------------------------------------------- */

static void write_tile(struct kernel_text *k) {
    text_add(&k->t, "FN void begin_tile(struct accumulators &a) {\n");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(&k->t, "    a.s%d.tile();\n", (int)k->sums[i].acc);
    text_add(&k->t, "}\n\n");
}

static size_t failure_words(const struct kernel_text *k) {
    return (k->nfailures + FAIL_BITS - 1) / FAIL_BITS;
}

/* "f.w0 & 1ull << 5" */
static void write_bit(struct kernel_text *k, const char *before, size_t bit, const char *after) {
    text_add(&k->t, "%sw%zu%s1ull << %zu", before, bit / FAIL_BITS, after, bit % FAIL_BITS);
}

static void write_commit(struct kernel_text *k, const char *method, int again) {
    for (size_t i = 0; i < k->nsums; i++) {
        const struct sum_text *s = &k->sums[i];
        if (!s->may_fail || (again && !s->has_again)) continue;
        text_add(&k->t, "    if (");
        if (again) write_bit(k, "(f.", i, " & "), text_add(&k->t, ") && ");
        if (again)
            text_add(&k->t, "a.s%d.%s()) a.again++, ", (int)s->acc, method);
        else
            text_add(&k->t, "!a.s%d.%s(a.a%d)) ", (int)s->acc, method, (int)s->acc);
        write_bit(k, "f.", i, again ? " ^= " : " |= ");
        if (!again && has_books(k, s->group)) write_bit(k, ", f.", k->nsums + s->group, " |= ");
        text_add(&k->t, ";\n");
    }
}

/* What was not taken goes to far(), which reads the tile again; a sum may have failed for infinities of
 * its group. */
static void write_end_tile(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "FN struct failures end_tile(struct accumulators &a, const struct place &p) {\n"
                "    struct failures f = {0};\n    a.tiles++;\n");
    write_commit(k, "commit", 0);
    for (size_t i = 0; i < k->p->ngroups; i++) {
        const struct acc_group *g = &k->p->groups[i];
        if (has_books(k, i) && !has_sums(k, i)) {
            text_add(t, "    if (a.b%zu.has_infinity()) ", i);
            write_bit(k, "f.", k->nsums + i, " |= ");
            text_add(t, ";\n");
        }
        if (keeps_nan_index(k, i)) text_add(t, "    a.i%zu.end_tile(p);\n", i);
        for (int kind = ACC_ARGMIN; kind <= ACC_LAST; kind++)
            if (g->acc[kind] >= 0) text_add(t, "    a.k%d.end_tile(p);\n", (int)g->acc[kind]);
    }
    text_add(t, "    return f;\n}\n\n");
}

static int has_again(const struct kernel_text *k) {
    for (size_t i = 0; i < k->nsums; i++)
        if (k->sums[i].has_again) return 1;
    return 0;
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

static void write_look(struct kernel_text *k, size_t i) {
    const struct acc_group *g = &k->p->groups[i];
    char mask[MEMBER_TEXT];
    text_add(&k->t, "    a.b%zu.look(%s, o.v%d);\n", i, mask_text(group_mask(k, g), mask),
             (int)group_value(k, g));
}

/* Sums that can be tried element by element. */
static void write_again(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "#define HAS_AGAIN %d\n\n", has_again(k));
    if (!has_again(k)) return;
    text_add(t, "FN bool worth_again(struct accumulators &a, const struct failures &f) {\n    bool is "
                "= false;\n");
    for (size_t i = 0; i < k->nsums; i++) {
        if (!k->sums[i].has_again) continue;
        text_add(t, "    if (");
        write_bit(k, "f.", i, " & ");
        text_add(t, ") is = true, a.s%d.again();\n", (int)k->sums[i].acc);
    }
    text_add(t,
             "    return is;\n}\n\nFN void take_again(struct accumulators &a, const struct values &o, "
             "const struct failures &f) {\n");
    for (size_t i = 0; i < k->p->ngroups; i++) {
        int some = 0;
        for (size_t j = 0; j < k->nsums; j++)
            some |= k->sums[j].group == i && k->sums[j].has_again;
        if (!some) continue;
        text_add(t, "    const bool c%zu = ", i);
        write_condition(k, i, "is_finite");
        text_add(t, ";\n");
        if (has_books(k, i)) write_look(k, i);
        for (size_t j = 0; j < k->nsums; j++) {
            if (k->sums[j].group != i || !k->sums[j].has_again) continue;
            write_bit(k, "    if (f.", j, " & ");
            text_add(t, ") ");
            write_adding(k, &k->sums[j], "add_again");
        }
    }
    text_add(t, "}\n\nFN void end_again(struct accumulators &a, struct failures &f) {\n");
    write_commit(k, "commit_again", 1);
    for (size_t i = 0; i < k->p->ngroups; i++) {
        if (!has_books(k, i) || !has_sums(k, i)) continue;
        text_add(t, "    if (!a.b%zu.has_infinity()) ", i);
        write_bit(k, "f.", k->nsums + i, " &= ~(");
        text_add(t, ");\n");
    }
    text_add(t, "}\n\n");
}

void accumulators_write_take(struct kernel_text *k) {
    write_begin(k);
    write_tile(k);
    text_add(&k->t, "FN void take(struct accumulators &a, const struct values &o, const struct place "
                    "&p, u32 at) {\n"
                    "    a.rounded = a.rounded || o.rounded;\n");
    for (size_t i = 0; i < k->p->ngroups; i++)
        write_group_take(k, i);
    text_add(&k->t, "}\n\n");
    write_end_tile(k);
    write_again(k);
}

/* ---- the slow way ------------------------------------------------------------------------------ */

static void write_far_sum(struct kernel_text *k, size_t i) {
    const struct sum_text *s = &k->sums[i];
    int32_t value = group_value(k, &k->p->groups[s->group]);
    if (!s->may_fail) return;
    write_bit(k, "        if ((f.", i, " & ");
    text_add(&k->t, ") && ");
    write_condition(k, s->group, "is_finite");
    text_add(&k->t, ") limbs_add%s(limbs + %zu, f64(f64_bits(o.v%d)));\n", s->squares ? "_square" : "",
             s->limbs_at, (int)value);
}

static void write_far_infinities(struct kernel_text *k, size_t i) {
    const struct acc_group *g = &k->p->groups[i];
    char mask[MEMBER_TEXT];
    int32_t value = group_value(k, g);
    if (!has_books(k, i)) return;
    write_bit(k, "        if ((f.", k->nsums + i, " & ");
    text_add(&k->t, ") && %s && !is_finite(o.v%d) && !is_nan(o.v%d))\n",
             mask_text(group_mask(k, g), mask), (int)value, (int)value);
    text_add(&k->t, "            atomicAdd(&infinities[2 * %zu + (o.v%d < 0)], 1ull);\n", i,
             (int)value);
}

void accumulators_write_far(struct kernel_text *k) {
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

/* ---- epochs ------------------------------------------------------------------------------------ */

static int has_anchor(const struct sum_text *s) {
    return strstr(s->kind, "_wide") == NULL;
}

static void write_survey(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t,
             "/* Anchors for values like those of one element a thread; i: its element, or NONE. */\n"
             "FN void place_anchors(const struct onepass_launch *L, u64 i, struct accumulators &a) {\n"
             "    struct values o;\n    bool in = i != NONE;\n    evaluate(element_of(stored_of(L, in "
             "? i : 0)), o);\n");
    for (size_t i = 0; i < k->p->ngroups; i++) {
        int first = 1;
        for (size_t j = 0; j < k->nsums; j++) {
            const struct sum_text *s = &k->sums[j];
            if (s->group != i || !has_anchor(s)) continue;
            if (first) {
                text_add(t, "    const bool c%zu = in && ", i);
                write_condition(k, i, "is_finite");
                text_add(t,
                         ";\n    const int e%zu = (int)block_max(c%zu ? f64_bits(o.v%d) >> 52 & 2047 : "
                         "0);\n",
                         i, i, (int)group_value(k, &k->p->groups[i]));
            }
            first = 0;
            text_add(t, "    a.a%d = %s::anchor(e%zu);\n", (int)s->acc, s->kind, i);
        }
    }
    text_add(t, "}\n\n");
}

/* Once a launch: limbs in device memory take what all blocks of one add. */
static void write_carry(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "FN void carry(u64 *state) {\n");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, "    limbs_carry(state + %zu, %zu);\n", k->layout->at[k->sums[i].acc],
                 k->sums[i].nlimbs);
    for (size_t i = 0; i < k->p->ngroups; i++)
        if (k->p->groups[i].acc[ACC_LOG] >= 0)
            text_add(t, "    limbs_carry(state + %zu, %d);\n",
                     k->layout->at[k->p->groups[i].acc[ACC_LOG]], CUDA_LOG_WORDS - 3);
    text_add(t, "}\n\n");
}

void accumulators_write_flush(struct kernel_text *k) {
    struct text *t = &k->t;
    write_survey(k);
    write_carry(k);
    text_add(t, "FN void flush(struct accumulators &a, u64 *limbs) {\n");
    for (size_t i = 0; i < k->nsums; i++) {
        const struct sum_text *s = &k->sums[i];
        if (has_anchor(s))
            text_add(t, "    a.s%d.flush(a.a%d, limbs + %zu);\n", (int)s->acc, (int)s->acc,
                     s->limbs_at);
        else
            text_add(t, "    a.s%d.flush(limbs + %zu);\n", (int)s->acc, s->limbs_at);
    }
    text_add(t, "}\n\n/* Most tiles of an epoch, so that windows have room for them and for what is "
                "left at the end. */\n"
                "enum { TERMS = ");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, "larger(%s::terms, ", k->sums[i].kind);
    text_add(t, "0");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, ")");
    text_add(t, ", EPOCH = (WINDOW_TERMS - TILE * (TERMS + 2)) / (TERMS * TILE + 2) };\n\n");
}

/* ---- handing over ------------------------------------------------------------------------------ */

static size_t word(const struct kernel_text *k, int32_t acc) {
    return k->layout->at[acc];
}

static void give_books(struct kernel_text *k, size_t i) {
    const struct acc_group *g = &k->p->groups[i];
    struct text *t = &k->t;
    if (!has_books(k, i)) return;
    text_add(t, "        seldom_add(L.state + %zu, a.b%zu.nan);\n", word(k, g->acc[ACC_NAN]), i);
    if (keeps_nan_index(k, i))
        text_add(t, "        seldom_least(L.state + %zu, a.i%zu.index);\n",
                 word(k, g->acc[ACC_NAN]) + 1, i);
    for (int neg = 0; neg < 2; neg++)
        if (g->acc[neg ? ACC_NEGINF : ACC_POSINF] >= 0)
            text_add(t,
                     "        if (threadIdx.x == 0 && infinities[%zu] != 0) atomicAdd(L.state + %zu, "
                     "(u64)infinities[%zu]);\n",
                     2 * i + (size_t)neg, word(k, g->acc[neg ? ACC_NEGINF : ACC_POSINF]),
                     2 * i + (size_t)neg);
}

/* Of most blocks there is nothing rare to hand over, which one reduction finds out. */
static void give_rare(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "    u32 rare = a.again | a.slow | (u32)a.rounded");
    for (size_t i = 0; i < k->p->ngroups; i++)
        if (has_books(k, i)) text_add(t, " | a.b%zu.nan | a.b%zu.ever", i, i);
    text_add(t, ";\n");
    text_add(t, "    if (block_max(rare) != 0) {\n");
    for (size_t i = 0; i < k->p->ngroups; i++)
        give_books(k, i);
    text_add(
        t, "        seldom_add(L.state + %zu, a.again);\n        seldom_add(L.state + %zu, a.slow);\n",
        k->layout->levels + 1, k->layout->levels + 2);
    text_add(t, "        if (a.rounded) atomicMax(L.state + %zu, 1ull);\n    }\n", k->layout->rounded);
}

static void give_sums(struct kernel_text *k) {
    struct text *t = &k->t;
    for (size_t i = 0; i < k->nsums && k->in_shared; i++)
        text_add(t, "    limbs_carry(limbs + %zu, %zu);\n", k->sums[i].limbs_at, k->sums[i].nlimbs);
    if (k->in_shared) text_add(t, "    __syncthreads();\n");
    for (size_t i = 0; i < k->nsums && k->in_shared; i++)
        text_add(t, "    limbs_merge(L.state + %zu, limbs + %zu, %zu);\n", word(k, k->sums[i].acc),
                 k->sums[i].limbs_at, k->sums[i].nlimbs);
    text_add(t, "    seldom_add(L.state + %zu, (u64)a.tiles * %zu - a.again - a.slow);\n",
             k->layout->levels, k->nsums);
}

static void give_group(struct kernel_text *k, size_t i) {
    const struct acc_group *g = &k->p->groups[i];
    struct text *t = &k->t;
    int32_t count = g->acc[ACC_COUNT], value = group_value(k, g);
    if (count >= 0 && group_mask(k, g) >= 0)
        text_add(t, "    seldom_add(L.state + %zu, a.n%d);\n", word(k, count), (int)count);
    else if (count >= 0)
        text_add(t,
                 "    if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(L.state + %zu, L.nelems);\n",
                 word(k, count));
    if (g->acc[ACC_NONZERO] >= 0)
        text_add(t, "    seldom_add(L.state + %zu, a.n%d);\n", word(k, g->acc[ACC_NONZERO]),
                 (int)g->acc[ACC_NONZERO]);
    if (g->acc[ACC_LOG] >= 0)
        text_add(t, "    a.l%d.give(L.state + %zu);\n", (int)g->acc[ACC_LOG], word(k, g->acc[ACC_LOG]));
    for (int kind = ACC_MIN; kind <= ACC_LAST; kind++) {
        if (g->acc[kind] < 0) continue;
        int in_slot = kind > ACC_MAX || k->nodes[value].carrier == AS_WIDE;
        text_add(t, "    give%s(L.state + %zu%s, a.k%d);\n", in_slot && kind <= ACC_MAX ? "_slot" : "",
                 word(k, g->acc[kind]), in_slot ? " + 3 * blockIdx.x" : "", (int)g->acc[kind]);
    }
}

void accumulators_write_give(struct kernel_text *k) {
    give_rare(k);
    if (k->nsums > 0) give_sums(k);
    for (size_t i = 0; i < k->p->ngroups; i++)
        give_group(k, i);
}

/* ---- estimates ---------------------------------------------------------------------------------- */

unsigned accumulators_cost(const struct kernel_text *k) {
    unsigned cost = 0;
    for (size_t i = 0; i < k->p->naccs; i++) {
        int kind = k->p->accs[i].kind;
        cost += kind == ACC_S1    ? 8
                : kind == ACC_S2  ? 12
                : kind == ACC_LOG ? 300
                : kind >= ACC_MIN ? 6
                                  : 2;
    }
    return cost;
}

/* Between tiles and within one, as compilers were seen to need them. */
static unsigned sum_registers(const struct sum_text *s) {
    if (strstr(s->kind, "_int") != NULL) return s->squares ? 8 : 6;
    if (strstr(s->kind, "_wide") != NULL) return s->squares ? 12 : 8;
    return strstr(s->kind, "_f32") != NULL ? (s->squares ? 18 : 16) : (s->squares ? 28 : 20);
}

unsigned accumulators_registers(const struct kernel_text *k) {
    unsigned registers = 0;
    for (size_t i = 0; i < k->nsums; i++)
        registers += sum_registers(&k->sums[i]);
    for (size_t i = 0; i < k->p->naccs; i++) {
        const struct accumulator *a = &k->p->accs[i];
        int32_t value = a->value < 0 ? -1 : k->nodes[a->value].origin;
        enum carrier as = value < 0 ? AS_INT : (enum carrier)k->nodes[value].carrier;
        unsigned words = as == AS_F32 || as == AS_INT ? 1 : as == AS_WIDE ? 4 : 2;
        if (a->kind == ACC_LOG)
            registers += 24;
        else if (a->kind >= ACC_MIN)
            registers += words + (a->kind >= ACC_ARGMIN ? 3 : 1);
        else if (a->kind == ACC_NAN && is_floating(k, value))
            registers += 2;
    }
    return registers;
}
