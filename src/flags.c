/* Whether sticky flags, and subnormals, can be trusted here: under valgrind no flag is raised, and some
 * processors can be told to flush.  Sums read the inexact flag (lanes.h), maps for x86-64 without fma
 * those of overflow and underflow (guarded_maps.c). */
#include <fenv.h>
#include <math.h>

#include "block_sums.h"
#include "lanes.h"

static int raises(double a, double b, double want) {
    double v[2 * LANES], got[LANES];
    const unsigned char *data = (const unsigned char *)v, *rest = data;
    int right = 1;
    for (int i = 0; i < LANES; i++)
        v[i] = a, v[LANES + i] = b;
    lanes_clear_flags(&data, &rest);
    vd sum = vd_load(data) + vd_load(rest + sizeof(vd)), none = {0};
    int raised = lanes_raised(&sum, &none);
    memcpy(got, &sum, sizeof got);
    for (int i = 0; i < LANES; i++)
        right &= got[i] == want;
    return right ? raised : -1;
}

/* Which of two flags a product raises; by a product that no compiler computes or leaves out. */
static int product_raises(double a, double b, double want) {
    volatile double x = a, y = b, product;
    feclearexcept(FE_ALL_EXCEPT);
    product = x * y;
    int raised = fetestexcept(FE_OVERFLOW | FE_UNDERFLOW);
    return product == want ? raised : -1;
}

/* Underflow is of results that are both subnormal and inexact: the last one is exact. */
static int range_flags_work(void) {
    return product_raises(0x1p1023, 2, (double)INFINITY) == FE_OVERFLOW &&
           product_raises(0x1.8p-538, 0x1.8p-537, 0x1p-1074) == FE_UNDERFLOW &&
           product_raises(0x1p-538, 0x1p-536, 0x1p-1074) == 0 && product_raises(3, 5, 15) == 0;
}

int block_sums_flags_work(void) {
    fenv_t host;
    if (fegetenv(&host) != 0 || fesetenv(FE_DFL_ENV) != 0) return 0;
    int works = raises(1, 0x1p-60, 1) == 1 && raises(1, 1, 2) == 0;
    works = works && raises(0x1p-1074, 0, 0x1p-1074) == 0 && range_flags_work();
    fesetenv(&host);
    return works;
}
