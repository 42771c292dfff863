#include "answer/search.h"
#include "answer/answer.h"
#include "base/utf8.h"

/* Ranges of adjacent pairs of letters; the one with this last bit is the capital. */
static const struct {
    uint32_t from, to, capital;
} pairs[] = {{0x100, 0x12f, 0},   {0x132, 0x137, 0},  {0x139, 0x148, 1}, {0x14a, 0x177, 0},
             {0x179, 0x17e, 1},   {0x460, 0x481, 0},  {0x48a, 0x4bf, 0}, {0x4d0, 0x52f, 0},
             {0x1e00, 0x1e95, 0}, {0x1ea0, 0x1eff, 0}};

/* Capitals at a fixed distance from their small letters. */
static const struct {
    uint32_t from, to;
    int32_t step;
} shifts[] = {{'A', 'Z', 32},     {0xc0, 0xd6, 32},   {0xd8, 0xde, 32},   {0x178, 0x178, -121},
              {0x386, 0x386, 38}, {0x388, 0x38a, 37}, {0x38c, 0x38c, 64}, {0x38e, 0x38f, 63},
              {0x391, 0x3a1, 32}, {0x3a3, 0x3ab, 32}, {0x3c2, 0x3c2, 1},  {0x400, 0x40f, 80},
              {0x410, 0x42f, 32}, {0x4c0, 0x4c0, 15}, {0x531, 0x556, 48}, {0xff21, 0xff3a, 32}};

/* Handles Latin, Greek, Cyrillic and Armenian; other scripts have no capitals that names use. */
static uint32_t
lower(uint32_t c)
{
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        if (c >= shifts[i].from && c <= shifts[i].to)
            return (uint32_t)((int32_t)c + shifts[i].step);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && c >= 0x100; i++)
        if (c >= pairs[i].from && c <= pairs[i].to)
            return (c & 1) == pairs[i].capital ? c + 1 : c;
    return c;
}

static size_t
put(char *out, uint32_t c, size_t step) /* step 0: a byte that is not a character */
{
    *out = (char)c;
    return step ? sb_utf8_put(out, lower(c)) : 1;
}

/* The form in which texts are compared: without quotes, in lower case. */
static struct sb_str
fold(struct sb_str text, struct sb_arena *a)
{
    char *out = SB_NEW_N(a, char, sb_mul_or_die(2, text.n) + 4); /* a small letter may take one byte more
                                                                    than its capital */
    size_t n = 0;
    while (text.n > 0) {
        uint32_t c = (uint8_t)text.p[0];
        size_t step = sb_utf8_get(text.p, text.n, &c);
        if (c != '\'' && c != '"')
            n += put(out + n, c, step);
        text = sb_str_sub(text, step ? step : 1, text.n);
    }
    return (struct sb_str){out, n};
}

void
sb_search_read(struct sb_search *s, struct sb_str text, struct sb_arena *a)
{
    struct sb_str rest = sb_str_trim(text);
    *s = (struct sb_search){0};
    while (rest.n > 0) {
        bool last = s->n + 1 == SB_SEARCH_WORDS;
        s->word[s->n++] = fold(last ? rest : sb_str_cut(&rest, ' '), a);
        rest = last ? (struct sb_str){0} : sb_str_trim(rest);
    }
}

/* The words, one bit each, that occur in the text as it is or as Elixir writes it. */
static uint32_t
words_in(const struct sb_search *s, struct sb_str text, struct sb_arena *a)
{
    struct sb_str shown = sb_elixir_name(text, true, a);
    struct sb_str form[2] = {fold(text, a), {0}};
    if (shown.p != text.p || shown.n != text.n)
        form[1] = fold(shown, a);
    uint32_t found = 0;
    for (size_t w = 0; w < s->n; w++)
        found |= (uint32_t)(sb_str_has(form[0], s->word[w]) || sb_str_has(form[1], s->word[w])) << w;
    return found;
}

bool
sb_search_matches(const struct sb_search *s, const struct sb_str *text, size_t n, struct sb_arena *a)
{
    uint32_t all = (1u << s->n) - 1, found = 0;
    for (size_t i = 0; i < n && found != all; i++)
        if (text[i].n > 0)
            found |= words_in(s, text[i], a);
    return found == all;
}
