/* find_image FILE ARCH <TEXT: whether a file of images made ahead of time has one of this kernel that
 * runs on such a device, and whether it is a kernel of that name.  Prints its size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_text.h"
#include "jit.h"
#include "jit_embedded.h"

static char bytes[1 << 25];

static size_t read_all(FILE *f, char *to, size_t capacity) {
    size_t n = f ? fread(to, 1, capacity, f) : 0;
    if (f == NULL || ferror(f) || n == capacity) {
        perror("find_image");
        exit(2);
    }
    return n;
}

int main(int argc, char **argv) {
    static const struct jit_collectives none;
    static char text[1 << 20];
    if (argc != 3) return 2;
    size_t nbytes = read_all(fopen(argv[1], "rb"), bytes, sizeof bytes);
    text[read_all(stdin, text, sizeof text - 1)] = '\0';
    const unsigned char *file = (const unsigned char *)bytes;
    struct jit_embedded embedded = {&none, file, file + nbytes, 0};
    struct jit_config config = {.headers = cuda_headers, .embedded = &embedded, .step = JIT_AOT};
    struct jit *jit = NULL;
    struct jit_image image = {0};
    onepass_error err = ONEPASS_ERROR_INIT;
    int rc = jit_create(&config, &jit, &err);
    if (rc == 0) rc = jit_compile(jit, text, atoi(argv[2]), &image, &err);
    if (rc != 0)
        printf("%s\n", err.message);
    else
        printf("%zu\n", image.nbytes);
    int good = rc == 0 && memmem(image.bytes, image.nbytes, "onepass_fused", 13) != NULL;
    free(image.bytes);
    jit_free(jit);
    return !good;
}
