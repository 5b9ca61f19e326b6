/* Threads of the library's own, which work side by side. */
#ifndef TEAM_H
#define TEAM_H

#include <pthread.h>
#include <stddef.h>

/* Starts run(argument), run(argument + stride), ... (stride in bytes) in up to n threads; how many were
 * to be had.  Signals are blocked in them: those are the host program's, whose handlers run in its own
 * threads. */
int team_start(pthread_t *threads, int n, void *(*run)(void *argument), void *argument, size_t stride);

void team_join(pthread_t *threads, int n);

#endif
