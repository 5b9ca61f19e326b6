/* The bytes of a state: little-endian, versioned, ended by a CRC-32, and the same for the same state
 * however it came together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "state.h"

#define MAGIC        "1PST"
#define VERSION      1
#define HEADER_BYTES (4 + 2 + 2 + 4 + 4 + 8 + 8) /* magic version 0 id naccs nelems rounded */
#define ACC_BYTES    (1 + 8 + 1 + 1 + 1 + 8 + 8) /* kind count valid type neg mag-or-bits index */
#define CRC_BYTES    4

/* ---- CRC-32 (ISO-HDLC, as in zlib), bit by bit: states are small ----------------------------- */

static uint32_t crc32_more(uint32_t crc, const void *data, size_t nbytes) {
    const unsigned char *p = data;
    crc = ~crc;
    for (size_t i = 0; i < nbytes; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}

/* ---- little-endian integers ------------------------------------------------------------------ */

static unsigned char *put(unsigned char *p, uint64_t v, int nbytes) {
    for (int i = 0; i < nbytes; i++)
        *p++ = (unsigned char)(v >> (8 * i));
    return p;
}

static uint64_t get(const unsigned char **p, int nbytes) {
    uint64_t v = 0;
    for (int i = 0; i < nbytes; i++)
        v |= (uint64_t) * (*p)++ << (8 * i);
    return v;
}

static uint64_t bits_of(double v) {
    uint64_t bits;
    if (isnan(v)) return UINT64_C(0x7ff8000000000000);
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static double f64_of(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* ---- identity of a program ------------------------------------------------------------------- */

static uint32_t crc_u64(uint32_t crc, uint64_t v) {
    unsigned char bytes[8];
    put(bytes, v, 8);
    return crc32_more(crc, bytes, sizeof bytes);
}

uint32_t state_program_id(const struct program *p) {
    uint32_t crc = crc_u64(0, p->input_class);
    for (size_t k = 0; k < p->nnodes; k++) {
        const struct node *node = &p->nodes[k];
        if (node->kind < NOPS) /* by name, which outlives a new line in the table */
            crc = crc32_more(crc, op_table[node->kind].name, strlen(op_table[node->kind].name));
        else
            crc = crc_u64(crc, (uint64_t)(node->kind - NOPS));
        crc = crc_u64(crc, node->type);
        for (int i = 0; i < 3; i++)
            crc = crc_u64(crc, (uint64_t)(int64_t)node->arg[i]);
        crc = crc_u64(crc, node->value.neg), crc = crc_u64(crc, node->value.mag);
        crc = crc_u64(crc, bits_of(node->value.f));
    }
    for (size_t k = 0; k < p->naccs; k++) {
        const struct accumulator *a = &p->accs[k];
        crc = crc_u64(crc, a->kind), crc = crc_u64(crc, (uint64_t)(int64_t)a->value);
        crc = crc_u64(crc, (uint64_t)(int64_t)a->mask);
        crc = crc_u64(crc, a->skip_nan), crc = crc_u64(crc, a->keep_index);
    }
    return crc;
}

/* ---- store ----------------------------------------------------------------------------------- */

static unsigned char *store_acc(unsigned char *p, struct acc_state *a) {
    const struct kept *k = &a->kept;
    int is_f64 = k->value.type == TYPE_F64;
    p = put(p, a->kind, 1);
    p = put(p, a->count, 8);
    p = put(p, (uint64_t)k->valid, 1);
    p = put(p, k->value.type, 1);
    p = put(p, k->value.neg, 1);
    p = put(p, !k->valid ? 0 : is_f64 ? bits_of(k->value.f) : k->value.mag, 8);
    p = put(p, k->index, 8);
    if (a->exact != NULL) p += exact_store(a->exact, p);
    if (a->product != NULL) p += product_store(a->product, p);
    return p;
}

int state_store(struct state *s, unsigned char **out, size_t *nbytes, onepass_error *err) {
    size_t most = HEADER_BYTES + s->naccs * (ACC_BYTES + EXACT_MAX_STORED + PRODUCT_STORED) + CRC_BYTES;
    unsigned char *bytes = malloc(most), *p = bytes;
    if (bytes == NULL) return error_no_memory(err);
    memcpy(p, MAGIC, 4);
    p = put(p + 4, VERSION, 2);
    p = put(p, 0, 2);
    p = put(p, s->program_id, 4);
    p = put(p, s->naccs, 4);
    p = put(p, s->nelems, 8);
    p = put(p, (uint64_t)s->rounded, 8);
    for (size_t k = 0; k < s->naccs; k++)
        p = store_acc(p, &s->acc[k]);
    p = put(p, crc32_more(0, bytes, (size_t)(p - bytes)), CRC_BYTES);
    *out = bytes;
    *nbytes = (size_t)(p - bytes);
    return 0;
}

/* ---- load ------------------------------------------------------------------------------------ */

static int bad_state(onepass_error *err, const char *why) {
    return error_set(err, ONEPASS_BAD_STATE, "not a usable partial state: %s", why);
}

/* Bytes used, 0 if they are not this accumulator's. */
static size_t load_acc(struct acc_state *a, const unsigned char *in, size_t nbytes) {
    const unsigned char *p = in;
    if (nbytes < ACC_BYTES || get(&p, 1) != a->kind) return 0;
    struct kept *k = &a->kept;
    memset(k, 0, sizeof *k);
    a->count = get(&p, 8);
    k->valid = get(&p, 1) == 1;
    k->value.type = get(&p, 1) == TYPE_F64 ? TYPE_F64 : TYPE_INT;
    k->value.neg = get(&p, 1) == 1;
    uint64_t value = get(&p, 8);
    if (k->value.type == TYPE_F64)
        k->value.f = f64_of(value);
    else
        k->value.mag = value;
    k->index = get(&p, 8);
    size_t used = ACC_BYTES, more = 0;
    if (a->exact != NULL)
        more = exact_load(a->exact, p, nbytes - used);
    else if (a->product != NULL)
        more = product_load(a->product, p, nbytes - used);
    else
        return used;
    return more == 0 ? 0 : used + more;
}

/* n S2 >= S1^2, by Cauchy and Schwarz: finishing a variance relies on it. */
static int is_spread(const struct state *s, const struct lowered_pipeline *p,
                     const struct lowered_reduction *r) {
    struct bignum sum, squares, product;
    int neg;
    uint64_t n = s->acc[p->count].count, nan = s->acc[p->nan].count;
    if (r->acc[ACC_S1] < 0 || r->acc[ACC_S2] < 0) return 1;
    exact_value(s->acc[r->acc[ACC_S1]].exact, &sum, &neg);
    exact_value(s->acc[r->acc[ACC_S2]].exact, &squares, &neg);
    bignum_mul_small(&squares, n < nan ? 0 : n - nan);
    bignum_mul(&product, &sum, &sum);
    return bignum_compare(&squares, &product) >= 0;
}

static int are_spread(const struct state *s) {
    const struct program *p = s->program;
    for (size_t i = 0; i < p->ast->npipelines; i++)
        for (size_t j = 0; j < p->pipelines[i].nreductions; j++)
            if (!is_spread(s, &p->pipelines[i], &p->pipelines[i].reductions[j])) return 0;
    return 1;
}

int state_load(struct state *s, const unsigned char *in, size_t nbytes, onepass_error *err) {
    const unsigned char *p = in + 4;
    if (nbytes < HEADER_BYTES + CRC_BYTES || memcmp(in, MAGIC, 4) != 0)
        return bad_state(err, "it does not begin as one");
    if (get(&p, 2) != VERSION) return bad_state(err, "it is of another version");
    size_t end = nbytes - CRC_BYTES;
    const unsigned char *crc = in + end;
    if (crc32_more(0, in, end) != get(&crc, CRC_BYTES)) return bad_state(err, "its checksum differs");
    get(&p, 2);
    if (get(&p, 4) != s->program_id || get(&p, 4) != s->naccs)
        return bad_state(err, "it belongs to another pipeline or element type");
    s->nelems = get(&p, 8);
    s->rounded = get(&p, 8) != 0;
    size_t at = HEADER_BYTES;
    for (size_t k = 0; k < s->naccs; k++) {
        size_t used = load_acc(&s->acc[k], in + at, end - at);
        if (used == 0) return bad_state(err, "an accumulator is malformed");
        at += used;
    }
    if (at != end) return bad_state(err, "it has trailing bytes");
    return are_spread(s) ? 0 : bad_state(err, "no values have such a sum and sum of squares");
}
