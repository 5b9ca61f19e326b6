/* CPUs this process may use: the affinity mask and the quotas of control groups.
 *
 * Files that are missing, unreadable or odd mean "no limit known": the number only sets how many
 * threads share the work, never a result. */
#include "cpus.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

#include "control_group.h"
#include "number.h"
#include "onepass.h"

#define MAX_CPUS_KNOWN (1 << 18) /* where growing the affinity mask stops */

/* Two blank- or newline-separated counts, "200000 100000"; "max" and -1 are no counts. */
static int parse_counts(const char *text, uint64_t *a, uint64_t *b) {
    size_t n = strcspn(text, " \n");
    const char *second = text + n + strspn(text + n, " \n");
    return number_parse_count(text, n, a) == 0 &&
           number_parse_count(second, strcspn(second, " \n"), b) == 0;
}

/* CPUs that a group's own files grant. */
static uint64_t group_quota(const char *directory) {
    char path[CONTROL_GROUP_PATH], text[128], period_text[64];
    uint64_t quota, period;
    if (!control_group_join(path, directory, "/cpu.max", "") ||
        control_group_read(path, text, sizeof text) < 0) {
        if (!control_group_join(path, directory, "/cpu.cfs_quota_us", "")) return UINT64_MAX;
        if (control_group_read(path, text, 64) < 0) return UINT64_MAX;
        if (!control_group_join(path, directory, "/cpu.cfs_period_us", "")) return UINT64_MAX;
        if (control_group_read(path, period_text, sizeof period_text) < 0) return UINT64_MAX;
        strcat(text, " ");
        strcat(text, period_text);
    }
    if (!parse_counts(text, &quota, &period) || period == 0 || quota == 0) return UINT64_MAX;
    return (quota - 1) / period + 1;
}

int cpu_quota(const char *membership, const char *root) {
    static const char *const v1[] = {"/cpu", "/cpu,cpuacct", "/cpuacct,cpu", NULL};
    uint64_t cpus = control_group_least(membership, root, "cpu", v1, group_quota);
    return cpus < INT32_MAX ? (int)cpus : 0;
}

static int affinity_count(void) {
    for (int ncpus = 1024; ncpus <= MAX_CPUS_KNOWN; ncpus *= 4) {
        cpu_set_t *set = CPU_ALLOC((size_t)ncpus);
        size_t nbytes = CPU_ALLOC_SIZE((size_t)ncpus);
        if (set == NULL) return 0;
        int failed = sched_getaffinity(0, nbytes, set) == 0 ? 0 : errno;
        int count = failed ? 0 : CPU_COUNT_S(nbytes, set);
        CPU_FREE(set);
        if (failed != EINVAL) return count; /* EINVAL: the machine has more CPUs than the mask */
    }
    return 0;
}

int onepass_cpu_count(void) {
    int cpus = affinity_count(), quota = cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    if (cpus == 0 || (quota != 0 && quota < cpus)) cpus = quota;
    return cpus > 0 ? cpus : 1;
}
