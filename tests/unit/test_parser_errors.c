/* What the parser says of texts that are wrong: where, what, and a hint that is right itself. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "onepass.h"
#include "parse.h"

struct rejected {
    const char *text;
    size_t start, end;
    const char *message, *hint; /* parts of them */
};

/* What shows how an op is called, by arguments that stand for others, or an operator: no pipeline. */
static int is_template(const char *proposal) {
    static const char *const MARKS[] = {"a, b", "(b)", "lo, hi", "c ? a : b"};
    for (size_t k = 0; k < sizeof MARKS / sizeof MARKS[0]; k++)
        if (strstr(proposal, MARKS[k]) != NULL) return 1;
    return strpbrk(proposal, "abcdefghijklmnopqrstuvwxyz") == NULL;
}

static size_t nproposals;

/* What a hint says to write, or shows behind a colon, is a pipeline or stages of one. */
static void check_proposal(const char *text, const char *hint) {
    static const char *const LEADS[] = {"write '", "multiplication is written '", ": '"};
    const char *start = NULL;
    for (size_t k = 0; start == NULL && k < sizeof LEADS / sizeof LEADS[0]; k++)
        if ((start = strstr(hint, LEADS[k])) != NULL) start += strlen(LEADS[k]);
    if (start == NULL) return;
    char proposal[512];
    onepass_program *program = NULL;
    size_t length = strcspn(start, "'");
    snprintf(proposal, sizeof proposal - strlen("|sum"), "%.*s", (int)length, start);
    if (is_template(proposal)) return;
    nproposals++;
    int rc = onepass_program_parse(proposal, length, &program, NULL);
    strcat(proposal, "|sum");
    if (rc != 0) rc = onepass_program_parse(proposal, strlen(proposal), &program, NULL);
    CHECKF(rc == 0, "%s: cannot be followed: %s", text, hint);
    onepass_program_free(program);
}

static void check_rejected(const struct rejected *r) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *program = parse(r->text, &err);
    CHECKF(program == NULL, "%s: accepted", r->text);
    onepass_program_free(program);
    if (program != NULL) return;
    CHECKF(err.code == ONEPASS_BAD_PIPELINE, "%s: code %d", r->text, err.code);
    CHECKF(err.span_start == r->start && err.span_end == r->end, "%s: span %zu..%zu, not %zu..%zu",
           r->text, err.span_start, err.span_end, r->start, r->end);
    CHECKF(strstr(err.message, r->message) != NULL, "%s: message: %s", r->text, err.message);
    CHECKF(strstr(err.hint, r->hint) != NULL, "%s: hint: %s", r->text, err.hint);
    check_proposal(r->text, err.hint);
    CHECK(onepass_program_parse(r->text, strlen(r->text), &program, NULL) == ONEPASS_BAD_PIPELINE);
}

static void check_all_rejected(const struct rejected *rows, size_t n) {
    for (size_t k = 0; k < n; k++)
        check_rejected(&rows[k]);
}
#define CHECK_REJECTED(rows) check_all_rejected(rows, sizeof(rows) / sizeof((rows)[0]))

static void fault_22_empty_stages(void) {
    static const struct rejected ROWS[] = {
        {"", 0, 0, "empty pipeline", "'abs | sum'"},
        {" \n# only this", 13, 13, "empty pipeline", ""},
        {";", 0, 1, "empty pipeline", ""},
        {"sum;;mean", 4, 5, "empty pipeline", ""},
        {"|sum", 0, 1, "empty stage", ""},
        {"sum|", 3, 4, "empty stage", ""},
        {"sum | # nothing", 4, 5, "empty stage", ""},
        {"abs| |sum", 5, 6, "empty stage", ""},
        {"abs|;sum", 3, 4, "empty stage", ""},
        {"abs||sum", 3, 5, "empty stage: '||' is the operator or, a pipe is one '|'", ""},
        {"abs|||sum", 3, 5, "empty stage", ""},
        {"||sum", 0, 2, "empty stage", ""},
        {"x||sum", 1, 3, "empty stage", ""},
        {"x > 0 || | sum", 6, 8, "empty stage", ""},
        {"sum||", 3, 5, "empty stage", ""},
        {"sum||abs", 3, 5, "empty stage", ""},
    };
    CHECK_REJECTED(ROWS);
}

static void operators_of_elsewhere(void) {
    static const struct rejected ROWS[] = {
        {"0 < x < 2|sum", 0, 9, "comparisons do not chain", "'0 < x && x < 2'"},
        {"x+1>=2>3|sum", 0, 8, "comparisons do not chain", "'x + 1 >= 2 && 2 > 3'"},
        {"1 == x == 2|sum", 0, 11, "comparisons do not chain", "'1 == x && x == 2'"},
        {"x && 0 < x < 2|sum", 5, 14, "comparisons do not chain", "'0 < x && x < 2'"},
        {"x = 1|sum", 2, 3, "'='", "'=='"},
        {"x & 1|sum", 2, 3, "'&'", "'&&'"},
        {"x % 2|sum", 2, 3, "'%'", "fmod(a, b) has the sign of a, mod(a, b) the sign of b"},
        {"x // 2|sum", 2, 4, "'//'", "floor(a / b)"},
        {"x <> 2|sum", 2, 4, "'<>'", "'!='"},
        {"x === 2|sum", 2, 5, "'==='", "'=='"},
        {"~x|sum", 0, 1, "'~'", "'!'"},
        {"x and x|sum", 2, 5, "found 'and'", "&&"},
        {"not x|sum", 0, 3, "unknown name 'not'", "!"},
        {"x != |sum", 2, 4, "expected a value after '!='", "x, a number"},
        {"x ! 2|sum", 2, 3, "found '!'", ""},
    };
    CHECK_REJECTED(ROWS);
}

static void fault_22_brackets_and_values(void) {
    static const struct rejected ROWS[] = {
        {"(x|sum", 0, 1, "'(' is never closed", "'|' cannot stand in brackets"},
        {"abs(x", 3, 4, "'(' is never closed", ""},
        {"abs((x)|sum", 3, 4, "'(' is never closed", ""},
        {"(x;sum", 0, 1, "'(' is never closed", ""},
        {"x)|sum", 1, 2, "')' closes no '('", ""},
        {")|sum", 0, 1, "')' closes no '('", ""},
        {"abs(x))|sum", 6, 7, "')' closes no '('", ""},
        {"()|sum", 0, 1, "expected a value after '('", "abs(x)"},
        {"(x,1)|sum", 2, 3, "',' in brackets that are no call", "max(x, 1)"},
        {"max(x,)|sum", 5, 6, "expected a value after ','", ""},
        {"max(,x)|sum", 3, 4, "expected a value after '('", ""},
        {"* x|sum", 0, 1, "expected a value, found '*'", ""},
        {"x * / 2|sum", 4, 5, "expected a value, found '/'", ""},
        {"x +|sum", 2, 3, "expected a value after '+'", ""},
        {"x -", 2, 3, "expected a value after '-'", ""},
        {"x ? 1|sum", 2, 3, "'?' without ':'", "'c ? a : b'"},
        {"(x ? 1)|sum", 3, 4, "'?' without ':'", "'c ? a : b'"},
        {"x : 1|sum", 2, 3, "':' without '?'", ""},
        {"x ? : 1|sum", 2, 3, "expected a value after '?'", ""},
        {"2x|sum", 0, 2, "'2x' is not a number", "'2 * x'"},
        {"2 x|sum", 2, 3, "found 'x'", "'*'"},
        {"2(x)|sum", 1, 2, "found '('", "'*'"},
        {"x 2|sum", 2, 3, "found '2'", "'*'"},
        {"1e|sum", 0, 2, "'1e' is not a number", "1e-3"},
        {"1e-x|sum", 0, 2, "'1e' is not a number", ""},
        {"0x|sum", 0, 2, "'0x' is not a number", ""},
        {"1.2.3|sum", 0, 5, "'1.2.3' is not a number", ""},
        {"x*1_000|sum", 2, 7, "'1_000' is not a number", ""},
        {"1e400|sum", 0, 5, "'1e400' is beyond the range of binary64", "inf"},
        {"-0x1p1024|sum", 1, 9, "beyond the range", ""},
        {"x.5|sum", 1, 3, "found '.5'", ""},
    };
    CHECK_REJECTED(ROWS);
}

static void fault_22_arguments(void) {
    static const struct rejected ROWS[] = {
        {"pow(1,2,3)|sum", 0, 10, "pow takes 2 arguments, 3 given", "'pow(a, b)'"},
        {"pow(x)|sum", 0, 6, "pow takes 2 arguments, 1 given", "'pow(b)' as a whole stage"},
        {"1 + pow(2)|sum", 4, 10, "pow takes 2 arguments, 1 given", ""},
        {"clamp(1)|sum", 0, 8, "clamp takes 3 arguments, 1 given", "'clamp(x, lo, hi)'"},
        {"clamp(x,1)|sum", 0, 10, "clamp takes 3 arguments, 2 given", "'clamp(lo, hi)'"},
        {"abs(x, 2, 3, 4)|sum", 0, 15, "abs takes 1 argument, 4 given", "'abs(x)'"},
        {"1+abs()|sum", 2, 7, "abs takes 1 argument, 0 given", ""},
        {"max(x,1,2)|sum", 0, 10, "max takes 2 arguments, 3 given", "max(max(x, 1), 2)"},
        {"min(abs(x))|sum", 0, 11, "min takes 2 arguments, 1 given", "'| min'"},
        {"log(x,2)|sum", 0, 8, "log takes 1 argument, 2 given", "log2"},
        {"round(x,2)|sum", 0, 10, "round takes 1 argument, 2 given", "round(x * 100) / 100"},
        {"log(2)|sum", 0, 6, "'log(2)' does not use x", "log(x) / log(b)"},
        {"round(2)|sum", 0, 8, "'round(2)' does not use x", "round(x * 100) / 100"},
        {"sum|sqrt(2)", 4, 11, "'sqrt(2)' does not use x", "'sqrt(x)'"},
        {"pow(2,3)|sum", 0, 8, "'pow(2, 3)' does not use x", ""},
        {"where(1,2,3)|sum", 0, 12, "does not use x", ""},
        {"pow|sum", 0, 3, "pow needs 1 argument beside x", "'pow(b)'"},
        {"clamp|sum", 0, 5, "clamp needs 2 arguments beside x", "'clamp(lo, hi)'"},
        {"where|sum", 0, 5, "where needs a condition", "where(x > 0)"},
        {"where()|sum", 0, 7, "where takes 1 or 3 arguments, 0 given", "where(c) drops"},
        {"where(x,1)|sum", 0, 10, "where takes 1 or 3 arguments, 2 given", "where(c, a, b) selects"},
        {"where(x>0)+1|sum", 0, 10, "stage of its own", "where(c, a, b)"},
        {"abs(where(x>0))|sum", 4, 14, "stage of its own", ""},
        {"sum|where(x>0)", 4, 14, "cannot follow the reductions", "where(c, a, b)"},
        {"clamp(1,0)|sum", 0, 10, "lower limit is above its upper limit", "lo <= hi"},
        {"clamp(x, 2^5, 31)|sum", 0, 17, "lower limit is above", ""},
        {"clamp(x*2, -1, -1.5)|sum", 0, 20, "lower limit is above", ""},
        {"sum|clamp(inf,-inf)", 4, 19, "lower limit is above", ""},
        {"clamp(9007199254740993, 9007199254740992)|sum", 0, 41, "lower limit is above", ""},
        {"abs(clamp(x,clamp(5,0,9),clamp(4,0,9)))|sum", 4, 38, "lower limit is above", ""},
    };
    CHECK_REJECTED(ROWS);
}

static void reductions_and_lists(void) {
    static const struct rejected ROWS[] = {
        {"abs", 0, 3, "pipeline 'abs' has no reduction", "'abs|sum,mean'"},
        {"abs| x  *2 ", 0, 10, "pipeline 'abs|x * 2' has no reduction", ""},
        {"sum;abs", 4, 7, "pipeline 'abs' has no reduction", ""},
        {"abs|min(3)", 0, 10, "has no reduction", "'min(3)' is a map"},
        {"min(3), sum", 0, 6, "a map stands beside a reduction", "'min(3) | sum'"},
        {"mean, min(3)", 6, 12, "a map stands beside a reduction", "'min(3) | mean'"},
        {"abs, sum", 0, 3, "a map stands beside a reduction", "'abs | sum'"},
        {"sum, abs(x), max", 5, 11, "a map stands beside a reduction", "'abs(x) | sum, max'"},
        {"sum, x + 1", 5, 10, "a map stands beside a reduction", ""},
        {"sum, foo", 5, 8, "unknown name 'foo'", ""},
        {"sum, mean(x)", 5, 12, "'mean' is a reduction", "'mean'"},
        {"sum, x % 2", 7, 8, "'%'", ""},
        {"sum,", 3, 4, "expected a reduction after ','", "'sum, mean'"},
        {"sum,|sqrt", 3, 4, "expected a reduction after ','", ""},
        {"sum,,mean", 3, 4, "expected a reduction after ','", ""},
        {"abs, sqrt|sum", 3, 4, "',' between stages", "'|'"},
        {"sum|abs, sqrt", 7, 8, "',' between posts", "'|'"},
        {"sum|max", 4, 7, "a reduction follows a reduction", "'sum, max'"},
        {"sum|abs|min", 8, 11, "a reduction follows a reduction", "'sum, min'"},
        {"sum|sum", 4, 7, "a reduction follows a reduction", "side by side"},
        {"sum|stats", 4, 9, "a reduction follows a reduction", ""},
        {"max, sum, max", 10, 13, "'max' appears twice", ""},
        {"max, stats", 5, 10, "'max' appears twice", "stats stands for"},
        {"stats, sum", 7, 10, "'sum' appears twice", ""},
        {"sum(abs(x))", 0, 11, "'sum' is a reduction", "'abs | sum'"},
        {"sum(x)", 0, 6, "'sum' is a reduction", "write 'sum'"},
        {"mean(x^2)", 0, 9, "'mean' is a reduction", "'x ^ 2 | mean'"},
        {"mean(sqrt(x+1))", 0, 15, "'mean' is a reduction", "'sqrt(x + 1) | mean'"},
        {"sqrt(mean(square(x)))|sum", 5, 20, "'mean' is a reduction", "'square | mean | sqrt'"},
        {"sum(x", 0, 3, "'sum' is a reduction", "'abs | sum'"},
        {"stats(x)", 0, 8, "'stats' is a reduction", ""},
        {"mean, std | std/mean", 12, 15, "by name ('std') is reserved", "sees its result as x"},
        {"sum|x/sum", 6, 9, "by name ('sum') is reserved", ""},
        {"x - mean|square|sum", 4, 8, "by name ('mean') is reserved", ""},
        {"sum/2", 0, 3, "by name ('sum') is reserved", "'sum | x / 2'"},
        {"sum mean", 4, 8, "found 'mean'", "'sum, mean'"},
        {"sum x", 4, 5, "found 'x'", ""},
    };
    CHECK_REJECTED(ROWS);
}

static void bare_ops(void) {
    static const struct rejected ROWS[] = {
        {"abs - 1|sum", 0, 3, "'abs' needs its brackets here", "'abs(x) - 1'"},
        {"1 - abs|sum", 4, 7, "'abs' needs its brackets here", "'1 - abs(x)'"},
        {"max(abs - 1, 2)|sum", 4, 7, "'abs' needs its brackets here", "'max(abs(x) - 1, 2)'"},
        {"x > 0 ? abs : 1|sum", 8, 11, "'abs' needs its brackets here", "'x > 0 ? abs(x) : 1'"},
        {"(abs)|sum", 1, 4, "'abs' needs its brackets here", "'(abs(x))'"},
        {"abs x|sum", 0, 3, "'abs' needs its brackets here", "'abs(x)'"},
        {"sum|sqrt + 1", 4, 8, "'sqrt' needs its brackets here", "'sqrt(x) + 1'"},
        {"pow + 1|sum", 0, 3, "'pow' needs its brackets here", "'pow(a, b)'"},
        {"abs sum", 0, 7, "'|' is missing between 'abs' and 'sum'", "'abs | sum'"},
        {"abs sqrt|sum", 0, 8, "'|' is missing between 'abs' and 'sqrt'", ""},
        {"x sum", 2, 5, "found 'sum'", "'x | sum'"},
    };
    CHECK_REJECTED(ROWS);
}

/* What is shown keeps all that was written, or is an example of something else. */
static void hints_keep_what_was_written(void) {
    static const struct rejected ROWS[] = {
        {"abs | sum, sqrt", 11, 15, "a map stands beside a reduction", ": 'abs | sqrt | sum'"},
        {"abs | exp, sum, mean | x/2; max", 6, 9, "a map", ": 'abs | exp | sum, mean | x / 2'"},
        {"max; abs|sum, max(x,1) * 2, min", 14, 26, "a map", ": 'abs | max(x, 1) * 2 | sum, min'"},
        {"abs, sum, sqrt", 0, 3, "a map", "'abs | sum'"},
        {"abs(x)^2 sum", 9, 12, "found 'sum'", ": 'abs(x) ^ 2 | sum'"},
        {"max(x, 1) std, mean", 10, 13, "found 'std'", ": 'max(x, 1) | std,mean'"},
        {"x min 3|sum", 2, 5, "found 'min'", "write 'min(x, 3)'"},
        {"x mod 2 == 0|sum", 2, 5, "found 'mod'", "write 'mod(x, 2) == 0'"},
        {"x mod 2 > 0 && x > 1|sum", 2, 5, "found", "write 'mod(x, 2) > 0 && x > 1'"},
        {"x pow 2 ? 1 : 0|sum", 2, 5, "found 'pow'", "write 'pow(x, 2) ? 1 : 0'"},
        {"x max -abs(x) + 1|sum", 2, 5, "found 'max'", "write 'max(x, -abs(x)) + 1'"},
        {"x mod x^2|sum", 2, 5, "found 'mod'", "write 'mod(x, x ^ 2)'"},
        {"x max 2**3 + 1|sum", 2, 5, "found 'max'", "write 'max(x, 2 ** 3) + 1'"},
        {"x min 3 max 1|sum", 2, 5, "found 'min'", "follow a name: 'min(x, 1)'"},
        {"min 3|sum", 4, 5, "found '3'", "stand in brackets: 'min(3)'"},
        {"stats x", 6, 7, "found 'x'", "reductions take no arguments: 'stats'"},
        {"x + 1 min 3|sum", 6, 9, "found 'min'", "stages are joined by '|'"},
        {"(x sum)", 3, 6, "found 'sum'", "stages are joined by '|'"},
        {"abs pow|sum", 0, 7, "'|' is missing", "stages are joined by '|'"},
        {"sum sum", 4, 7, "found 'sum'", "'sum, mean'"},
        {"max|stats", 4, 9, "follows a reduction", "'sum, mean'"},
        {"where(x>0) && where(x<1)|sum", 0, 10, "stage of its own", "write 'where(x > 0 && x < 1)'"},
        {"where(x>0) and where(x<1)|sum", 0, 10, "stage of", "write 'where(x > 0 && x < 1)'"},
        {"where(x>0) where(x<1)|sum", 0, 10, "stage of its own", "write 'where(x > 0 && x < 1)'"},
        {"where(x) where(x<1||x>(3)) where(x?1:0)|sum", 0, 8, "stage of its own",
         "write 'where(x && (x < 1 || x > (3)) && (x ? 1 : 0))'"},
        {"where(x>0) || where(x<1)|sum", 0, 10, "stage of its own", "all conditions in it"},
        {"where(x>0) where(x=1)|sum", 0, 10, "stage of its own", "all conditions in it"},
        {"abs)|sum", 0, 3, "needs its brackets", "write 'abs(x)'"},
        {"where=x > 0)|sum", 0, 5, "needs its brackets", "write 'where(x > 0)'"},
        {"where ) x", 0, 5, "needs its brackets", "write 'where(x > 0)'"},
        {"2abs|sum", 0, 4, "is not a number", "'2 * abs(x)'"},
        {"x is nan|sum", 2, 4, "found 'is'", "write isnan(x)"},
    };
    nproposals = 0;
    CHECK_REJECTED(ROWS);
    CHECKF(nproposals == 28, "%zu of the hints show a pipeline", nproposals);
}

static void called_reductions(void) {
    static const struct rejected ROWS[] = {
        {"abs(x-mean(x))|mean", 6, 13, "'mean' is a reduction", "cannot stand in an expression"},
        {"sum(x)/count(x)", 0, 6, "'sum' is a reduction", "cannot stand in an expression"},
        {"max(x, mean(x))|sum", 7, 14, "'mean' is a reduction", "cannot stand in an expression"},
        {"count(x > 0)", 0, 12, "'count' is a reduction", "write 'where(x > 0) | count'"},
        {"abs|count(isnan(x))", 4, 19, "'count' is a", "write 'where(isnan(x)) | count'"},
        {"sqrt(count(x == 1))", 5, 18, "'count' is a", "write 'where(x == 1) | count | sqrt'"},
        {"count(x)", 0, 8, "'count' is a reduction", "write 'count'"},
        {"sum, count(x > 0)", 5, 17, "'count' is a", "pipeline of its own: 'where(x > 0) | count'"},
        {"count(x > 0), sum", 0, 12, "'count' is a", "pipeline of its own: 'where(x > 0) | count'"},
        {"count(isnan)", 0, 12, "'count' is a", "such as 'where(x > 0) | count'"},
        {"sum, mean(x)", 5, 12, "'mean' is a reduction", "write 'mean'"},
        {"exp(sum(x))", 4, 10, "'sum' is a reduction", "write 'sum | exp'"},
        {"min(mean(x))", 4, 11, "'mean' is a reduction", "maps come before reductions"},
        {"std(1)", 0, 6, "'std' is a reduction", "std1 and var1"},
        {"std(ddof=1)", 0, 11, "'std' is a reduction", "std1 and var1"},
        {"std(x, 1)|sum", 0, 9, "'std' is a reduction", "std1 and var1"},
        {"mean(x, x)", 0, 10, "'mean' is a reduction", "'abs | sum'"},
    };
    CHECK_REJECTED(ROWS);
}

static void fault_22_names(void) {
    static const struct rejected ROWS[] = {
        {"foo|sum", 0, 3, "unknown name 'foo'", "--list-ops"},
        {"smu", 0, 3, "unknown name 'smu'", "did you mean 'sum'"},
        {"abss|sum", 0, 4, "unknown name 'abss'", "'abs'"},
        {"sine(x)|sum", 0, 4, "unknown name 'sine'", "'sin'"},
        {"x + foobar|sum", 4, 10, "unknown name 'foobar'", "a value is x"},
        {"SUM", 0, 3, "unknown name 'SUM': names are lower case", "'sum'"},
        {"Abs(x)|sum", 0, 3, "names are lower case", "'abs'"},
        {"2*PI|sum", 2, 4, "names are lower case", "'pi'"},
        {"X|sum", 0, 1, "names are lower case", "'x'"},
        {"a-b|sum", 0, 1, "unknown name 'a': the only variable is x", "x is the value of an element"},
        {"x*z|sum", 2, 3, "unknown name 'z'", "x is"},
        {"x*e|sum", 2, 3, "unknown name 'e'", "exp(1)"},
        {"e^x|sum", 0, 1, "unknown name 'e'", "exp(x)"},
        {"2*e**-x|sum", 2, 3, "unknown name 'e'", "exp(x)"},
        {"map(abs)|sum", 0, 3, "unknown name 'map'", "names are stages by themselves: 'abs | sum'"},
        {"median", 0, 6, "'median' is not in this version", ""},
        {"abs|quantile(0.5)", 4, 12, "'quantile' is not in this version", ""},
        {"hist(10)", 0, 4, "'hist' is not in this version", ""},
        {"sum, dot", 5, 8, "'dot' is not in this version", ""},
        {"stddev", 0, 6, "unknown name 'stddev'", "std (divides by n, as numpy) or std1"},
        {"variance", 0, 8, "unknown name 'variance'", "std and std1"},
        {"average", 0, 7, "unknown name 'average'", "mean"},
        {"ln|sum", 0, 2, "unknown name 'ln'", "log"},
        {"clip(0,1)|sum", 0, 4, "unknown name 'clip'", "clamp(lo, hi)"},
        {"np.abs|sum", 0, 2, "unknown name 'np'", "not np.abs"},
        {"x(2)|sum", 0, 1, "'x' is a value, not a map", "'*'"},
        {"pi(2)|sum", 0, 2, "'pi' is a value, not a map", ""},
        {"field.f32", 0, 5, "unknown name 'field'", ""},
        {"/data/x.f32", 0, 1, "expected a value, found '/'", ""},
        {"x[1]|sum", 1, 2, "unexpected character '['", ""},
        {"x.abs()|sum", 1, 5, "'.abs' has no meaning in a pipeline", "by '|': 'abs | sum'"},
        {"x.abs().sum()", 1, 5, "'.abs' has no meaning", "by '|': 'abs | sum'"},
        {"abs(x).sum()", 6, 10, "'.sum' has no meaning", "by '|': 'abs(x) | sum'"},
        {"x+1|x.mean()", 5, 10, "'.mean' has no meaning", "by '|': 'mean'"},
        {"x.pow(2)|sum", 1, 5, "'.pow' has no meaning", "by '|': 'abs | sum'"},
        {"(x.abs)|sum", 2, 6, "'.abs' has no meaning", "by '|': 'abs | sum'"},
        {"x.foo()|sum", 1, 2, "unexpected character '.'", ""},
        {".abs|sum", 0, 1, "unexpected character '.'", ""},
    };
    CHECK_REJECTED(ROWS);
}

static void fault_22_utf8_and_bytes(void) {
    static const struct rejected ROWS[] = {
        {"x \xe2\x89\xa4 3|sum", 2, 5, "'\xe2\x89\xa4' has no meaning", "'<='"},
        {"x \xe2\x88\x92 3|sum", 2, 5, "'\xe2\x88\x92' has no meaning", "'-'"},
        {"x\xc2\xb2|sum", 1, 3, "'\xc2\xb2' has no meaning", "'^2'"},
        {"x\xc2\xa0|sum", 1, 3, "has no meaning", "plain blank"},
        {"\xe2\x80\x98sum\xe2\x80\x99", 0, 3, "has no meaning", "quotes are the shell's"},
        {"na\xc3\xafve|sum", 0, 2, "unknown name 'na'", ""},
        {"\xf0\x9f\x99\x82|sum", 0, 4, "unexpected character '\xf0\x9f\x99\x82'", ""},
        {"x\xff|sum", 1, 2, "unexpected character '\\xff'", ""},
        {"x\xe2\x89|sum", 1, 2, "unexpected character '\\xe2'", ""},
        {"x\xc2\x9b|sum", 1, 3, "unexpected character '\\xc2\\x9b'", ""},
        {"x\x1b[0m|sum", 1, 2, "unexpected character '\\x1b'", ""},
        {"'sum'", 0, 1, "has no meaning", "quotes are the shell's"},
    };
    CHECK_REJECTED(ROWS);
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_program *program = NULL;
    CHECK(onepass_program_parse("su\0m", 4, &program, &err) != 0 && program == NULL);
    CHECK(onepass_program_parse("sum\0", 4, &program, &err) != 0 && err.span_start == 3);
    CHECK(onepass_program_parse("sum|", 3, &program, &err) == 0); /* the length counts */
    onepass_program_free(program);
    program = parse_good("abs # caf\xc3\xa9 \xff\n|sum"); /* comments may hold anything */
    onepass_program_free(program);
}

int main(int argc, char **argv) {
    static const struct test TESTS[] = {
        {"fault_22_empty_stages", fault_22_empty_stages},
        {"operators_of_elsewhere", operators_of_elsewhere},
        {"fault_22_brackets_and_values", fault_22_brackets_and_values},
        {"fault_22_arguments", fault_22_arguments},
        {"reductions_and_lists", reductions_and_lists},
        {"bare_ops", bare_ops},
        {"hints_keep_what_was_written", hints_keep_what_was_written},
        {"called_reductions", called_reductions},
        {"fault_22_names", fault_22_names},
        {"fault_22_utf8_and_bytes", fault_22_utf8_and_bytes},
    };
    return RUN_TESTS(TESTS);
}
