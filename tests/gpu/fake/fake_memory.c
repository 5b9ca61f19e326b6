/* Memory of the devices that there are not, and memory of the host that is registered. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"

#define ALIGNMENT 16 /* the least that kernels may count on */
#define RUBBISH   0xCB

struct block {
    int device;
    unsigned char *start; /* what the caller has, or registered */
    size_t nbytes;
    unsigned char *mapping;
    size_t mapped;
    struct block *next;
};

static struct block *allocated, *registered;
static size_t used[FAKE_MAX_DEVICES];

static size_t round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

size_t fake_memory_total(void) {
    const char *bytes = getenv("FAKE_CUDA_MEMORY");
    return bytes != NULL ? (size_t)strtoull(bytes, NULL, 10) : (size_t)1 << 30;
}

static size_t memory_free(int device) {
    size_t total = fake_memory_total();
    return used[device] < total ? total - used[device] : 0;
}

cu_result fake_allocate(int device, size_t nbytes, cu_pointer *out) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = round_up(nbytes, ALIGNMENT);
    size_t whole = round_up(room, page), mapped = whole + page;
    if (nbytes == 0) return FAKE_INVALID_VALUE;
    if (room > memory_free(device)) return CU_OUT_OF_MEMORY;
    struct block *b = malloc(sizeof *b);
    void *mapping =
        mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (b == NULL || mapping == MAP_FAILED) {
        free(b);
        if (mapping != MAP_FAILED) munmap(mapping, mapped);
        return CU_OUT_OF_MEMORY;
    }
    memset(mapping, RUBBISH, whole);
    mprotect((unsigned char *)mapping + whole, page, PROT_NONE);
    *b = (struct block){device,   (unsigned char *)mapping + whole - room, nbytes, mapping, mapped,
                        allocated};
    allocated = b;
    used[device] += room;
    *out = (cu_pointer)(uintptr_t)b->start;
    return CU_SUCCESS;
}

/* The link that leads to the block at start. */
static struct block **find(struct block **list, const unsigned char *start) {
    while (*list != NULL && (*list)->start != start)
        list = &(*list)->next;
    return list;
}

static int is_within(const struct block *list, int device, const unsigned char *start, size_t nbytes) {
    for (const struct block *b = list; b != NULL; b = b->next) {
        if (b->device != device || start < b->start) continue;
        size_t at = (size_t)(start - b->start);
        if (at <= b->nbytes && nbytes <= b->nbytes - at) return 1;
    }
    return 0;
}

static unsigned char *pointer_of(cu_pointer memory) {
    return (unsigned char *)(uintptr_t)memory;
}

cu_result fake_free(cu_pointer memory) {
    if (memory == 0) return CU_SUCCESS;
    struct block **link = find(&allocated, pointer_of(memory)), *b = *link;
    if (b == NULL) return FAKE_INVALID_VALUE;
    *link = b->next;
    used[b->device] -= round_up(b->nbytes, ALIGNMENT);
    munmap(b->mapping, b->mapped);
    free(b);
    return CU_SUCCESS;
}

int fake_is_allocated(int device, cu_pointer memory, size_t nbytes) {
    return is_within(allocated, device, pointer_of(memory), nbytes);
}

static int overlaps(const unsigned char *start, size_t nbytes) {
    for (const struct block *b = registered; b != NULL; b = b->next)
        if (start < b->start + b->nbytes && b->start < start + nbytes) return 1;
    return 0;
}

cu_result fake_register(void *memory, size_t nbytes) {
    if (memory == NULL || nbytes == 0) return FAKE_INVALID_VALUE;
    if (overlaps(memory, nbytes)) return FAKE_ALREADY_REGISTERED;
    struct block *b = malloc(sizeof *b);
    if (b == NULL) return CU_OUT_OF_MEMORY;
    *b = (struct block){0, memory, nbytes, NULL, 0, registered};
    registered = b;
    return CU_SUCCESS;
}

cu_result fake_unregister(void *memory, size_t *nbytes) {
    struct block **link = find(&registered, memory), *b = *link;
    if (b == NULL) return FAKE_NOT_REGISTERED;
    *nbytes = b->nbytes;
    *link = b->next;
    free(b);
    return CU_SUCCESS;
}

int fake_is_registered(const void *memory, size_t nbytes) {
    return is_within(registered, 0, memory, nbytes);
}

static size_t length(const struct block *list) {
    size_t n = 0;
    for (; list != NULL; list = list->next)
        n++;
    return n;
}

size_t fake_allocations_left(void) {
    return length(allocated);
}
