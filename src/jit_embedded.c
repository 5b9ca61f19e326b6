/* Embeds the files that the Makefile made with a toolkit: CUDA_COLLECTIVES is a list of lines
 * COLLECTIVES(arch, ptx, "file"), CUDA_AOT a file of images, CUDA_TOOLKIT its version, 13000 for 13.0;
 * where they are not defined there is nothing. */
#include "jit_embedded.h"

/* The file's bytes between two symbols; 16: images are read in place. */
#define EMBED(name, file)                                                                              \
    extern const unsigned char name[], name##_end[];                                                   \
    __asm__(".section .rodata\n"                                                                       \
            ".balign 16\n" #name ":\n"                                                                 \
            ".incbin \"" file "\"\n" #name "_end:\n"                                                   \
            ".byte 0\n"                                                                                \
            ".previous\n");

#ifdef CUDA_COLLECTIVES
#define COLLECTIVES(arch, ptx, file) EMBED(collectives_##arch##_##ptx, file)
#include CUDA_COLLECTIVES
#undef COLLECTIVES
#define COLLECTIVES(arch, ptx, file)                                                                   \
    {arch, ptx, collectives_##arch##_##ptx, collectives_##arch##_##ptx##_end},
#endif

static const struct jit_collectives COLLECTIVES_TABLE[] = {
#ifdef CUDA_COLLECTIVES
#include CUDA_COLLECTIVES
#endif
    {0, 0, 0, 0}};

#ifdef CUDA_AOT
EMBED(aot_images, CUDA_AOT)
#define AOT aot_images, aot_images_end
#else
#define AOT 0, 0
#endif

#ifndef CUDA_TOOLKIT
#define CUDA_TOOLKIT 0
#endif

const struct jit_embedded jit_embedded = {COLLECTIVES_TABLE, AOT, CUDA_TOOLKIT};
