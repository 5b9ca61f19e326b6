/* The embedded headers: whole, each there once, and with all that they include. */
#include "cuda_text.h"

#include "check.h"

static const struct cuda_header *find(const char *name, size_t nbytes) {
    for (const struct cuda_header *h = cuda_headers; h->name != NULL; h++)
        if (strlen(h->name) == nbytes && memcmp(h->name, name, nbytes) == 0) return h;
    return NULL;
}

static void test_wanted(void) {
    static const char *const names[] = {"launch.h", "onemath.h", "maps_f64.h", "maps_integer.h"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        CHECKF(find(names[k], strlen(names[k])) != NULL, "%s", names[k]);
}

static void test_whole(void) {
    for (const struct cuda_header *h = cuda_headers; h->name != NULL; h++) {
        size_t n = strlen(h->text);
        CHECKF(n > 0 && strncmp(h->text, "/*", 2) == 0, "%s begins with a comment", h->name);
        CHECKF(n > 0 && h->text[n - 1] == '\n', "%s ends with a line", h->name);
        CHECKF(find(h->name, strlen(h->name)) == h, "%s is there once", h->name);
    }
}

static void test_closed(void) {
    int seen = 0;
    for (const struct cuda_header *h = cuda_headers; h->name != NULL; h++) {
        for (const char *p = h->text; (p = strstr(p, "#include \"")) != NULL;) {
            p += strlen("#include \"");
            size_t n = strcspn(p, "\"");
            CHECKF(find(p, n) != NULL, "%s includes %.*s", h->name, (int)n, p);
            seen++;
        }
    }
    CHECK(seen > 0);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"cuda_headers_that_kernels_want", test_wanted},
        {"cuda_headers_are_whole", test_whole},
        {"cuda_headers_include_what_is_there", test_closed},
    };
    return RUN_TESTS(tests);
}
