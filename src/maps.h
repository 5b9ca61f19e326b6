/* One node of a program evaluated over a block. */
#ifndef MAPS_H
#define MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "program.h"

/* A register: a block of one storage; the other pointers are NULL. */
struct operand {
    double *f64;   /* STORE_F64 */
    uint64_t *mag; /* STORE_WIDE, with neg */
    uint8_t *neg;
    uint8_t *mask; /* STORE_MASK: 0 or 1 */
};

/* Integers of a magnitude up to here are exact in a binary64. */
#define MAP_EXACT_LIMIT (UINT64_C(1) << 53)

/* out = node(arg[0], arg[1], arg[2]) for n lanes; arguments that the node does not have are zeroed
 * operands.  NODE_INPUT and NODE_CONSTANT are not evaluated here.  Returns 1 if a NODE_TO_F64 met an
 * integer above MAP_EXACT_LIMIT in a lane of the mask arg[1], where it has one, else 0. */
int map_node(const struct map_kernels *kernels, const struct node *node, size_t n,
             const struct operand arg[3], const struct operand *out);

/* Set n lanes of a register to a constant of its storage. */
void map_fill(const struct operand *out, size_t n, const struct scalar *value);
/* Lane k of a register as a value; type says whether a STORE_F64 one holds integers.  0 of a zeroed
 * operand. */
struct scalar map_lane(const struct operand *o, enum value_type type, size_t k);

#endif
