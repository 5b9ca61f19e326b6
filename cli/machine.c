/* Names of processor and system. */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* The value of the first line "key : value" of /proc/cpuinfo; 0 if there is none. */
static int add_cpuinfo(struct textbuf *out, const char *key) {
    char line[512];
    int found = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && !found && fgets(line, sizeof(line), file)) {
        const char *colon = strchr(line, ':');
        found = colon && strncmp(line, key, strlen(key)) == 0;
        if (!found) continue;
        const char *value = colon + 1 + strspn(colon + 1, " \t");
        textbuf_add(out, value, strcspn(value, "\n"));
    }
    if (file) fclose(file);
    return found;
}

void machine_add_cpu(struct textbuf *out) {
    struct utsname name;
    if (add_cpuinfo(out, "model name")) return;
    textbuf_string(out, uname(&name) == 0 ? name.machine : "unknown processor");
    textbuf_string(out, ", part ");
    if (!add_cpuinfo(out, "CPU part")) textbuf_string(out, "unknown");
}

void machine_add_system(struct textbuf *out) {
    struct utsname name;
    if (uname(&name) == 0)
        textbuf_format(out, "%s %s %s", name.sysname, name.release, name.machine);
    else
        textbuf_string(out, "unknown system");
}
