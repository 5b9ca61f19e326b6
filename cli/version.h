/* --version. */
#ifndef VERSION_H
#define VERSION_H

#include "textbuf.h"

/* Of the source it was built from, NULL when the build did not say. */
const char *version_commit(void);

/* quiet: the number only; verbose: how it was built too. */
void version_add(struct textbuf *out, int quiet, int verbose);

#endif
