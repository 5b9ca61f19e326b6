/* What kernels are compared over: programs by hand, and all ops, a few of them in a program. */
#ifndef SAME_CASES_H
#define SAME_CASES_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtype.h"
#include "ops.h"

#define OF(type)  (1u << DTYPE_##type)
#define FLOATS    (OF(F16) | OF(BF16) | OF(F32) | OF(F64))
#define NARROWS   (OF(I8) | OF(I16) | OF(I32) | OF(U8) | OF(U16) | OF(U32) | OF(BOOL))
#define WIDES     (OF(I64) | OF(U64))
#define ALL_TYPES (FLOATS | NARROWS | WIDES)

/* Bits: as they are, swapped, strided, Fortran order and swapped, Fortran order and strided, sums by
 * integers. */
enum { PLAIN = 1, BY_INTEGERS = 32, ALL_VARIANTS = 63, NO_FORTRAN = 39 };

struct same_case {
    const char *name, *pipelines;
    unsigned dtypes; /* bits by enum dtype */
    unsigned variants;
    int skip_nan, is_long; /* also over many elements */
    int class;             /* enum value_class; -1: the type's own */
    unsigned laid_out;     /* dtypes whose other variants than PLAIN are wanted */
};

#define EVERYTHING                                                                                     \
    "sum,mean,min,max,range,absmax,argmin,argmax,count,nonzero,any,all,nnan,ninf,sumsq,norm1,norm2,"   \
    "rms,var,std1,sem,first,last"

static const struct same_case hand_made[] = {
    {"sum", "sum", ALL_TYPES, ALL_VARIANTS, 0, 1, -1, 0},
    {"strided", "sum,min,last", OF(F16) | OF(F32) | OF(F64) | OF(I16) | OF(I64), PLAIN | 4, 0, 0, -1,
     0},
    {"abs_sum", "abs|sum", ALL_TYPES, PLAIN | BY_INTEGERS, 0, 1, -1, 0},
    {"sumsq", "sumsq", ALL_TYPES, PLAIN | BY_INTEGERS, 0, 1, -1, 0},
    {"stats", "sum,min,max,mean,std", ALL_TYPES, PLAIN | BY_INTEGERS, 0, 1, -1, 0},
    {"prod", "prod,geomean", ALL_TYPES, PLAIN, 0, 0, -1, 0},
    {"counts", "count,nonzero,nnan,ninf", ALL_TYPES, PLAIN, 0, 0, -1, 0},
    {"extremes", "min,max", ALL_TYPES, NO_FORTRAN, 0, 0, -1, 0},
    {"args", "argmin,argmax", ALL_TYPES, ALL_VARIANTS, 0, 0, -1, 0},
    {"ends", "first,last", ALL_TYPES, ALL_VARIANTS, 0, 0, -1, 0},
    {"everything", EVERYTHING, ALL_TYPES, ALL_VARIANTS, 0, 0, -1, 0},
    {"everything_but_nan", EVERYTHING, FLOATS | OF(I32) | OF(I64), PLAIN | 8, 1, 0, -1, 0},
    {"where", "where(x > 0)|abs|" EVERYTHING, ALL_TYPES, NO_FORTRAN, 0, 0, -1, 0},
    {"where_but_nan", "where(x != 1)|" EVERYTHING, FLOATS, PLAIN | 8, 1, 0, -1, 0},
    {"wheres",
     "where(x > -2)|where(x < 2)|sum,count,first; where(isfinite(x))|norm2,last; where(x)|prod,argmax",
     ALL_TYPES, PLAIN, 0, 0, -1, 0},
    {"dropped_unrounded", "where(x > -100)|where(x < 100)|where(x * 2 > 2)|x / 3|sum", WIDES, PLAIN, 0,
     0, -1, 0},
    {"none_pass", "where(x != x && x == x)|" EVERYTHING, FLOATS | OF(U8) | OF(I64), PLAIN, 0, 0, -1, 0},
    {"several",
     "abs|sum; sqrt|mean,min; where(x > 1)|square|std; x * 3 - 1|max,argmin; neg|first; !x|any",
     ALL_TYPES, PLAIN, 0, 0, -1, 0},
    {"zeros",
     "where(x < -1, max(x, 0), -max(x, 0))|argmin,argmax,min,max,prod,first; neg|prod,min,argmax; "
     "where(x < 0)|relu|neg|prod,max,last",
     ALL_TYPES, PLAIN, 0, 0, -1, 0},
    {"constants",
     "where(x > 1, 2, 3)|sum,min; where(x > 1, -0.0, 0)|min,max,argmax; x|clamp(-2, 5)|sum,argmax",
     ALL_TYPES, PLAIN, 0, 0, -1, 0},
    {"integers_as_floats", "sum,sumsq,min,argmax,first; abs|sum; where(x > 7)|sqrt|sum",
     NARROWS | WIDES, PLAIN, 0, 0, CLASS_F64, 0},
    {"narrow_as_wide", "sum,sumsq,min,argmax,first,prod; neg|sum,max; where(x > 7)|sqrt|sum", NARROWS,
     PLAIN, 0, 0, CLASS_WIDE, 0},
};

#define NHAND    (sizeof hand_made / sizeof hand_made[0])
#define MOST_OPS 400 /* pipelines of ops */
#define PER_CASE 6

/* The k-th way to call an op, none: 0. */
static int op_call(int op, int k, char out[64]) {
    static const char *const forms[4][4] = {
        {0},
        {"%s(x)", NULL},
        {"%s(x, 1.5)", "%s(-3, x)", "%s(x, x)", NULL},
        {"%s(x, -2, 3)", "%s(x, x, 0.5)", NULL},
    };
    static const char *const infix[] = {"x %s 1", "2.5 %s x", NULL};
    const struct op_info *info = &op_table[op];
    int is_name = isalpha((unsigned char)info->name[0]);
    if (!is_name && info->nargs == 1) return k == 0 && snprintf(out, 64, "%sx", info->name) > 0;
    const char *const *form = is_name ? forms[info->nargs] : infix;
    for (int i = 0; i < k; i++)
        if (*form++ == NULL) return 0;
    if (*form == NULL) return 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    return snprintf(out, 64, *form, info->name) > 0;
#pragma GCC diagnostic pop
}

/* Cases of PER_CASE pipelines each. */
static size_t op_cases(int all, struct same_case *out) {
    static char texts[MOST_OPS / PER_CASE + 1][1024], names[MOST_OPS / PER_CASE + 1][32];
    size_t n = 0, pipelines = 0;
    char call[64];
    for (int op = 0; op < NOPS; op++)
        for (int k = 0; op_call(op, k, call); k++) {
            char *text = texts[pipelines / PER_CASE];
            size_t used = strlen(text);
            snprintf(text + used, sizeof texts[0] - used, "%s%s|sum,min,argmax,nnan",
                     used > 0 ? "; " : "", call);
            if (++pipelines == MOST_OPS) abort();
        }
    for (; n * PER_CASE < pipelines; n++) {
        unsigned some = OF(F64) | (n % 2 ? OF(F32) : OF(F16)) | (n % 2 ? OF(I64) : OF(U64)) |
                        (n % 2 ? OF(U8) : OF(I32));
        snprintf(names[n], sizeof names[n], "ops_%zu", n);
        out[n] = (struct same_case){names[n], texts[n], all ? ALL_TYPES : some, PLAIN, 0, 0, -1, 0};
    }
    return n;
}

static const struct same_case *same_cases(int all, size_t *ncases) {
    static struct same_case cases[NHAND + MOST_OPS / PER_CASE + 1];
    memcpy(cases, hand_made, sizeof hand_made);
    *ncases = NHAND + op_cases(all, cases + NHAND);
    for (size_t k = 0; k < *ncases; k++)
        cases[k].laid_out = all ? ALL_TYPES : OF(F16) | OF(F32) | OF(F64) | OF(U8) | OF(I64);
    return cases;
}

#endif
