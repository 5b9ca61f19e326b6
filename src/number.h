/* Numbers as text and text as numbers: exact, correctly rounded, and free of the locale (the host
 * program may have called setlocale, so nothing here uses printf or strtod).
 *
 * Sources: shortest digits by exact integer arithmetic, after Steele & White (1990) and Dybvig & Burger
 * (1996), "Printing floating-point numbers quickly and accurately". */
#ifndef NUMBER_H
#define NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "bignum.h"
#include "scalar.h"

/* The formats a value can be printed in: shortest text that reads back *in that type*. */
enum float_type { FLOAT_F64, FLOAT_F32, FLOAT_F16, FLOAT_BF16 };

#define NUMBER_TEXT 40 /* bytes for any float's text and hex, terminator included */
#define NUMBER_BIG_TEXT                                                                                \
    1240 /* bytes for any integer result: 4096 bits in decimal, sign, terminator                       \
          */

/* Shortest text that reads back as v in the type, like Python's repr without a trailing ".0":
 * exponent form (1e+16, 1e-05) from 1e16 up and below 1e-4; an integral value below 1e16 prints all
 * its digits; "-0.0", "nan", "inf", "-inf".  The form follows the digits: the f32 nearest to 0.0001,
 * a little below it, is "0.0001".  Of several shortest texts the nearest, of two the one with the even
 * last digit.  v should be a value of that type; another one prints as binary64.  Returns the length.
 */
size_t number_format(double v, enum float_type type, char out[NUMBER_TEXT]);

/* C's %a: "0x1.8p+1", "-0x0p+0", subnormals as glibc prints them ("0x0.0000000000001p-1022").
 * v is finite.  Returns the length. */
size_t number_format_hex(double v, char out[NUMBER_TEXT]);

/* Decimal digits of an integer; at most 4096 bits.  Returns the length. */
size_t number_format_integer(const struct bignum *mag, int neg, char out[NUMBER_BIG_TEXT]);

/* A literal of the language at text[0 .. nbytes): 1 .5 5. 1e-3 0x1p-3 0x10 (no sign; the exponent may
 * have one).  Fills *out: TYPE_INT when the exact value is an integer of magnitude < 2^64 however
 * spelt, else TYPE_F64 correctly rounded (an underflowing literal rounds, also to 0).
 * Returns the bytes used, 0 if no number starts there; *overflow = 1 when it exceeds binary64 (else 0).
 * A malformed exponent or prefix is not part of the number: of "1e", "1e+", "1.5.2" and "0x" it takes
 * "1", "1", "1.5" and "0", and the caller complains about what follows.  Linear in nbytes. */
size_t number_parse(const char *text, size_t nbytes, struct scalar *out, int *overflow);

/* An unsigned 64-bit decimal count that is the whole of text[0 .. nbytes).  0: good, -1: not a number,
 * -2: too large. */
int number_parse_count(const char *text, size_t nbytes, uint64_t *out);

#endif
