/* What the files of a benchmark share: the values of a run as texts, and what is made of many runs. */
#ifndef BENCH_H
#define BENCH_H

#include "arena.h"
#include "onepass.h"

/* The median, and half the distance between the quartiles over it: NaN of less than two.  Fails only
 * for want of memory. */
int bench_spread(const double *seconds, size_t n, double *median, double *spread, onepass_error *err);

/* Binary64 numbers from a to b: 0 for equal values and for two NaN, ONEPASS_NO_ULPS where one of them
 * is NaN or infinite. */
uint64_t bench_ulps(double a, double b);

/* How many different texts there are. */
uint64_t bench_count_distinct(char *const *texts, size_t n);

/* All values of a result, in order, each on a line; the caller's, NULL: no memory. */
char *bench_key(const onepass_value *values, size_t n);

/* NULL if the keys of all runs are the reference's, else what differs, in the arena: "sum is 2 in run
 * 3, but 1 by one thread of portable code". */
const char *bench_fault(struct arena *arena, char *const *keys, size_t nruns, const char *reference,
                        const onepass_value *values, size_t nvalues);

/* `like` with another value, as a program without exact numbers has it: its text is that of an integer,
 * or of the file's own type, only if it is one. */
onepass_value bench_value(struct arena *arena, const onepass_value *like, double value);

#endif
