/* Memory that is left, by the kernel's own files. */
#include "memory_available.h"

#include <string.h>

#include "control_group.h"
#include "number.h"

#define TEXT_BYTES 8192

/* The number behind `key` at the start of a line; 0 if there is none. */
static uint64_t number_behind(const char *text, const char *key) {
    size_t n = strlen(key);
    uint64_t value = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) != 0) continue;
        const char *digits = line + n + strspn(line + n, " ");
        return number_parse_count(digits, strcspn(digits, " \n"), &value) == 0 ? value : 0;
    }
    return 0;
}

/* The number that a group's file consists of, UINT64_MAX for "max" and files that are not there. */
static uint64_t group_number(const char *directory, const char *name) {
    char path[CONTROL_GROUP_PATH], text[64];
    uint64_t value;
    if (!control_group_join(path, directory, name, "")) return UINT64_MAX;
    if (control_group_read(path, text, sizeof text) < 0) return UINT64_MAX;
    return number_parse_count(text, strcspn(text, "\n"), &value) == 0 ? value : UINT64_MAX;
}

/* Files in the page cache count as used there, but make room when it is asked for. */
static uint64_t group_cached(const char *directory) {
    char path[CONTROL_GROUP_PATH], text[TEXT_BYTES];
    if (!control_group_join(path, directory, "/memory.stat", "")) return 0;
    if (control_group_read(path, text, sizeof text) < 0) return 0;
    return number_behind(text, "inactive_file ") + number_behind(text, "active_file ");
}

static uint64_t group_room(const char *directory) {
    uint64_t limit = group_number(directory, "/memory.max");
    uint64_t used = group_number(directory, "/memory.current");
    if (limit == UINT64_MAX) {
        limit = group_number(directory, "/memory.limit_in_bytes");
        used = group_number(directory, "/memory.usage_in_bytes");
    }
    if (limit == UINT64_MAX || used == UINT64_MAX) return UINT64_MAX;
    uint64_t cached = group_cached(directory);
    used = used > cached ? used - cached : 0;
    return limit > used ? limit - used : 0;
}

uint64_t memory_available(const char *meminfo, const char *membership, const char *root) {
    static const char *const v1[] = {"/memory", NULL};
    char text[TEXT_BYTES];
    uint64_t available = 0;
    if (control_group_read(meminfo, text, sizeof text) >= 0)
        available = number_behind(text, "MemAvailable:") * 1024; /* it says kB and means KiB */
    uint64_t room = control_group_least(membership, root, "memory", v1, group_room);
    return available > 0 && available < room ? available : room;
}
