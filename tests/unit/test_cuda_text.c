/* The text of kernels: what is in it for a few programs, and what must not be. */
#include <stdlib.h>

#include "check.h"
#include "cuda_text.h"
#include "parser.h"

static struct cuda_variant plain(enum dtype dtype) {
    return (struct cuda_variant){.dtype = dtype, .contiguous = 1};
}

/* The caller's, to be freed by free(). */
static char *text_of(const char *pipeline, struct cuda_variant v, struct cuda_text *out) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *ast = NULL;
    struct program *p = NULL;
    struct cuda_layout layout;
    CHECKF(onepass_program_parse(pipeline, strlen(pipeline), &ast, &err) == 0, "%s", err.message);
    CHECK(program_lower(ast, dtype_table[v.dtype].class, 0, &p, &err) == 0);
    CHECK(cuda_layout_make(p, 8, &layout) == 0);
    CHECK(cuda_text_make(p, &layout, &v, out) == 0);
    cuda_layout_free(&layout);
    program_free(p);
    onepass_program_free(ast);
    return out->text;
}

static void has(const char *pipeline, struct cuda_variant v, const char *what, int expected) {
    struct cuda_text out = {0};
    char *text = text_of(pipeline, v, &out);
    CHECKF((strstr(text, what) != NULL) == expected, "%s: %s '%s'", pipeline, expected ? "no" : "has",
           what);
    free(text);
}

static void one_line_a_node(void) {
    has("abs|sum", plain(DTYPE_F32), "    const float v1 = fabsf(v0);\n", 1);
    has("x*x|sqrt|sum", plain(DTYPE_F64), " = om_sqrt(v1);\n", 1);
    has("where(x > 0)|x + 1|sum", plain(DTYPE_F64), " = v0 + f64(0x3ff0000000000000ull /* 1 */);\n", 1);
    has("sin|sum", plain(DTYPE_F64), "RARE(om_big_angle(v0), om_sin_long(v0), om_sin_short(v0))", 1);
    has("x > 3 ? x : 5|sum", plain(DTYPE_I64), "int_select(", 1);
}

static void values_are_carried_in_the_cheapest_type(void) {
    has("abs|sum", plain(DTYPE_F16), "struct sum_f32", 0);
    has("abs|sum", plain(DTYPE_F16), "    sum_f32 s", 1);
    has("x * 2|sum", plain(DTYPE_F16), "    sum_f64 s", 1);
    has("neg|sum", plain(DTYPE_I16), "    sum_int s", 1);
    has("abs|sumsq", plain(DTYPE_U32), "    squares_int s", 1);
    has("x > 1 ? x : 4294967296|sum", plain(DTYPE_U32), "    sum_f64 s", 1); /* beyond 32 bits */
    has("abs|sum,sumsq", plain(DTYPE_I64), "    squares_wide s", 1);
    has("abs|min,max", plain(DTYPE_F32), "    least<float> k", 1);
    has("abs|min,max", plain(DTYPE_U8), "    most<int> k", 1);
    has("argmax", plain(DTYPE_I32), "    indexed<i64, true> k", 1);
}

/* A float lies on the same side of a constant as on that of the float next to it. */
static void constants_between_floats(void) {
    has("where(x < 0.1)|sum", plain(DTYPE_F32), "v0 < f32(0x3dcccccdu", 1); /* above 0.1 */
    has("where(x <= 0.1)|sum", plain(DTYPE_F32), "v0 <= f32(0x3dccccccu", 1);
    has("where(x > 0.1)|sum", plain(DTYPE_F32), "v0 > f32(0x3dccccccu", 1);
    has("where(x >= 0.1)|sum", plain(DTYPE_F32), "v0 >= f32(0x3dcccccdu", 1);
    has("where(0.1 < x)|sum", plain(DTYPE_F32), "f32(0x3dccccccu /* 0.09999999403953552 */) < v0", 1);
    has("where(0.1 >= x)|sum", plain(DTYPE_F32), "f32(0x3dccccccu /* 0.09999999403953552 */) >= v0", 1);
    has("where(x == 0.1)|sum", plain(DTYPE_F32), "v0 == f32(0x7fc00000u", 1);
    has("where(x < 1e300)|sum", plain(DTYPE_F32), "v0 < f32(0x7f800000u", 1); /* infinity */
    has("where(x > -1e-300)|sum", plain(DTYPE_F32), "v0 > f32(0x80000001u",
        1); /* the least subnormal */
    has("where(x < 0.5)|sum", plain(DTYPE_F32), "v0 < f32(0x3f000000u", 1);
    has("where(x < 0.1)|sum", plain(DTYPE_F64), "v0 < f64(0x3fb999999999999aull", 1);
}

static void layouts_of_elements(void) {
    struct cuda_variant v = plain(DTYPE_F32);
    has("sum", v, "swapped(bits)", 0);
    has("sum", v, "typedef uint4 load;", 1);
    has("argmin", v, "#define ONEPASS_FORTRAN", 0);
    v.swap = 1, v.contiguous = 0, v.fortran = 1;
    has("sum", v, "bits = swapped(bits);", 1);
    has("sum", v, "typedef stored load;", 1);
    has("sum", v, "L->stride_bytes", 1);
    has("sum", v, "#define ONEPASS_FORTRAN", 0); /* wants no index */
    has("argmin", v, "#define ONEPASS_FORTRAN", 1);
    v.dtype = DTYPE_U8;
    has("sum", v, "swapped(bits)", 0);
}

/* NVRTC reads what is included, so that light programs include little. */
static void includes_only_what_is_used(void) {
    has("abs|sum", plain(DTYPE_F32), "onemath", 0);
    has("abs|sum", plain(DTYPE_F32), "maps_f64.h", 0);
    has("abs|sum", plain(DTYPE_F64), "onemath_base.h", 1);
    has("relu|sum", plain(DTYPE_F64), "maps_f64.h", 1);
    has("exp|sum", plain(DTYPE_F32), "onemath_exp.h", 1);
    has("exp|sum", plain(DTYPE_F32), "onemath_trig.h", 0);
    has("sum", plain(DTYPE_I32), "fused_wide.cuh", 0);
    has("sum", plain(DTYPE_I64), "fused_wide.cuh", 1);
    has("sum", plain(DTYPE_F32), "fused_log.cuh", 0);
    has("prod", plain(DTYPE_F32), "fused_log.cuh", 1);
}

static void sums_without_fp64(void) {
    struct cuda_variant v = plain(DTYPE_F32);
    v.integer_sums = 1;
    has("where(x > 0.1)|abs|sum", v, "integer_sum_f32", 1);
    has("where(x > 0.1)|abs|sum", v, "v0 = (double)", 0);
    has("where(x > 0.1)|abs|sum", v, "= f64(", 0);
    has("x * 2|sum", v, "sum_f64", 1); /* computed in binary64 anyway */
}

static void the_same_text_every_time(void) {
    static const char *const pipelines[] = {"abs|sum", "where(x > 0)|log|mean,std;argmin,prod"};
    for (size_t i = 0; i < 2; i++) {
        struct cuda_text a = {0}, b = {0};
        text_of(pipelines[i], plain(DTYPE_F32), &a);
        text_of(pipelines[i], plain(DTYPE_F32), &b);
        CHECK(strcmp(a.text, b.text) == 0);
        CHECK(a.tile_elements == b.tile_elements && a.blocks_per_sm == b.blocks_per_sm);
        free(a.text);
        free(b.text);
    }
}

/* Elements of a tile, and registers, by what there is to do. */
static void shapes(void) {
    struct cuda_text out = {0};
    free(text_of("abs|sum", plain(DTYPE_F32), &out));
    CHECK(out.tile_elements == 256 * 16 && out.blocks_per_sm == 4);
    free(text_of("sum,min,max,mean,std", plain(DTYPE_F32), &out));
    CHECK(out.tile_elements == 256 * 16 && out.blocks_per_sm == 3);
    free(text_of("lgamma|pow(1.5)|lgamma|pow(1.5)|sum", plain(DTYPE_F32), &out));
    CHECK(out.tile_elements == 256 * 8);
    has("lgamma|pow(1.5)|lgamma|pow(1.5)|sum", plain(DTYPE_F32), "__noinline__ void evaluate(", 1);
}

/* More sums than a word has bits, and than shared memory has room for. */
static void many_reductions(void) {
    char pipeline[8192] = "sum";
    struct cuda_text out = {0};
    size_t n = strlen(pipeline);
    for (int k = 0; k < 70; k++)
        n += (size_t)snprintf(pipeline + n, sizeof pipeline - n, ";x*%d|sum,var", k + 2);
    char *text = text_of(pipeline, plain(DTYPE_F32), &out);
    CHECK(out.blocks_per_sm == 1);
    CHECK(strstr(text, "u64 w0, w1, w2, w3;") != NULL); /* 141 sums and 71 groups */
    CHECK(strstr(text, "outlined_sum<sum_f64> s") != NULL);
    CHECK(strstr(text, "u64 *const limbs = L.state;") != NULL);
    free(text);
    has("sum,var", plain(DTYPE_F32), "__shared__ u64 limbs[", 1);
    has("sum,var", plain(DTYPE_F32), "outlined", 0);
}

/* Static shared memory that the text asks for; the reductions of a block take up to 264 bytes more. */
static size_t shared_bytes(const char *text) {
    static const char word[] = "__shared__ u64 ";
    unsigned loads = 0;
    size_t nwords = 0;
    const char *defined = strstr(text, "#define LOADS ");
    for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
        nwords += strtoul(strchr(p, '[') + 1, NULL, 10);
    CHECK(defined != NULL && sscanf(defined, "#define LOADS %u", &loads) == 1);
    return 8 * nwords + (strstr(text, "#define STAGED 1") != NULL ? 2 * 16 * 256 * (size_t)loads : 0);
}

static void check_shared(enum dtype dtype, const char *reduction, int nsums, int nextremes) {
    static char pipeline[1 << 16];
    struct cuda_text out = {0};
    size_t n = 0;
    for (int k = 0; k < nsums + nextremes; k++)
        n += (size_t)snprintf(pipeline + n, sizeof pipeline - n, "%swhere(x > %d)|%s", n > 0 ? ";" : "",
                              k, k < nsums ? reduction : "max");
    char *text = text_of(pipeline, plain(dtype), &out);
    size_t nbytes = shared_bytes(text);
    CHECKF(nbytes + 264 <= 49152, "%s, %d %s, %d max: %zu bytes", dtype_table[dtype].name, nsums,
           reduction, nextremes, nbytes);
    free(text);
}

/* A block has 48 KiB: 69 sums' limbs are within 40; infinities of 200 or 500 more groups are not. */
static void shared_memory_is_enough(void) {
    static const enum dtype dtypes[] = {DTYPE_U8, DTYPE_F32, DTYPE_F64, DTYPE_I64};
    static const int sums[] = {1, 9, 10, 55, 69, 70}, extremes[] = {0, 99, 200, 500};
    for (size_t d = 0; d < 4; d++)
        for (size_t s = 0; s < 6; s++)
            for (size_t e = 0; e < 4; e++) {
                check_shared(dtypes[d], "sum", sums[s], extremes[e]);
                check_shared(dtypes[d], "sumsq", sums[s], extremes[e]);
            }
}

/* What finds no room is counted where all blocks count; what needs none takes none. */
static void infinities_in_state_words(void) {
    char pipeline[16384] = "where(x > 0)|sum";
    size_t n = strlen(pipeline);
    for (int k = 1; k < 269; k++)
        n += (size_t)snprintf(pipeline + n, sizeof pipeline - n, ";where(x > %d)|%s", k,
                              k < 69 ? "sum" : "max");
    has(pipeline, plain(DTYPE_U8), "__shared__ u64 infinities[1];", 1);
    has(pipeline, plain(DTYPE_U8), "__shared__ u64 limbs[5107];", 1);
    has(pipeline, plain(DTYPE_F32), "__shared__ u64 limbs[5107];", 1);
    has("sum,min", plain(DTYPE_F32), "__shared__ u64 infinities[3];", 1);
    n += (size_t)snprintf(pipeline + n, sizeof pipeline - n, ";where(x < 0)|max");
    for (int k = 1; k < 500; k++)
        n += (size_t)snprintf(pipeline + n, sizeof pipeline - n, ";where(x < %d)|max", k);
    has(pipeline, plain(DTYPE_F32), "__shared__ u64 limbs[5107];", 1);
    has(pipeline, plain(DTYPE_F32), "u64 *const infinities = L.state;", 1);
    has(pipeline, plain(DTYPE_F32), "infinities[o.v0 < 0 ? ", 1);
    has(pipeline, plain(DTYPE_F32), "(u64)infinities[", 0); /* nothing to hand over */
}

/* Of what has no sign, abs changes nothing but the name of the program. */
static void code_without_the_name(void) {
    struct cuda_text a = {0}, b = {0};
    text_of("sum", plain(DTYPE_U8), &a);
    text_of("abs|sum", plain(DTYPE_U8), &b);
    CHECK(strcmp(a.text, b.text) != 0 && strcmp(cuda_text_code(a.text), cuda_text_code(b.text)) == 0);
    CHECK(strncmp(cuda_text_code(a.text), "\n#", 2) == 0);
    CHECK(strcmp(cuda_text_code("#define A /* none */"), "#define A /* none */") == 0);
    free(a.text);
    free(b.text);
}

static const struct test tests[] = {
    {"one_line_a_node", one_line_a_node},
    {"values_are_carried_in_the_cheapest_type", values_are_carried_in_the_cheapest_type},
    {"constants_between_floats", constants_between_floats},
    {"layouts_of_elements", layouts_of_elements},
    {"includes_only_what_is_used", includes_only_what_is_used},
    {"sums_without_fp64", sums_without_fp64},
    {"the_same_text_every_time", the_same_text_every_time},
    {"shapes", shapes},
    {"many_reductions", many_reductions},
    {"shared_memory_is_enough", shared_memory_is_enough},
    {"infinities_in_state_words", infinities_in_state_words},
    {"code_without_the_name", code_without_the_name},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
