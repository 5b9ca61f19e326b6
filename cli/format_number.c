/* --digits, --hex and --ofmt.  printf is only ever given formats that are written here; the program
 * never calls setlocale, so the decimal point is a point. */
#include "format_number.h"

#include <math.h>
#include <string.h>

enum { LARGEST_WIDTH = 512, LARGEST_PRECISION = 1100 };

static const char number_flags[] = "-+ #0";

/* Decimal digits at *p into *out; 0 when they exceed the largest. */
static int parse_small(const char **p, int largest, int *out) {
    for (*out = 0; **p >= '0' && **p <= '9'; (*p)++) {
        *out = *out * 10 + (**p - '0');
        if (*out > largest) return 0;
    }
    return 1;
}

/* The next '%' of text that is not doubled, or NULL. */
static const char *find_conversion(const char *text) {
    for (; (text = strchr(text, '%')) != NULL; text += 2)
        if (text[1] != '%') return text;
    return NULL;
}

const char *number_template_parse(const char *text, struct number_template *out) {
    const char *p = find_conversion(text);
    if (!p) return "there is no conversion";
    *out =
        (struct number_template){.before = text, .before_nbytes = (size_t)(p - text), .precision = -1};
    for (p++; *p && strchr(number_flags, *p); p++)
        out->flags |= 1u << (strchr(number_flags, *p) - number_flags);
    if (!parse_small(&p, LARGEST_WIDTH, &out->width)) return "its width is above 512";
    if (*p == '.') {
        p++;
        if (!parse_small(&p, LARGEST_PRECISION, &out->precision)) return "its precision is above 1100";
    }
    if (!*p || !strchr("efga", *p)) return "the conversion is not one of e, f, g and a";
    out->conversion = *p++;
    out->after = p;
    return find_conversion(p) ? "there is more than one conversion" : NULL;
}

static void add_literal(struct textbuf *out, const char *text, size_t nbytes) {
    for (size_t k = 0; k < nbytes; k++) {
        textbuf_char(out, text[k]);
        if (text[k] == '%') k++;
    }
}

/* "%e" and so on with a precision, or the conversion's own. */
static void add_digits(struct textbuf *out, char conversion, int alternate, int precision, double v) {
    static const char *const formats[2][4] = {{"%.*e", "%.*f", "%.*g", "%.*a"},
                                              {"%#.*e", "%#.*f", "%#.*g", "%#.*a"}};
    size_t which = (size_t)(strchr("efga", conversion) - "efga");
    textbuf_format(out, formats[alternate][which], precision, v); /* a negative precision is none */
}

static void add_template(struct textbuf *out, const struct number_template *t, double v) {
    int left = t->flags & 1, plus = t->flags & 2, blank = t->flags & 4, sharp = (t->flags & 8) != 0;
    int zero = (t->flags & 16) && !left && isfinite(v);
    int negative = signbit(v) && !isnan(v);
    struct textbuf digits = {0};
    add_digits(&digits, t->conversion, sharp, t->precision, isnan(v) ? (double)NAN : fabs(v));
    const char *sign = negative ? "-" : plus ? "+" : blank ? " " : "";
    const char *text = textbuf_text(&digits);
    size_t have = strlen(sign) + digits.nbytes;
    size_t padding = have < (size_t)t->width ? (size_t)t->width - have : 0;
    add_literal(out, t->before, t->before_nbytes);
    if (!left && !zero) textbuf_repeat(out, ' ', padding);
    textbuf_string(out, sign);
    if (zero && t->conversion == 'a' && digits.nbytes > 2) { /* zeros stand behind the 0x */
        textbuf_add(out, text, 2);
        text += 2;
    }
    if (zero) textbuf_repeat(out, '0', padding);
    textbuf_string(out, text);
    if (left) textbuf_repeat(out, ' ', padding);
    add_literal(out, t->after, strlen(t->after));
    if (digits.failed) out->failed = 1;
    textbuf_free(&digits);
}

void number_add(struct textbuf *out, const struct number_style *style, const onepass_value *value) {
    int plain = value->kind == ONEPASS_INTEGER || style->kind == NUMBER_SHORTEST;
    if (plain || (style->kind == NUMBER_DIGITS && !isfinite(value->value))) {
        textbuf_string(out, value->text);
    } else if (style->kind == NUMBER_HEX) {
        textbuf_string(out, value->hex ? value->hex : value->text);
    } else if (style->kind == NUMBER_DIGITS) {
        add_digits(out, 'g', 0, style->digits, value->value);
    } else {
        add_template(out, &style->template, value->value);
    }
}
