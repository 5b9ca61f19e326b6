/* Exit statuses: one number, one meaning.  Of several, the first in this order counts: 2, 3, 5, 4, 1.
 */
#ifndef EXIT_STATUS_H
#define EXIT_STATUS_H

#define EXIT_STATUSES                                                                                  \
    EXIT_ROW(EXIT_GOOD, 0, "everything asked for was printed")                                         \
    EXIT_ROW(EXIT_NO, 1,                                                                               \
             "a verdict is no: --bench saw a value differ between runs, or from one "                  \
             "thread of portable code")                                                                \
    EXIT_ROW(EXIT_USAGE, 2, "the command line or the pipeline is wrong; no input was read")            \
    EXIT_ROW(EXIT_DEVICE, 3, "the device asked for cannot be used, or failed")                         \
    EXIT_ROW(EXIT_INPUT, 4, "an input failed; the others were reduced all the same")                   \
    EXIT_ROW(EXIT_OUTPUT, 5, "the results could not be written")

enum exit_status {
#define EXIT_ROW(id, number, meaning) id = number,
    EXIT_STATUSES
#undef EXIT_ROW
};

/* The one of two statuses that counts. */
static inline int exit_worse(int a, int b) {
    static const int rank[] = {[EXIT_GOOD] = 0,   [EXIT_NO] = 1,     [EXIT_INPUT] = 2,
                               [EXIT_OUTPUT] = 3, [EXIT_DEVICE] = 4, [EXIT_USAGE] = 5};
    return rank[a] > rank[b] ? a : b;
}

#endif
