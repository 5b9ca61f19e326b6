/* The number of threads.  The affinity mask and the control group are the library's to ask; what the
 * batch system and the user put into the environment is read here.  OMP_NUM_THREADS is not read. */
#include "threads.h"

#include <stdio.h>

#include "environment.h"
#include "message.h"

enum { MOST_THREADS = 4096 };

/* The least of what Slurm gave this task and what the library finds. */
static int choose_auto(void) {
    const char *text = environment_get(VARIABLE_SLURM_CPUS);
    uint64_t cpus;
    if (!text || option_number(text, 0, 1, MOST_THREADS, &cpus) != 0) return 0;
    int own = onepass_cpu_count();
    return (int)cpus < own ? (int)cpus : own;
}

int threads_choose(const struct options *o) {
    uint64_t threads = o->threads;
    const char *text = environment_get(VARIABLE_THREADS);
    if (!o->has_threads && text && option_number(text, 0, 0, MOST_THREADS, &threads) != 0) {
        char message[200];
        snprintf(message, sizeof(message), "'%.80s' is not a whole number from 0 to %d; ignored", text,
                 MOST_THREADS);
        message_warning(environment_name(VARIABLE_THREADS), message);
        threads = 0;
    }
    return threads > 0 ? (int)threads : choose_auto();
}
