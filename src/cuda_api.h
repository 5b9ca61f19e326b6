/* The functions of NVIDIA's driver, NVRTC and nvJitLink that onepass uses, found at run time by dlopen:
 * a binary runs where there is none of them, and is built where there is no toolkit.  Types and
 * constants are as in cuda.h, nvrtc.h and nvJitLink.h (tests/gpu/api_check.c compares them where those
 * are there). */
#ifndef CUDA_API_H
#define CUDA_API_H

#include <stddef.h>
#include <stdint.h>

#include "onepass.h"

/* To be filled in: struct cuda_driver, struct nvrtc, struct nvjitlink: a library handle and one
 * function pointer a function, from one table of names. */

#endif
