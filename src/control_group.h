/* Limits of the control groups that this process is in, version 1 and 2.
 *
 * Files that are missing, unreadable or odd mean "no limit known". */
#ifndef CONTROL_GROUP_H
#define CONTROL_GROUP_H

#include <stddef.h>
#include <stdint.h>

#define CONTROL_GROUP_PATH 4096

/* The text of a small file, NUL-terminated; its length, or -1. */
int control_group_read(const char *path, char *text, size_t capacity);

/* a + b + c; 0 if it does not fit. */
int control_group_join(char out[CONTROL_GROUP_PATH], const char *a, const char *b, const char *c);

/* The least limit, UINT64_MAX if there is none, of the group and all above it.  membership is
 * /proc/self/cgroup, root /sys/fs/cgroup, but for tests; controller is "cpu", version 1 mounts it under
 * one of v1_mounts (NULL-terminated: "/cpu"); limit says what a group's directory states. */
uint64_t control_group_least(const char *membership, const char *root, const char *controller,
                             const char *const *v1_mounts, uint64_t (*limit)(const char *directory));

#endif
