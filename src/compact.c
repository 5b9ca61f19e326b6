/* From a program to one that evaluates what follows a where() on fewer lanes.
 *
 * Every node has a domain: the mask under which alone its value is wanted, or all lanes.  It is found
 * from the accumulators backwards; two different wishes, and every wish of a mask, mean all lanes.
 * Where a domain begins, values come in by NODE_COMPACT, one for each value and mask.
 *
 * A condition is evaluated on all lanes, also on those that an earlier mask dropped.  That an integer
 * is rounded there is nobody's concern, so every node also has a scope: the nearest mask that all its
 * uses lie behind, of which a condition lies behind the mask before its own. */
#include "compact.h"

#include <stdlib.h>
#include <string.h>

#include "onepass.h"
#include "registers.h"

enum { ALL = -1, UNWANTED = -2 };

struct compaction {
    const struct program *from;
    struct program *to;
    int32_t *domain; /* of the old nodes */
    int32_t *scope;  /* of the old nodes: a mask or ALL */
    int32_t *moved;  /* an old node's new number */
};

/* ---- domains --------------------------------------------------------------------------------- */

static void want(struct compaction *c, int32_t node, int32_t domain) {
    if (node < 0) return;
    int32_t *its = &c->domain[node];
    *its = *its == UNWANTED || *its == domain ? domain : ALL;
}

/* The nearest mask before both; a mask has a lower number than those behind it. */
static int32_t common_mask(const struct program *p, int32_t a, int32_t b) {
    while (a != b)
        if (a > b)
            a = p->nodes[a].arg[0];
        else
            b = p->nodes[b].arg[0];
    return a;
}

static void use(struct compaction *c, int32_t node, int32_t mask) {
    if (node < 0) return;
    int32_t *its = &c->scope[node];
    *its = *its == UNWANTED ? mask : common_mask(c->from, *its, mask);
}

/* Only what has a domain is used; find_domains comes first. */
static void find_scopes(struct compaction *c) {
    const struct program *p = c->from;
    for (size_t k = 0; k < p->nnodes; k++)
        c->scope[k] = UNWANTED;
    for (size_t k = 0; k < p->ngroups; k++)
        use(c, p->groups[k].value, p->groups[k].mask);
    for (size_t k = p->nnodes; k-- > 0;) {
        const struct node *n = &p->nodes[k];
        if (c->domain[k] == UNWANTED) continue;
        if (n->kind == NODE_MASK) {
            use(c, n->arg[1], n->arg[0]);
            continue;
        }
        while (c->scope[k] > (int32_t)k) /* the mask comes after it */
            c->scope[k] = p->nodes[c->scope[k]].arg[0];
        for (int i = 0; i < 3; i++)
            use(c, n->arg[i], c->scope[k]);
    }
}

static void find_domains(struct compaction *c) {
    const struct program *p = c->from;
    for (size_t k = 0; k < p->nnodes; k++)
        c->domain[k] = UNWANTED;
    for (size_t k = 0; k < p->ngroups; k++) {
        want(c, p->groups[k].value, p->groups[k].mask);
        want(c, p->groups[k].mask, ALL);
    }
    for (size_t k = p->nnodes; k-- > 0;) {                 /* arguments have lower numbers */
        if (c->domain[k] > (int32_t)k) c->domain[k] = ALL; /* the mask comes after it */
        for (int i = 0; c->domain[k] != UNWANTED && i < 3; i++)
            want(c, p->nodes[k].arg[i], c->domain[k]);
    }
    c->domain[0] = ALL; /* what is loaded */
}

/* ---- the new nodes --------------------------------------------------------------------------- */

/* The lanes of an old node that pass an old mask; constants have all lanes alike. */
static int32_t brought_into(struct compaction *c, int32_t node, int32_t domain) {
    struct program *to = c->to;
    const struct node *value = &c->from->nodes[node];
    if (domain == ALL || c->domain[node] == domain || value->kind == NODE_CONSTANT)
        return c->moved[node];
    int32_t mask = c->moved[domain];
    for (size_t k = 0; k < to->nnodes; k++)
        if (to->nodes[k].kind == NODE_COMPACT && to->nodes[k].arg[0] == c->moved[node] &&
            to->nodes[k].arg[1] == mask)
            return (int32_t)k;
    struct node *n = &to->nodes[to->nnodes];
    *n = *value;
    n->kind = NODE_COMPACT;
    n->arg[0] = c->moved[node], n->arg[1] = mask, n->arg[2] = -1;
    n->dense = mask;
    return (int32_t)to->nnodes++;
}

static int is_test(const struct compaction *c, const struct node *n) {
    if (n->kind >= NOPS || n->storage != STORE_F64) return 0;
    if (op_table[n->kind].rule != RULE_FLAG && op_table[n->kind].rule != RULE_TRUTH) return 0;
    for (int i = 0; i < 3; i++)
        if (n->arg[i] >= 0 && c->from->nodes[n->arg[i]].storage != STORE_F64) return 0;
    return 1;
}

/* A mask of a comparison compares by itself; the comparison is run only if others want it. */
static void absorb_test(const struct compaction *c, struct node *mask) {
    const struct node *condition = &c->from->nodes[mask->arg[1]];
    if (!is_test(c, condition)) return;
    mask->test = condition->kind;
    mask->arg[1] = condition->arg[0];
    mask->arg[2] = condition->arg[1];
}

static void move_nodes(struct compaction *c) {
    for (size_t k = 0; k < c->from->nnodes; k++) {
        struct node node = c->from->nodes[k];
        if (node.kind == NODE_MASK) absorb_test(c, &node);
        int32_t domain = c->domain[k] >= 0 ? c->domain[k] : ALL;
        for (int i = 0; i < 3; i++)
            if (node.arg[i] >= 0) node.arg[i] = brought_into(c, node.arg[i], domain);
        node.dense = domain == ALL ? -1 : c->moved[domain];
        if (node.kind == NODE_TO_F64 && domain == ALL && c->scope[k] >= 0)
            node.arg[1] = c->moved[c->scope[k]];
        c->moved[k] = (int32_t)c->to->nnodes;
        c->to->nodes[c->to->nnodes++] = node;
    }
}

static void move_groups(struct compaction *c) {
    for (size_t k = 0; k < c->from->ngroups; k++) {
        struct acc_group *g = &c->to->groups[k];
        int32_t mask = g->mask;
        if (g->value >= 0 && mask >= 0) {
            g->value = brought_into(c, g->value, mask);
            g->dense = c->moved[mask];
            g->mask = -1;
        } else {
            g->value = g->value < 0 ? -1 : c->moved[g->value];
            g->mask = mask < 0 ? -1 : c->moved[mask];
        }
        for (int kind = 0; kind < NACCUMULATORS; kind++) {
            if (g->acc[kind] < 0) continue;
            c->to->accs[g->acc[kind]].value = g->value;
            c->to->accs[g->acc[kind]].mask = g->mask;
        }
    }
}

/* A node brings in at most three values, a group one. */
static int make_room(struct compaction *c) {
    const struct program *p = c->from;
    size_t most = 4 * p->nnodes + p->ngroups;
    struct program *to = c->to = calloc(1, sizeof *to);
    c->domain = malloc((p->nnodes + 1) * sizeof *c->domain);
    c->scope = malloc((p->nnodes + 1) * sizeof *c->scope);
    c->moved = malloc((p->nnodes + 1) * sizeof *c->moved);
    if (to == NULL || c->domain == NULL || c->scope == NULL || c->moved == NULL)
        return ONEPASS_NO_MEMORY;
    *to = *p;
    to->pipelines = NULL;
    to->nnodes = 0;
    to->nodes = calloc(most, sizeof *to->nodes);
    to->accs = malloc((p->naccs + 1) * sizeof *to->accs);
    to->groups = malloc((p->ngroups + 1) * sizeof *to->groups);
    if (to->nodes == NULL || to->accs == NULL || to->groups == NULL) return ONEPASS_NO_MEMORY;
    memcpy(to->accs, p->accs, p->naccs * sizeof *to->accs);
    memcpy(to->groups, p->groups, p->ngroups * sizeof *to->groups);
    return 0;
}

int program_compact(const struct program *p, struct program **out) {
    struct compaction c = {.from = p};
    int rc = make_room(&c);
    if (rc == 0) {
        find_domains(&c);
        find_scopes(&c);
        move_nodes(&c);
        move_groups(&c);
        rc = registers_assign(c.to);
    }
    free(c.domain);
    free(c.scope);
    free(c.moved);
    if (rc != 0)
        program_free(c.to);
    else
        *out = c.to;
    return rc;
}
