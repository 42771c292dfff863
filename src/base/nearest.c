#include "base/nearest.h"
#include <stdio.h>

enum { LONGEST = 64 };

/* Number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
static size_t
edits(struct sb_str a, struct sb_str b)
{
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= b.n; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t *now = row[i % 3], *up = row[(i - 1) % 3], *above = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            size_t best = up[j - 1] + (a.p[i - 1] != b.p[j - 1]);
            best = up[j] + 1 < best ? up[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            bool swapped = i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1];
            now[j] = swapped && above[j - 2] + 1 < best ? above[j - 2] + 1 : best;
        }
    }
    return row[a.n % 3][b.n];
}

/* A third of the letters may differ. */
struct sb_nearest
sb_nearest_to(struct sb_str word)
{
    return (struct sb_nearest){.word = word, .distance = word.n / 3 + 1};
}

void
sb_nearest_offer(struct sb_nearest *n, struct sb_str candidate)
{
    if (n->word.n < 2 || n->word.n > LONGEST || candidate.n == 0 || candidate.n > LONGEST)
        return;
    size_t distance = sb_str_starts(candidate, n->word) ? 1 : edits(n->word, candidate);
    if (distance < n->distance) {
        n->distance = distance;
        n->best = candidate;
    }
}

const char *
sb_nearest_hint(struct sb_nearest *n)
{
    n->hint[0] = '\0';
    if (n->best.n > 0)
        snprintf(n->hint, sizeof n->hint, ", did you mean %.*s?", SB_STR_ARG(n->best));
    return n->hint;
}
