/* SHA-256 against the published examples of FIPS 180-2, and in pieces. */
#include "check.h"
#include "sha256.h"

static void hex_of(const struct sha256 *s, char out[2 * SHA256_BYTES + 1]) {
    unsigned char digest[SHA256_BYTES];
    struct sha256 copy = *s;
    sha256_end(&copy, digest);
    for (int k = 0; k < SHA256_BYTES; k++)
        sprintf(out + 2 * k, "%02x", digest[k]);
}

static void expect(const void *bytes, size_t nbytes, size_t repeat, const char *expected) {
    struct sha256 s;
    char hex[2 * SHA256_BYTES + 1];
    sha256_begin(&s);
    for (size_t k = 0; k < repeat; k++)
        sha256_add(&s, bytes, nbytes);
    hex_of(&s, hex);
    CHECKF(strcmp(hex, expected) == 0, "%zu times %zu bytes: %s", repeat, nbytes, hex);
}

static void published_examples(void) {
    static const char TWO_BLOCKS[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char a[1000];
    memset(a, 'a', sizeof a);
    expect("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(TWO_BLOCKS, 56, 1, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect(a, 1000, 1000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void pieces_and_padding(void) {
    unsigned char bytes[200];
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k * 37);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        struct sha256 whole, parts;
        char a[2 * SHA256_BYTES + 1], b[2 * SHA256_BYTES + 1];
        sha256_begin(&whole);
        sha256_add(&whole, bytes, n);
        sha256_begin(&parts);
        for (size_t k = 0; k < n; k++)
            sha256_add(&parts, bytes + k, 1);
        hex_of(&whole, a);
        hex_of(&parts, b);
        CHECKF(strcmp(a, b) == 0, "%zu bytes", n);
    }
}

static void texts_are_kept_apart(void) {
    struct sha256 a, b;
    char first[2 * SHA256_BYTES + 1], second[2 * SHA256_BYTES + 1];
    sha256_begin(&a);
    sha256_text(&a, "ab");
    sha256_text(&a, "c");
    sha256_begin(&b);
    sha256_text(&b, "a");
    sha256_text(&b, "bc");
    hex_of(&a, first);
    hex_of(&b, second);
    CHECK(strcmp(first, second) != 0);
    sha256_begin(&a);
    sha256_u64(&a, 0x6162630000000000);
    sha256_begin(&b);
    sha256_add(&b, "abc\0\0\0\0\0", 8);
    hex_of(&a, first);
    hex_of(&b, second);
    CHECK(strcmp(first, second) == 0);
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"sha256_published_examples", published_examples},
        {"sha256_pieces_and_padding", pieces_and_padding},
        {"sha256_texts_are_kept_apart", texts_are_kept_apart},
    };
    return RUN_TESTS(TESTS);
}
