/* What is wrong with a name that does not fit: names of other tools, of later versions, of other
 * variables than x, in capitals, misspelt, or good ones in the wrong place. */
#include <stdio.h>
#include <string.h>

#include "canonical.h"
#include "parser.h"

/* Known in the field and not built here: not misspelt names of something else. */
static const char *const LATER[] = {
    "corr",      "corrcoef", "cov",       "cummax",       "cummin",     "cumprod",     "cumsum",
    "diff",      "distinct", "dot",       "entropy",      "gamma",      "gini",        "hist",
    "histogram", "hmean",    "iqr",       "kurt",         "kurtosis",   "logsumexp",   "mad",
    "median",    "mode",     "moment",    "nunique",      "percentile", "percentiles", "quantile",
    "quantiles", "quartile", "quartiles", "rank",         "skew",       "skewness",    "softmax",
    "sort",      "tgamma",   "topk",      "trimmed_mean", "unique",
};

/* Names that mean the same elsewhere, or that would be ambiguous here, and what to write. */
struct foreign {
    const char *name, *instead;
};
#define STD_HINT "write std (divides by n, as numpy) or std1 (by n - 1, as SQL and pandas)"
#define VAR_HINT                                                                                       \
    "write var (divides by n, as numpy) or var1 (by n - 1, as SQL and pandas); their roots are std "   \
    "and std1"
#define NAN_HINT    "write the name without nan; the option --skip-nan leaves NaN out"
#define STAGE_HINT  "names are stages by themselves: 'abs | sum'"
#define MODULE_HINT "names stand alone: abs, not np.abs"
static const struct foreign FOREIGN[] = {
    {"stddev", STD_HINT},
    {"stdev", STD_HINT},
    {"stddev_pop", "write std"},
    {"stddev_samp", "write std1"},
    {"sd", STD_HINT},
    {"sigma", STD_HINT},
    {"variance", VAR_HINT},
    {"var_pop", "write var"},
    {"var_samp", "write var1"},
    {"average", "write mean"},
    {"minimum", "write min"},
    {"maximum", "write max"},
    {"fmin", "write min(a, b), which keeps NaN"},
    {"fmax", "write max(a, b), which keeps NaN"},
    {"amin", "write min"},
    {"amax", "write max"},
    {"ptp", "write range"},
    {"size", "write count"},
    {"len", "write count"},
    {"length", "write count"},
    {"product", "write prod"},
    {"gmean", "write geomean"},
    {"count_nonzero", "write nonzero"},
    {"nnz", "write nonzero"},
    {"linf", "write norminf or absmax"},
    {"norm", "write norm1, norm2 or norminf"},
    {"nansum", NAN_HINT},
    {"nanmean", NAN_HINT},
    {"nanmin", NAN_HINT},
    {"nanmax", NAN_HINT},
    {"nanstd", NAN_HINT},
    {"nanvar", NAN_HINT},
    {"nanprod", NAN_HINT},
    {"clip", "write clamp(lo, hi)"},
    {"fabs", "write abs"},
    {"absolute", "write abs"},
    {"negative", "write neg or -x"},
    {"sqr", "write square or x^2"},
    {"power", "write pow or ^"},
    {"reciprocal", "write recip or 1/x"},
    {"ln", "write log"},
    {"rint", "write round"},
    {"fix", "write trunc"},
    {"int", "write trunc, floor or round"},
    {"arcsin", "write asin"},
    {"arccos", "write acos"},
    {"arctan", "write atan"},
    {"arctan2", "write atan2"},
    {"arcsinh", "write asinh"},
    {"arccosh", "write acosh"},
    {"arctanh", "write atanh"},
    {"multiply", "write mul or *"},
    {"divide", "write div or /"},
    {"subtract", "write sub or -"},
    {"remainder", "write mod (sign of b) or fmod (sign of a)"},
    {"rad2deg", "write degrees"},
    {"deg2rad", "write radians"},
    {"filter", "write where(c)"},
    {"select", "write where(c), which keeps elements, or where(c, a, b), which chooses a or b"},
    {"if", "write where(c, a, b) or c ? a : b"},
    {"and", "write &&"},
    {"is", "write isnan(x) or isinf(x); other values are compared by =="},
    {"or", "write ||"},
    {"not", "write !"},
    {"true", "write 1"},
    {"false", "write 0"},
    {"infinity", "write inf"},
    {"map", STAGE_HINT},
    {"apply", STAGE_HINT},
    {"reduce", STAGE_HINT},
    {"np", MODULE_HINT},
    {"numpy", MODULE_HINT},
    {"math", MODULE_HINT},
    {"torch", MODULE_HINT},
};

/* ---- what a name is -------------------------------------------------------------------------- */

int op_at(const struct parser *p, size_t token) {
    size_t nbytes;
    if (token_kind(p, token) != TOKEN_NAME) return -1;
    const char *name = token_text(p, token, &nbytes);
    return op_find(name, nbytes);
}

int is_reduction_at(const struct parser *p, size_t token) {
    size_t nbytes;
    if (token_kind(p, token) != TOKEN_NAME) return 0;
    const char *name = token_text(p, token, &nbytes);
    return token_is(p, token, "stats") || reduction_find(name, nbytes) >= 0;
}

const char *name_instead(const struct parser *p, size_t token) {
    for (size_t k = 0; k < sizeof FOREIGN / sizeof FOREIGN[0]; k++)
        if (token_is(p, token, FOREIGN[k].name)) return FOREIGN[k].instead;
    return NULL;
}

static int is_later(const struct parser *p, size_t token) {
    for (size_t k = 0; k < sizeof LATER / sizeof LATER[0]; k++)
        if (token_is(p, token, LATER[k])) return 1;
    return 0;
}

static int is_known(const char *name, size_t nbytes) {
    if (op_find(name, nbytes) >= 0 || reduction_find(name, nbytes) >= 0) return 1;
    return is_constant_name(name, nbytes) || (nbytes == 5 && memcmp(name, "stats", 5) == 0);
}

/* ---- good names in the wrong place ----------------------------------------------------------- */

/* 'mean, std | std/mean', 'x - mean': what a name of a result means is left open. */
static int named_result(struct parser *p, size_t token) {
    struct quote name = quote_tokens(p, token, token + 1);
    FAIL(p, token, token + 1, "computing with a result by name ('%s') is reserved: not in this version",
         name.text);
    error_hint(p->err, "what follows a reduction sees its result as x: '%s | x / 2'", name.text);
    return -1;
}

/* numpy's and torch's words for one dimension, among the arguments [first, end). */
static int names_axis(const struct parser *p, size_t first, size_t end) {
    for (size_t k = first; k < end; k++)
        if (token_kind(p, k) == TOKEN_NAME && (token_is(p, k, "axis") || token_is(p, k, "dim")))
            return 1;
    return 0;
}

static int has_assignment(const struct parser *p, size_t first, size_t end) {
    for (size_t k = first; k < end; k++)
        if (token_kind(p, k) == TOKEN_WRONG && token_is(p, k, "=")) return 1;
    return 0;
}

/* Whether an item of the segment at hand starts at a token. */
static int starts_item(const struct parser *p, size_t token) {
    size_t at = p->segment;
    while (at < token)
        at = item_end(p, at) + 1;
    return at == token;
}

/* A called reduction, tokens [token, close], that stands alone, or in brackets of a map that are all
 * else: sum(abs(x)) shows abs | sum, sqrt(mean(x)) shows mean | sqrt. */
static void hint_stages(struct parser *p, size_t token, size_t close) {
    size_t first = token + 2;
    int alone = starts_item(p, token) && ends_item(p, close + 1);
    int mapped = token == p->segment + 2 && op_at(p, p->segment) >= 0 &&
                 token_kind(p, close + 1) == TOKEN_CLOSE && ends_item(p, close + 2);
    int is_x = close == first || (close - first == 1 && token_is(p, first, "x"));
    int is_map = close - first == 4 && op_at(p, first) >= 0 && token_is(p, first + 2, "x");
    int filters = token_is(p, token, "count") && !is_x; /* count(x > 0): those for which it holds */
    struct quote before = quote_tokens(p, first, is_map && !filters ? first + 1 : is_x ? first : close);
    struct quote name = quote_tokens(p, token, token + 1);
    struct quote after = quote_tokens(p, p->segment, p->segment + (size_t)mapped);
    int listed = !mapped && (token != p->segment || token_kind(p, close + 1) == TOKEN_COMMA);
    if ((alone || mapped) && filters)
        hint_proposal(p, listed ? "it filters, so that it is a pipeline of its own: " : "write ",
                      "a filter comes before it, such as 'where(x > 0) | count'",
                      "where(%s) | count%s%s", before.text, mapped ? " | " : "", after.text);
    else if (alone || mapped)
        hint_proposal(p, "write ", "maps come before reductions: 'abs | sum'", "%s%s%s%s%s",
                      before.text, is_x ? "" : " | ", name.text, mapped ? " | " : "", after.text);
    else
        error_hint(p->err,
                   "a reduction cannot stand in an expression: it would need a pass of its own, "
                   "which is not in this version; what follows one sees its result as x: "
                   "'mean | x / 2'");
}

/* sum(abs(x)). */
static int called_reduction(struct parser *p, size_t token) {
    size_t first = token + 2, close = closing(p, token + 1);
    int is_closed = token_kind(p, close) == TOKEN_CLOSE;
    struct quote name = quote_tokens(p, token, token + 1);
    FAIL(p, token, is_closed ? close + 1 : token + 1, "'%s' is a reduction: it is no function of x",
         name.text);
    int is_number = token_kind(p, close - 1) == TOKEN_NUMBER &&
                    (close == first + 1 || token_kind(p, close - 2) == TOKEN_COMMA);
    if (names_axis(p, first, close))
        error_hint(p->err, "there is no reduction along an axis in this version: all elements are "
                           "reduced to one value");
    else if (is_number || has_assignment(p, first, close))
        error_hint(p->err, "reductions take no arguments; std1 and var1 divide by n - 1");
    else if (!is_closed)
        error_hint(p->err, "maps come before reductions: 'abs | %s'", name.text);
    else
        hint_stages(p, token, close);
    return -1;
}

/* The segment at hand with (x) behind the name, as 'abs(x) - 1'. */
static void hint_with_brackets(struct parser *p, size_t token) {
    struct canonical c;
    char text[QUOTE_BYTES + 1];
    size_t end = item_end(p, p->segment);
    canonical_begin(&c, p->text, p->tokens, text, sizeof text);
    for (size_t k = p->segment; k < end; k++) {
        canonical_token(&c, k);
        if (k == token) canonical_bytes(&c, "(x)", 3);
    }
    struct quote name = quote_tokens(p, token, token + 1);
    char call[QUOTE_BYTES + 16];
    snprintf(call, sizeof call, "write '%s(x)'", name.text);
    int after = token_kind(p, token + 1), whole = c.n < sizeof text;
    if (after == TOKEN_NAME || after == TOKEN_NUMBER) whole = 0;
    hint_proposal(p, "write ", call, "%s", whole ? text : "");
}

/* 'where x > 0' shows where(x > 0). */
static void hint_where(struct parser *p, size_t token) {
    struct quote condition = quote_tokens(p, token + 1, item_end(p, token + 1));
    hint_proposal(p, "write ", "write 'where(x > 0)'", "where(%s)", condition.text);
}

static int op_without_brackets(struct parser *p, size_t token) {
    struct quote name = quote_tokens(p, token, token + 1);
    size_t next = token + 1;
    int takes = op_table[op_at(p, token)].nargs;
    if (op_at(p, next) >= 0 || is_reduction_at(p, next)) {
        struct quote second = quote_tokens(p, next, next + 1);
        FAIL(p, token, next + 1, "'|' is missing between '%s' and '%s'", name.text, second.text);
        hint_proposal(p, "write ", "stages are joined by '|'", "%s | %s",
                      quote_tokens(p, p->segment, next).text,
                      quote_tokens(p, next, list_end(p, next)).text);
        return -1;
    }
    int follows = next + 1 < p->ntokens && is_reduction_at(p, next + 1) && ends_item(p, next + 2);
    if (follows && ((token_kind(p, next) == TOKEN_OPERATOR && token_is(p, next, ">")) ||
                    token_kind(p, next) == TOKEN_WRONG)) { /* abs > sum, abs -> sum */
        struct quote second = quote_tokens(p, next + 1, next + 2);
        FAIL(p, next, next + 1, "a pipe '|' is missing between '%s' and '%s'", name.text, second.text);
        hint_proposal(p, "write ", "write 'abs | sum'", "%s | %s",
                      quote_tokens(p, p->segment, next).text, second.text);
        return -1;
    }
    FAIL(p, token, token + 1, "'%s' needs its brackets here: without them it is a whole stage",
         name.text);
    if (op_at(p, token) == OP_SELECT)
        hint_where(p, token);
    else if (takes == 1)
        hint_with_brackets(p, token);
    else
        error_hint(p->err, "write '%s(%s)'", name.text, takes == 2 ? "a, b" : "a, b, c");
    return -1;
}

/* ---- names that are none --------------------------------------------------------------------- */

static int other_variable(struct parser *p, size_t token, const char *name) {
    FAIL(p, token, token + 1, "unknown name '%c': the only variable is x", name[0]);
    const struct operator_info *next = infix_at(p, token + 1);
    if (name[0] != 'e')
        error_hint(p->err, "x is the value of an element");
    else if (next != NULL && next->precedence == BIND_POWER)
        error_hint(p->err, "powers of e are written exp(x)");
    else
        error_hint(p->err, "the number e is written exp(1)");
    return -1;
}

/* A name of this version but for its capitals. */
static int wrong_case(struct parser *p, size_t token, const char *name, size_t nbytes) {
    char lower[32];
    if (nbytes >= sizeof lower) return 0;
    for (size_t k = 0; k < nbytes; k++)
        lower[k] = name[k] >= 'A' && name[k] <= 'Z' ? (char)(name[k] | 0x20) : name[k];
    if (!is_known(lower, nbytes)) return 0;
    FAIL(p, token, token + 1, "unknown name '%.*s': names are lower case", (int)nbytes, name);
    error_hint(p->err, "write '%.*s'", (int)nbytes, lower);
    return 1;
}

#define MAX_CANDIDATES 192

/* The names that may stand in such a place. */
static size_t candidates(enum name_place place, const char *names[MAX_CANDIDATES]) {
    static const char *const VALUES[] = {"x", "pi", "inf", "nan"};
    int reductions = place == PLACE_STAGE || place == PLACE_REDUCTION, maps = place != PLACE_REDUCTION;
    size_t n = 0;
    onepass_name row = {.size = sizeof row};
    for (size_t k = 0; n < MAX_CANDIDATES && onepass_op(k, &row); k++) {
        size_t length = strlen(row.name);
        int is_map = op_find(row.name, length) >= 0,
            is_reduction = reduction_find(row.name, length) >= 0;
        int wanted = (is_map && maps) || (is_reduction && reductions);
        for (size_t i = 0; i < n && wanted; i++) /* min is both, where is listed twice */
            wanted = strcmp(names[i], row.name) != 0;
        if (wanted) names[n++] = row.name;
    }
    for (size_t k = 0; place == PLACE_OPERAND && n < MAX_CANDIDATES && k < 4; k++)
        names[n++] = VALUES[k];
    return n;
}

static int unknown_name(struct parser *p, size_t token, enum name_place place, const char *name,
                        size_t nbytes) {
    const char *names[MAX_CANDIDATES], *best[3];
    struct quote shown = quote_tokens(p, token, token + 1);
    FAIL(p, token, token + 1, "unknown name '%s'", shown.text);
    size_t n = shown.cut ? 0 : onepass_nearest(name, nbytes, names, candidates(place, names), best);
    if (n == 1)
        error_hint(p->err, "did you mean '%s'?", best[0]);
    else if (n == 2)
        error_hint(p->err, "did you mean '%s' or '%s'?", best[0], best[1]);
    else if (n == 3)
        error_hint(p->err, "did you mean '%s', '%s' or '%s'?", best[0], best[1], best[2]);
    else if (place == PLACE_OPERAND)
        error_hint(p->err, "a value is x, a number, pi, inf, nan or a call such as abs(x)");
    else
        error_hint(p->err, "'onepass --list-ops' lists all names");
    return -1;
}

int name_error(struct parser *p, size_t token, enum name_place place) {
    size_t nbytes;
    const char *name = token_text(p, token, &nbytes);
    int is_op = op_at(p, token) >= 0, is_reduction = is_reduction_at(p, token);
    if (place == PLACE_OPERAND && (is_op || is_reduction) &&
        token_kind(p, token + 1) == TOKEN_OPERATOR && token_is(p, token + 1, "||"))
        return empty_stage(p, token + 1);
    if (place == PLACE_CALL && is_reduction) return called_reduction(p, token);
    if (place == PLACE_OPERAND && is_reduction) return named_result(p, token);
    if (place == PLACE_OPERAND && is_op) return op_without_brackets(p, token);
    if (is_constant_name(name, nbytes)) {
        FAIL(p, token, token + 1, "'%.*s' is a value, not a map", (int)nbytes, name);
        error_hint(p->err, "multiplication is written '*'");
        return -1;
    }
    if (nbytes == 1 && name[0] >= 'a' && name[0] <= 'z') return other_variable(p, token, name);
    if (is_later(p, token)) {
        FAIL(p, token, token + 1, "'%.*s' is not in this version", (int)nbytes, name);
        error_hint(p->err, "'onepass --list-ops' lists what is");
        return -1;
    }
    if (name_instead(p, token) != NULL) {
        FAIL(p, token, token + 1, "unknown name '%.*s'", (int)nbytes, name);
        error_hint(p->err, "%s", name_instead(p, token));
        return -1;
    }
    if (wrong_case(p, token, name, nbytes)) return -1;
    return unknown_name(p, token, place, name, nbytes);
}
