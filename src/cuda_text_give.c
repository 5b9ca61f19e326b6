/* What leaves a thread's registers: at the end of an epoch the windows of sums for the block's limbs,
 * at the very end all else for the state words in device memory. */
#include "cuda_text_parts.h"

/* ---- epochs ------------------------------------------------------------------------------------ */

/* By the largest exponent among values of the group. */
static void write_group_anchors(struct kernel_text *k, size_t group) {
    int32_t value = group_value(k, &k->p->groups[group]);
    int first = 1;
    for (size_t i = 0; i < k->nsums; i++) {
        const struct sum_text *s = &k->sums[i];
        if (s->group != group || !s->kind->anchored) continue;
        if (first) {
            text_add(&k->t, "    const bool c%zu = in && ", group);
            take_write_condition(k, group, "is_finite");
            text_add(&k->t,
                     ";\n    const int e%zu = (int)block_max(c%zu ? f64_bits(o.v%d) >> 52 & 2047 : "
                     "0);\n",
                     group, group, (int)value);
        }
        first = 0;
        text_add(&k->t, "    a.a%d = %s::anchor(e%zu);\n", (int)s->acc, s->kind->name, group);
    }
}

static void write_survey(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t,
             "/* Anchors for values like those of one element a thread; i: its element, or NONE. */\n"
             "FN void place_anchors(const struct onepass_launch *L, u64 i, struct accumulators &a) {\n"
             "    struct values o;\n    bool in = i != NONE;\n    evaluate(element_of(stored_of(L, in "
             "? i : 0)), o);\n");
    for (size_t i = 0; i < k->p->ngroups; i++)
        write_group_anchors(k, i);
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
                     k->layout->at[k->p->groups[i].acc[ACC_LOG]], LOG_LIMBS);
    text_add(t, "}\n\n");
}

void give_write_flush(struct kernel_text *k) {
    struct text *t = &k->t;
    write_survey(k);
    write_carry(k);
    text_add(t, "FN void flush(struct accumulators &a, u64 *limbs) {\n");
    for (size_t i = 0; i < k->nsums; i++) {
        const struct sum_text *s = &k->sums[i];
        if (s->kind->anchored)
            text_add(t, "    a.s%d.flush(a.a%d, limbs + %zu);\n", (int)s->acc, (int)s->acc,
                     s->limbs_at);
        else
            text_add(t, "    a.s%d.flush(limbs + %zu);\n", (int)s->acc, s->limbs_at);
    }
    text_add(t, "}\n\n/* Most tiles of an epoch, so that windows have room for them and for what is "
                "left at the end. */\n"
                "enum { TERMS = ");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, "larger(%s::terms, ", k->sums[i].kind->name);
    text_add(t, "0");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, ")");
    text_add(t, ", EPOCH = (WINDOW_TERMS - TILE * (TERMS + 2)) / (TERMS * TILE + 2) };\n\n");
}

/* ---- the end ----------------------------------------------------------------------------------- */

static size_t word(const struct kernel_text *k, int32_t acc) {
    return k->layout->at[acc];
}

static void give_books(struct kernel_text *k, size_t i) {
    const struct acc_group *g = &k->p->groups[i];
    struct text *t = &k->t;
    if (!group_has_books(k, i)) return;
    text_add(t, "        seldom_add(L.state + %zu, a.b%zu.nan);\n", word(k, g->acc[ACC_NAN]), i);
    if (group_keeps_nan_index(k, i))
        text_add(t, "        seldom_least(L.state + %zu, a.i%zu.index);\n",
                 word(k, g->acc[ACC_NAN]) + 1, i);
    for (int neg = 0; neg < 2 && k->infinities_in_shared; neg++) {
        size_t at = group_infinities(k, i, neg);
        text_add(t,
                 "        if (threadIdx.x == 0 && infinities[%zu] != 0) atomicAdd(L.state + %zu, "
                 "(u64)infinities[%zu]);\n",
                 at, word(k, g->acc[neg ? ACC_NEGINF : ACC_POSINF]), at);
    }
}

/* Of most blocks there is nothing rare to hand over, which one reduction finds out. */
static void give_rare(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "    u32 rare = a.again | a.slow | (u32)a.rounded");
    for (size_t i = 0; i < k->p->ngroups; i++)
        if (group_has_books(k, i)) text_add(t, " | a.b%zu.nan | a.b%zu.ever", i, i);
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
    for (size_t i = 0; i < k->nsums && k->limbs_in_shared; i++)
        text_add(t, "    limbs_carry(limbs + %zu, %zu);\n", k->sums[i].limbs_at, k->sums[i].nlimbs);
    if (k->limbs_in_shared) text_add(t, "    __syncthreads();\n");
    for (size_t i = 0; i < k->nsums && k->limbs_in_shared; i++)
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
                 word(k, g->acc[kind]), in_slot ? " + SLOT_WORDS * blockIdx.x" : "", (int)g->acc[kind]);
    }
}

void give_write(struct kernel_text *k) {
    give_rare(k);
    if (k->nsums > 0) give_sums(k);
    for (size_t i = 0; i < k->p->ngroups; i++)
        give_group(k, i);
}
