/* Numbers as people read them: grouped by thousands, with a unit that keeps them short. */
#include "base/table.h"
#include <inttypes.h>

struct scale {
    double from, divide; /* what would be rounded to 1,000 has the next unit */
    const char *suffix;
};

static struct sb_human
scaled(double v, const struct scale *s)
{
    struct sb_human h;
    double size = v < 0 ? -v : v;
    while (size < s->from)
        s++;
    double shown = v / s->divide, digits = shown < 0 ? -shown : shown;
    int decimals = s->divide == 1 || digits >= 99.95 ? 0 : digits >= 9.995 ? 1 : 2;
    snprintf(h.text, sizeof h.text, "%.*f %s", decimals, shown, s->suffix);
    return h;
}

static struct sb_human
grouped(int64_t v)
{
    struct sb_human h;
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v < 0 ? 0 - (uint64_t)v : (uint64_t)v), at = 0;
    if (v < 0)
        h.text[at++] = '-';
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            h.text[at++] = ',';
        h.text[at++] = digits[i];
    }
    h.text[at] = '\0';
    return h;
}

struct sb_human
sb_human(int64_t v, enum sb_unit u)
{
    static const struct scale time[] = {
        {999.5e6, 1e9, "s"}, {999.5e3, 1e6, "ms"}, {1e3, 1e3, "us"}, {0, 1, "ns"}};
    static const struct scale bytes[] = {
        {999.5e9, 1e12, "TB"}, {999.5e6, 1e9, "GB"}, {999.5e3, 1e6, "MB"}, {1e3, 1e3, "kB"}, {0, 1, "B"}};
    struct sb_human h;
    switch (u) {
    case SB_U_NS:
        return scaled((double)v, time);
    case SB_U_BYTES:
        return scaled((double)v, bytes);
    case SB_U_AT_NS:
        snprintf(h.text, sizeof h.text, "%.6f s", (double)v / 1e9);
        return h;
    case SB_U_PPM:
        snprintf(h.text, sizeof h.text, "%.2f %%", (double)v / 1e4);
        return h;
    case SB_U_ID:
        snprintf(h.text, sizeof h.text, "%" PRId64, v);
        return h;
    default:
        return grouped(v);
    }
}
