/* Kernels against the CPU's evaluator, bit for bit: texts are compiled as C++ (emulate.h) and run over
 * elements that are hard on something; what they leave in device memory has to be the state that the
 * CPU comes to.  same [--all | --random=N,SEED] [CASE...] runs in the repository's root, prints a line
 * "ok same_CASE" or "not ok same_CASE: ..." for each case, and keeps its files in $TMPDIR/same.*, if
 * one failed.
 *   --random   N cases at random instead, random_SEED and so on
 *   --all      every case for every type of elements and layout
 *   SAME_CXX   the compiler and its options, g++ -O1 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../kernels/launch.h"
#include "../unit/isa.h"
#include "../unit/reduce.h"
#include "cuda_layout.h"
#include "cuda_text.h"
#include "evaluator.h"
#include "same_cases.h"
#include "same_data.h"
#include "same_random.h"

#define BLOCKS         3
#define MOST_ELEMS     150000
#define STRIDE         2 /* items from one element to the next, ... */
#define FORTRAN_STRIDE 3 /* ... and in Fortran order */
#define MOST_STRIDE    FORTRAN_STRIDE
#define FAR            (UINT64_C(1) << 33)

typedef void emulate_function(void (*)(struct onepass_launch), unsigned, const struct onepass_launch *);

/* A program for a type and layout of elements. */
struct kernel {
    const struct same_case *of;
    struct cuda_variant variant;
    struct reducer r;
    struct cuda_layout layout;
    unsigned tile; /* elements */
    int number;    /* in its unit */
    char *text;
    void (*run)(struct onepass_launch);
    emulate_function *emulate;
};

static struct kernel *kernels;
static size_t nkernels;
static char dir[256];
static unsigned char *elements, *words_end;

static void die(const char *what) {
    printf("not ok same: %s: %s\n", what, strerror(errno));
    exit(1);
}

static const char *variant_name(const struct cuda_variant *v, char out[64]) {
    snprintf(out, 64, "%s%s%s%s%s", dtype_table[v->dtype].name, v->swap ? " swapped" : "",
             v->contiguous ? "" : " strided", v->fortran ? " Fortran" : "",
             v->integer_sums ? " integer sums" : "");
    return out;
}

/* ---- texts --------------------------------------------------------------------------------------- */

static void add_kernel(const struct same_case *c, const struct cuda_variant *v) {
    struct cuda_text text;
    enum value_class class = c->class >= 0 ? (enum value_class)c->class : dtype_table[v->dtype].class;
    kernels = realloc(kernels, (nkernels + 1) * sizeof *kernels);
    if (kernels == NULL) die("kernels");
    struct kernel *k = &kernels[nkernels++];
    *k = (struct kernel){.of = c, .variant = *v, .r = reducer_open(c->pipelines, class, c->skip_nan)};
    if (cuda_layout_make(k->r.program, BLOCKS, &k->layout) != 0) die("layout");
    if (cuda_text_make(k->r.program, &k->layout, v, &text) != 0) die("text");
    k->tile = text.tile_elements / ONEPASS_THREADS; /* of a block of one */
    k->text = text.text;
}

static void add_variants(const struct same_case *c, enum dtype dtype) {
    const struct cuda_variant variants[] = {
        {.dtype = dtype, .contiguous = 1}, /* PLAIN */
        {.dtype = dtype, .contiguous = 1, .swap = 1},
        {.dtype = dtype},
        {.dtype = dtype, .swap = 1, .contiguous = 1, .fortran = 1},
        {.dtype = dtype, .fortran = 1},
        {.dtype = dtype, .contiguous = 1, .integer_sums = 1},
    };
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++)
        if (c->variants >> k & 1 && (k == 0 || c->laid_out >> dtype & 1)) add_kernel(c, &variants[k]);
}

/* Each text is in a namespace of its own, its includes before all; Fortran order has other headers. */
static FILE *open_unit(size_t number, int fortran) {
    char path[300];
    snprintf(path, sizeof path, "%s/%03zu%c.cpp", dir, number, fortran ? 'f' : 'c');
    FILE *f = fopen(path, "w");
    if (f == NULL) die(path);
    if (fortran) fputs("#define ONEPASS_FORTRAN\n", f);
    fputs("#include \"fused_wide.cuh\"\n",
          f); /* others take in what it has, where it comes before them */
    return f;
}

static void write_includes(FILE *f, const char *text) {
    const char *end = strstr(text, "#define LOADS"); /* what comes later is of this kernel alone */
    for (const char *p = text; (p = strstr(p, "#include ")) != NULL && p < end; p++)
        fprintf(f, "%.*s\n", (int)strcspn(p, "\n"), p);
}

static int is_of(const struct kernel *k, const struct same_case *c, int fortran) {
    return k->of == c && k->variant.fortran == fortran;
}

static void write_unit(const struct same_case *c, size_t number, int fortran) {
    int n = 0;
    for (size_t k = 0; k < nkernels; k++)
        if (is_of(&kernels[k], c, fortran)) kernels[k].number = n++;
    if (n == 0) return;
    FILE *f = open_unit(number, fortran);
    for (size_t k = 0; k < nkernels; k++)
        if (is_of(&kernels[k], c, fortran)) write_includes(f, kernels[k].text);
    for (size_t k = 0; k < nkernels; k++)
        if (is_of(&kernels[k], c, fortran))
            fprintf(
                f,
                "#undef LOADS\n#undef LANES\n#undef TILE\n#undef BLOCK\n#undef HAS_AGAIN\n#undef "
                "NTILES\n"
                "#define onepass_fused onepass_fused_%d\nnamespace n%d {\n%s}\n#undef onepass_fused\n",
                kernels[k].number, kernels[k].number, kernels[k].text);
    if (fclose(f) != 0) die("unit");
}

static void compile_units(void) {
    char command[2048];
    const char *cxx = getenv("SAME_CXX"), *fma = "";
#ifdef __x86_64__
    if (__builtin_cpu_supports("fma")) fma = " -mfma";
#endif
    snprintf(command, sizeof command,
             "ls %s/*.cpp | xargs -P $(nproc) -I{} sh -c '%s%s -std=c++17 -w -ffp-contract=off "
             "-fno-weak -shared -fPIC "
             "-Ikernels -Isrc -include tests/gpu/emulate.h -o {}.so {} >{}.log 2>&1 || rm -f {}.so'",
             dir, cxx != NULL ? cxx : "g++ -O1", fma);
    if (system(command) == -1) die(command);
}

static int open_kernel(struct kernel *k, size_t number) {
    char path[300], symbol[32];
    snprintf(path, sizeof path, "%s/%03zu%c.cpp.so", dir, number, k->variant.fortran ? 'f' : 'c');
    snprintf(symbol, sizeof symbol, "onepass_fused_%d", k->number);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *run = library != NULL ? dlsym(library, symbol) : NULL;
    void *emulate = library != NULL ? dlsym(library, "onepass_emulate") : NULL;
    if (run == NULL || emulate == NULL) return 0;
    memcpy(&k->run, &run, sizeof run);
    memcpy(&k->emulate, &emulate, sizeof emulate);
    return 1;
}

/* ---- runs ---------------------------------------------------------------------------------------- */

/* Memory that ends before a page that nobody may touch. */
static unsigned char *guarded_end(size_t nbytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (nbytes + page - 1) / page * page;
    unsigned char *p =
        mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + whole, page, PROT_NONE) != 0) die("memory");
    return p + whole;
}

static uint64_t stride_of(const struct cuda_variant *v) {
    uint64_t itemsize = dtype_table[v->dtype].itemsize;
    if (v->contiguous) return itemsize;
    return (uint64_t)(v->fortran ? FORTRAN_STRIDE : STRIDE) * itemsize;
}

/* What the engine would say of n elements from number `first` on. */
static struct extent extent_of(const struct kernel *k, struct place *place, uint64_t first,
                               uint64_t n) {
    const struct cuda_variant *v = &k->variant;
    struct extent e = {.fetch = FETCH_RANGE, .first = first, .nelems = n, .place = place};
    e.layout.dtype = v->dtype;
    e.layout.swap = v->swap;
    e.layout.stride_bytes = stride_of(v);
    *place = (struct place){.ndim = 1, .shape = {first + n}, .base = 1000};
    if (v->fortran)
        *place = (struct place){
            .ndim = 3, .shape = {3, 7, (first + n) / 21 + 1}, .fortran = 1, .base = 1000};
    return e;
}

static void launch(const struct kernel *k, const struct extent *e, uint64_t from, uint64_t to,
                   unsigned nblocks, uint64_t *words) {
    size_t itemsize = dtype_table[e->layout.dtype].itemsize, stride = e->layout.stride_bytes;
    size_t nbytes = (to - from - 1) * stride + itemsize, room = (nbytes + 15) / 16 * 16;
    unsigned char *data = words_end - room;
    struct onepass_launch l = {
        .data = data, .nelems = to - from, .stride_bytes = stride, .first = e->first + from};
    if (to == from) return;
    memset(data, 0xDD, room);
    memcpy(data, elements + from * stride, nbytes);
    l.base = e->place->base;
    l.state = (unsigned long long *)words;
    l.ndim = (unsigned)e->place->ndim;
    for (int d = 0; d < e->place->ndim; d++)
        l.shape[d] = e->place->shape[d];
    k->emulate(k->run, nblocks, &l);
}

/* The kernel's state of n elements, in two launches, the second of less. */
static struct state *kernel_state(const struct kernel *k, const struct extent *e, unsigned nblocks) {
    struct state *s = NULL;
    onepass_error err = ONEPASS_ERROR_INIT;
    uint64_t *words = malloc(k->layout.nwords * sizeof *words), cut = e->nelems - e->nelems / 5;
    if (words == NULL || state_create(k->r.program, test_kernels(), &s, &err) != 0) die("state");
    cuda_layout_init(k->r.program, &k->layout, words);
    launch(k, e, 0, cut, nblocks, words);
    launch(k, e, cut, e->nelems, nblocks, words);
    cuda_layout_add(k->r.program, &k->layout, words, e->nelems, s);
    free(words);
    return s;
}

static size_t stored(struct state *s, unsigned char **bytes) {
    size_t n = 0;
    onepass_error err = ONEPASS_ERROR_INIT;
    if (state_store(s, bytes, &n, &err) != 0) die(err.message);
    return n;
}

static const char *const kind_names[NACCUMULATORS] = {
    "count",      "nan", "posinf", "neginf", "nonzero", "sum",   "squares", "sabs",
    "logarithms", "min", "max",    "argmin", "argmax",  "first", "last"};

static int acc_differs(struct acc_state *a, struct acc_state *b) {
    unsigned char x[EXACT_MAX_STORED], y[EXACT_MAX_STORED];
    if (a->exact != NULL) {
        size_t n = exact_store(a->exact, x);
        return exact_store(b->exact, y) != n || memcmp(x, y, n) != 0;
    }
    if (a->product != NULL) return memcmp(a->product, b->product, sizeof *a->product) != 0;
    int is_nan = a->kept.value.type == TYPE_F64 && isnan(a->kept.value.f) && isnan(b->kept.value.f);
    return a->count != b->count || a->kept.valid != b->kept.valid || a->kept.index != b->kept.index ||
           a->kept.value.mag != b->kept.value.mag || a->kept.value.neg != b->kept.value.neg ||
           (!is_nan && data_f64_bits(a->kept.value.f) != data_f64_bits(b->kept.value.f));
}

/* To stderr, which accumulators differ. */
static void tell(const struct kernel *k, struct state *got, struct state *want, enum data_kind data,
                 uint64_t n, unsigned nblocks) {
    char name[64];
    fprintf(stderr, "%s, %s, %llu elements of %s, %u blocks:", k->of->pipelines,
            variant_name(&k->variant, name), (unsigned long long)n, data_names[data], nblocks);
    for (size_t i = 0; i < got->naccs; i++) {
        struct acc_state *a = &got->acc[i], *b = &want->acc[i];
        if (!acc_differs(a, b)) continue;
        const struct accumulator *what = &k->r.program->accs[i];
        fprintf(stderr, " %s of %%%d", kind_names[what->kind], (int)what->value);
        if (what->mask >= 0) fprintf(stderr, " where %%%d", (int)what->mask);
        if (a->exact == NULL && a->product == NULL)
            fprintf(stderr, " (%llu %d:%s%llu:%a@%llu, not %llu %d:%s%llu:%a@%llu)",
                    (unsigned long long)a->count, a->kept.valid, a->kept.value.neg ? "-" : "",
                    (unsigned long long)a->kept.value.mag, a->kept.value.f,
                    (unsigned long long)a->kept.index, (unsigned long long)b->count, b->kept.valid,
                    b->kept.value.neg ? "-" : "", (unsigned long long)b->kept.value.mag,
                    b->kept.value.f, (unsigned long long)b->kept.index);
    }
    if (got->rounded != want->rounded) fprintf(stderr, " rounded %d", (int)got->rounded);
    fputc('\n', stderr);
}

static int compare(const struct kernel *k, enum data_kind data, uint64_t n, unsigned nblocks) {
    struct place place;
    struct evaluator *ev = NULL;
    onepass_error err = ONEPASS_ERROR_INIT;
    struct extent e = extent_of(k, &place, data % 2 ? FAR : 0, n);
    unsigned char *a, *b;
    if (evaluator_create(k->r.program, test_kernels(), &ev, &err) != 0) die(err.message);
    data_fill(elements, k->variant.dtype, k->variant.swap, e.layout.stride_bytes, data, n);
    evaluator_extent(ev, &e, elements);
    struct state *got = kernel_state(k, &e, nblocks), *want = evaluator_state(ev);
    size_t na = stored(got, &a), nb = stored(want, &b);
    int same = na == nb && memcmp(a, b, na) == 0;
    if (!same) tell(k, got, want, data, n, nblocks);
    free(a);
    free(b);
    state_free(got);
    evaluator_free(ev);
    return same;
}

struct tally {
    int runs, bad;
    const struct kernel *worst; /* the first that differed */
    enum data_kind data;
    uint64_t n;
};

static void run_one(const struct kernel *k, enum data_kind data, uint64_t n, unsigned nblocks,
                    struct tally *t) {
    if (n == 0 || n > MOST_ELEMS) return;
    t->runs++;
    if (compare(k, data, n, nblocks)) return;
    if (t->bad++ == 0) t->worst = k, t->data = data, t->n = n;
}

static void run_kernel(const struct kernel *k, struct tally *t) {
    uint64_t tile = k->tile;
    const uint64_t sizes[] = {1, tile - 1, tile, tile + 1, BLOCKS * tile, 10 * tile + 3};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        run_one(k, DATA_LIMITS, sizes[s], BLOCKS, t);
    for (int data = 0; data < NDATA && t->bad < 5; data++) {
        run_one(k, (enum data_kind)data, 1999, BLOCKS, t);
        if (k->of->is_long) run_one(k, (enum data_kind)data, MOST_ELEMS, 1, t);
    }
}

/* In a process of its own. */
static int run_case(const struct same_case *c, size_t number) {
    struct tally t = {0};
    char name[64];
    int n = 0;
    elements = guarded_end((size_t)MOST_ELEMS * MOST_STRIDE * 8) - (size_t)MOST_ELEMS * MOST_STRIDE * 8;
    words_end = guarded_end((size_t)MOST_ELEMS * MOST_STRIDE * 8);
    for (size_t k = 0; k < nkernels; k++) {
        if (kernels[k].of != c) continue;
        n++;
        if (!open_kernel(&kernels[k], number)) {
            printf("not ok same_%s: %s does not compile: see %s/%03zu*.log\n", c->name,
                   variant_name(&kernels[k].variant, name), dir, number);
            return 1;
        }
        run_kernel(&kernels[k], &t);
    }
    if (t.bad == 0)
        printf("ok same_%s: %d kernels, %d runs\n", c->name, n, t.runs);
    else
        printf("not ok same_%s: %d of %d runs, the first: %s, %llu elements of %s\n", c->name, t.bad,
               t.runs, variant_name(&t.worst->variant, name), (unsigned long long)t.n,
               data_names[t.data]);
    return t.bad != 0;
}

/* ---- all ----------------------------------------------------------------------------------------- */

static int is_wanted(const char *name, int argc, char **argv) {
    int any = 0;
    for (int k = 1; k < argc; k++) {
        if (argv[k][0] == '-') continue;
        any = 1;
        if (strcmp(argv[k], name) == 0) return 1;
    }
    return !any;
}

static void start(const struct same_case *c, size_t number) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) die("process");
    if (child > 0) return;
    int status = run_case(c, number);
    fflush(stdout);
    _exit(status);
}

/* Waits for one; 0 if it was good. */
static int reap(void) {
    int status;
    if (wait(&status) < 0) die("process");
    if (WIFSIGNALED(status)) printf("not ok same: a case ended by signal %d\n", WTERMSIG(status));
    return status != 0;
}

static int run_cases(const struct same_case *cases, size_t ncases, int argc, char **argv) {
    long running = 0, most = sysconf(_SC_NPROCESSORS_ONLN);
    int bad = 0;
    for (size_t c = 0; c < ncases; c++) {
        if (!is_wanted(cases[c].name, argc, argv)) continue;
        start(&cases[c], c);
        if (++running < most) continue;
        bad |= reap();
        running--;
    }
    while (running-- > 0)
        bad |= reap();
    return bad;
}

int main(int argc, char **argv) {
    int all = argc > 1 && strcmp(argv[1], "--all") == 0, bad;
    size_t ncases;
    unsigned long long n, seed;
    const struct same_case *cases = same_cases(all, &ncases);
    if (argc > 1 && sscanf(argv[1], "--random=%llu,%llu", &n, &seed) == 2)
        cases = random_cases(ncases = (size_t)n, seed);
    const char *tmp = getenv("TMPDIR");
    snprintf(dir, sizeof dir, "%s/same.XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(dir) == NULL) die(dir);
    for (size_t c = 0; c < ncases; c++)
        for (int dtype = 0; dtype < NDTYPES; dtype++)
            if (is_wanted(cases[c].name, argc, argv) && cases[c].dtypes >> dtype & 1)
                add_variants(&cases[c], (enum dtype)dtype);
    for (size_t c = 0; c < ncases; c++)
        for (int fortran = 0; fortran < 2; fortran++)
            write_unit(&cases[c], c, fortran);
    if (nkernels == 0) die("no such case");
    compile_units();
    bad = run_cases(cases, ncases, argc, argv);
    if (!bad) {
        char command[300];
        snprintf(command, sizeof command, "rm -rf %s", dir);
        bad = system(command) != 0;
    }
    return bad;
}
