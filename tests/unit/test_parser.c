/* The pipeline language: what is accepted and how it is understood, names of results, and texts of any
 * size. What is refused is test_parser_errors.c's. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "ast.h"
#include "onepass.h"
#include "parse.h"
#include "program.h"

/* ---- trees ----------------------------------------------------------------------------------- */

struct dump {
    char text[512];
    size_t n;
};

static void put(struct dump *d, const char *s) {
    size_t length = strlen(s);
    if (d->n + length < sizeof d->text) {
        memcpy(d->text + d->n, s, length + 1);
        d->n += length;
    }
}

static void dump_node(struct dump *d, const struct ast_node *nodes, int32_t at) {
    const struct ast_node *node = &nodes[at];
    char number[64];
    if (node->kind == AST_X) {
        put(d, "x");
    } else if (node->kind == AST_NUMBER) {
        if (node->number.type == TYPE_INT)
            snprintf(number, sizeof number, "%llu", (unsigned long long)node->number.mag);
        else
            snprintf(number, sizeof number, "%a", node->number.f);
        put(d, number);
    } else {
        put(d, "(");
        put(d, op_table[node->op].name);
        for (int k = 0; k < op_table[node->op].nargs; k++) {
            CHECKF(node->arg[k] < at, "argument %d comes after node %d", (int)node->arg[k], (int)at);
            put(d, " ");
            dump_node(d, nodes, node->arg[k]);
        }
        put(d, ")");
    }
}

/* All stages, then the reductions, then the posts of the first pipeline: "where x; (abs x); sum; x". */
static void dump_program(struct dump *d, const onepass_program *program) {
    const struct ast_pipeline *pl = &program->pipelines[0];
    d->n = 0, d->text[0] = '\0';
    for (size_t k = 0; k < pl->nstages; k++) {
        if (pl->stages[k].is_where) put(d, "where ");
        dump_node(d, program->nodes, pl->stages[k].root);
        put(d, "; ");
    }
    for (size_t k = 0; k < pl->nreductions; k++) {
        put(d, k > 0 ? "," : "");
        put(d, pl->reductions[k].name);
        CHECK(strcmp(pl->reductions[k].name, reduction_table[pl->reductions[k].reduction].name) == 0);
    }
    for (size_t k = 0; k < pl->nposts; k++) {
        put(d, "; ");
        dump_node(d, program->nodes, pl->posts[k]);
    }
}

struct tree {
    const char *text, *tree;
};

static void check_trees(const struct tree *trees, size_t n) {
    for (size_t k = 0; k < n; k++) {
        struct dump d;
        onepass_program *program = parse_good(trees[k].text);
        if (program == NULL) continue;
        dump_program(&d, program);
        CHECKF(strcmp(d.text, trees[k].tree) == 0, "%s: is %s, not %s", trees[k].text, d.text,
               trees[k].tree);
        onepass_program_free(program);
    }
}
#define CHECK_TREES(trees) check_trees(trees, sizeof(trees) / sizeof((trees)[0]))

static void precedence(void) {
    static const struct tree TREES[] = {
        {"-x^2|sum", "(neg (square x)); sum"},
        {"2^-1|sum", "(pow 2 (neg 1)); sum"},
        {"2^-x^5|sum", "(pow 2 (neg (pow x 5))); sum"},
        {"x^4^5|sum", "(pow x (pow 4 5)); sum"},
        {"x**4**5|sum", "(pow x (pow 4 5)); sum"},
        {"(x^4)^5|sum", "(pow (pow x 4) 5); sum"},
        {"-x*2|sum", "(mul (neg x) 2); sum"},
        {"2*-x|sum", "(mul 2 (neg x)); sum"},
        {"--x|sum", "(neg (neg x)); sum"},
        {"+x|sum", "x; sum"},
        {"- + -x|sum", "(neg (neg x)); sum"},
        {"x-1-2|sum", "(sub (sub x 1) 2); sum"},
        {"x-1+2|sum", "(add (sub x 1) 2); sum"},
        {"x/2*4|sum", "(mul (div x 2) 4); sum"},
        {"1+x*2|sum", "(add 1 (mul x 2)); sum"},
        {"x*2+1|sum", "(add (mul x 2) 1); sum"},
        {"x*(2+1)|sum", "(mul x (add 2 1)); sum"},
        {"x+1<2*x|sum", "(< (add x 1) (mul 2 x)); sum"},
        {"x<1==x>2|sum", "(== (< x 1) (> x 2)); sum"},
        {"x!=1&&x<=2|sum", "(&& (!= x 1) (<= x 2)); sum"},
        {"x||x&&1|sum", "(|| x (&& x 1)); sum"},
        {"x&&1||x|sum", "(|| (&& x 1) x); sum"},
        {"x||1||2|sum", "(|| (|| x 1) 2); sum"},
        {"!x==1|sum", "(== (! x) 1); sum"},
        {"!!x|sum", "(! (! x)); sum"},
        {"!x^2|sum", "(! (square x)); sum"},
        {"x<0?-x:x|sum", "(where (< x 0) (neg x) x); sum"},
        {"x?1:x>4?5:6|sum", "(where x 1 (where (> x 4) 5 6)); sum"},
        {"x?x?1:4:5|sum", "(where x (where x 1 4) 5); sum"},
        {"x||1?5:6|sum", "(where (|| x 1) 5 6); sum"},
        {"x==(1==1)|sum", "(== x (== 1 1)); sum"},
        {"(x<1)<2|sum", "(< (< x 1) 2); sum"},
    };
    CHECK_TREES(TREES);
}

static void stages(void) {
    static const struct tree TREES[] = {
        {"sum", "sum"},
        {"abs|sum", "(abs x); sum"},
        {"finite|sum", "(isfinite x); sum"},
        {"finite(x - 1)|sum", "(isfinite (sub x 1)); sum"},
        {"x|sum", "x; sum"},
        {"abs(x - 3) * 2|sum", "(mul (abs (sub x 3)) 2); sum"},
        {"pow(7)|sum", "(pow x 7); sum"},
        {"pow(2)|sum", "(square x); sum"},
        {"pow(3)|sum", "(cube x); sum"},
        {"pow(x, 2)|sum", "(square x); sum"},
        {"pow(2, x)|sum", "(pow 2 x); sum"},
        {"pow(4, 2) + x|sum", "(add (square 4) x); sum"},
        {"x^2|sum", "(square x); sum"},
        {"x**3|sum", "(cube x); sum"},
        {"x^2.0|sum", "(square x); sum"},
        {"x^(3)|sum", "(cube x); sum"},
        {"x^-2|sum", "(pow x (neg 2)); sum"},
        {"x^2.5|sum", "(pow x 0x1.4p+1); sum"},
        {"min(3)|sum", "(min x 3); sum"},
        {"max(-3)|sum", "(max x (neg 3)); sum"},
        {"clamp(0,1)|sum", "(clamp x 0 1); sum"},
        {"clamp(x,0,1)|sum", "(clamp x 0 1); sum"},
        {"clamp(0, 1, x)|sum", "(clamp 0 1 x); sum"},
        {"clamp(1,1)|sum", "(clamp x 1 1); sum"},
        {"clamp(-inf,inf)|sum", "(clamp x (neg inf) inf); sum"},
        {"clamp(5,x,1)|sum", "(clamp 5 x 1); sum"},
        {"atan2(2)|sum", "(atan2 x 2); sum"},
        {"abs()|sum", "(abs x); sum"},
        {"where(x>0)|sum", "where (> x 0); sum"},
        {"where(1)|sum", "where 1; sum"},
        {"where(x>0,x,0)|sum", "(where (> x 0) x 0); sum"},
        {"where(x>0)|log|where(x<1)|sum", "where (> x 0); (log x); where (< x 1); sum"},
        {"1|sum", "1; sum"},
        {"(log(2))|sum", "(log 2); sum"},
        {"x/log(2)|sum", "(div x (log 2)); sum"},
        {"pi*x|sum", "(mul 0x1.921fb54442d18p+1 x); sum"},
        {"min", "min"},
        {"max,min", "max,min"},
        {"max(min(x,4),5)|max|max(1)", "(max (min x 4) 5); max; (max x 1)"},
        {"sum|sqrt", "sum; (sqrt x)"},
        {"sum,mean|x/2|pow(5)", "sum,mean; (div x 2); (pow x 5)"},
        {"sum|where(x>0,x,0)", "sum; (where (> x 0) x 0)"},
        {"sum|1", "sum; 1"},
        {"l1,l2,norminf,avg", "l1,l2,norminf,avg"},
        {"stats", "count,nnan,ninf,min,max,mean,std,sum"},
        {"var,stats,std1", "var,count,nnan,ninf,min,max,mean,std,sum,std1"},
    };
    CHECK_TREES(TREES);
}

/* An op's parameter is kept on both sides of the reduction, and used there. */
static void fault_21_parameter_kept(void) {
    static const struct tree TREES[] = {
        {"mul(0.5)|sum|mul(0.5)", "(mul x 0x1p-1); sum; (mul x 0x1p-1)"},
        {"mul(4)|sum|mul(5)", "(mul x 4); sum; (mul x 5)"},
        {"x*0.1|sum", "(mul x 0x1.999999999999ap-4); sum"},
        {"sum|x*0.1", "sum; (mul x 0x1.999999999999ap-4)"},
        {"clamp(-1,1)|max|clamp(-2,7)", "(clamp x (neg 1) 1); max; (clamp x (neg 2) 7)"},
        {"min(4)|max|min(5)|min(6)", "(min x 4); max; (min x 5); (min x 6)"},
    };
    CHECK_TREES(TREES);
    onepass_program *program = parse_good("mul(0.5)|sum|mul(0.25)|pow(x, 2)");
    if (program == NULL) return;
    double x = 12;
    struct scalar out = {0};
    for (size_t k = 0; k < program->pipelines[0].nposts; k++) {
        CHECK(program_constant(program->nodes, program->nnodes, program->pipelines[0].posts[k], &x,
                               &out, NULL) == 0);
        x = scalar_f64(&out);
    }
    CHECK(x == 9); /* (12 / 4)^2 */
    onepass_program_free(program);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void fault_22_numbers(void) {
    static const struct tree TREES[] = {
        {"1|sum", "1; sum"},
        {".5|sum", "0x1p-1; sum"},
        {"5.|sum", "5; sum"},
        {"-1e-3*x|sum", "(mul (neg 0x1.0624dd2f1a9fcp-10) x); sum"},
        {"1E3|sum", "1000; sum"},
        {"1e+3|sum", "1000; sum"},
        {"0x1p-3|sum", "0x1p-3; sum"},
        {"0x10|sum", "16; sum"},
        {"0x1e-3|sum", "(sub 30 3); sum"},
        {"1e3-3|sum", "(sub 1000 3); sum"},
        {"x-1|sum", "(sub x 1); sum"},
        {"x -1|sum", "(sub x 1); sum"},
        {"1-x|sum", "(sub 1 x); sum"},
        {"9007199254740993|sum", "9007199254740993; sum"},
        {"18446744073709551615|sum", "18446744073709551615; sum"},
        {"18446744073709551616|sum", "0x1p+64; sum"},
        {"1e-400|sum", "0x0p+0; sum"},
        {"inf|sum", "inf; sum"},
        {"-inf|sum", "(neg inf); sum"},
        {"nan|sum", "nan; sum"},
        {"max(-.5)|sum", "(max x (neg 0x1p-1)); sum"},
    };
    CHECK_TREES(TREES);
}

/* ---- canonical texts and names --------------------------------------------------------------- */

struct accepted {
    const char *text, *canonical, *columns; /* pipelines joined by ';', columns by ' & ' */
};

static const struct accepted ACCEPTED[] = {
    {"sum", "sum", "sum"},
    {" abs | sum ", "abs|sum", "sum"},
    {"abs|sum,  mean ,max", "abs|sum,mean,max", "sum & mean & max"},
    {"x+1*2|sum", "x + 1 * 2|sum", "sum"},
    {"- x - - 1|sum", "-x - -1|sum", "sum"},
    {"! x|sum", "!x|sum", "sum"},
    {"x^2|sum", "x ^ 2|sum", "sum"},
    {"x **2|sum", "x ** 2|sum", "sum"},
    {"( x+1 )*2|sum", "(x + 1) * 2|sum", "sum"},
    {"clamp( 0,1 )|sum", "clamp(0, 1)|sum", "sum"},
    {"where(x>0,x,-x)|l2|sqrt|x/2", "where(x > 0, x, -x)|l2|sqrt|x / 2", "l2|sqrt|x / 2"},
    {"x>0?x:-x|mean,std|x^2", "x > 0 ? x : -x|mean,std|x ^ 2", "mean|x ^ 2 & std|x ^ 2"},
    {"max;min", "max;min", "max & min"},
    {"max ; max", "max;max", "1:max & 2:max"},
    {"max,min;abs|max;sqrt|max|sqrt", "max,min;abs|max;sqrt|max|sqrt",
     "1:max & min & 2:max & max|sqrt"},
    {"max|sqrt;max|sqrt;max", "max|sqrt;max|sqrt;max", "1:max|sqrt & 2:max|sqrt & max"},
    {"sum;", "sum", "sum"},
    {"sum ; # the end\n", "sum", "sum"},
    {"# a comment | ( '\nabs # no | here\n|\tsum\r\n", "abs|sum", "sum"},
    {"stats|x*2", "stats|x * 2",
     "count|x * 2 & nnan|x * 2 & ninf|x * 2 & min|x * 2 & max|x * 2 & mean|x * 2 & std|x * 2 & sum|x * "
     "2"},
    {"finite|avg", "finite|avg", "avg"},
    {"0x1P-3*x|sum", "0x1P-3 * x|sum", "sum"},
    {"x>=1&&x<2||x==4|sum", "x >= 1 && x < 2 || x == 4|sum", "sum"},
};
#define NACCEPTED (sizeof ACCEPTED / sizeof ACCEPTED[0])

static void join(struct dump *d, const onepass_program *program, int columns) {
    d->n = 0, d->text[0] = '\0';
    size_t n = columns ? onepass_program_ncolumns(program) : onepass_program_npipelines(program);
    for (size_t k = 0; k < n; k++) {
        if (k > 0) put(d, columns ? " & " : ";");
        put(d, columns ? onepass_program_column(program, k) : onepass_program_text(program, k));
    }
}

static void canonical(void) {
    for (size_t k = 0; k < NACCEPTED; k++) {
        const struct accepted *a = &ACCEPTED[k];
        struct dump text, columns, again;
        onepass_program *program = parse_good(a->text);
        if (program == NULL) continue;
        join(&text, program, 0);
        join(&columns, program, 1);
        CHECKF(strcmp(text.text, a->canonical) == 0, "%s: canonical %s", a->text, text.text);
        CHECKF(strcmp(columns.text, a->columns) == 0, "%s: columns %s", a->text, columns.text);
        onepass_program *second = parse_good(text.text);
        if (second != NULL) {
            join(&again, second, 0);
            CHECKF(strcmp(again.text, text.text) == 0, "%s: again %s", a->text, again.text);
            join(&again, second, 1);
            CHECKF(strcmp(again.text, columns.text) == 0, "%s: columns again %s", a->text, again.text);
        }
        onepass_program_free(second);
        onepass_program_free(program);
    }
}

static void past_the_last(void) {
    onepass_program *program = parse_good("x>0|count;sum");
    if (program == NULL) return;
    CHECK(onepass_program_npipelines(program) == 2 && onepass_program_ncolumns(program) == 2);
    CHECK(onepass_program_text(program, 1) != NULL && onepass_program_text(program, 2) == NULL);
    CHECK(onepass_program_column(program, 1) != NULL && onepass_program_column(program, 2) == NULL);
    CHECK(onepass_program_note(program, 0) != NULL && onepass_program_note(program, 1) == NULL);
    onepass_program_free(program);
    onepass_program_free(NULL);
}

/* Texts, and what their first notes show or NULL for none. */
static void check_notes(const struct accepted *notes, size_t n) {
    for (size_t k = 0; k < n; k++) {
        onepass_program *program = parse_good(notes[k].text);
        if (program == NULL) continue;
        const char *note = onepass_program_note(program, 0), *wanted = notes[k].canonical;
        if (wanted == NULL)
            CHECKF(note == NULL, "%s: noted %s", notes[k].text, note);
        else
            CHECKF(note != NULL && strstr(note, wanted) != NULL, "%s: noted %s", notes[k].text,
                   note ? note : "nothing");
        onepass_program_free(program);
    }
}

static void note_of_nan(void) {
    static const struct accepted NOTES[] = {
        {"where(x==nan)|count", "'x == nan' is always 0, for NaN too; 'isnan(x)'", NULL},
        {"where(x!=nan)|count", "'x != nan' is always 1, for NaN too; '!isnan(x)'", NULL},
        {"x<nan|sum", "'x < nan' is always 0", NULL},
        {"x<=nan|sum", "'x <= nan' is always 0", NULL},
        {"x>nan|sum", "'x > nan' is always 0", NULL},
        {"x>=nan|sum", "'x >= nan' is always 0", NULL},
        {"nan==x+1|sum", "'nan == x + 1' is always 0, for NaN too; 'isnan(x + 1)'", NULL},
        {"x==-(nan)|sum", "'x == -(nan)' is always 0", NULL},
        {"x==0/0|sum", "'x == 0 / 0' is always 0", NULL},
        {"(x>1)==(inf-inf)|sum", "'(x > 1) == (inf - inf)' is always 0", NULL},
        {"mean|x==nan", "'x == nan' is always 0", NULL},
        {"x==inf|sum", NULL, NULL},
        {"x>1/0|sum", NULL, NULL},
        {"x==x|sum", NULL, NULL},
        {"x==x*nan|sum", NULL, NULL},
        {"max(x,nan)|sum", NULL, NULL},
        {"isnan(nan)==x|sum", NULL, NULL},
    };
    check_notes(NOTES, sizeof NOTES / sizeof NOTES[0]);
    char deep[600] = "x==";
    for (int k = 0; k < 200; k++)
        strcat(deep, "-");
    onepass_program *program = parse_good(strcat(deep, "nan|sum")); /* as large as nobody writes it */
    CHECK(program != NULL && onepass_program_note(program, 0) == NULL);
    onepass_program_free(program);
}

static void note_of_count(void) {
    static const struct accepted NOTES[] = {
        {"x>0|count", "'where(x > 0) | count'", NULL},
        {"isnan|sum,count", "'where(isnan(x)) | count'", NULL},
        {"abs|!x|count", "'where(!x) | count'", NULL},
        {"x>0|stats", "nonzero", NULL},
        {"x>0|sum", NULL, NULL},
        {"where(x>0)|count", NULL, NULL},
        {"x>0|x+1|count", NULL, NULL},
        {"abs|count", NULL, NULL},
        {"count|x>0", NULL, NULL},
        {"count", NULL, NULL},
    };
    check_notes(NOTES, sizeof NOTES / sizeof NOTES[0]);
}

/* ---- size and depth -------------------------------------------------------------------------- */

/* head, then n times part, then tail; the caller's, to be freed. */
static char *repeat(const char *head, const char *part, size_t n, const char *tail) {
    size_t h = strlen(head), length = strlen(part), t = strlen(tail);
    char *text = malloc(h + n * length + t + 1);
    if (text == NULL) abort();
    memcpy(text, head, h);
    for (size_t k = 0; k < n; k++)
        memcpy(text + h + k * length, part, length);
    memcpy(text + h + n * length, tail, t + 1);
    return text;
}

static onepass_program *parse_repeated(const char *head, const char *part, size_t n, const char *tail,
                                       onepass_error *err) {
    char *text = repeat(head, part, n, tail);
    onepass_program *program = parse(text, err);
    CHECKF(program != NULL || err->span_end <= strlen(text), "span ends at %zu", err->span_end);
    free(text);
    return program;
}

struct nest {
    const char *part, *tail; /* part once a level */
    const char *unit;        /* what the tail repeats before it, once a level, or "" */
};

static void fault_22_nesting(void) {
    static const struct nest NESTS[] = {
        {"(", "", ")"},      {"abs(", "", ")"}, {"-", "", ""},           {"!", "", ""},
        {"x^", "", ""},      {"x**", "", ""},   {"x?1:", "", ""},        {"x?", "", ":1"},
        {"max(1,", "", ")"}, {"+", "", ""},     {"clamp(", "", ",0,1)"},
    };
    static const size_t DEPTHS[] = {1, 255, 256, 257, 1000, 100000};
    for (size_t k = 0; k < sizeof NESTS / sizeof NESTS[0]; k++) {
        for (size_t i = 0; i < sizeof DEPTHS / sizeof DEPTHS[0]; i++) {
            onepass_error err = ONEPASS_ERROR_INIT;
            char *closing = repeat("x", NESTS[k].unit, DEPTHS[i], "|sum");
            onepass_program *program = parse_repeated("", NESTS[k].part, DEPTHS[i], closing, &err);
            CHECKF((program != NULL) == (DEPTHS[i] <= 256), "%zu levels of %s: %s", DEPTHS[i],
                   NESTS[k].part, program ? "accepted" : err.message);
            CHECKF(program != NULL || strstr(err.message, "nested deeper than 256 levels") != NULL,
                   "%zu levels of %s: %s", DEPTHS[i], NESTS[k].part, err.message);
            onepass_program_free(program);
            free(closing);
        }
    }
}

static void fault_22_10_kb(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *program = parse_repeated("x", "+x", 4000, "|sum", &err);
    CHECK(program != NULL && program->nnodes == 8001);
    onepass_program_free(program);
    program = parse_repeated("", "abs|", 2500, "sum", &err);
    CHECK(program != NULL && program->pipelines[0].nstages == 2500);
    onepass_program_free(program);
    program = parse_repeated("sum", "|abs", 2500, "", &err);
    CHECK(program != NULL && program->pipelines[0].nposts == 2500);
    onepass_program_free(program);
    program = parse_repeated("", "sum;", 2500, "", &err);
    CHECK(program != NULL && program->npipelines == 2500);
    if (program != NULL) CHECK(strcmp(onepass_program_column(program, 2499), "2500:sum") == 0);
    onepass_program_free(program);
}

struct large {
    const char *head, *part, *tail;
    const char *message; /* NULL: it works */
};

/* A megabyte of anything works or is an error, soon. */
static void fault_22_megabyte(void) {
    static const struct large TEXTS[] = {
        {"", " ", "sum", NULL},
        {"#", "x", "\nsum", NULL},
        {"", "#\n", "sum", NULL},
        {"1.", "3", "|sum", NULL},
        {"sum|x*0.", "3", "", NULL},
        {"x", "+x", "|sum", "too large: more than 65536 operations"},
        {"", "x|", "sum", "too large"},
        {"", "clamp(0,1)|", "sum", "too large"},
        {"", "sum;", "", "more than 4096 results"},
        {"", "stats;", "", "more than 4096 results"},
        {"", "1", "|sum", "beyond the range"},
        {"", "x", "|sum", "unknown name 'xxx"},
        {"", "x", "(1)|sum", "unknown name 'xxx"},
        {"abs", "(", "", "nested deeper"},
        {"sum(", "x,", "x)", "'sum' is a reduction"},
        {"max(", "x,", "x)|sum", "too large"},
        {"sum", ",sum", "", "appears twice"},
        {"sum, ", "abs(", "", "a map stands beside"},
        {"", "|", "", "empty stage"},
        {"", ";", "", "empty pipeline"},
        {"", "\xff", "", "unexpected character"},
        {"", "=", "", "has no meaning"},
        {"abs -", " x -", " 1 | sum", "needs its brackets"},
    };
    for (size_t k = 0; k < sizeof TEXTS / sizeof TEXTS[0]; k++) {
        const struct large *t = &TEXTS[k];
        onepass_error err = ONEPASS_ERROR_INIT;
        size_t n = (size_t)(1 << 20) / strlen(t->part);
        onepass_program *program = parse_repeated(t->head, t->part, n, t->tail, &err);
        if (t->message == NULL)
            CHECKF(program != NULL, "a megabyte of %s: %s", t->part, err.message);
        else
            CHECKF(program == NULL && strstr(err.message, t->message) != NULL, "a megabyte of %s: %s",
                   t->part, program ? "accepted" : err.message);
        onepass_program_free(program);
    }
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *program = parse_repeated("", " ", 5 << 20, "sum", &err);
    CHECK(program == NULL && strstr(err.message, "longer than 4194304 bytes") != NULL);
    onepass_program_free(program);
}

/* ---- the tables ------------------------------------------------------------------------------ */

static void every_op_parses(void) {
    static const char *const ARGUMENTS[] = {"", "x", "x, 7", "x, 7, 8"};
    char text[128], tree[128];
    size_t nmaps = 0;
    for (int op = 0; op < NOPS; op++) {
        const char *name = op_table[op].name;
        if (name[0] < 'a' || name[0] > 'z') continue;
        nmaps++;
        CHECK(op_find(name, strlen(name)) == op);
        snprintf(text, sizeof text, "%s(%s)|sum", name, ARGUMENTS[op_table[op].nargs]);
        snprintf(tree, sizeof tree, "(%s x%s); sum", name,
                 op_table[op].nargs == 1   ? ""
                 : op_table[op].nargs == 2 ? " 7"
                                           : " 7 8");
        const struct tree row = {text, tree};
        check_trees(&row, 1);
    }
    CHECK(nmaps >= 56);
    CHECK(op_find("<", 1) < 0 && op_find("", 0) < 0 && op_find("ab", 2) < 0 && op_find("abs(", 4) < 0);
}

static void every_reduction_parses(void) {
    CHECK(nreductions >= 31);
    for (size_t k = 0; k < nreductions; k++) {
        const struct tree row = {reduction_table[k].name, reduction_table[k].name};
        check_trees(&row, 1);
        const char *alias = reduction_table[k].alias_of;
        if (alias == NULL) continue;
        int original = reduction_find(alias, strlen(alias));
        CHECKF(original >= 0 && reduction_table[original].finish == reduction_table[k].finish &&
                   reduction_table[original].needs == reduction_table[k].needs,
               "%s is not %s", reduction_table[k].name, alias);
    }
}

/* --list-ops and the manual see everything once, with a word about it. */
static void list_of_names(void) {
    onepass_name row = {.size = sizeof row}, small = {.size = 0};
    size_t n = 0, nwhere = 0, nmaps = 0;
    for (int op = 0; op < NOPS; op++)
        nmaps += op_table[op].name[0] >= 'a' && op_table[op].name[0] <= 'z';
    for (; onepass_op(n, &row); n++) {
        CHECK(row.group != NULL && row.name[0] != '\0' && row.usage[0] != '\0' && row.doc[0] != '\0');
        CHECKF(strpbrk(row.doc, "\t\n") == NULL && strpbrk(row.usage, "\t\n") == NULL, "%s", row.name);
        nwhere += strcmp(row.name, "where") == 0;
        if (strcmp(row.name, "exp") == 0) CHECK(strcmp(row.group, "map") == 0);
        if (strcmp(row.name, "pow") == 0) CHECK(strcmp(row.usage, "pow(b)") == 0);
        if (strcmp(row.name, "clamp") == 0) CHECK(strcmp(row.usage, "clamp(lo, hi)") == 0);
        if (strcmp(row.name, "l2") == 0) CHECK(strcmp(row.group, "alias") == 0);
        if (strcmp(row.name, "finite") == 0) CHECK(strcmp(row.group, "alias") == 0);
    }
    CHECK(n == nmaps + 1 + noperators + nreductions + 1 + 1); /* maps, where(c), stats, finite */
    CHECK(nwhere == 2);
    CHECK(!onepass_op(n + 1, &row) && !onepass_op(SIZE_MAX, &row) && !onepass_op(0, &small));
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"precedence", precedence},
        {"stages", stages},
        {"fault_21_parameter_kept", fault_21_parameter_kept},
        {"fault_22_numbers", fault_22_numbers},
        {"canonical", canonical},
        {"past_the_last", past_the_last},
        {"note_of_count", note_of_count},
        {"note_of_nan", note_of_nan},
        {"fault_22_nesting", fault_22_nesting},
        {"fault_22_10_kb", fault_22_10_kb},
        {"fault_22_megabyte", fault_22_megabyte},
        {"every_op_parses", every_op_parses},
        {"every_reduction_parses", every_reduction_parses},
        {"list_of_names", list_of_names},
    };
    return RUN_TESTS(TESTS);
}
