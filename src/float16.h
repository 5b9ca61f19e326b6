/* binary16 by way of binary32, which has every value of it. */
#ifndef FLOAT16_H
#define FLOAT16_H

#include <stdint.h>
#include <string.h>

/* An f32's bits from those of an f16, without branches.  The exponent's bias grows by 112; infinity and
 * NaN move to the top exponent; a subnormal is its fraction times 2^-24. */
static inline uint32_t f32_of_f16(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, magnitude = bits & 0x7fff, tiny;
    uint32_t is_tiny = 0 - (uint32_t)(magnitude < 0x400); /* all bits; by ?: no loop vectorises */
    uint32_t normal = (magnitude << 13) + (UINT32_C(112) << 23);
    normal += magnitude >= 0x7c00 ? UINT32_C(112) << 23 : 0;
    float subnormal = (float)(int32_t)magnitude * 0x1p-24f;
    memcpy(&tiny, &subnormal, sizeof(tiny));
    return sign | (tiny & is_tiny) | (normal & ~is_tiny);
}

#endif
