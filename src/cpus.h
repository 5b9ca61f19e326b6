/* How many CPUs this process may use. */
#ifndef CPUS_H
#define CPUS_H

/* The smallest CPU quota, rounded up, of the control groups that `membership` (a file like
 * /proc/self/cgroup) names and of those above them, below the mount point `root` (/sys/fs/cgroup):
 * version 2 (cpu.max) or version 1 (cpu.cfs_quota_us).  0: no limit, or none that could be read. */
int cpu_quota(const char *membership, const char *root);

#endif
