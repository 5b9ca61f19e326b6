/* The accumulators of a program: which kind of sum each exact sum is, the struct that a thread has of
 * all of them in registers, and what they cost. */
#include <stdlib.h>
#include <string.h>

#include "cuda_text_parts.h"
#include "onepass.h"

#define SHARED_BYTES 40960 /* of limbs, at most */

/* ---- plan -------------------------------------------------------------------------------------- */

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
                 k->sums[i].kind, k->outlined ? ">" : "", (int)k->sums[i].acc, (int)k->sums[i].acc);
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

/* Between tiles and within one, as compilers were seen to need them. */
static unsigned sum_registers(const struct sum_text *s) {
    static const struct {
        const char *kinds; /* that end so; "": all others */
        unsigned sum, squares;
    } registers[] = {{"_int", 6, 8}, {"_wide", 8, 12}, {"_f32", 16, 18}, {"", 20, 28}};
    size_t i = 0;
    while (strstr(s->kind, registers[i].kinds) == NULL)
        i++;
    return s->squares ? registers[i].squares : registers[i].sum;
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
