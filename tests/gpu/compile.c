/* The real NVRTC takes what kernels are made of: every op of the language in binary64 and in integers,
 * and the texts of kernels.  compile [--all] prints a line for each, or "skip compile: why" without
 * NVRTC; compile --maps prints the text with all ops, for nvcc; compile --cubin ARCH makes one of the
 * text on standard input, of a kernel without the collectives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/reduce.h"
#include "cuda_text.h"
#include "jit_parts.h"
#include "same_cases.h"

enum { MOST_HEADERS = 64 };

static struct nvrtc nvrtc;

static int nheaders(const char **names, const char **texts) {
    int n = 0;
    for (; cuda_headers[n].name != NULL; n++) {
        if (n == MOST_HEADERS) abort();
        names[n] = cuda_headers[n].name;
        texts[n] = cuda_headers[n].text;
    }
    return n;
}

static void tell_log(nvrtc_program program) {
    size_t nbytes = 0;
    char *log = nvrtc.get_log_size(program, &nbytes) == 0 ? calloc(1, nbytes + 1) : NULL;
    if (log != NULL && nvrtc.get_log(program, log) == 0) fprintf(stderr, "%.2000s\n", log);
    free(log);
}

/* The program, to be destroyed; NULL if it does not compile without a warning. */
static nvrtc_program compiled(const char *text, const char *arch) {
    const char *options[16] = {arch}, *names[MOST_HEADERS], *texts[MOST_HEADERS];
    int n = nheaders(names, texts), noptions = 1;
    size_t nbytes = 0;
    nvrtc_program program = NULL;
    for (int k = 0; jit_options[k] != NULL; k++)
        options[noptions++] = jit_options[k];
    if (nvrtc.create_program(&program, text, "test.cu", n, texts, names) != 0) return NULL;
    if (nvrtc.compile_program(program, noptions, options) == 0 &&
        nvrtc.get_log_size(program, &nbytes) == 0 && nbytes <= 1)
        return program;
    tell_log(program);
    nvrtc.destroy_program(&program);
    return NULL;
}

static int compiles(const char *text) {
    nvrtc_program program = compiled(text, "-arch=sm_90");
    int good = program != NULL;
    if (good) nvrtc.destroy_program(&program);
    return good;
}

/* From standard input to standard output. */
static int print_cubin(const char *number) {
    static char text[1 << 20];
    char arch[32];
    size_t nbytes = 0;
    text[fread(text, 1, sizeof text - 1, stdin)] = '\0';
    snprintf(arch, sizeof arch, "-arch=sm_%.8s", number);
    nvrtc_program program = compiled(text, arch);
    char *cubin = NULL;
    int good = program != NULL && nvrtc.get_cubin_size(program, &nbytes) == 0 &&
               (cubin = malloc(nbytes)) != NULL && nvrtc.get_cubin(program, cubin) == 0 &&
               fwrite(cubin, 1, nbytes, stdout) == nbytes;
    free(cubin);
    if (program != NULL) nvrtc.destroy_program(&program);
    return !good;
}

static int report(const char *what, const char *name, int good) {
    printf("%s compile_%s%s\n", good ? "ok" : "not ok", what, name);
    fflush(stdout);
    return !good;
}

/* ---- maps ---------------------------------------------------------------------------------------- */

static const struct {
    const char *f64, *integer;
} op_texts[NOPS] = {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) {#expression, #integer},
#include "ops.def"
#undef OP
};

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
        used += (size_t)snprintf(text + used, room - used, "    *v++ = %s;\n", op_texts[op].f64);
        if (strcmp(op_texts[op].integer, "none") != 0)
            used += (size_t)snprintf(text + used, room - used, "    s[%d] = %s(s[0], s[1], s[2]);\n",
                                     op, op_texts[op].integer);
        if (used >= room) abort();
    }
    snprintf(text + used, room - used, "}\n");
    return text;
}

static int maps(void) {
    char *text = maps_text();
    int bad = report("maps", "", compiles(text));
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

static int kernel(const struct same_case *c, const struct cuda_variant *v) {
    enum value_class class = c->class >= 0 ? (enum value_class)c->class : dtype_table[v->dtype].class;
    struct reducer r = reducer_open(c->pipelines, class, c->skip_nan);
    struct cuda_layout layout;
    struct cuda_text text;
    if (cuda_layout_make(r.program, 528, &layout) != 0) abort();
    if (cuda_text_make(r.program, &layout, v, &text) != 0) abort();
    int good = compiles(text.text);
    free(text.text);
    cuda_layout_free(&layout);
    reducer_close(&r);
    return good;
}

/* All types of a case, or, where there is little time, one after the other by its number. */
static int case_kernels(const struct same_case *c, size_t number, int all) {
    int good = 1, n = 0;
    for (int k = 0; k < NDTYPES; k++) {
        int dtype = (int)((number + (size_t)k) % NDTYPES);
        struct cuda_variant v = {.dtype = (enum dtype)dtype};
        if (!(c->dtypes >> dtype & 1) || (n > 0 && !all)) continue;
        v.contiguous = all || number % 4 != 1;
        v.swap = !all && number % 4 == 2;
        v.fortran = !all && number % 4 == 3;
        good &= kernel(c, &v);
        n++;
    }
    return report("", c->name, good);
}

int main(int argc, char **argv) {
    int all = argc > 1 && strcmp(argv[1], "--all") == 0, bad;
    onepass_error err = ONEPASS_ERROR_INIT;
    size_t ncases;
    const struct same_case *cases = same_cases(all, &ncases);
    if (argc > 1 && strcmp(argv[1], "--maps") == 0) return print_maps();
    if (nvrtc_open(NULL, 0, &nvrtc, &err) != 0) {
        printf("skip compile: %s\n", err.message);
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "--cubin") == 0) return print_cubin(argv[2]);
    bad = maps();
    for (size_t c = 0; c < ncases; c++)
        bad |= case_kernels(&cases[c], c, all);
    nvrtc_close(&nvrtc);
    return bad;
}
