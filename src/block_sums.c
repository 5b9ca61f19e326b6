/* Sums of blocks. */
#include "block_sums.h"

const struct sum_kernels ISA_SYMBOL(sum_kernels) = {4};
