/* Whether the sticky inexact flag can be trusted here. */
#include <fenv.h>

#include "block_sums.h"

int block_sums_flags_work(void) {
    volatile double one = 1, small = 0x1p-60, sum;
    feclearexcept(FE_INEXACT);
    sum = one + small;
    int raised = fetestexcept(FE_INEXACT) != 0;
    feclearexcept(FE_INEXACT);
    sum = one + one;
    (void)sum;
    return raised && fetestexcept(FE_INEXACT) == 0;
}
