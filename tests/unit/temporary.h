/* For unit tests: files in a temporary directory of the program's own. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char test_directory[256];

/* A path in a fresh directory of this program; overwritten by the next call but one. */
static const char *test_path(const char *name) {
    static char paths[2][512];
    static int k;
    if (test_directory[0] == '\0') {
        const char *tmp = getenv("TMPDIR");
        snprintf(test_directory, sizeof test_directory, "%s/onepass-test-XXXXXX", tmp ? tmp : "/tmp");
        if (mkdtemp(test_directory) == NULL) {
            perror(test_directory);
            exit(1);
        }
    }
    k = !k;
    snprintf(paths[k], sizeof paths[k], "%s/%s", test_directory, name);
    return paths[k];
}

static int test_remove(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)st, (void)kind, (void)where;
    return remove(path);
}

/* Removes the directory and what is left in it. */
static void test_cleanup(void) {
    if (test_directory[0] != '\0') nftw(test_directory, test_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Makes a file; dies if it cannot. */
static const char *test_file(const char *name, const void *bytes, size_t nbytes) {
    const char *path = test_path(name);
    unlink(path); /* truncating would make some file systems wait for the disk */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0 || write(fd, bytes, nbytes) != (ssize_t)nbytes || close(fd) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

#endif
