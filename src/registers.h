/* Registers of the block evaluator. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "program.h"

extern const size_t lane_bytes[NSTORAGES]; /* of a value, by storage */

/* Gives every node a register of its storage (node.reg, p->nregs), reused after the node's last use.
 * Constants, which are filled in once, have theirs to themselves.  0 or ONEPASS_NO_MEMORY. */
int registers_assign(struct program *p);

#endif
