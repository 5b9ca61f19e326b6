/* The mathematics of every backend: binary64 functions om_NAME with the same bits on every CPU, vector
 * width, compiler and GPU, each within 1 ulp (mostly 0.55), special values as in C's Annex F.
 * How that comes about is said in onemath_base.h. */
#ifndef ONEMATH_H
#define ONEMATH_H

#include "onemath_base.h"
#include "onemath_erfc.h"
#include "onemath_exp.h"
#include "onemath_gamma.h"
#include "onemath_log.h"
#include "onemath_remainder.h"
#include "onemath_root.h"
#include "onemath_special.h"
#include "onemath_trig.h"

#endif
