/* Programs in which what follows a where() is evaluated for the elements that passed it only. */
#ifndef COMPACT_H
#define COMPACT_H

#include "program.h"

/* A copy of a lowered program for an evaluator that can keep fewer lanes than a block has: nodes that
 * are only wanted where one mask holds work on its lanes side by side (node.dense), brought there by
 * NODE_COMPACT, and groups of accumulators take those (group.dense instead of group.mask).  Groups and
 * accumulators have the numbers they had; pipelines are not copied.  0 or ONEPASS_NO_MEMORY. */
int program_compact(const struct program *p, struct program **out);

#endif
