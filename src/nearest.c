/* The nearest known names to a mistyped one. */
#include <string.h>

#include "onepass.h"

#define LONGEST_WORD 40 /* nothing longer resembles a name of ours; it also bounds the work */

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
