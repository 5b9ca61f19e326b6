/* mkdata: typed binary data on stdout, so that tests need neither Python nor data files.
 *
 * Stand-alone on purpose: it shares no code with what it helps to test.  Decimal numbers are read by
 * strtod; f16 and bf16 are rounded from there to nearest even.  `mkdata --help` states the grammar
 * and the generators exactly, so that other programs can make the same numbers. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HELP[] =
    "usage: mkdata TYPE VALUE...\n"
    "       mkdata --npy DESCR SHAPE [--fortran] [--version 1|2|3] TYPE VALUE...\n"
    "\n"
    "TYPE: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool, little-endian; f32be is big-endian.\n"
    "VALUE, written in the order given:\n"
    "  1 -2.5 0x1p-3 -0.0 inf -inf nan -nan   a number (nan is the quiet one); integers must fit,\n"
    "                                         a bool is any byte 0 .. 255\n"
    "  A..B            the integers from A to B, also downwards\n"
    "  rand:SEED:N     N uniformly random finite bit patterns (bool: 0 or 1)\n"
    "  normal:SEED:N   N values near N(0,1), floating-point types only\n"
    "  lognormal:SEED:N  exp(4 v), v as in normal\n"
    "  holes:SEED:N    normal, but 30 % of the values are nan\n"
    "  VALUE*N         any of these N times\n"
    "No VALUE writes no element.\n"
    "\n"
    "hash(SEED, i) = splitmix64's output function of SEED * 0x9e3779b97f4a7c15 + i, modulo 2^64:\n"
    "  z ^= z >> 30; z *= 0xbf58476d1ce4e5b9; z ^= z >> 27; z *= 0x94d049bb133111eb; z ^= z >> 31\n"
    "rand: element k is the low bits of hash(SEED, k + t * 2^32), t = 0, 1, ..., the first finite "
    "one.\n"
    "normal: element k is (u0 + ... + u11) / 2^32 - 6, exact in binary64, where u(2j) and u(2j+1) are\n"
    "  the low and the high 32 bits of hash(SEED, 6 * k + j); then rounded to the type.\n"
    "lognormal: y = 4 v, v normal's value before rounding; j = rint(y * (1 / ln2)); r = y - j * ln2;\n"
    "  2^j * p(r), p the Taylor series of exp to r^13 by Horner's rule, all in binary64; then "
    "rounded.\n"
    "holes: nan where the high 32 bits of hash(SEED + 1, k) are below 1288490189, else normal's.\n"
    "\n"
    "--npy writes a .npy header first.  DESCR goes between quotes, unless it has a quote or bracket "
    "of\n"
    "its own; SHAPE is written as it is, but digits and commas alone get round brackets: 3 is (3,).\n"
    "Neither is checked, so that a header can lie.\n";

enum kind { KIND_F16, KIND_BF16, KIND_F32, KIND_F64, KIND_SIGNED, KIND_UNSIGNED, KIND_BOOL };

struct type {
    const char *name;
    enum kind kind;
    int nbytes;
};
static const struct type TYPES[] = {
    {"f16", KIND_F16, 2},      {"bf16", KIND_BF16, 2},    {"f32", KIND_F32, 4},
    {"f64", KIND_F64, 8},      {"i8", KIND_SIGNED, 1},    {"i16", KIND_SIGNED, 2},
    {"i32", KIND_SIGNED, 4},   {"i64", KIND_SIGNED, 8},   {"u8", KIND_UNSIGNED, 1},
    {"u16", KIND_UNSIGNED, 2}, {"u32", KIND_UNSIGNED, 4}, {"u64", KIND_UNSIGNED, 8},
    {"bool", KIND_BOOL, 1},
};

struct target {
    const struct type *type;
    int big_endian;
};

static _Noreturn void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("mkdata: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

static void write_bytes(const void *bytes, size_t nbytes) {
    if (fwrite(bytes, 1, nbytes, stdout) != nbytes) fail("cannot write: %s", strerror(errno));
}

/* An element `times` times, by whole buffers: tests ask for gigabytes of ones. */
static void write_repeated(const struct target *to, uint64_t bits, uint64_t times) {
    unsigned char buffer[1 << 15];
    size_t n = (size_t)to->type->nbytes;
    size_t fits = times < sizeof(buffer) / n ? (size_t)times : sizeof(buffer) / n;
    for (size_t k = 0; k < fits * n; k++) {
        size_t byte = to->big_endian ? n - 1 - k % n : k % n;
        buffer[k] = (unsigned char)(bits >> 8 * byte);
    }
    for (; times >= fits && times > 0; times -= fits)
        write_bytes(buffer, fits * n);
    write_bytes(buffer, (size_t)times * n);
}

static void write_bits(const struct target *to, uint64_t bits) {
    write_repeated(to, bits, 1);
}

/* ---- numbers to bits --------------------------------------------------------------------------- */

static int is_floating(const struct type *t) {
    return t->kind <= KIND_F64;
}

/* 2^e, a normal number. */
static double power_of_two(int e) {
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* v to a format of 16 bits: rounded to nearest even, beyond its range infinite. */
static uint64_t narrow_bits(double v, int fraction_bits, int bias) {
    uint64_t sign = signbit(v) ? 0x8000 : 0;
    uint64_t infinity = 0x7fff >> fraction_bits << fraction_bits, bits64;
    if (isnan(v)) return sign | infinity | UINT64_C(1) << (fraction_bits - 1);
    if (isinf(v)) return sign | infinity;
    memcpy(&bits64, &v, sizeof(bits64));
    int ulp = (int)(bits64 >> 52 & 0x7ff) - 1023 - fraction_bits; /* its exponent */
    if (ulp < 1 - bias - fraction_bits) ulp = 1 - bias - fraction_bits;
    /* adding 2^52 rounds to an integer, to nearest even */
    uint64_t units = (uint64_t)(fabs(v) * power_of_two(-ulp) + 0x1p52 - 0x1p52);
    /* the hidden bit adds one to the exponent, and so does a carry out of the fraction */
    uint64_t bits = ((uint64_t)(ulp + bias + fraction_bits - 1) << fraction_bits) + units;
    return sign | (bits < infinity ? bits : infinity);
}

static uint64_t float_bits(const struct type *t, double v) {
    uint64_t bits64;
    uint32_t bits32;
    if (t->kind == KIND_F16) return narrow_bits(v, 10, 15);
    if (t->kind == KIND_BF16) return narrow_bits(v, 7, 127);
    if (t->kind == KIND_F64) {
        memcpy(&bits64, &v, sizeof(bits64));
        return bits64;
    }
    float f = (float)v;
    memcpy(&bits32, &f, sizeof(bits32));
    return bits32;
}

/* The bits of -2^63 .. 2^64 - 1, given as sign and magnitude. */
static uint64_t integer_bits(const struct type *t, int negative, uint64_t magnitude, const char *text) {
    int width = 8 * t->nbytes;
    uint64_t largest = UINT64_MAX >> (64 - width);
    if (t->kind == KIND_SIGNED) largest = (largest >> 1) + (negative != 0);
    if (t->kind != KIND_SIGNED && negative && magnitude) fail("%s: %s has no sign", text, t->name);
    if (magnitude > largest) fail("%s: beyond the range of %s", text, t->name);
    return negative ? 0 - magnitude : magnitude;
}

/* ---- items of the command line ----------------------------------------------------------------- */

static uint64_t parse_unsigned(const char *text, size_t nbytes, const char *item) {
    char copy[32], *end;
    if (nbytes == 0 || nbytes >= sizeof(copy) || text[0] < '0' || text[0] > '9')
        fail("%s: '%.*s' is no integer", item, (int)nbytes, text);
    memcpy(copy, text, nbytes);
    copy[nbytes] = '\0';
    errno = 0;
    int hex = nbytes > 1 && (copy[1] == 'x' || copy[1] == 'X');
    unsigned long long v = strtoull(copy, &end, hex ? 16 : 10);
    if (*end || errno) fail("%s: '%s' is no integer below 2^64", item, copy);
    return v;
}

static uint64_t parse_integer(const struct type *t, const char *text, size_t nbytes, const char *item) {
    int negative = nbytes > 0 && text[0] == '-';
    uint64_t v = parse_unsigned(text + negative, nbytes - (size_t)negative, item);
    return integer_bits(t, negative, v, item);
}

static uint64_t parse_float(const struct type *t, const char *text, size_t nbytes, const char *item) {
    char copy[1024], *end;
    if (nbytes == 0 || nbytes >= sizeof(copy)) fail("%s: bad number", item);
    memcpy(copy, text, nbytes);
    copy[nbytes] = '\0';
    int negative = copy[0] == '-';
    double v = strtod(copy, &end);
    if (*end || copy[0] == ' ' || copy[0] == '+') fail("%s: '%s' is no number", item, copy);
    if (isnan(v)) v = negative ? -(double)NAN : (double)NAN;
    if (t->kind != KIND_F32 || !isfinite(v)) return float_bits(t, v);
    float f = strtof(copy, &end); /* rounded once, not by way of binary64 */
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static int64_t parse_signed(const char *text, size_t nbytes, const char *item) {
    int negative = nbytes > 0 && text[0] == '-';
    uint64_t v = parse_unsigned(text + negative, nbytes - (size_t)negative, item);
    if (v > INT64_MAX) fail("%s: bounds of a range lie within 2^63", item);
    return negative ? -(int64_t)v : (int64_t)v;
}

static void put_range(const struct target *to, const char *item, const char *dots, size_t nbytes) {
    int64_t v = parse_signed(item, (size_t)(dots - item), item);
    int64_t last = parse_signed(dots + 2, (size_t)(item + nbytes - dots - 2), item);
    for (;;) {
        uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
        if (is_floating(to->type))
            write_bits(to, float_bits(to->type, (double)v));
        else
            write_bits(to, integer_bits(to->type, v < 0, magnitude, item));
        if (v == last) return;
        v += v < last ? 1 : -1;
    }
}

/* ---- generators -------------------------------------------------------------------------------- */

static uint64_t hash(uint64_t seed, uint64_t i) {
    uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + i;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int is_finite_pattern(const struct type *t, uint64_t bits) {
    static const uint64_t EXPONENT[] = {[KIND_F16] = 0x7c00,
                                        [KIND_BF16] = 0x7f80,
                                        [KIND_F32] = 0x7f800000,
                                        [KIND_F64] = UINT64_C(0x7ff0000000000000)};
    return !is_floating(t) || (bits & EXPONENT[t->kind]) != EXPONENT[t->kind];
}

static uint64_t random_bits(const struct type *t, uint64_t seed, uint64_t k) {
    uint64_t mask = t->kind == KIND_BOOL ? 1 : UINT64_MAX >> (64 - 8 * t->nbytes);
    for (uint64_t attempt = 0;; attempt++) {
        uint64_t bits = hash(seed, k + (attempt << 32)) & mask;
        if (is_finite_pattern(t, bits)) return bits;
    }
}

static double normal_value(uint64_t seed, uint64_t k) {
    uint64_t sum = 0;
    for (uint64_t j = 0; j < 6; j++) {
        uint64_t h = hash(seed, 6 * k + j);
        sum += (h & UINT32_MAX) + (h >> 32);
    }
    return (double)((int64_t)sum - (INT64_C(6) << 32)) * 0x1p-32;
}

static uint64_t normal_bits(const struct type *t, uint64_t seed, uint64_t k) {
    return float_bits(t, normal_value(seed, k));
}

/* exp(4 v) within some ulps; not libm's, so that every machine has the same bits. */
static uint64_t lognormal_bits(const struct type *t, uint64_t seed, uint64_t k) {
    static const double TAYLOR[] = {1. / 6227020800,
                                    1. / 479001600,
                                    1. / 39916800,
                                    1. / 3628800,
                                    1. / 362880,
                                    1. / 40320,
                                    1. / 5040,
                                    1. / 720,
                                    1. / 120,
                                    1. / 24,
                                    1. / 6,
                                    1. / 2,
                                    1.,
                                    1.};
    double y = 4 * normal_value(seed, k);
    double j = y * 0x1.71547652b82fep+0 + 0x1.8p52 - 0x1.8p52;
    double r = y - j * 0x1.62e42fefa39efp-1, p = TAYLOR[0];
    for (size_t i = 1; i < sizeof(TAYLOR) / sizeof(TAYLOR[0]); i++)
        p = p * r + TAYLOR[i];
    return float_bits(t, p * power_of_two((int)j));
}

static uint64_t holes_bits(const struct type *t, uint64_t seed, uint64_t k) {
    int hole = hash(seed + 1, k) >> 32 < 1288490189; /* 0.3 * 2^32 */
    return float_bits(t, hole ? (double)NAN : normal_value(seed, k));
}

static const struct generator {
    const char *name; /* with the colon */
    uint64_t (*element)(const struct type *t, uint64_t seed, uint64_t k);
    int floating_only;
} GENERATORS[] = {
    {"rand:", random_bits, 0},
    {"normal:", normal_bits, 1},
    {"lognormal:", lognormal_bits, 1},
    {"holes:", holes_bits, 1},
};

/* Elements first .. first + n - 1, made by one thread. */
struct part {
    const struct target *to;
    const struct generator *generator;
    uint64_t seed, first;
    size_t n;
    unsigned char *out;
    pthread_t thread;
};

static void *fill_part(void *argument) {
    const struct part *p = argument;
    size_t nbytes = (size_t)p->to->type->nbytes;
    unsigned char *out = p->out;
    for (size_t i = 0; i < p->n; i++, out += nbytes) {
        uint64_t bits = p->generator->element(p->to->type, p->seed, p->first + i);
        for (size_t k = 0; k < nbytes; k++)
            out[p->to->big_endian ? nbytes - 1 - k : k] = (unsigned char)(bits >> 8 * k);
    }
    return NULL;
}

/* The elements 0 .. n - 1, a buffer at a time, of which each CPU fills a part: measurements ask for
 * gigabytes.  The first part is this thread's, so that few elements take no other. */
static void write_elements(const struct target *to, const struct generator *g, uint64_t seed,
                           uint64_t n) {
    enum { PART = 1 << 17, MAX_PARTS = 64 };
    static unsigned char buffer[MAX_PARTS][PART * sizeof(uint64_t)];
    static struct part parts[MAX_PARTS];
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t nparts = cpus < 1 ? 1 : cpus < MAX_PARTS ? (size_t)cpus : MAX_PARTS;
    for (uint64_t done = 0; done < n;) {
        size_t used = 0;
        for (; used < nparts && done < n; used++) {
            size_t size = n - done < PART ? (size_t)(n - done) : PART;
            parts[used] = (struct part){to, g, seed, done, size, buffer[used], 0};
            if (used > 0 && pthread_create(&parts[used].thread, NULL, fill_part, &parts[used]) != 0)
                fail("cannot start a thread");
            done += size;
        }
        fill_part(&parts[0]);
        for (size_t k = 0; k < used; k++) {
            if (k > 0) pthread_join(parts[k].thread, NULL);
            write_bytes(buffer[k], parts[k].n * (size_t)to->type->nbytes);
        }
    }
}

/* GENERATOR:SEED:N; 0 if the item is none. */
static int put_generated(const struct target *to, const char *item, size_t nbytes) {
    const struct generator *g = NULL;
    for (size_t k = 0; k < sizeof(GENERATORS) / sizeof(GENERATORS[0]); k++)
        if (strncmp(item, GENERATORS[k].name, strlen(GENERATORS[k].name)) == 0) g = &GENERATORS[k];
    if (!g) return 0;
    const char *seed_text = item + strlen(g->name);
    const char *colon = memchr(seed_text, ':', (size_t)(item + nbytes - seed_text));
    if (!colon) fail("%s: say %sSEED:N", item, g->name);
    if (g->floating_only && !is_floating(to->type)) fail("%s is for floating-point types", item);
    uint64_t seed = parse_unsigned(seed_text, (size_t)(colon - seed_text), item);
    write_elements(to, g, seed, parse_unsigned(colon + 1, (size_t)(item + nbytes - colon - 1), item));
    return 1;
}

/* A range or a generator; 0 if the item is neither. */
static int put_series(const struct target *to, const char *item, size_t nbytes) {
    const char *dots = memmem(item, nbytes, "..", 2);
    if (put_generated(to, item, nbytes)) return 1;
    if (!dots) return 0;
    put_range(to, item, dots, nbytes);
    return 1;
}

static void put_item(const struct target *to, const char *item) {
    const char *star = strchr(item, '*');
    size_t nbytes = star ? (size_t)(star - item) : strlen(item);
    uint64_t times = star ? parse_unsigned(star + 1, strlen(star + 1), item) : 1;
    while (times > 0 && put_series(to, item, nbytes))
        times--;
    if (times == 0) return;
    write_repeated(to,
                   is_floating(to->type) ? parse_float(to->type, item, nbytes, item)
                                         : parse_integer(to->type, item, nbytes, item),
                   times);
}

/* ---- the .npy header --------------------------------------------------------------------------- */

static void write_npy_header(const char *descr, const char *shape, int fortran, int version) {
    char text[65000];
    const char *quote = strpbrk(descr, "'\"[(") ? "" : "'";
    int plain = *shape && shape[strspn(shape, "0123456789,")] == '\0';
    int one = plain && !strchr(shape, ',');
    int length = snprintf(
        text, sizeof(text), "{'descr': %s%s%s, 'fortran_order': %s, 'shape': %s%s%s%s, }", quote, descr,
        quote, fortran ? "True" : "False", plain ? "(" : "", shape, one ? "," : "", plain ? ")" : "");
    if (length < 0 || (size_t)length >= sizeof(text)) fail("the header is too long");
    unsigned start = version == 1 ? 10 : 12;
    unsigned total = (start + (unsigned)length + 1 + 63) / 64 * 64;
    unsigned nbytes = total - start;
    unsigned char lead[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0};
    for (unsigned k = 8; k < start; k++)
        lead[k] = (unsigned char)(nbytes >> 8 * (k - 8));
    write_bytes(lead, start);
    write_bytes(text, (size_t)length);
    for (unsigned k = start + (unsigned)length; k < total - 1; k++)
        write_bytes(" ", 1);
    write_bytes("\n", 1);
}

/* ---- command line ------------------------------------------------------------------------------ */

static struct target parse_type(const char *text) {
    for (size_t k = 0; k < sizeof(TYPES) / sizeof(TYPES[0]); k++) {
        size_t n = strlen(TYPES[k].name);
        if (strncmp(text, TYPES[k].name, n) != 0) continue;
        if (text[n] == '\0' || strcmp(text + n, "le") == 0) return (struct target){&TYPES[k], 0};
        if (strcmp(text + n, "be") == 0) return (struct target){&TYPES[k], 1};
    }
    fail("unknown type '%s'; mkdata --help lists them", text);
}

static const char *next_argument(char **argv, int *at, const char *what) {
    if (!argv[*at]) fail("%s is missing; try mkdata --help", what);
    return argv[(*at)++];
}

/* Options up to TYPE; returns TYPE's index. */
static int parse_options(char **argv) {
    const char *descr = NULL, *shape = NULL;
    int at = 1, fortran = 0, version = 1;
    while (argv[at] && strncmp(argv[at], "--", 2) == 0) {
        const char *option = argv[at++];
        if (strcmp(option, "--npy") == 0) {
            descr = next_argument(argv, &at, "DESCR");
            shape = next_argument(argv, &at, "SHAPE");
        } else if (strcmp(option, "--fortran") == 0) {
            fortran = 1;
        } else if (strcmp(option, "--version") == 0) {
            const char *text = next_argument(argv, &at, "the version");
            version = text[0] - '0';
            if (version < 1 || version > 3 || text[1]) fail("--version %s: 1, 2 or 3", text);
        } else {
            fail("unknown option '%s'", option);
        }
    }
    if (descr)
        write_npy_header(descr, shape, fortran, version);
    else if (fortran || version != 1)
        fail("--fortran and --version go with --npy");
    return at;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(HELP, stdout);
    } else {
        int at = parse_options(argv);
        struct target to = parse_type(next_argument(argv, &at, "TYPE"));
        while (argv[at])
            put_item(&to, argv[at++]);
    }
    if (fclose(stdout) != 0) fail("cannot write: %s", strerror(errno));
    return 0;
}
