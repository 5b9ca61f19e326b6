/* The accumulators of a program: which kind of sum each exact sum is, the struct that a thread has of
 * all of them in registers, and what they cost. */
#include <stdlib.h>

#include "cuda_text_parts.h"
#include "onepass.h"

#define SHARED_BYTES     49152 /* of a block, as long as no more is asked for when it is launched */
#define LIMBS_BYTES      40960 /* of it, at most: infinities find room beside them */
#define REDUCTIONS_BYTES 512   /* kept for block.cuh (192) or collectives.cu (264) */

/* ---- plan -------------------------------------------------------------------------------------- */

enum sums { SUMS_F32, SUMS_F32_BY_INTEGERS, SUMS_F64, SUMS_INT, SUMS_WIDE, NSUMS };

/* The sum, and that of squares, of what has such values. */
static const struct sum_kind kinds[NSUMS][2] = {
    [SUMS_F32] = {{"sum_f32", 1, 1, 0, "double", 16}, {"squares_f32", 1, 1, 0, "double", 18}},
    [SUMS_F32_BY_INTEGERS] = {{"integer_sum_f32", 1, 1, 0, "double", 16},
                              {"squares_f32", 1, 1, 0, "double", 18}},
    [SUMS_F64] = {{"sum_f64", 1, 1, 1, "double", 20}, {"squares_f64", 1, 1, 1, "double", 28}},
    [SUMS_INT] = {{"sum_int", 0, 1, 0, "i64", 6}, {"squares_int", 0, 1, 0, "i64", 8}},
    [SUMS_WIDE] = {{"sum_wide", 0, 0, 0, NULL, 8}, {"squares_wide", 0, 0, 0, NULL, 12}},
};

static enum sums sums_of(const struct kernel_text *k, const struct node_text *value) {
    int narrow = (value->carrier == AS_INT || value->carrier == AS_LONG) && value->bound < 0x1p32;
    if (value->carrier == AS_WIDE) return SUMS_WIDE;
    if (narrow) return SUMS_INT;
    if (value->carrier != AS_F32) return SUMS_F64;
    return k->variant->integer_sums ? SUMS_F32_BY_INTEGERS : SUMS_F32;
}

static size_t shared_words(const struct kernel_text *k) {
    return (k->limbs_in_shared ? k->nlimbs + 1 : 0) +
           (k->infinities_in_shared ? k->ninfinities + 1 : 0);
}

int shared_memory_has_room(const struct kernel_text *k, size_t nbytes) {
    return shared_words(k) * sizeof(uint64_t) + REDUCTIONS_BYTES + nbytes <= SHARED_BYTES;
}

/* What finds no room in shared memory is added to where all blocks add to it. */
static void plan_memory(struct kernel_text *k) {
    for (size_t i = 0; i < k->nsums; i++) {
        struct sum_text *s = &k->sums[i];
        s->nlimbs = s->squares ? SQUARES_LIMBS : SUM_LIMBS;
        s->limbs_at = k->nlimbs;
        k->nlimbs += s->nlimbs;
    }
    k->limbs_in_shared = k->nlimbs * sizeof(uint64_t) <= LIMBS_BYTES;
    for (size_t i = 0; i < k->nsums && !k->limbs_in_shared; i++)
        k->sums[i].limbs_at = k->layout->at[k->sums[i].acc];
    for (size_t i = 0; i < k->p->ngroups; i++)
        k->ninfinities += group_has_books(k, i) ? 2 : 0;
    k->infinities_in_shared = 1;
    k->infinities_in_shared = shared_memory_has_room(k, 0);
}

int accumulators_plan(struct kernel_text *k) {
    k->sums = calloc(2 * k->p->ngroups + 1, sizeof *k->sums);
    if (k->sums == NULL) return ONEPASS_NO_MEMORY;
    for (size_t i = 0; i < k->p->ngroups; i++)
        for (int squares = 0; squares < 2; squares++) {
            int32_t acc = k->p->groups[i].acc[squares ? ACC_S2 : ACC_S1];
            if (acc < 0) continue;
            struct sum_text *s = &k->sums[k->nsums++];
            const struct node_text *value = &k->nodes[group_value(k, &k->p->groups[i])];
            *s = (struct sum_text){
                .group = i, .acc = acc, .squares = squares, .kind = &kinds[sums_of(k, value)][squares]};
        }
    plan_memory(k);
    k->nfailures = k->nsums + k->p->ngroups;
    return 0;
}

/* ---- what a group has -------------------------------------------------------------------------- */

int group_has_sums(const struct kernel_text *k, size_t group) {
    return k->p->groups[group].acc[ACC_S1] >= 0 || k->p->groups[group].acc[ACC_S2] >= 0;
}

int group_has_books(const struct kernel_text *k, size_t group) {
    const struct acc_group *g = &k->p->groups[group];
    return g->acc[ACC_NAN] >= 0 && is_floating(k, group_value(k, g));
}

int group_keeps_nan_index(const struct kernel_text *k, size_t group) {
    return group_has_books(k, group) && acc_at(k, k->p->groups[group].acc[ACC_NAN])->keep_index;
}

size_t group_infinities(const struct kernel_text *k, size_t group, int negative) {
    size_t n = (size_t)negative;
    if (!k->infinities_in_shared)
        return k->layout->at[k->p->groups[group].acc[negative ? ACC_NEGINF : ACC_POSINF]];
    for (size_t i = 0; i < group; i++)
        n += group_has_books(k, i) ? 2 : 0;
    return n;
}

int accumulators_have_binary64(const struct kernel_text *k) {
    for (size_t i = 0; i < k->nsums; i++)
        if (k->sums[i].kind->binary64) return 1;
    return 0;
}

int accumulators_have_squares(const struct kernel_text *k) {
    for (size_t i = 0; i < k->nsums; i++)
        if (k->sums[i].squares) return 1;
    return 0;
}

int accumulators_have_logs(const struct kernel_text *k) {
    for (size_t i = 0; i < k->p->ngroups; i++)
        if (k->p->groups[i].acc[ACC_LOG] >= 0) return 1;
    return 0;
}

/* ---- registers --------------------------------------------------------------------------------- */

/* Members of struct accumulators by what they accumulate: the letter of their names, their type, in
 * pieces before and after the type of a value. */
static const struct {
    char letter;
    const char *type, *more; /* more NULL: no argument */
} members[NACCUMULATORS] = {
    [ACC_COUNT] = {'n', "u32", NULL},
    [ACC_NAN] = {'b', "books", NULL}, /* and infinities; the group's */
    [ACC_NONZERO] = {'n', "u32", NULL},
    [ACC_LOG] = {'l', "product_sum", NULL},
    [ACC_MIN] = {'k', "least<", ">"},
    [ACC_MAX] = {'k', "most<", ">"},
    [ACC_ARGMIN] = {'k', "indexed<", ", false>"},
    [ACC_ARGMAX] = {'k', "indexed<", ", true>"},
    [ACC_FIRST] = {'k', "end_of<", ", false>"},
    [ACC_LAST] = {'k', "end_of<", ", true>"},
};

static int has_member(const struct kernel_text *k, size_t group, int kind) {
    const struct acc_group *g = &k->p->groups[group];
    if (g->acc[kind] < 0 || members[kind].letter == 0) return 0;
    if (kind == ACC_COUNT) return group_mask(k, g) >= 0; /* else it is that of all elements */
    return kind != ACC_NAN || group_has_books(k, group);
}

/* The number in its name. */
static size_t member_number(const struct kernel_text *k, size_t group, int kind) {
    return kind == ACC_NAN ? group : (size_t)k->p->groups[group].acc[kind];
}

static int is_counter(int kind) {
    return kind == ACC_COUNT || kind == ACC_NONZERO;
}

static void write_member(struct kernel_text *k, size_t group, int kind) {
    const char *of = k->outlined ? "outlined<" : "", *end = k->outlined ? ">" : "";
    const struct acc_group *g = &k->p->groups[group];
    const char *more = members[kind].more;
    text_add(&k->t, "    %s%s", is_counter(kind) ? "" : of, members[kind].type);
    if (more != NULL) text_add(&k->t, "%s%s", carrier_names[k->nodes[group_value(k, g)].carrier], more);
    text_add(&k->t, "%s %c%zu;\n", is_counter(kind) ? "" : end, members[kind].letter,
             member_number(k, group, kind));
    if (kind == ACC_NAN && group_keeps_nan_index(k, group))
        text_add(&k->t, "    %send_of<int, false>%s i%zu;\n", of, end, group);
}

void accumulators_write_struct(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "struct accumulators {\n");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, "    %s%s%s s%d;\n    double a%d;\n", k->outlined ? "outlined_sum<" : "",
                 k->sums[i].kind->name, k->outlined ? ">" : "", (int)k->sums[i].acc,
                 (int)k->sums[i].acc);
    for (size_t i = 0; i < k->p->ngroups; i++)
        for (int kind = 0; kind < NACCUMULATORS; kind++)
            if (has_member(k, i, kind)) write_member(k, i, kind);
    text_add(t, "    u32 tiles, again, slow;\n    bool rounded;\n};\n\n");
}

static void write_begin_member(struct kernel_text *k, size_t group, int kind) {
    text_add(&k->t, "    a.%c%zu%s;\n", members[kind].letter, member_number(k, group, kind),
             is_counter(kind) ? " = 0" : ".begin()");
    if (kind == ACC_NAN && group_keeps_nan_index(k, group))
        text_add(&k->t, "    a.i%zu.begin();\n", group);
}

void accumulators_write_begin(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, "FN void begin(struct accumulators &a) {\n    a.tiles = a.again = a.slow = 0;\n"
                "    a.rounded = false;\n");
    for (size_t i = 0; i < k->nsums; i++)
        text_add(t, "    a.s%d.begin();\n", (int)k->sums[i].acc);
    for (size_t i = 0; i < k->p->ngroups; i++)
        for (int kind = 0; kind < NACCUMULATORS; kind++)
            if (has_member(k, i, kind)) write_begin_member(k, i, kind);
    text_add(t, "}\n\n");
}

/* ---- estimates --------------------------------------------------------------------------------- */

/* Instructions an element, about. */
unsigned accumulators_cost(const struct kernel_text *k) {
    static const unsigned costs[NACCUMULATORS] = {
        [ACC_COUNT] = 2, [ACC_NAN] = 2,    [ACC_POSINF] = 2, [ACC_NEGINF] = 2, [ACC_NONZERO] = 2,
        [ACC_S1] = 8,    [ACC_S2] = 12,    [ACC_SABS] = 2,   [ACC_LOG] = 300,  [ACC_MIN] = 6,
        [ACC_MAX] = 6,   [ACC_ARGMIN] = 6, [ACC_ARGMAX] = 6, [ACC_FIRST] = 6,  [ACC_LAST] = 6,
    };
    unsigned cost = 0;
    for (size_t i = 0; i < k->p->naccs; i++)
        cost += costs[k->p->accs[i].kind];
    return cost;
}

unsigned accumulators_registers(const struct kernel_text *k) {
    unsigned registers = 0;
    for (size_t i = 0; i < k->nsums; i++)
        registers += k->sums[i].kind->registers;
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
