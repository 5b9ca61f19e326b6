/* Comparing values of a pipeline, for the CPU. */
#include <math.h>

#include "scalar_compare.h"
