/* Which control groups this process is in, and the tightest limit of those. */
#include "control_group.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int control_group_read(const char *path, char *text, size_t capacity) {
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

int control_group_join(char out[CONTROL_GROUP_PATH], const char *a, const char *b, const char *c) {
    size_t na = strlen(a), nb = strlen(b), nc = strlen(c);
    if (na + nb + nc >= CONTROL_GROUP_PATH) return 0;
    memcpy(out, a, na);
    memcpy(out + na, b, nb);
    memcpy(out + na + nb, c, nc + 1);
    return 1;
}

/* The group and all above it, up to the mount point.  In a container the path may be the host's, of
 * which only the upper end exists here; missing files are passed over. */
static uint64_t chain_least(const char *root, const char *mount, const char *group,
                            uint64_t (*limit)(const char *directory)) {
    char directory[CONTROL_GROUP_PATH];
    uint64_t least = UINT64_MAX;
    size_t nroot = strlen(root) + strlen(mount);
    if (!control_group_join(directory, root, mount, group)) return least;
    for (;;) {
        uint64_t own = limit(directory);
        if (own < least) least = own;
        char *slash = strrchr(directory, '/');
        if (slash == NULL || (size_t)(slash - directory) < nroot) return least;
        *slash = '\0';
    }
}

/* Whether a comma-separated list of controllers has one in it ("cpuset" is not "cpu"). */
static int lists(const char *list, const char *controller) {
    size_t n = strlen(controller);
    for (const char *p = list; (p = strstr(p, controller)) != NULL; p += n)
        if ((p == list || p[-1] == ',') && (p[n] == ',' || p[n] == '\0')) return 1;
    return 0;
}

uint64_t control_group_least(const char *membership, const char *root, const char *controller,
                             const char *const *v1_mounts, uint64_t (*limit)(const char *directory)) {
    static const char *const v2_mounts[] = {"", "/unified", NULL};
    char text[CONTROL_GROUP_PATH * 2];
    uint64_t least = UINT64_MAX;
    if (control_group_read(membership, text, sizeof text) < 0) return least;
    for (char *line = text, *next; *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        if (*next != '\0') *next++ = '\0';
        char *controllers = strchr(line, ':'); /* "4:cpu,cpuacct:/a/b", version 2 "0::/a/b" */
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL) continue;
        int is_v2 = group == controllers + 1;
        *group++ = '\0';
        if (!is_v2 && !lists(controllers + 1, controller)) continue;
        for (const char *const *mount = is_v2 ? v2_mounts : v1_mounts; *mount != NULL; mount++) {
            uint64_t own = chain_least(root, *mount, group, limit);
            if (own < least) least = own;
        }
    }
    return least;
}
