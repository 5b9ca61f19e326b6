/* SHA-256 by its definition, in portable C: kernel texts and images are small. */
#include "sha256.h"

#include <string.h>

/* Fractional parts of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

static uint32_t big_endian(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void expand(const unsigned char *block, uint32_t w[64]) {
    for (int t = 0; t < 16; t++)
        w[t] = big_endian(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        uint32_t s0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3;
        uint32_t s1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

/* The variables a .. h of the standard change places instead of being moved: v[i - t] is what i was. */
static void compress(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64], v[8];
    expand(block, w);
    memcpy(v, state, sizeof(v));
#define V(i) v[((i) + 64 - t) & 7]
#pragma GCC unroll 8
    for (int t = 0; t < 64; t++) {
        uint32_t s1 = rotate(V(4), 6) ^ rotate(V(4), 11) ^ rotate(V(4), 25);
        uint32_t s0 = rotate(V(0), 2) ^ rotate(V(0), 13) ^ rotate(V(0), 22);
        uint32_t t1 = V(7) + s1 + ((V(4) & V(5)) ^ (~V(4) & V(6))) + K[t] + w[t];
        V(3) += t1;
        V(7) = t1 + s0 + ((V(0) & V(1)) ^ (V(0) & V(2)) ^ (V(1) & V(2)));
    }
#undef V
    for (int k = 0; k < 8; k++)
        state[k] += v[k];
}

void sha256_begin(struct sha256 *s) {
    static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->state, START, sizeof(START));
    s->nbytes = 0;
}

void sha256_add(struct sha256 *s, const void *bytes, size_t nbytes) {
    const unsigned char *p = bytes;
    while (nbytes > 0) {
        size_t at = s->nbytes % 64;
        size_t n = nbytes < 64 - at ? nbytes : 64 - at;
        memcpy(s->block + at, p, n);
        s->nbytes += n;
        p += n;
        nbytes -= n;
        if (at + n == 64) compress(s->state, s->block);
    }
}

void sha256_text(struct sha256 *s, const char *text) {
    if (!text) text = "";
    sha256_add(s, text, strlen(text) + 1);
}

void sha256_u64(struct sha256 *s, uint64_t value) {
    unsigned char bytes[8];
    for (int k = 0; k < 8; k++)
        bytes[k] = (unsigned char)(value >> (56 - 8 * k));
    sha256_add(s, bytes, sizeof(bytes));
}

void sha256_end(struct sha256 *s, unsigned char digest[SHA256_BYTES]) {
    static const unsigned char PADDING[64] = {0x80};
    uint64_t nbits = 8 * s->nbytes;
    size_t at = s->nbytes % 64;
    sha256_add(s, PADDING, at < 56 ? 56 - at : 120 - at);
    sha256_u64(s, nbits);
    for (int k = 0; k < 32; k++)
        digest[k] = (unsigned char)(s->state[k / 4] >> (24 - 8 * (k % 4)));
}
