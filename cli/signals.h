/* Signals: interrupts end the run in order, SIGUSR1 asks for a status line. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include "onepass.h"

/* First thing in main: SIGPIPE kills quietly, an early SIGUSR1 does not. */
void signals_early(void);

/* From here SIGINT, SIGTERM and SIGHUP cancel the context's run instead of killing at once.  Those that
 * were ignored at start (nohup, background jobs) stay ignored. */
void signals_catch(onepass_context *ctx);

int signals_pending(void); /* the signal that ends the run, 0: none */

int signals_take_status(void); /* 1 once for every SIGUSR1 (or several) since the last call */

/* Dies of the signal that came; returns if there was none.  After cleaning up. */
void signals_die(void);

#endif
