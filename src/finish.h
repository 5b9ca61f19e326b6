/* From merged accumulators to results: every reduction's one correctly rounded value. */
#ifndef FINISH_H
#define FINISH_H

#include <stdint.h>

#include "bignum.h"
#include "scalar.h"
#include "state.h"

struct finish_input {
    struct acc_state *acc[NACCUMULATORS]; /* by kind; NULL where the reduction needs none; ACC_SABS is
                                             the ACC_S1 of |x|.  Finishing normalises S1 and S2. */
    uint64_t n;         /* elements that reach the reduction: NaN not among them if skip_nan */
    uint64_t nan;       /* NaN that reach it: counted also where skip_nan drops them */
    uint64_t nan_index; /* of the first NaN, for argmin and argmax */
    uint64_t posinf, neginf;
    int integer; /* the mapped values are integers */
    int skip_nan;
};

/* Why a result is nan or inf although the data do not say so; one warning each. */
enum finish_warning {
    WARN_NONE,
    WARN_EMPTY,   /* nothing to reduce */
    WARN_TOO_FEW, /* n - 1 = 0 */
    WARN_OVERFLOW /* beyond the range of binary64 */
};

struct finished {
    int is_integer; /* the exact value is (neg ? -mag : mag), else real */
    double real;
    struct bignum mag;
    int neg;
    int kept_value; /* the reduction gives one of the mapped values, or its magnitude */
    int has_index;
    uint64_t index;
    enum finish_warning warning;
};

#define RED(name, alias_of, finisher, needs, doc)                                                      \
    void finish_##finisher(const struct finish_input *in, struct finished *out);
#include "reductions.def"
#undef RED

#endif
