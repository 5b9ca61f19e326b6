/* From the words that a kernel left in device memory to a state.
 *
 * Limbs are added to by many blocks without carries, so that a word is any 64-bit number, not a digit:
 * here they are normalised first. */
#include "cuda_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "onepass.h"

#define DIGIT    UINT32_MAX
#define NO_INDEX UINT64_MAX
#define NO_MIN   UINT64_MAX /* keys that are no value's */
#define NO_MAX   0

#define LOG_DIGITS (LOG_LIMBS - 1) /* the last limb only takes carries */

/* ---- where things are -------------------------------------------------------------------------- */

static int is_key(const struct program *p, const struct accumulator *a) {
    return (a->kind == ACC_MIN || a->kind == ACC_MAX) && p->nodes[a->value].storage == STORE_F64;
}

static size_t words_of(const struct program *p, const struct accumulator *a, unsigned blocks) {
    switch (a->kind) {
    case ACC_COUNT:
    case ACC_POSINF:
    case ACC_NEGINF:
    case ACC_NONZERO:
        return 1;
    case ACC_NAN:
        return 2;
    case ACC_S1:
        return SUM_LIMBS;
    case ACC_S2:
        return SQUARES_LIMBS;
    case ACC_LOG:
        return LOG_WORDS;
    default:
        return is_key(p, a) ? 1 : (size_t)SLOT_WORDS * blocks;
    }
}

int cuda_layout_make(const struct program *p, unsigned blocks, struct cuda_layout *out) {
    size_t n = 0, *at = malloc((p->naccs + 1) * sizeof *at);
    if (at == NULL) return ONEPASS_NO_MEMORY;
    for (size_t k = 0; k < p->naccs; k++) {
        at[k] = n;
        n += words_of(p, &p->accs[k], blocks);
    }
    *out = (struct cuda_layout){.at = at, .levels = n, .rounded = n + NLEVELS, .blocks = blocks};
    out->nwords = out->rounded + 1;
    return 0;
}

void cuda_layout_free(struct cuda_layout *layout) {
    free(layout->at);
    *layout = (struct cuda_layout){0};
}

void cuda_layout_init(const struct program *p, const struct cuda_layout *layout, uint64_t *words) {
    memset(words, 0, layout->nwords * sizeof *words);
    for (size_t k = 0; k < p->naccs; k++) {
        const struct accumulator *a = &p->accs[k];
        if (a->kind == ACC_NAN) words[layout->at[k] + 1] = NO_INDEX;
        if (is_key(p, a)) words[layout->at[k]] = a->kind == ACC_MIN ? NO_MIN : NO_MAX;
    }
}

/* ---- limbs ------------------------------------------------------------------------------------- */

/* Into digits [0, 2^32) but for the last; returns whether the number is negative. */
static int carry(int64_t *limb, int n) {
    __int128 rest = 0;
    for (int i = 0; i < n - 1; i++) {
        rest += limb[i];
        limb[i] = (int64_t)((uint64_t)rest & DIGIT);
        rest >>= 32; /* rounds towards minus infinity, as gcc and clang define it */
    }
    limb[n - 1] = (int64_t)(rest + limb[n - 1]);
    return limb[n - 1] < 0;
}

/* x += the signed limbs at words.  The magnitude goes there, as the exact sum has two limbs less: those
 * above it are zero then. */
static void add_limbs(struct exact *x, const uint64_t *words, int n, int unit) {
    int64_t limb[SQUARES_LIMBS];
    memcpy(limb, words, (size_t)n * sizeof *limb);
    int neg = carry(limb, n);
    for (int i = 0; neg && i < n; i++)
        limb[i] = -limb[i];
    carry(limb, n);
    for (int i = 0; i < n; i++)
        exact_add_integer(x, neg ? -limb[i] : limb[i], 32 * i + unit);
}

static void add_log(struct product *product, const uint64_t *words) {
    struct product p;
    product_init(&p);
    uint64_t rest = 0;
    for (int i = 0; i < LOG_DIGITS; i++) {
        unsigned __int128 t = (unsigned __int128)words[i] + rest;
        p.log2_sum[i / 2] |= (uint64_t)(uint32_t)t << (32 * (i % 2));
        rest = (uint64_t)(t >> 32);
    }
    p.zeros = words[LOG_LIMBS];
    p.signs = words[LOG_LIMBS + 1];
    p.negatives = words[LOG_LIMBS + 2];
    product_merge(product, &p);
}

/* ---- kept values ------------------------------------------------------------------------------- */

static double f64_of(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Of the order-preserving key of a binary64: negative ones have all bits turned, others the sign. */
static double key_value(uint64_t key) {
    return f64_of(key >> 63 ? key ^ UINT64_C(1) << 63 : ~key);
}

static struct scalar scalar_of(const struct node *node, uint64_t bits, int neg) {
    struct scalar s = {TYPE_INT, (uint8_t)neg, bits, 0};
    if (node->storage == STORE_WIDE) return s;
    double v = f64_of(bits);
    if (node->type == TYPE_F64) return (struct scalar){TYPE_F64, 0, 0, v};
    return (struct scalar){TYPE_INT, v < 0, (uint64_t)fabs(v), 0};
}

static void offer_key(struct kept *kept, int kind, const struct node *node, uint64_t key) {
    double v = key_value(key);
    uint64_t bits;
    if (key == (kind == ACC_MIN ? NO_MIN : NO_MAX)) return;
    memcpy(&bits, &v, sizeof bits);
    struct scalar s = scalar_of(node, bits, 0);
    kept_offer(kept, kind, &s, 0);
}

static void offer_slots(struct kept *kept, int kind, const struct node *node, const uint64_t *slot,
                        unsigned n) {
    for (unsigned i = 0; i < n; i++, slot += SLOT_WORDS) {
        if (!(slot[0] & SLOT_VALID)) continue;
        struct scalar s = scalar_of(node, slot[1], (slot[0] & SLOT_NEGATIVE) != 0);
        kept_offer(kept, kind, &s, slot[2]);
    }
}

/* ---- a state ----------------------------------------------------------------------------------- */

static void add_acc(const struct program *p, const struct accumulator *what, const uint64_t *words,
                    unsigned blocks, struct acc_state *a) {
    switch (what->kind) {
    case ACC_COUNT:
    case ACC_POSINF:
    case ACC_NEGINF:
    case ACC_NONZERO:
        a->count += words[0];
        break;
    case ACC_NAN:
        a->count += words[0];
        if (what->keep_index && words[1] != NO_INDEX) kept_lowest_index(&a->kept, words[1]);
        break;
    case ACC_S1:
        add_limbs(a->exact, words, SUM_LIMBS, exact_unit(EXACT_SUM));
        break;
    case ACC_S2:
        add_limbs(a->exact, words, SQUARES_LIMBS, exact_unit(EXACT_SQUARES));
        break;
    case ACC_LOG:
        add_log(a->product, words);
        break;
    default:
        if (is_key(p, what))
            offer_key(&a->kept, what->kind, &p->nodes[what->value], words[0]);
        else
            offer_slots(&a->kept, what->kind, &p->nodes[what->value], words, blocks);
        break;
    }
}

void cuda_layout_add(const struct program *p, const struct cuda_layout *layout, const uint64_t *words,
                     uint64_t nelems, struct state *s) {
    for (size_t k = 0; k < p->naccs; k++)
        add_acc(p, &p->accs[k], words + layout->at[k], layout->blocks, &s->acc[k]);
    for (int level = 0; level < NLEVELS; level++)
        s->levels[level] += words[layout->levels + (size_t)level];
    s->rounded |= words[layout->rounded] != 0;
    s->nelems += nelems;
}
