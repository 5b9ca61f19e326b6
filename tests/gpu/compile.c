/* The real NVRTC takes what kernels are made of: every op of the language in binary64 and in integers,
 * and the texts of kernels.  compile [--all] prints a line for each, or "skip compile: why" without
 * NVRTC; compile --maps prints the text with all ops, for nvcc; compile --cubin ARCH makes one of the
 * text on standard input, of a kernel without the collectives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/reduce.h"
#include "cuda_text_parts.h"
#include "jit_parts.h"
#include "same_cases.h"

static struct jit *jit;

static void tell_log(nvrtc_program program) {
    size_t nbytes = 0;
    char *log = jit->nvrtc.get_log_size(program, &nbytes) == 0 ? calloc(1, nbytes + 1) : NULL;
    if (log != NULL && jit->nvrtc.get_log(program, log) == 0) fprintf(stderr, "%.2000s\n", log);
    free(log);
}

/* The program, to be destroyed; NULL if it does not compile without a warning, with the options that
 * the product gives. */
static nvrtc_program compiled(const char *text, int arch, int collectives) {
    const struct jit_target target = {arch, 0};
    struct jit_options options;
    size_t nbytes = 0;
    nvrtc_program program = NULL;
    jit_options_for(jit, &target, collectives, &options);
    if (jit_program_create(jit, text, &program, NULL) != 0) return NULL;
    if (jit->nvrtc.compile_program(program, options.n, options.all) == 0 &&
        jit->nvrtc.get_log_size(program, &nbytes) == 0 && nbytes <= 1)
        return program;
    tell_log(program);
    jit->nvrtc.destroy_program(&program);
    return NULL;
}

static int compiles(const char *text, int collectives) {
    nvrtc_program program = compiled(text, 90, collectives);
    int good = program != NULL;
    if (good) jit->nvrtc.destroy_program(&program);
    return good;
}

/* From standard input to standard output. */
static int print_cubin(const char *number) {
    static char text[1 << 20];
    size_t nbytes = 0;
    text[fread(text, 1, sizeof text - 1, stdin)] = '\0';
    nvrtc_program program = compiled(text, atoi(number), 0);
    char *cubin = NULL;
    int good = program != NULL && jit->nvrtc.get_cubin_size(program, &nbytes) == 0 &&
               (cubin = malloc(nbytes)) != NULL && jit->nvrtc.get_cubin(program, cubin) == 0 &&
               fwrite(cubin, 1, nbytes, stdout) == nbytes;
    free(cubin);
    if (program != NULL) jit->nvrtc.destroy_program(&program);
    return !good;
}

static int report(const char *what, const char *name, int good) {
    printf("%s compile_%s%s\n", good ? "ok" : "not ok", what, name);
    fflush(stdout);
    return !good;
}

/* ---- maps ---------------------------------------------------------------------------------------- */

/* The caller's, to be freed. */
static char *maps_text(void) {
    size_t room = 1 << 16, used;
    char *text = malloc(room);
    if (text == NULL) abort();
    used = (size_t)snprintf(text, room,
                            "#include \"maps_f64.h\"\n#include \"maps_integer.h\"\n"
                            "#define RARE(condition, slow, fast) ((condition) ? (slow) : (fast))\n"
                            "extern \"C\" __global__ void maps(double *v, struct scalar *s) {\n"
                            "    double a = v[0], b = v[1], c = v[2];\n");
    for (int op = 0; op < NOPS; op++) {
        used +=
            (size_t)snprintf(text + used, room - used, "    *v++ = %s;\n", op_expression(op, AS_F64));
        if (strcmp(op_expression(op, AS_WIDE), "none") != 0)
            used += (size_t)snprintf(text + used, room - used, "    s[%d] = %s(s[0], s[1], s[2]);\n",
                                     op, op_expression(op, AS_WIDE));
        if (used >= room) abort();
    }
    snprintf(text + used, room - used, "}\n");
    return text;
}

static int maps(void) {
    char *text = maps_text();
    int bad = report("maps", "", compiles(text, 0));
    free(text);
    return bad;
}

static int print_maps(void) {
    char *text = maps_text();
    fputs(text, stdout);
    free(text);
    return 0;
}

/* ---- kernels ------------------------------------------------------------------------------------- */

static int kernel(const struct same_case *c, const struct cuda_variant *v, int collectives) {
    enum value_class class = c->class >= 0 ? (enum value_class)c->class : dtype_table[v->dtype].class;
    struct reducer r = reducer_open(c->pipelines, class, c->skip_nan);
    struct cuda_layout layout;
    struct cuda_text text;
    if (cuda_layout_make(r.program, 528, &layout) != 0) abort();
    if (cuda_text_make(r.program, &layout, v, &text) != 0) abort();
    int good = compiles(text.text, collectives);
    free(text.text);
    cuda_layout_free(&layout);
    reducer_close(&r);
    return good;
}

/* All types of a case, or, where there is little time, one after the other by its number; as for step d
 * or, every third case, as for those that link it. */
static int case_kernels(const struct same_case *c, size_t number, int all) {
    int good = 1, n = 0;
    for (int k = 0; k < NDTYPES; k++) {
        int dtype = (int)((number + (size_t)k) % NDTYPES);
        struct cuda_variant v = {.dtype = (enum dtype)dtype};
        if (!(c->dtypes >> dtype & 1) || (n > 0 && !all)) continue;
        v.contiguous = all || number % 4 != 1;
        v.swap = !all && number % 4 == 2;
        v.fortran = !all && number % 4 == 3;
        good &= kernel(c, &v, number % 3 == 0);
        if (all) good &= kernel(c, &v, number % 3 != 0);
        n++;
    }
    if (c->variants & BY_INTEGERS && c->dtypes & OF(F32)) {
        const struct cuda_variant v = {.dtype = DTYPE_F32, .contiguous = 1, .integer_sums = 1};
        good &= kernel(c, &v, number % 3 == 1);
    }
    return report("", c->name, good);
}

/* ---- shared memory ------------------------------------------------------------------------------- */

/* n times "FORMAT;", i counted on. */
static size_t add_pipelines(char *text, size_t used, size_t room, const char *reduction, int *i,
                            int n) {
    for (int end = *i + n; *i < end && used < room; ++*i)
        used += (size_t)snprintf(text + used, room - used, "%swhere(x > %d)|%s", used > 0 ? ";" : "",
                                 *i, reduction);
    if (used >= room) abort();
    return used;
}

/* As many sums as limbs find room for in shared memory, and others beside them: ptxas and the linker
 * take no more than there is. */
static int shared_memory(void) {
    static char pipelines[1 << 16];
    const struct same_case c = {"", pipelines, OF(U8), PLAIN, 0, 0, -1, 0};
    const struct cuda_variant v = {.dtype = DTYPE_U8, .contiguous = 1};
    int i = 1;
    size_t used = add_pipelines(pipelines, 0, sizeof pipelines, "sum", &i, 69);
    add_pipelines(pipelines, used, sizeof pipelines, "max", &i, 200);
    return report("", "shared_memory", kernel(&c, &v, 0));
}

int main(int argc, char **argv) {
    int all = argc > 1 && strcmp(argv[1], "--all") == 0, bad;
    struct jit_config config = {.headers = cuda_headers};
    onepass_error err = ONEPASS_ERROR_INIT;
    size_t ncases;
    const struct same_case *cases = same_cases(all, &ncases);
    if (argc > 1 && strcmp(argv[1], "--maps") == 0) return print_maps();
    if (jit_create(&config, &jit, NULL) != 0) abort();
    if (jit_need_nvrtc(jit, &err) != 0) {
        printf("skip compile: %s\n", err.message);
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "--cubin") == 0) return print_cubin(argv[2]);
    bad = maps();
    for (size_t c = 0; c < ncases; c++)
        bad |= case_kernels(&cases[c], c, all);
    bad |= shared_memory();
    jit_free(jit);
    return bad;
}
