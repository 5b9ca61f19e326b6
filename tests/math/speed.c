/* speed [OP...]: what the map ops take, in ns an element on one core, for every instruction set of this
 * CPU, beside a loop that calls the C library's function for one element after another.
 *
 * Blocks of 1024 elements that stay in the L1 cache, from each op's everyday range; all variants of an
 * op take turns in one process, and the best of many turns counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "error.h"
#include "kernels.h"
#include "math_inputs.h"

#define BLOCK     1024
#define TURNS     40
#define TURN_NS   2e5  /* about as long as one turn lasts */
#define TOO_SLOW  0.75 /* times the library's speed */
#define NVARIANTS 4    /* the library and three instruction sets */

/* What the library has no function for, by those it has. */
static double sigmoid(double x) {
    return 1.0 / (1.0 + exp(-x));
}

static double mod(double a, double b) {
    double r = fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static const struct peer {
    int op;
    int is_transcendental;
    double (*one)(double);
    double (*two)(double, double);
    double low, high; /* range of the first argument; the second's is -10 .. 10 */
} peers[] = {
    {OP_CBRT, 1, cbrt, NULL, -10, 10},       {OP_EXP, 1, exp, NULL, -10, 10},
    {OP_EXP2, 1, exp2, NULL, -10, 10},       {OP_EXP10, 1, exp10, NULL, -10, 10},
    {OP_EXPM1, 1, expm1, NULL, -10, 10},     {OP_LOG, 1, log, NULL, 0.01, 10},
    {OP_LOG2, 1, log2, NULL, 0.01, 10},      {OP_LOG10, 1, log10, NULL, 0.01, 10},
    {OP_LOG1P, 1, log1p, NULL, -0.99, 10},   {OP_SIN, 1, sin, NULL, -100, 100},
    {OP_COS, 1, cos, NULL, -100, 100},       {OP_TAN, 1, tan, NULL, -100, 100},
    {OP_ASIN, 1, asin, NULL, -0.99, 0.99},   {OP_ACOS, 1, acos, NULL, -0.99, 0.99},
    {OP_ATAN, 1, atan, NULL, -4, 4},         {OP_SINH, 1, sinh, NULL, -10, 10},
    {OP_COSH, 1, cosh, NULL, -10, 10},       {OP_TANH, 1, tanh, NULL, -4, 4},
    {OP_ASINH, 1, asinh, NULL, -10, 10},     {OP_ACOSH, 1, acosh, NULL, 1.01, 10},
    {OP_ATANH, 1, atanh, NULL, -0.99, 0.99}, {OP_ATAN2, 1, NULL, atan2, -10, 10},
    {OP_HYPOT, 1, NULL, hypot, -10, 10},     {OP_ERF, 1, erf, NULL, -4, 4},
    {OP_ERFC, 1, erfc, NULL, -4, 10},        {OP_LGAMMA, 1, lgamma, NULL, -10, 30},
    {OP_SIGMOID, 1, sigmoid, NULL, -10, 10}, {OP_POW, 1, NULL, pow, 0.01, 10},
    {OP_FMOD, 0, NULL, fmod, -1000, 1000},   {OP_MOD, 0, NULL, mod, -1000, 1000},
};
#define NPEERS (sizeof peers / sizeof *peers)

static double arg[3][BLOCK], out[BLOCK];

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static const struct peer *peer_of(int op) {
    for (size_t k = 0; k < NPEERS; k++)
        if (peers[k].op == op) return &peers[k];
    return NULL;
}

static double uniform(uint64_t i, double low, double high) {
    return low + (high - low) * (double)(scramble(i) >> 11) * 0x1p-53;
}

static void fill(const struct peer *peer) {
    for (size_t i = 0; i < BLOCK; i++) {
        arg[0][i] = peer ? uniform(i, peer->low, peer->high) : uniform(i, -10, 10);
        arg[1][i] = uniform(i + BLOCK, -10, 10);
        arg[2][i] = uniform(i + 2 * BLOCK, -10, 10);
    }
}

/* One block by the kernel, or where there is none by the library. */
static void run_block(map_kernel *kernel, const struct peer *peer) {
    if (kernel != NULL)
        kernel(BLOCK, arg[0], arg[1], arg[2], out);
    else if (peer->one != NULL)
        for (size_t i = 0; i < BLOCK; i++)
            out[i] = peer->one(arg[0][i]);
    else
        for (size_t i = 0; i < BLOCK; i++)
            out[i] = peer->two(arg[0][i], arg[1][i]);
}

/* ns an element of `blocks` blocks. */
static double time_turn(map_kernel *kernel, const struct peer *peer, int blocks) {
    double from = now_ns();
    for (int k = 0; k < blocks; k++)
        run_block(kernel, peer);
    return (now_ns() - from) / blocks / BLOCK;
}

struct variants {
    size_t n;
    const char *name[NVARIANTS];
    const struct map_kernels *maps[NVARIANTS]; /* NULL: the library */
};

/* best[k] = the best time of variant k; HUGE_VAL where the library has no such function. */
static void time_op(const struct variants *v, int op, double *best) {
    const struct peer *peer = peer_of(op);
    int blocks[NVARIANTS];
    fill(peer);
    for (int turn = -1; turn < TURNS; turn++)
        for (size_t k = 0; k < v->n; k++) {
            map_kernel *kernel = v->maps[k] ? v->maps[k]->f64[op] : NULL;
            if (turn < 0) best[k] = HUGE_VAL;
            if (kernel == NULL && peer == NULL) continue;
            double ns = time_turn(kernel, peer, turn < 0 ? 3 : blocks[k]);
            if (turn < 0) blocks[k] = 1 + (int)(TURN_NS / (ns * BLOCK));
            if (turn >= 0 && ns < best[k]) best[k] = ns;
        }
}

static struct variants find_variants(void) {
    static const char *const names[] = {"portable", "avx2", "avx512"};
    struct variants v = {1, {"libm"}, {NULL}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct kernels *kernels;
        onepass_error err = ONEPASS_ERROR_INIT;
        if (kernels_find(names[k], &kernels, &err) != 0) continue;
        v.name[v.n] = names[k];
        v.maps[v.n++] = kernels->maps;
    }
    return v;
}

static void print_machine(void) {
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "model name", 10) == 0) {
            printf("CPU%s", strchr(line, ':') ? strchr(line, ':') : line);
            break;
        }
    if (f != NULL) fclose(f);
    printf("compiler: %s\n", __VERSION__);
}

static void print_heading(const struct variants *v) {
    printf("%-9s", "ns");
    for (size_t k = 0; k < v->n; k++)
        printf("%10s", v->name[k]);
    for (size_t k = 1; k < v->n; k++)
        printf("%9s x", v->name[k]);
    printf("\n");
}

struct totals {
    int n;
    double logs[NVARIANTS];
    char slow[NVARIANTS][512]; /* ops below TOO_SLOW */
};

static void print_op(const struct variants *v, int op, struct totals *totals) {
    double best[NVARIANTS];
    const struct peer *peer = peer_of(op);
    const char *name = op_table[op].name;
    time_op(v, op, best);
    printf("%-9s", name);
    for (size_t k = 0; k < v->n; k++)
        if (best[k] < HUGE_VAL)
            printf("%10.2f", best[k]);
        else
            printf("%10s", "-");
    for (size_t k = 1; k < v->n && peer != NULL; k++) {
        double ratio = best[0] / best[k];
        size_t used = strlen(totals->slow[k]);
        printf("%11.2f", ratio);
        if (peer->is_transcendental) totals->logs[k] += log(ratio);
        if (ratio < TOO_SLOW)
            snprintf(totals->slow[k] + used, sizeof totals->slow[k] - used, " %s", name);
    }
    totals->n += peer != NULL && peer->is_transcendental;
    printf("\n");
    fflush(stdout);
}

static int is_wanted(const char *name, int n, char **names) {
    int found = n == 0;
    for (int k = 0; k < n; k++)
        found |= strcmp(names[k], name) == 0;
    return found;
}

int main(int argc, char **argv) {
    struct variants v = find_variants();
    struct totals totals = {0};
    print_machine();
    print_heading(&v);
    for (int op = 0; op < NOPS; op++)
        if (is_wanted(op_table[op].name, argc - 1, argv + 1)) print_op(&v, op, &totals);
    for (size_t k = 1; k < v.n && totals.n > 0; k++)
        printf("%s: %.2f times libm's speed (geometric mean of %d transcendental ops), below %.2f:%s\n",
               v.name[k], exp(totals.logs[k] / totals.n), totals.n, TOO_SLOW,
               totals.slow[k][0] ? totals.slow[k] : " none");
#ifdef __x86_64__
    printf("portable has no vector fma on x86-64 and is expected to be slower than libm, which picks "
           "its own code for the CPU\n");
#endif
    return 0;
}
