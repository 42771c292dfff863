/* Numbers as people read them: grouped by thousands, with a unit that keeps them short. */
#include "base/table.h"
#include <inttypes.h>

struct scale {
    double from, divide; /* what would be rounded to 1,000 has the next unit */
    const char *suffix;
};

static size_t
scaled(char *buf, size_t cap, double v, const struct scale *s)
{
    double size = v < 0 ? -v : v;
    while (size < s->from)
        s++;
    double shown = v / s->divide, digits = shown < 0 ? -shown : shown;
    int decimals = s->divide == 1 || digits >= 99.95 ? 0 : digits >= 9.995 ? 1 : 2;
    int n = snprintf(buf, cap, "%.*f %s", decimals, shown, s->suffix);
    return n < 0 ? 0 : (size_t)n < cap ? (size_t)n : cap - 1;
}

static size_t
grouped(char *buf, size_t cap, int64_t v)
{
    char digits[24], text[32];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v < 0 ? 0 - (uint64_t)v : (uint64_t)v), at = 0;
    if (v < 0)
        text[at++] = '-';
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    size_t fits = (size_t)at < cap ? (size_t)at : cap - 1;
    memcpy(buf, text, fits);
    buf[fits] = '\0';
    return fits;
}

size_t
sb_human(char *buf, size_t cap, int64_t v, enum sb_unit u)
{
    static const struct scale time[] = {
        {999.5e6, 1e9, "s"}, {999.5e3, 1e6, "ms"}, {1e3, 1e3, "us"}, {0, 1, "ns"}};
    static const struct scale bytes[] = {
        {999.5e9, 1e12, "TB"}, {999.5e6, 1e9, "GB"}, {999.5e3, 1e6, "MB"}, {1e3, 1e3, "kB"}, {0, 1, "B"}};
    int n;
    if (cap == 0)
        return 0;
    switch (u) {
    case SB_U_NS:
        return scaled(buf, cap, (double)v, time);
    case SB_U_BYTES:
        return scaled(buf, cap, (double)v, bytes);
    case SB_U_AT_NS:
        n = snprintf(buf, cap, "%.6f s", (double)v / 1e9);
        break;
    case SB_U_PPM:
        n = snprintf(buf, cap, "%.2f %%", (double)v / 1e4);
        break;
    case SB_U_ID:
        n = snprintf(buf, cap, "%" PRId64, v);
        break;
    default:
        return grouped(buf, cap, v);
    }
    return n < 0 ? 0 : (size_t)n < cap ? (size_t)n : cap - 1;
}
