/* Names: the nearest known name to a mistyped one, the table of element types for listings, and what
 * this build calls itself.  Names of ops, reductions and formats are listed beside their tables. */
#include <string.h>

#include "dtype.h"
#include "onepass.h"

#define LONGEST_WORD 40 /* nothing longer resembles a name of ours; it also bounds the work */

const char *onepass_version(void) {
    return ONEPASS_VERSION;
}

/* ---- optional features --------------------------------------------------------------------------- */

struct feature {
    const char *name;
    int built_in;
};

static const struct feature FEATURES[] = {
    {"hdf5", 0}, {"zstd", 0}, {"zlib", 0}, {"lz4", 0}, {"blosc", 0}, {"cuda", 0}, {"liburing", 0},
};
#define NFEATURES (sizeof(FEATURES) / sizeof(FEATURES[0]))

int onepass_has(const char *feature) {
    for (size_t k = 0; k < NFEATURES; k++)
        if (strcmp(FEATURES[k].name, feature) == 0) return FEATURES[k].built_in;
    return -1;
}

const char *onepass_feature(size_t k) {
    return k < NFEATURES ? FEATURES[k].name : NULL;
}

/* ---- element types ------------------------------------------------------------------------------- */

int onepass_dtype(size_t k, onepass_name *out) {
    if (k >= NDTYPES || out->size < sizeof(*out)) return 0;
    out->group = "dtype";
    out->name = dtype_table[k].name;
    out->usage = dtype_table[k].spellings;
    out->doc = dtype_table[k].doc;
    out->libm = 0;
    return 1;
}

/* ---- nearest names ------------------------------------------------------------------------------- */

static int lower(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int min2(int a, int b) {
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours ("optimal string alignment"), letters
 * of either case being equal.  Three rows of the table suffice. */
static int edit_distance(const char *a, size_t na, const char *b, size_t nb) {
    int rows[3][LONGEST_WORD + 1];
    int *before = rows[0], *previous = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++)
        previous[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int differ = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = min2(previous[j - 1] + differ, min2(previous[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = min2(row[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = previous;
        previous = row;
        row = oldest;
    }
    return previous[nb];
}

static int is_prefix(const char *prefix, size_t nprefix, const char *word, size_t nword) {
    if (nprefix > nword) return 0;
    for (size_t k = 0; k < nprefix; k++)
        if (lower(prefix[k]) != lower(word[k])) return 0;
    return 1;
}

/* How unlikely it is that `word` was meant as `name`; -1: too unlikely to mention.  An edit counts 2,
 * so that a cut or lengthened name ("float", "maximum") ranks between one and two edits. */
static int unlikeness(const char *word, size_t nword, const char *name, size_t nname) {
    if (nname == 0 || nname > LONGEST_WORD) return -1;
    int distance = edit_distance(word, nword, name, nname);
    int allowed = nword < 2 ? 0 : nword < 4 ? 1 : nword < 7 ? 2 : 3;
    int score = distance <= allowed ? 2 * distance : -1;
    int cut = nword >= 2 && is_prefix(word, nword, name, nname);
    int lengthened = nname >= 3 && is_prefix(name, nname, word, nword);
    if ((cut || lengthened) && (score < 0 || score > 3)) score = 3;
    return score;
}

size_t onepass_nearest(const char *word, size_t nbytes, const char *const *names, size_t nnames,
                       const char *best[3]) {
    int scores[3];
    size_t found = 0;
    if (nbytes == 0 || nbytes > LONGEST_WORD) return 0;
    for (size_t k = 0; k < nnames; k++) {
        int score = unlikeness(word, nbytes, names[k], strlen(names[k]));
        if (score < 0) continue;
        size_t at = found;
        while (at > 0 && scores[at - 1] > score)
            at--;
        if (at == 3) continue;
        if (found < 3) found++;
        for (size_t j = found - 1; j > at; j--) {
            scores[j] = scores[j - 1];
            best[j] = best[j - 1];
        }
        scores[at] = score;
        best[at] = names[k];
    }
    return found;
}
