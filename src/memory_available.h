/* How much memory this process may still use. */
#ifndef MEMORY_AVAILABLE_H
#define MEMORY_AVAILABLE_H

#include <stdint.h>

/* Bytes: the least of what the kernel calls available (MemAvailable of `meminfo`, /proc/meminfo) and of
 * the room in the control groups that `membership` names, mounted below `root` (control_group.h),
 * cached files counted as room.  UINT64_MAX: nothing is known. */
uint64_t memory_available(const char *meminfo, const char *membership, const char *root);

#endif
