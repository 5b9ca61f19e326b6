/* measure RUNS COMMAND [ARGUMENT]...: runs a command several times, its output thrown away, and prints
 * the best time from start to end in microseconds and the largest peak of resident memory in KiB. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* vfork: the time of copying this process is none of the command's. */
static double run_once(char **command, int null, long *peak_kib) {
    struct rusage usage;
    int status;
    double start = now_us();
    pid_t child = vfork();
    if (child < 0) fail("vfork");
    if (child == 0) {
        dup2(null, STDOUT_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    if (wait4(child, &status, 0, &usage) != child) fail("wait4");
    double took = now_us() - start;
    if (status != 0) {
        fprintf(stderr, "measure: %s: wait status %d\n", command[0], status);
        exit(1);
    }
    if (usage.ru_maxrss > *peak_kib) *peak_kib = usage.ru_maxrss;
    return took;
}

int main(int argc, char **argv) {
    int runs = argc > 2 ? atoi(argv[1]) : 0, null = open("/dev/null", O_WRONLY);
    double best = 0;
    long peak_kib = 0;
    if (runs < 1) {
        fprintf(stderr, "usage: measure RUNS COMMAND [ARGUMENT]...\n");
        return 2;
    }
    if (null < 0) fail("/dev/null");
    for (int k = 0; k < runs; k++) {
        double took = run_once(argv + 2, null, &peak_kib);
        if (k == 0 || took < best) best = took;
    }
    printf("%.0f %ld\n", best, peak_kib);
    return 0;
}
