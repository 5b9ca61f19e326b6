/* When memory runs out: every allocation of parsing every text, and of writing its kernel, fails in
 * turn, and it must be said and everything given back.
 *
 * malloc and its family are replaced by a bump allocator that counts; sanitizers bring their own, so
 * under them the test is skipped. */
#include "check.h"

#include <stdint.h>
#include <stdlib.h>

#include "cuda_text.h"
#include "onepass.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                             \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

static void every_allocation_fails(void) {
    SKIP("a sanitizer owns malloc");
}

static void every_allocation_of_a_kernel_fails(void) {
    SKIP("a sanitizer owns malloc");
}

#else

#define HEADER 16 /* holds the size, keeps what follows aligned */
static _Alignas(16) unsigned char heap[64 << 20];
static size_t heap_used;
static long nlive;          /* blocks not yet freed */
static long countdown = -1; /* allocations that still succeed; -1: all do */
static int has_failed;

/* Not malloc itself: a compiler makes calloc of malloc and memset, also within calloc. */
static void *take(size_t nbytes) {
    size_t size = HEADER + ((nbytes + HEADER - 1) & ~(size_t)(HEADER - 1));
    if (countdown == 0 || nbytes > sizeof heap || size > sizeof heap - heap_used) {
        has_failed = 1;
        return NULL;
    }
    if (countdown > 0) countdown--;
    unsigned char *block = heap + heap_used;
    memcpy(block, &nbytes, sizeof nbytes);
    heap_used += size;
    nlive++;
    return block + HEADER;
}

void *malloc(size_t nbytes) {
    return take(nbytes);
}

void free(void *block) {
    if (block != NULL) nlive--;
}

void *calloc(size_t n, size_t size) {
    if (size != 0 && n > SIZE_MAX / size) return NULL;
    void *block = take(n * size);
    if (block != NULL) memset(block, 0, n * size);
    return block;
}

void *realloc(void *old, size_t nbytes) {
    void *block = take(nbytes);
    if (block == NULL || old == NULL) return block;
    size_t had;
    memcpy(&had, (unsigned char *)old - HEADER, sizeof had);
    memcpy(block, old, had < nbytes ? had : nbytes);
    free(old);
    return block;
}

/* Returns 0 once the text is parsed although the n-th allocation would fail. */
static int fails_after(const char *text, long n) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *program = NULL;
    size_t mark = heap_used;
    long before = nlive;
    has_failed = 0;
    countdown = n;
    int rc = onepass_program_parse(text, strlen(text), &program, &err);
    countdown = -1;
    CHECKF((rc == 0) == (program != NULL), "%s, %ld: code %d", text, n, rc);
    CHECKF(!has_failed || rc == ONEPASS_NO_MEMORY, "%s, %ld: code %d", text, n, rc);
    CHECKF(rc == 0 || err.code == rc, "%s, %ld: err.code %d, returned %d", text, n, err.code, rc);
    onepass_program_free(program);
    CHECKF(nlive == before, "%s, %ld: %ld blocks leaked", text, n, nlive - before);
    heap_used = mark; /* all of it is free again */
    return has_failed;
}

static void every_allocation_fails(void) {
    static const char *const TEXTS[] = {
        "sum",
        "where(x > 0) | log(x) * 2 | clamp(-1, 2^3) | mean, std, max | x / 2 | sqrt",
        "x > 0 | stats; max; max | sqrt; isnan | count",
        "abs, sum", /* errors allocate too */
        "where(x > 0) where(x = 1) | sum",
        "clamp(1, 2 - 3) | sum",
        "sum | x / (1 + ",
    };
    for (size_t k = 0; k < sizeof TEXTS / sizeof TEXTS[0]; k++) {
        long n = 0;
        while (fails_after(TEXTS[k], n) && n < 1000)
            n++;
        CHECKF(n >= 3 && n < 1000, "%s: %ld allocations", TEXTS[k], n);
    }
}

/* The same of the text of a program's kernel. */
static int kernel_fails_after(const struct program *p, const struct cuda_layout *layout, long n) {
    struct cuda_variant v = {.dtype = DTYPE_F32, .contiguous = 1};
    struct cuda_text out = {0};
    size_t mark = heap_used;
    long before = nlive;
    has_failed = 0;
    countdown = n;
    int rc = cuda_text_make(p, layout, &v, &out);
    countdown = -1;
    CHECKF(rc == (has_failed ? ONEPASS_NO_MEMORY : 0), "%ld: code %d", n, rc);
    CHECKF((rc == 0) == (out.text != NULL), "%ld: code %d", n, rc);
    free(out.text);
    CHECKF(nlive == before, "%ld: %ld blocks leaked", n, nlive - before);
    heap_used = mark;
    return has_failed;
}

static void every_allocation_of_a_kernel_fails(void) {
    static const char text[] = "where(x > 0) | log | mean, std, max; argmin, prod";
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *ast = NULL;
    struct program *p = NULL;
    struct cuda_layout layout;
    long n = 0;
    CHECK(onepass_program_parse(text, strlen(text), &ast, &err) == 0);
    CHECK(program_lower(ast, CLASS_F64, 0, &p, &err) == 0);
    CHECK(cuda_layout_make(p, 4, &layout) == 0);
    while (kernel_fails_after(p, &layout, n) && n < 1000)
        n++;
    CHECKF(n >= 10 && n < 1000, "%ld allocations", n);
    cuda_layout_free(&layout);
    program_free(p);
    onepass_program_free(ast);
}

#endif

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"parser_out_of_memory", every_allocation_fails},
        {"kernel_text_out_of_memory", every_allocation_of_a_kernel_fails}};
    return RUN_TESTS(TESTS);
}
