/* Values of options: checking them, and the options whose value takes more than a check.  Which options
 * there are is options.def's; finding them on the line is options.c's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "option_calls.h"
#include "options.h"

int option_number(const char *text, int suffixes, uint64_t low, uint64_t high, uint64_t *out) {
    uint64_t value = 0;
    const char *p = text;
    if (*p < '0' || *p > '9') return -1;
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *p - '0', &value))
            return -1;
    if (suffixes && *p) { /* coreutils' rule: K and KiB are 1024, KB is 1000 */
        const char letters[] = "KMGTPE";
        const char *which = strchr(letters, *p == 'k' ? 'K' : *p);
        if (!which) return -1;
        p++;
        uint64_t unit = 1024;
        if (strcmp(p, "B") == 0) {
            unit = 1000;
            p++;
        } else if (strcmp(p, "iB") == 0) {
            p += 2;
        }
        for (const char *l = letters; l <= which; l++)
            if (__builtin_mul_overflow(value, unit, &value)) return -1;
    }
    if (*p || value < low || value > high) return -1;
    *out = value;
    return 0;
}

/* Which of words[] a text is, or -1. */
static int find_word(const char *const *words, const char *text) {
    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], text) == 0) return k;
    return -1;
}

/* "a, b or c" */
static void join_words(const char *const *words, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t k = 0; words[k] && used < capacity; k++) {
        const char *between = k == 0 ? "" : words[k + 1] ? ", " : " or ";
        int n = snprintf(out + used, capacity - used, "%s%s", between, words[k]);
        used += n > 0 ? (size_t)n : 0;
    }
}

static size_t count_words(const char *const *words) {
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

static int bad_choice(const struct option_spec *spec, const char *value, const char *const *words) {
    char hint[256], allowed[256];
    option_suggest(value, strlen(value), words, count_words(words), hint, sizeof(hint));
    join_words(words, allowed, sizeof(allowed));
    /* "be" is far from "big", but can mean nothing else. */
    for (size_t k = 0; !hint[0] && strlen(value) <= 2 && words[k]; k++)
        if (words[k][0] == (value[0] | 0x20))
            snprintf(hint, sizeof(hint), "did you mean '%s'?", words[k]);
    message_usage(hint, "option --%s: '%s' is not %s", spec->name, value, allowed);
    return EXIT_USAGE;
}

static int store_number(const struct option_spec *spec, const char *value, uint64_t *field) {
    int suffixes = spec->kind == KIND_BYTES;
    if (option_number(value, suffixes, spec->low, spec->high, field) == 0) return 0;
    message_usage(suffixes ? "suffixes: K M G T P E and KiB ... are powers of 1024, KB MB ... of 1000"
                           : NULL,
                  "option --%s: '%s' is not a whole number from %llu to %llu", spec->name, value,
                  (unsigned long long)spec->low, (unsigned long long)spec->high);
    return EXIT_USAGE;
}

static int store_mode(struct options *o, const struct option_spec *spec, int mode) {
    if (o->mode != MODE_RUN && o->mode != mode) {
        message_usage(NULL, "--%s and --%s cannot be combined", o->mode_name, spec->name);
        return EXIT_USAGE;
    }
    o->mode = mode;
    o->mode_name = spec->name;
    return 0;
}

int option_store(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    char *base = (char *)o;
    if (value && strcmp(value, "?") == 0 && (spec->list != LIST_NONE || spec->words)) {
        o->ask = spec;
        return 0;
    }
    if (spec->given) *(int *)(base + spec->given) = 1;
    int *number = (int *)(base + spec->field);
    switch (spec->kind) {
    case KIND_SET:
        *number = spec->value;
        return 0;
    case KIND_FLAG:
        *number = !negated;
        return 0;
    case KIND_COUNT:
        if (*number < 100) ++*number;
        return 0;
    case KIND_TEXT:
        if (!*value) {
            message_usage(NULL, "option --%s: its %s is empty", spec->name, spec->argument);
            return EXIT_USAGE;
        }
        *(const char **)(base + spec->field) = value;
        return 0;
    case KIND_NUMBER:
    case KIND_BYTES:
        return store_number(spec, value, (uint64_t *)(base + spec->field));
    case KIND_CHOICE: {
        int which = find_word(spec->words, value);
        if (which < 0) return bad_choice(spec, value, spec->words);
        *number = which;
        return 0;
    }
    case KIND_MODE:
        return store_mode(o, spec, spec->value);
    case KIND_CALL:
        return spec->call(o, spec, value, negated);
    case KIND_FUTURE:
        break;
    }
    message_usage(NULL, "option --%s is not in this version", spec->name);
    return EXIT_USAGE;
}

/* ---- options with a function of their own ---- */

int option_expression(struct options *o, const struct option_spec *spec, const char *value,
                      int negated) {
    (void)spec, (void)negated;
    o->parts[o->nparts++] = (struct pipeline_part){0, value};
    return 0;
}

int option_from_file(struct options *o, const struct option_spec *spec, const char *value,
                     int negated) {
    (void)spec, (void)negated;
    if (!*value) {
        message_usage(NULL, "option --from-file: the file name is empty");
        return EXIT_USAGE;
    }
    o->parts[o->nparts++] = (struct pipeline_part){1, value};
    return 0;
}

int option_shape(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    (void)negated;
    int ndim = 0, nunknown = 0;
    uint64_t product = 1;
    for (const char *p = value;; p++) {
        char text[24];
        size_t nbytes = strcspn(p, ",");
        uint64_t n = 0;
        if (nbytes == 0 || nbytes >= sizeof(text) || ndim == ONEPASS_MAX_DIMS) goto bad;
        memcpy(text, p, nbytes);
        text[nbytes] = '\0';
        if (strcmp(text, "-1") == 0) {
            o->shape[ndim++] = -1;
            nunknown++;
        } else {
            if (option_number(text, 0, 0, INT64_MAX, &n)) goto bad;
            if (__builtin_mul_overflow(product, n ? n : 1, &product) || product > INT64_MAX) goto bad;
            o->shape[ndim++] = (int64_t)n;
        }
        p += nbytes;
        if (!*p) break;
    }
    if (nunknown > 1) goto bad;
    o->ndim = ndim;
    return 0;
bad:
    message_usage("for example --shape 100,200 or --shape=-1,200",
                  "option --%s: '%s' is not 1 to %d whole numbers with commas between them, at most "
                  "one of them -1, "
                  "whose product is below 2^63",
                  spec->name, value, ONEPASS_MAX_DIMS);
    return EXIT_USAGE;
}

int option_input_format(struct options *o, const struct option_spec *spec, const char *value,
                        int negated) {
    (void)negated;
    enum { MOST = 32 };
    const char *words[MOST + 1];
    onepass_name name = {.size = sizeof(name)};
    size_t n = 0;
    for (; n < MOST && onepass_format(n, &name); n++)
        words[n] = name.name;
    words[n] = NULL;
    if (find_word(words, value) < 0) return bad_choice(spec, value, words);
    o->input_format = value;
    return 0;
}

int option_device(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    onepass_error err = ONEPASS_ERROR_INIT;
    (void)negated;
    if (onepass_device_check(value, &err)) {
        message_usage(err.hint, "option --%s: %s", spec->name, err.message);
        return EXIT_USAGE;
    }
    o->device = value;
    return 0;
}

int option_explain(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    (void)negated;
    if (value && strcmp(value, "cuda") != 0) {
        message_usage(NULL, "option --%s: '%s' is not cuda (or leave it out)", spec->name, value);
        return EXIT_USAGE;
    }
    o->explain_cuda = value != NULL;
    return store_mode(o, spec, MODE_EXPLAIN);
}

int option_digits(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    (void)negated;
    uint64_t digits;
    int status = store_number(spec, value, &digits);
    if (status == 0) o->number = (struct number_style){.kind = NUMBER_DIGITS, .digits = (int)digits};
    return status;
}

int option_hex(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    (void)spec, (void)value;
    if (!negated)
        o->number = (struct number_style){.kind = NUMBER_HEX};
    else if (o->number.kind == NUMBER_HEX)
        o->number = (struct number_style){.kind = NUMBER_SHORTEST};
    return 0;
}

int option_ofmt(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    (void)negated;
    struct number_style style = {.kind = NUMBER_TEMPLATE};
    const char *fault = number_template_parse(value, &style.template);
    if (fault) {
        message_usage(
            "text with exactly one %[flags][width][.precision] of e, f, g or a; %% is a percent sign",
            "option --%s: '%s': %s", spec->name, value, fault);
        return EXIT_USAGE;
    }
    o->number = style;
    return 0;
}

int option_generate(struct options *o, const struct option_spec *spec, const char *value, int negated) {
    (void)negated;
    int which = find_word(generate_words, value);
    int nshown = (int)count_words(generate_words);
    for (int k = nshown + 1; which < 0 && generate_words[k]; k++)
        if (strcmp(generate_words[k], value) == 0) which = k;
    if (which < 0) return bad_choice(spec, value, generate_words);
    o->generate = which;
    return store_mode(o, spec, MODE_GENERATE);
}
