/* The headers that kernels include, as they were when onepass was built: files of kernels/ and src/,
 * embedded as they are.  CUDA_HEADERS is make's list of them, ROW(symbol, path, name). */
#include "cuda_text.h"

/* Paths count from the directory that make runs in. */
#define ROW(symbol, path, name)                                                                        \
    __asm__(".section .rodata\n"                                                                       \
            "embedded_" #symbol ":\n"                                                                  \
            ".incbin \"" path "\"\n"                                                                   \
            ".byte 0\n"                                                                                \
            ".previous\n");                                                                            \
    extern const char embedded_##symbol[] __attribute__((visibility("hidden")));
CUDA_HEADERS
#undef ROW

const struct cuda_header cuda_headers[] = {
#define ROW(symbol, path, name) {name, embedded_##symbol},
    CUDA_HEADERS
#undef ROW
    {NULL, NULL}};
