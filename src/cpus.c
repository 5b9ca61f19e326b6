/* CPUs this process may use: the affinity mask and the quotas of control groups.
 *
 * Files that are missing, unreadable or odd mean "no limit known": the number only sets how many
 * threads share the work, never a result. */
#include "cpus.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "number.h"
#include "onepass.h"

#define PATH_BYTES     4096
#define MAX_CPUS_KNOWN (1 << 18) /* where growing the affinity mask stops */

/* The text of a small file, NUL-terminated; its length, or -1. */
static int read_text(const char *path, char *text, size_t capacity) {
    size_t have = 0;
    ssize_t n = 1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    while (n != 0 && have + 1 < capacity) {
        n = read(fd, text + have, capacity - 1 - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        have += (size_t)n;
    }
    close(fd);
    text[have] = '\0';
    return n < 0 ? -1 : (int)have;
}

/* a + b + c; 0 if it does not fit. */
static int join(char out[PATH_BYTES], const char *a, const char *b, const char *c) {
    size_t na = strlen(a), nb = strlen(b), nc = strlen(c);
    if (na + nb + nc >= PATH_BYTES) return 0;
    memcpy(out, a, na);
    memcpy(out + na, b, nb);
    memcpy(out + na + nb, c, nc + 1);
    return 1;
}

/* Two blank- or newline-separated counts, "200000 100000"; "max" and -1 are no counts. */
static int parse_counts(const char *text, uint64_t *a, uint64_t *b) {
    size_t n = strcspn(text, " \n");
    const char *second = text + n + strspn(text + n, " \n");
    return number_parse_count(text, n, a) == 0 &&
           number_parse_count(second, strcspn(second, " \n"), b) == 0;
}

/* The quota that a group's own files state, or 0. */
static int group_quota(const char *directory) {
    char path[PATH_BYTES], text[128], period_text[64];
    uint64_t quota, period;
    if (!join(path, directory, "/cpu.max", "") || read_text(path, text, sizeof text) < 0) {
        if (!join(path, directory, "/cpu.cfs_quota_us", "") || read_text(path, text, 64) < 0) return 0;
        if (!join(path, directory, "/cpu.cfs_period_us", "")) return 0;
        if (read_text(path, period_text, sizeof period_text) < 0) return 0;
        strcat(text, " ");
        strcat(text, period_text);
    }
    if (!parse_counts(text, &quota, &period) || period == 0 || quota == 0) return 0;
    uint64_t cpus = (quota - 1) / period + 1;
    return cpus < INT32_MAX ? (int)cpus : 0;
}

static int smaller(int a, int b) {
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* The group and all above it, up to the mount point: the tightest counts.  In a container the path may
 * be the host's, of which only the upper end exists here; missing files are passed over. */
static int chain_quota(const char *root, const char *controller, const char *group) {
    char directory[PATH_BYTES];
    int quota = 0;
    size_t nroot = strlen(root) + strlen(controller);
    if (!join(directory, root, controller, group)) return 0;
    for (;;) {
        quota = smaller(quota, group_quota(directory));
        char *slash = strrchr(directory, '/');
        if (slash == NULL || (size_t)(slash - directory) < nroot) return quota;
        *slash = '\0';
    }
}

/* Whether a comma-separated list of controllers has "cpu" in it ("cpuset" is another). */
static int lists_cpu(const char *list) {
    for (const char *p = list; (p = strstr(p, "cpu")) != NULL; p += 3)
        if ((p == list || p[-1] == ',') && (p[3] == ',' || p[3] == '\0')) return 1;
    return 0;
}

int cpu_quota(const char *membership, const char *root) {
    static const char *const v1[] = {"/cpu", "/cpu,cpuacct", "/cpuacct,cpu"};
    static const char *const v2[] = {"", "/unified"};
    char text[PATH_BYTES * 2];
    int quota = 0;
    if (read_text(membership, text, sizeof text) < 0) return 0;
    for (char *line = text, *next; *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        if (*next != '\0') *next++ = '\0';
        char *controllers = strchr(line, ':'); /* "4:cpu,cpuacct:/a/b", version 2 "0::/a/b" */
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL) continue;
        int is_v2 = group == controllers + 1;
        *group++ = '\0';
        if (!is_v2 && !lists_cpu(controllers + 1)) continue;
        size_t nmounts = is_v2 ? sizeof v2 / sizeof *v2 : sizeof v1 / sizeof *v1;
        for (size_t k = 0; k < nmounts; k++)
            quota = smaller(quota, chain_quota(root, is_v2 ? v2[k] : v1[k], group));
    }
    return quota;
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
    int cpus = smaller(affinity_count(), cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
    return cpus > 0 ? cpus : 1;
}
