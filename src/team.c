/* Starting and joining threads: team.h. */
#include "team.h"

#include <signal.h>

int team_start(pthread_t *threads, int n, void *(*run)(void *argument), void *argument, size_t stride) {
    sigset_t all, old;
    int started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (started < n && pthread_create(&threads[started], NULL, run,
                                         (char *)argument + (size_t)started * stride) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

void team_join(pthread_t *threads, int n) {
    for (int k = 0; k < n; k++)
        pthread_join(threads[k], NULL);
}
