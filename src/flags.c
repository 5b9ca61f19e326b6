/* Whether the sticky inexact flag, and subnormals, can be trusted here: under valgrind no flag is
 * raised, and some processors can be told to flush. */
#include <fenv.h>

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

int block_sums_flags_work(void) {
    fenv_t host;
    if (fegetenv(&host) != 0 || fesetenv(FE_DFL_ENV) != 0) return 0;
    int works = raises(1, 0x1p-60, 1) == 1 && raises(1, 1, 2) == 0;
    works = works && raises(0x1p-1074, 0, 0x1p-1074) == 0;
    fesetenv(&host);
    return works;
}
