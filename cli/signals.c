/* Signal handlers only set flags and cancel the run; everything else happens in main's thread.  A
 * second signal while the first is being obeyed kills at once. */
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

/* Handlers have no other way to reach them. */
static volatile sig_atomic_t pending, status_wanted;
static _Atomic(onepass_context *) context;

static void on_status(int number) {
    (void)number;
    status_wanted = 1;
}

static void on_end(int number) {
    if (pending) { /* delivered with its default action when this handler returns */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    pending = number;
    onepass_context *ctx = atomic_load(&context);
    if (ctx) onepass_context_cancel(ctx);
}

static void install(int number, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void signals_early(void) {
    sigset_t set;
    install(SIGUSR1, on_status, SA_RESTART);
    install(SIGPIPE, SIG_DFL, 0); /* even if the parent ignores it */
    install(SIGXFSZ, SIG_IGN, 0); /* a file size limit is an error of write() */
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void signals_catch(onepass_context *ctx) {
    atomic_store(&context, ctx);
    for (size_t k = 0; k < sizeof(ending) / sizeof(ending[0]); k++) {
        struct sigaction old;
        if (sigaction(ending[k], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        install(ending[k], on_end, 0); /* blocking calls return, so that the run notices */
    }
}

int signals_pending(void) {
    return pending;
}

int signals_take_status(void) {
    if (!status_wanted) return 0;
    status_wanted = 0;
    return 1;
}

void signals_die(void) {
    int number = pending;
    if (!number) return;
    sigset_t set;
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}
