/* What the build made ahead of time with a CUDA toolkit and put into the binary; empty without one. */
#ifndef JIT_EMBEDDED_H
#define JIT_EMBEDDED_H

/* The collectives (kernels/collectives.cu), relocatable. */
struct jit_collectives {
    int arch;
    int ptx; /* PTX instead of a cubin */
    const unsigned char *bytes, *end;
};

struct jit_embedded {
    const struct jit_collectives *collectives; /* ended by arch 0 */
    const unsigned char *aot, *aot_end;        /* jit_aot.h; equal: none */
    int toolkit;                               /* that made both: 13000 is 13.0 */
};

extern const struct jit_embedded jit_embedded;

#endif
