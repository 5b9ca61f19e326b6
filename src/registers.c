/* Registers of the block evaluator: which node's block lies where, so that a long program needs only a
 * few that stay in cache. */
#include "registers.h"

#include <stdlib.h>

#include "onepass.h"

const size_t lane_bytes[NSTORAGES] = {sizeof(double), sizeof(uint64_t) + 1, 1};

struct registers {
    int32_t *free; /* room for one of every node */
    int32_t nfree, n;
};

/* last[k]: the last node that reads node k; nnodes if an accumulator does, or wants the indices of
 * lanes that pass it, or if it is constant. */
static void find_last_uses(const struct program *p, int32_t *last) {
    for (size_t k = 0; k < p->nnodes; k++) {
        last[k] = p->nodes[k].kind == NODE_CONSTANT ? (int32_t)p->nnodes : (int32_t)k;
        for (int i = 0; i < 3; i++)
            if (p->nodes[k].arg[i] >= 0 && last[p->nodes[k].arg[i]] < (int32_t)k)
                last[p->nodes[k].arg[i]] = (int32_t)k;
    }
    for (size_t k = 0; k < p->naccs; k++) {
        if (p->accs[k].value >= 0) last[p->accs[k].value] = (int32_t)p->nnodes;
        if (p->accs[k].mask >= 0) last[p->accs[k].mask] = (int32_t)p->nnodes;
    }
    for (size_t k = 0; k < p->ngroups; k++)
        if (p->groups[k].dense >= 0) last[p->groups[k].dense] = (int32_t)p->nnodes;
}

/* A node's register is taken while those of its arguments still are, so no kernel works in place. */
int registers_assign(struct program *p) {
    struct registers files[NSTORAGES] = {{0}};
    int32_t *last = malloc((p->nnodes + 1) * (NSTORAGES + 1) * sizeof *last);
    if (last == NULL) return ONEPASS_NO_MEMORY;
    for (int s = 0; s < NSTORAGES; s++)
        files[s].free = last + (s + 1) * (p->nnodes + 1);
    find_last_uses(p, last);
    for (size_t k = 0; k < p->nnodes; k++) {
        struct node *node = &p->nodes[k];
        struct registers *file = &files[node->storage];
        /* Constants are filled in once, before the first node runs: theirs are never shared. */
        int fresh = node->kind == NODE_CONSTANT || file->nfree == 0;
        node->reg = fresh ? file->n++ : file->free[--file->nfree];
        for (int i = 0; i < 3; i++) {
            int32_t a = node->arg[i];
            int again = a >= 0 && ((i > 0 && a == node->arg[0]) || (i > 1 && a == node->arg[1]));
            if (a < 0 || again || last[a] != (int32_t)k) continue;
            struct registers *its = &files[p->nodes[a].storage];
            its->free[its->nfree++] = p->nodes[a].reg;
        }
        if (last[k] == (int32_t)k) file->free[file->nfree++] = node->reg; /* read by nobody */
    }
    for (int s = 0; s < NSTORAGES; s++)
        p->nregs[s] = files[s].n;
    free(last);
    return 0;
}
