/* Tiles of heavy programs: element by element, neighbours in neighbouring threads, the next one on its
 * way meanwhile.  Included by a kernel's text behind its own functions. */

/* The last tiles have fewer elements, and nothing is left. */
FN u64 tiles_of(u64 nelems) {
    return (nelems + BLOCK - 1) / BLOCK;
}
FN u64 rest_of(u64 nelems, u32) {
    return nelems;
}

FN void take_tile(const struct place &p, struct accumulators &a) {
    u64 last = p.launch->nelems - 1;
    stored next = stored_of(p.launch, p.first < last ? p.first : last);
    struct values o;
#pragma unroll 1
    for (u32 u = 0; u < LOADS; u++) {
        u64 i = p.first + (u64)u * ONEPASS_THREADS;
        if (i > last) break;
        stored bits = next;
        next = stored_of(p.launch, last - i > ONEPASS_THREADS ? i + ONEPASS_THREADS : last);
        evaluate(element_of(bits), o);
        take(a, o, p, u * ONEPASS_THREADS);
    }
}

FN void take_one(const struct place &, struct accumulators &) {
}

#if HAS_AGAIN
FN void try_again(const struct place &p, struct accumulators &a, struct failures &f) {
    struct values o;
    if (!worth_again(a, f)) return;
#pragma unroll 1
    for (u32 u = 0; u < LOADS; u++) {
        u64 i = p.first + (u64)u * ONEPASS_THREADS;
        if (i >= p.launch->nelems) break;
        evaluate(element_of(stored_of(p.launch, i)), o);
        take_again(a, o, f);
    }
    end_again(a, f);
}
#endif
