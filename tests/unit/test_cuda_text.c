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
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
