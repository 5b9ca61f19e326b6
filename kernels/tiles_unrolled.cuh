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

#if STAGED && (defined ONEPASS_EMULATED || __CUDA_ARCH__ >= 800) /* has cp.async */
/* Loads go to shared memory, a tile ahead of the one that is worked on: bytes under way cost no
 * registers, and a compiler that is short of them cannot move loads down to where they are used, as it
 * does with others.  Every thread reads what it has fetched itself, so there is no barrier. */
FN void fetch(uint4 *to, const uint4 *from) {
#ifdef ONEPASS_EMULATED
    emulated_fetch(to, from);
#else
    asm volatile("{ .reg .u64 to, from; cvta.to.shared.u64 to, %0; cvta.to.global.u64 from, %1;\n"
                 "  cp.async.cg.shared.global [to], [from], 16; }" ::"l"(to),
                 "l"(from)
                 : "memory");
#endif
}

/* All fetches but those since the last call are there. */
FN void await_fetches() {
#ifdef ONEPASS_EMULATED
    emulated_await_fetches();
#else
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;" ::: "memory");
#endif
}

FN void fetch_tile(uint4 (*to)[ONEPASS_THREADS], const struct place &p) {
    const uint4 *from = (const uint4 *)(p.launch->data + p.first * sizeof(stored));
#pragma unroll
    for (int u = 0; u < LOADS; u++)
        fetch(&to[u][threadIdx.x], from + u * ONEPASS_THREADS);
}

FN void load_tile(load r[LOADS], const struct place &p, u32 number) {
    __shared__ uint4 stages[2][LOADS][ONEPASS_THREADS];
    const struct place next = {p.launch, p.first + gridDim.x * BLOCK};
    if (number == 0) {
        fetch_tile(stages[0], p);
        await_fetches();
    }
    if (next.first / BLOCK < tiles_of(p.launch->nelems)) fetch_tile(stages[(number + 1) % 2], next);
    await_fetches();
#pragma unroll
    for (int u = 0; u < LOADS; u++)
        r[u] = stages[number % 2][u][threadIdx.x];
}
#else
FN void load_tile(load r[LOADS], const struct place &p, u32) {
#pragma unroll
    for (int u = 0; u < LOADS; u++)
        r[u] = load_of(p.launch, load_at(p, u));
}
#endif

FN void take_tile(const struct place &p, struct accumulators &a) {
    load r[LOADS];
    struct values o;
    load_tile(r, p, a.tiles);
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
