/* From inexact accumulators to values: the formulas that a first program uses. */
#include <math.h>
#include <string.h>

#include "inexact.h"
#include "kernels.h"

static double count(const struct inexact *p) {
    return (double)p->n;
}

static double sum(const struct inexact *p) {
    return inexact_total(p, INEXACT_SUM);
}

static double mean(const struct inexact *p) {
    return sum(p) / count(p);
}

static double least(const struct inexact *p) {
    return p->n == 0 ? NAN : inexact_total(p, INEXACT_MIN);
}

static double largest(const struct inexact *p) {
    return p->n == 0 ? NAN : inexact_total(p, INEXACT_MAX);
}

static double range(const struct inexact *p) {
    return largest(p) - least(p);
}

static double absmax(const struct inexact *p) {
    if (p->n == 0) return 0;
    double lo = fabs(least(p)), hi = fabs(largest(p));
    return lo > hi || lo != lo ? lo : hi;
}

static double nonzero(const struct inexact *p) {
    return inexact_total(p, INEXACT_NONZERO);
}

static double any(const struct inexact *p) {
    return nonzero(p) > 0;
}

static double all(const struct inexact *p) {
    return nonzero(p) == count(p);
}

static double nnan(const struct inexact *p) {
    return inexact_total(p, INEXACT_NAN);
}

static double ninf(const struct inexact *p) {
    return inexact_total(p, INEXACT_INF);
}

static double squares(const struct inexact *p) {
    return inexact_total(p, INEXACT_SQUARES);
}

static double norm2(const struct inexact *p) {
    return sqrt(squares(p));
}

static double rms(const struct inexact *p) {
    return sqrt(squares(p) / count(p));
}

/* The textbook's one-pass formula, which cancels where the mean is large; of prepared deviations, whose
 * sum counts as 0, the one of two passes. */
static double spread(const struct inexact *p, double ddof) {
    double s = sum(p), n = count(p);
    return n > ddof ? (squares(p) - s * s / n) / (n - ddof) : NAN;
}

static double var(const struct inexact *p) {
    return spread(p, 0);
}

static double std(const struct inexact *p) {
    return sqrt(spread(p, 0));
}

static double var1(const struct inexact *p) {
    return spread(p, 1);
}

static double std1(const struct inexact *p) {
    return sqrt(spread(p, 1));
}

static double sem(const struct inexact *p) {
    return sqrt(spread(p, 1) / count(p));
}

static double prod(const struct inexact *p) {
    return inexact_total(p, INEXACT_PRODUCT);
}

static double geomean(const struct inexact *p) {
    double logarithm = inexact_total(p, INEXACT_LOGS) / count(p), value;
    inexact_map(&kernels_portable, OP_EXP, 1, &logarithm, &logarithm, &value);
    return value;
}

static double argmin(const struct inexact *p) {
    return p->n == 0 ? NAN : (double)p->kept[INEXACT_ARGMIN].index;
}

static double argmax(const struct inexact *p) {
    return p->n == 0 ? NAN : (double)p->kept[INEXACT_ARGMAX].index;
}

static double first(const struct inexact *p) {
    return p->kept[INEXACT_FIRST].valid ? p->kept[INEXACT_FIRST].value : NAN;
}

static double last(const struct inexact *p) {
    return p->kept[INEXACT_LAST].valid ? p->kept[INEXACT_LAST].value : NAN;
}

#define L(loop) (1u << INEXACT_##loop)
#define MOMENTS L(SUM) | L(SQUARES), 0, PREPARE_DEVIATIONS
static const struct inexact_reduction table[] = {
    {"sum", L(SUM), 0, PREPARE_NOTHING, sum},
    {"mean", L(SUM), 0, PREPARE_NOTHING, mean},
    {"min", L(MIN), 0, PREPARE_NOTHING, least},
    {"max", L(MAX), 0, PREPARE_NOTHING, largest},
    {"range", L(MIN) | L(MAX), 0, PREPARE_NOTHING, range},
    {"absmax", L(MIN) | L(MAX), 0, PREPARE_NOTHING, absmax},
    {"argmin", 0, L(ARGMIN), PREPARE_NOTHING, argmin},
    {"argmax", 0, L(ARGMAX), PREPARE_NOTHING, argmax},
    {"count", 0, 0, PREPARE_NOTHING, count},
    {"nonzero", L(NONZERO), 0, PREPARE_NOTHING, nonzero},
    {"any", L(NONZERO), 0, PREPARE_NOTHING, any},
    {"all", L(NONZERO), 0, PREPARE_NOTHING, all},
    {"nnan", L(NAN), 0, PREPARE_NOTHING, nnan},
    {"ninf", L(INF), 0, PREPARE_NOTHING, ninf},
    {"sumsq", L(SQUARES), 0, PREPARE_SQUARES, squares},
    {"norm1", L(SUM), 0, PREPARE_NOTHING, sum},
    {"norm2", L(SQUARES), 0, PREPARE_SQUARES, norm2},
    {"rms", L(SQUARES), 0, PREPARE_SQUARES, rms},
    {"var", MOMENTS, var},
    {"std", MOMENTS, std},
    {"var1", MOMENTS, var1},
    {"std1", MOMENTS, std1},
    {"sem", MOMENTS, sem},
    {"prod", L(PRODUCT), 0, PREPARE_NOTHING, prod},
    {"geomean", L(LOGS), 0, PREPARE_LOGS, geomean},
    {"first", 0, L(FIRST), PREPARE_NOTHING, first},
    {"last", 0, L(LAST), PREPARE_NOTHING, last},
};

const struct inexact_reduction *inexact_reduction_of(const struct reduction_info *info) {
    const char *name = info->alias_of != NULL ? info->alias_of : info->name;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].name, name) == 0) return &table[k];
    return NULL;
}

int32_t inexact_value_node(const struct program *p, const struct lowered_pipeline *pipeline,
                           const struct lowered_reduction *r) {
    int32_t magnitudes = r->acc[ACC_SABS];
    return magnitudes >= 0 ? p->accs[magnitudes].value : pipeline->value;
}
