/* The text of one kernel for a program and a layout of elements: its shape, and the loop over tiles. */
#include "cuda_text.h"

#include <stdlib.h>
#include <string.h>

#include "../kernels/launch.h"
#include "compact.h"
#include "cuda_text_parts.h"

#define LOAD_BYTES    16
#define MOST_LOADS    4
#define TILE_MOST     32    /* elements */
#define TILE_BINARY64 16    /* of binary64 sums, which take more registers */
#define STAGED_LIMBS  12288 /* bytes of limbs, at most, beside two stages of 16 KiB */
#define ROLLED_TILE   8

/* Instructions, by the estimates of nodes_cost and accumulators_cost.  UNROLLED: 16 elements of 44,
 * which takes in sum,min,max,mean,std of binary32.  Maps that are HEAVY call functions of onemath.h,
 * which need registers; a rolled kernel evaluates at four places, and calls what is longer than CALLED.
 */
#define UNROLLED 704 /* of a tile */
#define HEAVY    30  /* of maps */
#define CALLED   300 /* of maps */

/* Registers of a thread, about; ptxas may use 255. */
#define MOST_REGISTERS    180 /* of accumulators; of more, they are in local memory */
#define LOOP_REGISTERS    24  /* the launch, where the tile is */
#define ROLLED_REGISTERS  4   /* an element, and the next one */
#define HEAVY_REGISTERS   32
#define WIDENED_REGISTERS 16 /* values that are converted to binary64 */

/* ---- shape ----------------------------------------------------------------------------------- */

/* How many blocks of ONEPASS_THREADS share the 65536 registers of a multiprocessor; ptxas holds a
 * kernel to that.  With 4 abs|sum reads as fast as CUB's sum does (tests/gpu/RESULTS.md), so more are
 * not asked for. */
static unsigned blocks_for(unsigned registers) {
    return registers <= 64 ? 4 : registers <= 80 ? 3 : registers <= 128 ? 2 : 1;
}

/* As many loads as may be unrolled; a single one that is more than twice too long is not. */
static void choose_tile(struct kernel_text *k) {
    struct shape *s = &k->shape;
    unsigned cost = nodes_cost(k) + accumulators_cost(k);
    unsigned most = accumulators_have_binary64(k) ? TILE_BINARY64 : TILE_MOST;
    s->lanes = k->variant->contiguous ? LOAD_BYTES / dtype_table[k->variant->dtype].itemsize : 1;
    s->loads = k->variant->contiguous ? MOST_LOADS : 2 * MOST_LOADS;
    while (s->loads > 1 && (s->loads * s->lanes * cost > UNROLLED || s->loads * s->lanes > most))
        s->loads /= 2;
    k->outlined = accumulators_registers(k) > MOST_REGISTERS;
    s->rolled = k->outlined || s->loads * s->lanes * cost > 2 * UNROLLED;
    if (s->rolled) s->loads = ROLLED_TILE, s->lanes = 1;
}

/* Kernels that are short of registers keep the next tile's loads elsewhere. */
static int is_staged(const struct kernel_text *k) {
    const struct shape *s = &k->shape;
    size_t stages = 2 * (size_t)s->loads * LOAD_BYTES * ONEPASS_THREADS;
    return !s->rolled && k->variant->contiguous &&
           (accumulators_have_binary64(k) || accumulators_have_squares(k)) &&
           k->nlimbs * sizeof(uint64_t) <= STAGED_LIMBS && shared_memory_has_room(k, stages);
}

static unsigned registers_of_loads(const struct kernel_text *k) {
    const struct shape *s = &k->shape;
    if (s->rolled) return ROLLED_REGISTERS;
    if (k->variant->contiguous) return s->loads * LOAD_BYTES / 4;
    return s->loads * (dtype_table[k->variant->dtype].itemsize > 4 ? 2 : 1);
}

static void choose_shape(struct kernel_text *k) {
    int widens = accumulators_have_binary64(k) && k->nodes[0].carrier != AS_F64;
    choose_tile(k);
    k->shape.staged = is_staged(k);
    k->shape.blocks_per_sm =
        blocks_for(LOOP_REGISTERS + registers_of_loads(k) + accumulators_registers(k) +
                   (nodes_cost(k) > HEAVY ? HEAVY_REGISTERS
                    : widens              ? WIDENED_REGISTERS
                                          : 0));
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_head(struct kernel_text *k) {
    struct text *t = &k->t;
    const struct onepass_program *ast = k->p->ast;
    const struct cuda_variant *v = k->variant;
    text_add(t, "/* onepass: %s", dtype_table[v->dtype].name);
    text_add(t, "%s%s%s%s\n", v->swap ? ", bytes swapped" : "", v->contiguous ? "" : ", strided",
             v->fortran ? ", Fortran order" : "", v->integer_sums ? ", integer sums" : "");
    for (size_t i = 0; i < ast->npipelines; i++)
        text_add(t, " *   %s\n", ast->pipelines[i].text);
    text_add(t, " */\n");
    if (v->fortran && k->p->needs_index) text_add(t, "#define ONEPASS_FORTRAN\n");
    nodes_write_includes(k);
    if (accumulators_have_logs(k)) text_add(t, "#include \"fused_log.cuh\"\n");
    text_add(t,
             "\n#define LOADS %u /* of a tile */\n#define LANES %u /* elements of a load */\n"
             "#define TILE  (LOADS * LANES)\n#define BLOCK ((u64)TILE * ONEPASS_THREADS)\n"
             "#define STAGED %d\n\n",
             k->shape.loads, k->shape.lanes, k->shape.staged);
}

static void write_loading(struct kernel_text *k) {
    text_add(&k->t,
             "FN stored stored_of(const struct onepass_launch *L, u64 i) {\n"
             "    return *(const stored *)(L->data + i * %s);\n}\n\n",
             k->variant->contiguous ? "sizeof(stored)" : "L->stride_bytes");
    if (k->shape.rolled) return;
    if (k->variant->contiguous)
        text_add(&k->t, "typedef uint4 load;\n\n[[maybe_unused]] FN load load_of(const struct "
                        "onepass_launch *L, u64 i) {\n"
                        "    return __ldcs((const uint4 *)(L->data + i * sizeof(stored)));\n}\n\n");
    else
        text_add(&k->t,
                 "typedef stored load;\n\nFN load load_of(const struct onepass_launch *L, u64 i) {\n"
                 "    return stored_of(L, i);\n}\n\n");
}

static const char kernel_text[] =
    "extern \"C\" __global__ void __launch_bounds__(ONEPASS_THREADS, %u)\n"
    "onepass_fused(const __grid_constant__ struct onepass_launch L) {\n";

static const char loop_text[] =
    "    __syncthreads();\n"
    "    struct accumulators a;\n"
    "    begin(a);\n"
    "    if (blockIdx.x == 0) carry(L.state);\n"
    "    u64 tile = blockIdx.x;                 /* the next of the block's */\n"
    "    u32 ones = 0;                          /* tiles of one element that the thread had */\n"
    "    u32 epoch = EPOCH < 4 ? EPOCH : 4;     /* tiles; few at first: the anchors may be wrong */\n"
    "    u32 slow = 0;                          /* what a.slow was when the epoch began */\n"
    "    bool more = true, anew = true;         /* anew: anchors are to be placed */\n"
    "    while (more) {\n"
    "        if (anew) place_anchors(&L, sample(&L, tile), a);\n"
    "#pragma unroll 1\n"
    "        for (u32 n = 0;; n++) {\n"
    "            bool whole = tile < tiles_of(L.nelems);\n"
    "            u64 first = whole ? tile * BLOCK + (u64)threadIdx.x * LANES : rest_of(L.nelems, "
    "ones);\n"
    "            const struct place p = {&L, first};\n"
    "            if (whole ? n == epoch : first >= L.nelems) break;\n"
    "            begin_tile(a);\n"
    "            if (whole)\n"
    "                take_tile(p, a), tile += gridDim.x;\n"
    "            else\n"
    "                take_one(p, a), ones++;\n"
    "            struct failures f = end_tile(a, p);\n"
    "            if (any(f)) finish_tile(p, a, f, whole, limbs, infinities);\n"
    "        }\n"
    "        more = tile < tiles_of(L.nelems);\n"
    "        flush(a, limbs);\n"
    "        anew = block_sum(a.slow - slow) * 32 > (i64)(epoch * ONEPASS_THREADS);\n"
    "        slow = a.slow;\n"
    "        epoch = epoch * 8 < EPOCH ? epoch * 8 : EPOCH;\n"
    "    }\n"
    "    __syncthreads();\n";

static const char sample_text[] =
    "/* The element of this thread by which anchors are placed: of the tile, or of what is left. */\n"
    "FN u64 sample(const struct onepass_launch *L, u64 tile) {\n"
    "    u64 tiles = tiles_of(L->nelems), i = tile * BLOCK + (u64)threadIdx.x * LANES;\n"
    "    if (tile >= tiles) i = tiles * BLOCK + (u64)blockIdx.x * ONEPASS_THREADS + threadIdx.x;\n"
    "    return i < L->nelems ? i : NONE;\n"
    "}\n\n";

/* Those of the block, or those that all blocks share; one more than there are: there may be none. */
static void write_words(struct text *t, const char *name, size_t n, int in_shared) {
    if (in_shared)
        text_add(t, "    __shared__ u64 %s[%zu];\n", name, n + 1);
    else
        text_add(t, "    u64 *const %s = L.state;\n", name);
}

static void write_clear(struct text *t, const char *name, size_t n, int in_shared) {
    if (in_shared) text_add(t, "    seldom_clear(%s, %zu);\n", name, n + 1);
}

static void write_kernel(struct kernel_text *k) {
    struct text *t = &k->t;
    text_add(t, kernel_text, k->shape.blocks_per_sm);
    write_words(t, "infinities", k->ninfinities, k->infinities_in_shared);
    write_words(t, "limbs", k->nlimbs, k->limbs_in_shared);
    write_clear(t, "limbs", k->nlimbs, k->limbs_in_shared);
    write_clear(t, "infinities", k->ninfinities, k->infinities_in_shared);
    text_add(t, loop_text);
    give_write(k);
    text_add(t, "}\n");
}

static void write_text(struct kernel_text *k) {
    write_head(k);
    nodes_write_element(k);
    write_loading(k);
    nodes_write_evaluate(k, k->shape.rolled && nodes_cost(k) > CALLED);
    accumulators_write_struct(k);
    tiles_write_far(k);
    accumulators_write_begin(k);
    tiles_write_begin(k);
    take_write(k);
    tiles_write_end(k);
    give_write_flush(k);
    text_add(&k->t, "#include \"tiles_%s.cuh\"\n\n", k->shape.rolled ? "rolled" : "unrolled");
    tiles_write_finish(k);
    text_add(&k->t, sample_text);
    write_kernel(k);
}

const char *cuda_text_code(const char *text) {
    const char *end = strncmp(text, "/*", 2) == 0 ? strstr(text, "*/") : NULL;
    return end != NULL ? end + 2 : text;
}

int cuda_text_make(const struct program *p, const struct cuda_layout *layout,
                   const struct cuda_variant *variant, struct cuda_text *out) {
    struct kernel_text k = {.layout = layout, .variant = variant};
    struct program *compacted = NULL;
    int rc = program_compact(p, &compacted);
    if (rc != 0) return rc;
    k.p = compacted;
    k.nodes = calloc(compacted->nnodes + 1, sizeof *k.nodes);
    rc = k.nodes == NULL ? ONEPASS_NO_MEMORY : 0;
    if (rc == 0) {
        carriers_plan(&k);
        rc = accumulators_plan(&k);
    }
    if (rc == 0) {
        choose_shape(&k);
        write_text(&k);
        if (k.t.failed) rc = ONEPASS_NO_MEMORY;
    }
    if (rc == 0)
        *out = (struct cuda_text){k.t.bytes, k.shape.loads * k.shape.lanes * ONEPASS_THREADS,
                                  k.shape.blocks_per_sm};
    else
        free(k.t.bytes);
    free(k.sums);
    free(k.nodes);
    program_free(compacted);
    return rc;
}
