/* Options of options.def whose value has a function of its own, in option_values.c; 0 is good,
 * EXIT_USAGE after a message. */
#ifndef OPTION_CALLS_H
#define OPTION_CALLS_H

#include "options.h"

#define OPTION_CALL(name)                                                                              \
    int name(struct options *o, const struct option_spec *spec, const char *value, int negated)
OPTION_CALL(option_expression);
OPTION_CALL(option_from_file);
OPTION_CALL(option_shape);
OPTION_CALL(option_input_format);
OPTION_CALL(option_device);
OPTION_CALL(option_explain);
OPTION_CALL(option_digits);
OPTION_CALL(option_hex);
OPTION_CALL(option_ofmt);
OPTION_CALL(option_generate);
#undef OPTION_CALL

#endif
