/* Lowering: types, shared subexpressions, folded constants, deduplicated accumulators. */
#include "program.h"

#include "check.h"
#include "reduce.h"

static size_t count_nodes(const struct program *p, int kind) {
    size_t n = 0;
    for (size_t k = 0; k < p->nnodes; k++)
        n += p->nodes[k].kind == kind;
    return n;
}

static size_t count_accumulators(const struct program *p, int kind) {
    size_t n = 0;
    for (size_t k = 0; k < p->naccs; k++)
        n += p->accs[k].kind == kind;
    return n;
}

static void test_shared_subexpressions(void) {
    struct reducer r = reducer_open(
        "exp(x) + exp(x) | sum; exp | sum, mean, std, var, norm1; abs(exp(x))|sum", CLASS_F64, 0);
    CHECK(count_nodes(r.program, OP_EXP) == 1);
    CHECK(count_nodes(r.program, OP_ABS) == 1); /* norm1 is the sum of |x|, and shares it */
    CHECK(count_accumulators(r.program, ACC_S1) == 3);
    CHECK(count_accumulators(r.program, ACC_S2) == 1);
    reducer_close(&r);
}

static void test_filters_keep_accumulators_apart(void) {
    struct reducer r =
        reducer_open("sum; where(x > 0)|sum; where(x > 0)|where(x < 9)|sum", CLASS_F64, 0);
    CHECK(count_accumulators(r.program, ACC_S1) == 3);
    CHECK(count_accumulators(r.program, ACC_COUNT) == 3);
    CHECK(count_nodes(r.program, NODE_MASK) == 2);
    reducer_close(&r);
}

static void test_folded_constants(void) {
    struct reducer r = reducer_open("x * (2 * pi / 360) | sum", CLASS_F64, 0);
    CHECK(count_nodes(r.program, OP_MUL) == 1);
    CHECK(count_nodes(r.program, OP_DIV) == 0);
    reducer_close(&r);
}

static const struct node *reached(const struct reducer *r) {
    return &r->program->nodes[r->program->pipelines[0].value];
}

static void test_types(void) {
    static const struct {
        const char *pipeline;
        enum value_class class;
        enum value_type type;
        enum storage storage;
    } cases[] = {
        {"sum", CLASS_F64, TYPE_F64, STORE_F64},
        {"sum", CLASS_NARROW, TYPE_INT, STORE_F64},
        {"sum", CLASS_WIDE, TYPE_INT, STORE_WIDE},
        {"abs|neg|relu|sign|floor|round|trunc|ceil|sum", CLASS_WIDE, TYPE_INT, STORE_WIDE},
        {"-x|sum", CLASS_NARROW, TYPE_INT, STORE_F64},
        {"x + 1|sum", CLASS_WIDE, TYPE_F64, STORE_F64},
        {"square|sum", CLASS_NARROW, TYPE_F64, STORE_F64},
        {"x > 3|sum", CLASS_WIDE, TYPE_INT, STORE_F64},
        {"x > 0.5|sum", CLASS_F64, TYPE_INT, STORE_F64},
        {"clamp(0, 5)|sum", CLASS_WIDE, TYPE_INT, STORE_WIDE},
        {"clamp(0, 5)|sum", CLASS_NARROW, TYPE_INT, STORE_F64},
        {"clamp(0, 5.5)|sum", CLASS_WIDE, TYPE_F64, STORE_F64},
        {"min(18446744073709551615)|sum", CLASS_NARROW, TYPE_INT, STORE_WIDE},
        {"where(x > 2, x, -1)|sum", CLASS_WIDE, TYPE_INT, STORE_WIDE},
        {"x ? 1 : 0.5|sum", CLASS_WIDE, TYPE_F64, STORE_F64},
        {"isnan|sum", CLASS_WIDE, TYPE_INT, STORE_F64},
        {"!x|sum", CLASS_WIDE, TYPE_INT, STORE_F64},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct reducer r = reducer_open(cases[k].pipeline, cases[k].class, 0);
        CHECKF(reached(&r)->type == cases[k].type && reached(&r)->storage == cases[k].storage, "%s",
               cases[k].pipeline);
        reducer_close(&r);
    }
}

/* min, max, first and last print the file's own type only where the value still is of it. */
static void test_own_type(void) {
    static const struct {
        const char *pipeline;
        int own;
    } cases[] = {
        {"max", 1},
        {"abs|max", 1},
        {"-x|max", 1},
        {"neg|relu|abs|max", 1},
        {"where(x>0)|max", 1},
        {"x+0|max", 0},
        {"clamp(0,1)|max", 0},
        {"where(x>0,x,x)|max", 0},
        {"min(x,x)|max", 0},
        {"+x|max", 1},
        {"sqrt|abs|max", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct reducer r = reducer_open(cases[k].pipeline, CLASS_F64, 0);
        CHECKF(reached(&r)->own == cases[k].own, "%s", cases[k].pipeline);
        reducer_close(&r);
    }
}

/* A long chain needs only a few registers, since they are reused. */
static void test_registers_are_reused(void) {
    char text[4000] = "x";
    for (int k = 0; k < 300; k++)
        strcat(text, k % 2 ? " + x" : " * x");
    strcat(text, "|sum");
    struct reducer r = reducer_open(text, CLASS_F64, 0);
    CHECKF(r.program->nregs[STORE_F64] <= 4, "%d registers", (int)r.program->nregs[STORE_F64]);
    reducer_close(&r);
}

/* A constant met late must not be given a register that an earlier node of the next block writes to:
 * 0 - x once read x > 1 in place of 0. */
static void test_constants_keep_registers(void) {
    uint8_t v[3000];
    memset(v, 1, sizeof v);
    struct reducer r = reducer_open("where(x >= 1)|-x|min,max", CLASS_NARROW, 0);
    struct evaluator *ev = reducer_feed(&r, DTYPE_U8, v, 0, sizeof v);
    const struct lowered_reduction *min = &r.program->pipelines[0].reductions[0];
    const struct kept *kept = &evaluator_state(ev)->acc[min->acc[ACC_MIN]].kept;
    CHECK(kept->valid && kept->value.mag == 1 && kept->value.neg);
    for (size_t k = 0; k < r.program->nnodes; k++)
        for (size_t i = 0; i < k; i++) {
            const struct node *a = &r.program->nodes[i], *b = &r.program->nodes[k];
            int constant = a->kind == NODE_CONSTANT || b->kind == NODE_CONSTANT;
            CHECKF(!constant || a->storage != b->storage || a->reg != b->reg, "%zu and %zu", i, k);
        }
    evaluator_free(ev);
    reducer_close(&r);
}

/* Known before any input is opened. */
static void test_too_large(void) {
    static char text[40000] = "x";
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *ast = NULL;
    for (int k = 0; k < 4200; k++)
        snprintf(text + strlen(text), 16, "+%d", k);
    strcat(text, "|sum");
    CHECK(onepass_program_parse(text, strlen(text), &ast, &err) == ONEPASS_BAD_PIPELINE);
    CHECK(strstr(err.message, "4096") != NULL);
    CHECK(err.span_start == 0 && err.span_end == strlen(text));
    onepass_program_free(ast);
}

static const struct test tests[] = {
    {"program_shared_subexpressions", test_shared_subexpressions},
    {"program_filters_keep_accumulators_apart", test_filters_keep_accumulators_apart},
    {"program_folded_constants", test_folded_constants},
    {"program_types", test_types},
    {"program_own_type", test_own_type},
    {"program_registers_are_reused", test_registers_are_reused},
    {"program_constants_keep_registers", test_constants_keep_registers},
    {"program_too_large", test_too_large},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
