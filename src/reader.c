/* Hot bytes are copied by pread into a buffer that stays in the second-level cache; cold ones are read
 * by the disk into huge pages, several MiB of them at a time, while others are reduced.
 *
 * Whatever a direct read does not give (a file system or alignment without O_DIRECT, a short read, the
 * file's last bytes, an interruption) is asked for through the page cache, which also tells a file that
 * has shrunk.  An error of the disk is an error at once. */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "input_file.h"
#include "uring.h"

#define HUGE_PAGE ((size_t)2 << 20)
/* Zeroing a huge page takes as long as touching 38 small ones (52 us; 1.35 us each), and a disk fills
 * one in one piece: reading past the cache into small pages is 2.5 to 4 times as slow. */
#define HUGE_FROM ((size_t)256 << 10)

static const char *const kind_names[] = {
    [READER_PREAD] = "pread", [READER_DIRECT] = "direct", [READER_URING] = "uring"};

/* Given up: no more reads begin, but some may still be under way. */
enum ring_state { RING_UNTRIED, RING_OPEN, RING_GIVEN_UP, RING_REFUSED };

struct slot {
    struct piece piece;
    int busy;
    const unsigned char *lent; /* of the extent that was last read here */
};

struct reader {
    struct reader_sizes sizes;
    const struct reader_memory *memory;
    unsigned char **buffers; /* taken by turns; each made when first needed, as is the slots' memory */
    size_t nbuffers, turn;
    unsigned char *slot_memory; /* of all slots */
    struct slot *slots;
    size_t nbusy, slot_turn;
    struct uring ring;
    enum ring_state ring_state;
    int direct_refused; /* by the file system, when it came to reading */
    unsigned ways;
};

int reader_kind_find(const char *name, enum reader_kind *kind, onepass_error *err) {
    *kind = READER_AUTO;
    if (name == NULL) return 0;
    for (int k = READER_PREAD; k <= READER_URING; k++)
        if (strcmp(name, kind_names[k]) == 0) {
            *kind = (enum reader_kind)k;
            return 0;
        }
    error_set(err, ONEPASS_BAD_ARGUMENT, "the reader '%s' is not known", name);
    error_hint(err, "pread, direct and uring are");
    return ONEPASS_BAD_ARGUMENT;
}

const char *reader_ways_name(unsigned ways) {
    switch (ways) {
    case 0:
        return "none";
    case READ_STREAM:
        return "stream";
    case READ_PREAD:
        return kind_names[READER_PREAD];
    case READ_DIRECT:
        return kind_names[READER_DIRECT];
    case READ_URING:
        return kind_names[READER_URING];
    default:
        return "mixed";
    }
}

unsigned reader_ways(const struct reader *r) {
    return r->ways;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static unsigned char *allocate(void *user, size_t nbytes, int needed) {
    size_t align = nbytes < HUGE_FROM ? DIRECT_PAGE : HUGE_PAGE;
    (void)user, (void)needed;
    if (nbytes > PTRDIFF_MAX - align) return NULL;
    nbytes = (nbytes + align - 1) / align * align;
    unsigned char *memory = aligned_alloc(align, nbytes);
    if (memory != NULL && align == HUGE_PAGE)
        (void)madvise(memory, nbytes, MADV_HUGEPAGE); /* refused: small ones, and slower */
    return memory;
}

static void free_memory(void *user, unsigned char *memory) {
    (void)user;
    free(memory);
}

static int wait_for_nobody(void *user, const unsigned char *bytes, onepass_error *err) {
    (void)user, (void)bytes, (void)err;
    return 0;
}

static const struct reader_memory ordinary = {NULL, 1, allocate, free_memory, wait_for_nobody};

int reader_create(const struct reader_sizes *sizes, const struct reader_memory *memory,
                  struct reader **out, onepass_error *err) {
    struct reader *r = calloc(1, sizeof *r);
    *out = r;
    if (r == NULL) return error_no_memory(err);
    r->sizes = *sizes;
    r->memory = memory != NULL ? memory : &ordinary;
    r->nbuffers = r->memory->nbuffers;
    r->slots = calloc(sizes->nslots, sizeof *r->slots);
    r->buffers = calloc(r->nbuffers, sizeof *r->buffers);
    if (r->buffers != NULL)
        r->buffers[0] = r->memory->allocate(r->memory->user, sizes->buffer_bytes, 1);
    if (r->slots != NULL && r->buffers != NULL && r->buffers[0] != NULL) return 0;
    reader_free(r);
    *out = NULL;
    return error_no_memory(err);
}

void reader_free(struct reader *r) {
    if (r == NULL) return;
    if (r->ring_state == RING_OPEN || r->ring_state == RING_GIVEN_UP) uring_close(&r->ring);
    r->memory->free(r->memory->user, r->slot_memory);
    for (size_t k = 0; r->buffers != NULL && k < r->nbuffers; k++)
        r->memory->free(r->memory->user, r->buffers[k]);
    free(r->buffers);
    free(r->slots);
    free(r);
}

/* Those that there is no memory for are done without. */
int reader_buffer(struct reader *r, unsigned char **out, onepass_error *err) {
    unsigned char **buffer = &r->buffers[r->turn];
    if (*buffer == NULL) *buffer = r->memory->allocate(r->memory->user, r->sizes.buffer_bytes, 0);
    if (*buffer == NULL) {
        r->nbuffers = r->turn;
        r->turn = 0;
    }
    *out = r->buffers[r->turn];
    return r->memory->wait(r->memory->user, *out, err);
}

static unsigned char *use_buffer(struct reader *r) {
    unsigned char *buffer = r->buffers[r->turn];
    r->turn = (r->turn + 1) % r->nbuffers;
    return buffer;
}

/* The first that is free is the one that caches know best, unless somebody may still copy out of it. */
struct piece *reader_room(struct reader *r) {
    size_t nslots = r->sizes.nslots, first = r->memory->nbuffers > 1 ? r->slot_turn : 0;
    for (size_t k = 0; k < nslots; k++) {
        struct slot *slot = &r->slots[(first + k) % nslots];
        if (!slot->busy) return &slot->piece;
    }
    return NULL;
}

/* ---- direct reads ---------------------------------------------------------------------------- */

/* The whole pages that a direct extent lies in, and where in its slot they go. */
struct pages {
    uint64_t position;
    size_t nbytes, inner; /* the extent's first byte is `inner` bytes from the first page's */
    unsigned char *memory;
};

/* Pages at both ends are read whole. */
static size_t slot_bytes(const struct reader *r) {
    return (r->sizes.direct_bytes / DIRECT_PAGE + 3) * DIRECT_PAGE;
}

static struct pages pages_of(const struct reader *r, size_t slot) {
    const struct extent *e = &r->slots[slot].piece.extent;
    struct pages p;
    p.inner = (size_t)(e->position % DIRECT_PAGE);
    p.position = e->position - p.inner;
    p.nbytes = (size_t)((p.inner + e->nbytes + DIRECT_PAGE - 1) / DIRECT_PAGE * DIRECT_PAGE);
    p.memory = r->slot_memory + slot * slot_bytes(r);
    return p;
}

/* Errors that say "not this way" rather than "these bytes cannot be read". */
static int is_refusal(int errno_value) {
    return errno_value == EINVAL || errno_value == EOPNOTSUPP || errno_value == ENOSYS ||
           errno_value == ENOMEM;
}

/* After a direct read of a piece: `got` bytes, or -errno.  What is missing comes through the cache. */
static int finish_direct(struct reader *r, size_t slot, int64_t got, unsigned way, onepass_error *err) {
    struct piece *piece = &r->slots[slot].piece;
    struct pages p = pages_of(r, slot);
    unsigned char *bytes = p.memory + p.inner;
    struct extent rest = piece->extent;
    piece->bytes = r->slots[slot].lent = bytes;
    if (got < 0 && is_refusal((int)-got)) {
        if (r->sizes.kind == READER_DIRECT || r->sizes.kind == READER_URING)
            return error_system(err, ONEPASS_NO_DEVICE, (int)-got, "cannot read with O_DIRECT");
        r->direct_refused = 1;
        got = 0;
    }
    if (got == -EINTR || got == -EAGAIN) got = 0;
    if (got < 0) return error_system(err, ONEPASS_READ_FAILED, (int)-got, "cannot read");
    uint64_t have = (uint64_t)got > p.inner ? (uint64_t)got - p.inner : 0;
    if (have > 0) r->ways |= way;
    if (have >= rest.nbytes) return 0;
    r->ways |= READ_PREAD;
    rest.offset_bytes += have;
    rest.nbytes -= have;
    return piece->source->ops->fetch(piece->source, &rest, bytes + have, err);
}

/* The ring, or that it is refused. */
static int want_ring(struct reader *r, onepass_error *err) {
    enum reader_kind kind = r->sizes.kind;
    if (r->ring_state != RING_UNTRIED || kind == READER_DIRECT) return 0;
    int failed = uring_open(&r->ring, (unsigned)r->sizes.nslots);
    r->ring_state = failed == 0 ? RING_OPEN : RING_REFUSED;
    if (failed == 0 || kind != READER_URING) return 0;
    return error_system(err, ONEPASS_NO_DEVICE, failed, "cannot use io_uring");
}

static int read_direct(struct reader *r, size_t slot, onepass_error *err) {
    struct pages p = pages_of(r, slot);
    int fd = r->slots[slot].piece.extent.direct_fd;
    ssize_t got = pread(fd, p.memory, p.nbytes, (off_t)p.position);
    return finish_direct(r, slot, got < 0 ? -errno : got, READ_DIRECT, err);
}

/* Without memory for direct reads, one piece after the other comes through the cache. */
static int want_memory(struct reader *r, onepass_error *err) {
    if (r->slot_memory != NULL || r->direct_refused) return 0;
    int forced = r->sizes.kind == READER_DIRECT || r->sizes.kind == READER_URING;
    r->slot_memory = r->memory->allocate(r->memory->user, r->sizes.nslots * slot_bytes(r), forced);
    if (r->slot_memory != NULL) return 0;
    if (forced) return error_no_memory(err);
    r->direct_refused = 1;
    return 0;
}

/* Through the page cache. */
static int read_buffered(struct reader *r, struct piece *p, onepass_error *err) {
    unsigned char *buffer = use_buffer(r);
    r->ways |= READ_PREAD;
    p->bytes = buffer;
    return p->source->ops->fetch(p->source, &p->extent, buffer, err);
}

static int begin_direct(struct reader *r, size_t slot, int *ready, onepass_error *err) {
    struct piece *piece = &r->slots[slot].piece;
    int rc = want_memory(r, err);
    if (rc == 0 && r->slot_memory == NULL) return read_buffered(r, piece, err);
    if (rc == 0) rc = want_ring(r, err);
    if (rc == 0 && r->slots[slot].lent != NULL)
        rc = r->memory->wait(r->memory->user, r->slots[slot].lent, err);
    if (rc != 0) return rc;
    r->slot_turn = slot + 1;
    struct pages p = pages_of(r, slot);
    if (r->direct_refused) return finish_direct(r, slot, 0, 0, err);
    if (r->ring_state != RING_OPEN) return read_direct(r, slot, err);
    int failed =
        uring_read(&r->ring, piece->extent.direct_fd, p.memory, (uint32_t)p.nbytes, p.position, slot);
    if (failed != 0 && r->sizes.kind == READER_URING)
        return error_system(err, ONEPASS_NO_DEVICE, failed, "cannot use io_uring");
    if (failed != 0) return read_direct(r, slot, err);
    r->slots[slot].busy = 1;
    r->nbusy++;
    *ready = 0;
    return 0;
}

/* ---- any extent ------------------------------------------------------------------------------ */

int reader_begin(struct reader *r, struct piece *p, int *ready, onepass_error *err) {
    *ready = 1;
    p->bytes = NULL;
    switch (p->extent.fetch) {
    case FETCH_CONSTANT:
        return 0;
    case FETCH_READY:
        r->ways |= READ_STREAM;
        p->bytes = use_buffer(r);
        return 0;
    case FETCH_RANGE:
        return read_buffered(r, p, err);
    case FETCH_DIRECT:
        break;
    }
    return begin_direct(r, (size_t)((struct slot *)p - r->slots), ready, err);
}

/* Of all that are under way the one that an error is reported of. */
static struct piece *first_busy(struct reader *r) {
    struct piece *first = NULL;
    for (size_t k = 0; k < r->sizes.nslots; k++) {
        struct piece *p = &r->slots[k].piece;
        if (r->slots[k].busy && (first == NULL || p->sequence < first->sequence)) first = p;
    }
    return first;
}

int reader_wait(struct reader *r, struct piece **done, onepass_error *err) {
    uint64_t slot;
    int32_t got;
    *done = NULL;
    if (r->nbusy == 0) return 0;
    int failed = uring_wait(&r->ring, &slot, &got);
    if (failed != 0) { /* not of any piece: the ring itself is broken */
        r->nbusy = 0;
        r->slot_memory = NULL; /* never freed: the disk may still write there */
        *done = first_busy(r);
        return error_system(err, ONEPASS_READ_FAILED, failed, "cannot read");
    }
    r->slots[slot].busy = 0;
    r->nbusy--;
    *done = &r->slots[slot].piece;
    /* Old kernels have rings that do not know this read, and locked memory may be short: not the
     * file's fault, so that a plain direct read comes before giving up direct reads. */
    if (got < 0 && is_refusal(-got)) {
        if (r->sizes.kind == READER_URING)
            return error_system(err, ONEPASS_NO_DEVICE, -got, "cannot read by io_uring with O_DIRECT");
        r->ring_state = RING_GIVEN_UP;
        return r->direct_refused ? finish_direct(r, slot, 0, 0, err) : read_direct(r, slot, err);
    }
    return finish_direct(r, slot, got, READ_URING, err);
}
