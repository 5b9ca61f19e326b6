/* Tiles of light programs: all loads of a tile are under way at once, in registers, and everything is
 * unrolled.  Included by a kernel's text behind its own functions; register tiles are never indexed by
 * a variable, which would put them in memory. */

/* What is less than a block's tile is taken in tiles of one element; this is a thread's k-th. */
FN u64 tiles_of(u64 nelems) {
    return nelems / BLOCK;
}
FN u64 rest_of(u64 nelems, u32 k) {
    return tiles_of(nelems) * BLOCK + (u64)(blockIdx.x + gridDim.x * k) * ONEPASS_THREADS + threadIdx.x;
}
FN u64 load_at(const struct place &p, int u) {
    return p.first + (u64)u * (ONEPASS_THREADS * LANES);
}

FN void take_tile(const struct place &p, struct accumulators &a) {
    load r[LOADS];
    struct values o;
#pragma unroll
    for (int u = 0; u < LOADS; u++)
        r[u] = load_of(p.launch, load_at(p, u));
#pragma unroll
    for (int u = 0; u < LOADS; u++)
#pragma unroll
        for (int c = 0; c < LANES; c++) {
            stored bits;
            pick(r[u], c, bits);
            evaluate(element_of(bits), o);
            take(a, o, p, (u32)(u * (ONEPASS_THREADS * LANES) + c));
        }
}

FN void take_one(const struct place &p, struct accumulators &a) {
    struct values o;
    evaluate(element_of(stored_of(p.launch, p.first)), o);
    take(a, o, p, 0);
}

#if HAS_AGAIN
/* Element by element, from the cache. */
FN void try_again(const struct place &p, struct accumulators &a, struct failures &f) {
    struct values o;
    if (!worth_again(a, f)) return;
#pragma unroll 1
    for (int u = 0; u < LOADS; u++) {
        const load r = load_of(p.launch, load_at(p, u));
#pragma unroll
        for (int c = 0; c < LANES; c++) {
            stored bits;
            pick(r, c, bits);
            evaluate(element_of(bits), o);
            take_again(a, o, f);
        }
    }
    end_again(a, f);
}
#endif
