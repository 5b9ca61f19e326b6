/* What a kernel is launched with; the same struct on the host (C) and on the device (CUDA).
 *
 * A kernel is `extern "C" void onepass_fused(struct onepass_launch)`, made by src/cuda_text.c, launched
 * with ONEPASS_THREADS threads a block and at most the layout's number of blocks. */
#ifndef ONEPASS_LAUNCH_H
#define ONEPASS_LAUNCH_H

/* Of a block. */
#ifndef ONEPASS_THREADS
#ifdef ONEPASS_EMULATED /* on the CPU: tests/gpu/emulate.h */
#define ONEPASS_THREADS 1
#else
#define ONEPASS_THREADS 256
#endif
#endif
#define ONEPASS_MAX_DIMS_LAUNCH 32

/* Sizes of what a kernel leaves in state words, which src/cuda_layout.h says the meaning of. */
#define SUM_LIMBS     74
#define SQUARES_LIMBS 146
#define LOG_LIMBS     9
#define LOG_WORDS     (LOG_LIMBS + 3) /* and zeros, signs, negatives */
#define SLOT_WORDS    3
/* Bits of a slot's first word. */
#define SLOT_VALID    1
#define SLOT_NEGATIVE 2

struct onepass_launch {
    const unsigned char *data; /* device memory, aligned to 16; readable to the next multiple of 16 */
    unsigned long long nelems;
    unsigned long long
        stride_bytes;          /* from one element to the next, whole elements; contiguous: not read */
    unsigned long long first;  /* storage-order number of element 0 */
    unsigned long long base;   /* added to every index (concatenation) */
    unsigned long long *state; /* device memory, laid out by src/cuda_layout.h */
    /* Read by kernels for Fortran-ordered arrays that want indices only: struct place. */
    unsigned long long ndim;
    unsigned long long shape[ONEPASS_MAX_DIMS_LAUNCH];
};

#endif
