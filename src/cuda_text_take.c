/* What an element adds to the accumulators of a thread: take(). */
#include "cuda_text_parts.h"

/* ---- sums -------------------------------------------------------------------------------------- */

void take_write_condition(struct kernel_text *k, size_t group, const char *kind) {
    const struct acc_group *g = &k->p->groups[group];
    char mask[MEMBER_TEXT];
    int32_t value = group_value(k, g);
    text_add(&k->t, "%s", mask_text(group_mask(k, g), mask));
    if (is_floating(k, value)) text_add(&k->t, " && %s(o.v%d)", kind, (int)value);
}

void take_write_look(struct kernel_text *k, size_t group) {
    const struct acc_group *g = &k->p->groups[group];
    char mask[MEMBER_TEXT];
    text_add(&k->t, "    a.b%zu.look(%s, o.v%d);\n", group, mask_text(group_mask(k, g), mask),
             (int)group_value(k, g));
}

/* A value as the sum's kind takes it, 0 where it does not count. */
static void write_summand(struct kernel_text *k, const struct sum_text *s) {
    int32_t value = group_value(k, &k->p->groups[s->group]);
    static const char *const zeros[] = {"0.0f", "0.0", "0", "0ll"};
    enum carrier as = (enum carrier)k->nodes[value].carrier;
    if (as == AS_INT || as == AS_LONG)
        text_add(&k->t, "c%zu ? (%s)o.v%d : 0", s->group, s->kind->summand, (int)value);
    else
        text_add(&k->t, "c%zu ? o.v%d : %s", s->group, (int)value, zeros[as]);
}

void take_write_sum(struct kernel_text *k, const struct sum_text *s, const char *method) {
    int32_t acc = s->acc, value = group_value(k, &k->p->groups[s->group]);
    if (k->nodes[value].carrier == AS_WIDE) {
        text_add(&k->t, "a.s%d.%s(o.v%d, c%zu);\n", (int)acc, method, (int)value, s->group);
        return;
    }
    text_add(&k->t, "a.s%d.%s(", (int)acc, method);
    write_summand(k, s);
    text_add(&k->t, ", a.a%d);\n", (int)acc);
}

/* ---- a group ----------------------------------------------------------------------------------- */

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
    if (group_has_books(k, i)) text_add(t, "    a.b%zu.add(%s, o.v%d);\n", i, mask, (int)value);
    if (group_keeps_nan_index(k, i))
        text_add(t, "    a.i%zu.offer(%s && is_nan(o.v%d), 0, p, at);\n", i, mask, (int)value);
    if (group_has_sums(k, i)) {
        text_add(t, "    const bool c%zu = ", i);
        take_write_condition(k, i, "!is_nan");
        text_add(t, ";\n");
    } else if (group_has_books(k, i)) {
        take_write_look(k, i);
    }
    for (size_t j = 0; j < k->nsums; j++)
        if (k->sums[j].group == i) text_add(t, "    "), take_write_sum(k, &k->sums[j], "add");
    if (g->acc[ACC_NONZERO] >= 0)
        text_add(t, "    a.n%d += %s && o.v%d%s != 0;\n", (int)g->acc[ACC_NONZERO], mask, (int)value,
                 k->nodes[value].carrier == AS_WIDE ? ".mag" : "");
    if (g->acc[ACC_LOG] >= 0)
        text_add(t, "    a.l%d.add(%s, %so.v%d);\n", (int)g->acc[ACC_LOG], mask,
                 k->nodes[value].carrier == AS_WIDE ? "" : "(double)", (int)value);
    for (int kind = ACC_MIN; kind <= ACC_ARGMAX; kind++)
        if (g->acc[kind] >= 0)
            text_add(t, "    a.k%d.offer(%s, o.v%d%s);\n", (int)g->acc[kind], mask, (int)value,
                     kind >= ACC_ARGMIN ? ", p, at" : "");
    write_ends(k, g, mask, value);
}

void take_write(struct kernel_text *k) {
    text_add(&k->t, "FN void take(struct accumulators &a, const struct values &o, const struct place "
                    "&p, u32 at) {\n"
                    "    a.rounded = a.rounded || o.rounded;\n");
    for (size_t i = 0; i < k->p->ngroups; i++)
        write_group_take(k, i);
    text_add(&k->t, "}\n\n");
}
