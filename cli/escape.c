/* Escaping of untrusted text for terminals, tsv, csv and JSON.  Names are never refused and never
 * printed raw: a file may be called anything. */
#include "escape.h"

/* Well-formed sequences after the Unicode standard, table 3-7: the first byte decides the length and
 * the range of the second byte; the others are 80 .. BF. */
static const struct {
    unsigned char first_lo, first_hi, second_lo, second_hi;
    size_t nbytes;
} utf8_rows[] = {
    {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t escape_utf8(const char *s, size_t nbytes) {
    const unsigned char *u = (const unsigned char *)s;
    for (size_t k = 0; nbytes > 0 && k < sizeof(utf8_rows) / sizeof(utf8_rows[0]); k++) {
        if (u[0] < utf8_rows[k].first_lo || u[0] > utf8_rows[k].first_hi) continue;
        size_t want = utf8_rows[k].nbytes;
        if (want > nbytes) return 0;
        if (want > 1 && (u[1] < utf8_rows[k].second_lo || u[1] > utf8_rows[k].second_hi)) return 0;
        for (size_t i = 2; i < want; i++)
            if ((u[i] & 0xc0) != 0x80) return 0;
        return want;
    }
    return 0;
}

/* Control characters: C0, DEL, and C1, which some terminals obey too. */
static int is_control(const char *s, size_t nbytes) {
    unsigned char c = (unsigned char)s[0];
    if (nbytes == 1) return c < 0x20 || c == 0x7f;
    return nbytes == 2 && c == 0xc2 && (unsigned char)s[1] < 0xa0;
}

void escape_visible(struct textbuf *out, const char *s, size_t nbytes) {
    for (size_t k = 0; k < nbytes;) {
        size_t length = escape_utf8(s + k, nbytes - k);
        if (length > 0 && !is_control(s + k, length)) {
            textbuf_add(out, s + k, length);
            k += length;
            continue;
        }
        for (size_t end = k + (length ? length : 1); k < end; k++)
            textbuf_format(out, "\\x%02x", (unsigned char)s[k]);
    }
}

void escape_tsv(struct textbuf *out, const char *s, size_t nbytes) {
    static const char special[] = "\t\n\r\\";
    static const char *const escaped[] = {"\\t", "\\n", "\\r", "\\\\"};
    for (size_t k = 0; k < nbytes; k++) {
        size_t which = 0;
        while (which < 4 && special[which] != s[k])
            which++;
        if (which < 4)
            textbuf_string(out, escaped[which]);
        else
            textbuf_char(out, s[k]);
    }
}

void escape_csv(struct textbuf *out, const char *s, size_t nbytes) {
    int quote = 0;
    for (size_t k = 0; k < nbytes; k++)
        quote |= s[k] == ',' || s[k] == '"' || s[k] == '\n' || s[k] == '\r';
    if (!quote) {
        textbuf_add(out, s, nbytes);
        return;
    }
    textbuf_char(out, '"');
    for (size_t k = 0; k < nbytes; k++) {
        if (s[k] == '"') textbuf_char(out, '"');
        textbuf_char(out, s[k]);
    }
    textbuf_char(out, '"');
}

int escape_json(struct textbuf *out, const char *s, size_t nbytes) {
    int lost = 0;
    textbuf_char(out, '"');
    for (size_t k = 0; k < nbytes;) {
        size_t length = escape_utf8(s + k, nbytes - k);
        if (length == 0) {
            textbuf_string(out, "\xef\xbf\xbd"); /* U+FFFD */
            lost = 1;
            length = 1;
        } else if (s[k] == '"' || s[k] == '\\') {
            textbuf_char(out, '\\');
            textbuf_char(out, s[k]);
        } else if (s[k] == '\n' || s[k] == '\t' || s[k] == '\r') {
            textbuf_string(out, s[k] == '\n' ? "\\n" : s[k] == '\t' ? "\\t" : "\\r");
        } else if (is_control(s + k, length)) {
            /* DEL and C1 are legal raw in JSON, but a terminal that shows the text may obey them. */
            unsigned code = (unsigned char)s[k + length - 1];
            textbuf_format(out, "\\u%04x", code);
        } else {
            textbuf_add(out, s + k, length);
        }
        k += length;
    }
    textbuf_char(out, '"');
    return lost;
}

void escape_json_base64(struct textbuf *out, const char *s, size_t nbytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    textbuf_char(out, '"');
    for (size_t k = 0; k < nbytes; k += 3) {
        unsigned long bits = 0;
        size_t have = nbytes - k < 3 ? nbytes - k : 3;
        for (size_t i = 0; i < 3; i++)
            bits = bits << 8 | (i < have ? (unsigned char)s[k + i] : 0u);
        for (size_t i = 0; i < 4; i++)
            textbuf_char(out, i <= have ? digits[bits >> (18 - 6 * i) & 63] : '=');
    }
    textbuf_char(out, '"');
}

size_t escape_width(const char *s, size_t nbytes) {
    size_t width = 0;
    for (size_t k = 0; k < nbytes; k++)
        width += ((unsigned char)s[k] & 0xc0) != 0x80;
    return width;
}
