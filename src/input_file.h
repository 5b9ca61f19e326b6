/* An opened input before anybody knows its format: a file read by position, or a stream read once, in
 * order.  Short reads, interruptions and the kernel's limit per call end here. */
#ifndef INPUT_FILE_H
#define INPUT_FILE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "onepass.h"

#define INPUT_HEAD 16 /* first bytes, enough for every magic (input_format.h) */

struct input_file {
    int fd;
    int owned; /* opened here, so closed here */
    int is_stream;
    uint64_t start;      /* where the data begin: standard input's position, else 0 */
    uint64_t size;       /* bytes from start to the end; of a stream 0 */
    uint64_t whole_size; /* st_size when it was opened */
    struct timespec mtime;
    unsigned char head[INPUT_HEAD];
    size_t nhead, head_taken; /* of a stream: bytes read ahead, and how many of them were handed out */
    int at_end;               /* of a stream: read(2) said so */
};

/* Opens path, or takes fd for "-".  Regular files are read by position, everything else (pipes, FIFOs,
 * devices, sockets, and files of size 0 that yield bytes, as in /proc) as a stream.  Directories and
 * terminals are errors. */
int input_file_open(struct input_file *f, const char *path, int fd, onepass_error *err);
void input_file_close(struct input_file *f);

/* Reads past the page cache begin and end at multiples of so many bytes of the file and go to memory
 * aligned likewise: what every disk and file system accepts that takes O_DIRECT at all. */
#define DIRECT_PAGE 4096

/* A second descriptor of a regular file, for such reads; the caller's to close.  -1 and errno if that
 * cannot be had. */
int input_file_open_direct(const struct input_file *f);

/* Whether the kernel may read ahead of what is read through the page cache (it may by default). */
void input_file_read_ahead(const struct input_file *f, int may);

/* Exactly nbytes from offset (relative to start) on, by any number of threads at once.  A file that
 * ends before has shrunk: ONEPASS_CHANGED. */
int input_file_read_at(const struct input_file *f, uint64_t offset, unsigned char *buffer,
                       size_t nbytes, onepass_error *err);

/* ONEPASS_CHANGED if size or modification time are not those at opening.  Leaves the descriptor's
 * position at the end of the `consumed` bytes, as reading it in order would have. */
int input_file_check(const struct input_file *f, uint64_t consumed, onepass_error *err);

/* The next nbytes of a stream; *got is smaller only at its end.  Waits in steps: *cancel is noticed. */
int input_file_read(struct input_file *f, unsigned char *buffer, size_t nbytes,
                    const atomic_int *cancel, size_t *got, onepass_error *err);

/* Passes over nbytes of a stream; *skipped is smaller only at its end. */
int input_file_skip(struct input_file *f, uint64_t nbytes, const atomic_int *cancel, uint64_t *skipped,
                    onepass_error *err);

/* Makes head hold at least nbytes (<= INPUT_HEAD) or all there is, without taking them. */
int input_file_peek(struct input_file *f, size_t nbytes, const atomic_int *cancel, onepass_error *err);

#endif
