/* Prints atomic terms as Erlang does. */
#include "base/utf8.h"
#include "trace/names.h"
#include "trace/term/term_print.h"
#include <math.h>
#include <stdlib.h>

size_t
sb_utf8_length(const char *p, size_t n)
{
    size_t chars = 0;
    for (size_t i = 0, step; i < n; i += step ? step : 1, chars++) {
        uint32_t c;
        step = (uint8_t)p[i] < 0x80 ? 1 : sb_utf8_get(p + i, n - i, &c);
    }
    return chars;
}

/* ---- characters */

static bool
printable(uint32_t c)
{
    return (c >= ' ' && c <= '~') || (c >= 0xa0 && c <= 0xff) || (c >= '\b' && c <= '\r') || c == 27;
}

static void
put_char(struct sb_out *o, uint32_t c, char quote)
{
    static const char named[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v',
                                 ['\f'] = 'f', ['\r'] = 'r', [27] = 'e',   [127] = 'd'};
    if (c == (uint8_t)quote || c == '\\') {
        sb_out_char(o, '\\');
        sb_out_char(o, (char)c);
    } else if ((c >= ' ' && c <= '~') || c >= 0xa0) {
        char utf8[4];
        sb_out_bytes(o, utf8, sb_utf8_put(utf8, c));
    } else if (c <= 127 && named[c]) {
        sb_out_char(o, '\\');
        sb_out_char(o, named[c]);
    } else {
        sb_out_printf(o, "\\%03o", c);
    }
}

static void
put_quoted(struct sb_out *o, struct sb_str utf8, char quote)
{
    sb_out_char(o, quote);
    for (size_t i = 0, step; i < utf8.n; i += step) {
        uint32_t c = (uint8_t)utf8.p[i];
        step = sb_utf8_get(utf8.p + i, utf8.n - i, &c);
        step = step ? step : 1;
        put_char(o, c, quote);
    }
    sb_out_char(o, quote);
}

/* ---- atoms */

void
sb_term_put_atom(struct sb_out *o, struct sb_str utf8)
{
    if (sb_names_plain(utf8))
        sb_out_str(o, utf8);
    else
        put_quoted(o, utf8, '\'');
}

/* ---- numbers */

struct decimal {
    char digits[24];
    int n, exponent; /* 0.d1d2d3... * 10^exponent */
};

static bool
reads_back(uint64_t digits, int n, int exponent, double f)
{
    char text[48];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits, exponent - n);
    return strtod(text, NULL) == f;
}

/* Returns the fewest digits that read back as f (> 0); among those, the nearest. */
static struct decimal
shortest(double f)
{
    struct decimal d = {0};
    char text[40];
    for (int n = 1; n <= 17; n++) {
        snprintf(text, sizeof text, "%.*e", n - 1, f);
        char *e = strchr(text, 'e');
        int exponent = atoi(e + 1) + 1;
        uint64_t digits = 0;
        for (const char *p = text; p < e; p++)
            digits = *p == '.' ? digits : digits * 10 + (uint64_t)(*p - '0');
        /* where the spacing of floats changes, the nearest digits may read back as another float */
        uint64_t tries[] = {digits, digits + 1, digits - 1};
        for (int i = 0; i < 3; i++)
            if (reads_back(tries[i], n, exponent, f)) {
                snprintf(d.digits, sizeof d.digits, "%llu", (unsigned long long)tries[i]);
                d.n = (int)strlen(d.digits);
                d.exponent = exponent + (d.n - n);
                while (d.n > 1 && d.digits[d.n - 1] == '0')
                    d.n--;
                return d;
            }
    }
    return d;
}

/* Prints d.ddde-7 or 0.0000ddd, whichever is shorter; always with an exponent from 2^53. */
void
sb_term_put_float(struct sb_out *o, double f)
{
    if (signbit(f))
        sb_out_char(o, '-');
    f = fabs(f);
    if (f == 0.0) {
        sb_out_z(o, "0.0");
        return;
    }
    struct decimal d = shortest(f);
    char e[16];
    int e_length = snprintf(e, sizeof e, "e%d", d.exponent - 1);
    int scientific = (d.n == 1 ? 3 : d.n + 1) + e_length;
    int plain = d.exponent <= 0 ? 2 - d.exponent + d.n : d.exponent >= d.n ? d.exponent + 2 : d.n + 1;
    if (plain > scientific || f >= 9007199254740992.0) {
        sb_out_char(o, d.digits[0]);
        sb_out_char(o, '.');
        sb_out_bytes(o, d.n > 1 ? d.digits + 1 : "0", d.n > 1 ? (size_t)d.n - 1 : 1);
        sb_out_z(o, e);
        return;
    }
    size_t whole = (size_t)(d.exponent <= 0 ? 0 : d.exponent < d.n ? d.exponent : d.n);
    sb_out_bytes(o, whole ? d.digits : "0", whole ? whole : 1);
    sb_out_pad(o, '0', d.exponent > d.n ? (size_t)(d.exponent - d.n) : 0);
    sb_out_char(o, '.');
    sb_out_pad(o, '0', d.exponent < 0 ? (size_t)-d.exponent : 0);
    bool fraction = d.n > (int)whole;
    sb_out_bytes(o, fraction ? d.digits + whole : "0", fraction ? (size_t)d.n - whole : 1);
}

/* Decimal output takes quadratic time. Integers longer than this are printed in base 16, which is still
 * valid Erlang. */
#define DECIMAL_BYTES 16384u

static void
put_big_hex(struct sb_out *o, const struct sb_etf *t)
{
    sb_out_printf(o, "16#%X", t->bytes[t->n - 1]);
    for (uint32_t i = t->n - 1; i > 0; i--)
        sb_out_printf(o, "%02X", t->bytes[i - 1]);
}

static void
put_big(struct sb_out *o, const struct sb_etf *t)
{
    if (t->bits)
        sb_out_char(o, '-');
    if (t->n > DECIMAL_BYTES) {
        put_big_hex(o, t);
        return;
    }
    size_t n = (t->n + 3) / 4, parts = 0;
    uint32_t *word = sb_zeroed_or_die(n + 1, sizeof *word), *part = sb_zeroed_or_die(n * 2 + 2, sizeof *part);
    memcpy(word, t->bytes, t->n);
    while (n > 0) { /* repeated division by 10^9 */
        uint64_t rest = 0;
        for (size_t i = n; i > 0; i--) {
            rest = rest << 32 | word[i - 1];
            word[i - 1] = (uint32_t)(rest / 1000000000);
            rest %= 1000000000;
        }
        part[parts++] = (uint32_t)rest;
        while (n > 0 && word[n - 1] == 0)
            n--;
    }
    sb_out_printf(o, "%u", part[parts - 1]);
    for (size_t i = parts - 1; i > 0; i--)
        sb_out_printf(o, "%09u", part[i - 1]);
    free(word);
    free(part);
}

/* ---- processes, ports, references, funs: printed as the traced node prints them */

static void
put_ref(struct sb_out *o, const struct sb_etf *t)
{
    sb_out_z(o, "#Ref<0");
    for (uint32_t i = t->n; i > 0; i--)
        sb_out_printf(o, ".%u", t->id->word[i - 1]);
    sb_out_char(o, '>');
}

/* The VM prints funs itself. It quotes and escapes differently, and prints bytes of UTF-8 as Latin-1
 * characters. */
static void
put_vm_bytes(struct sb_out *o, const char *p, size_t n)
{
    char utf8[4];
    for (size_t i = 0; i < n; i++)
        sb_out_bytes(o, utf8, sb_utf8_put(utf8, (uint8_t)p[i]));
}

static void
put_vm_char(struct sb_out *o, const char *p, size_t n, uint32_t c)
{
    static const char named[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r'};
    if (c == '\'' || c == '\\')
        sb_out_printf(o, "\\%c", (char)c);
    else if (c < sizeof named && named[c])
        sb_out_printf(o, "\\%c", named[c]);
    else if (c < ' ' || (c >= 0x80 && c < 0xa0))
        sb_out_printf(o, "\\%03o", c);
    else
        put_vm_bytes(o, p, n);
}

static void
put_vm_atom(struct sb_out *o, struct sb_str utf8)
{
    if (sb_names_chars(utf8)) {
        put_vm_bytes(o, utf8.p, utf8.n);
        return;
    }
    sb_out_char(o, '\'');
    for (size_t i = 0, step; i < utf8.n; i += step) {
        uint32_t c = (uint8_t)utf8.p[i];
        step = sb_utf8_get(utf8.p + i, utf8.n - i, &c);
        step = step ? step : 1;
        put_vm_char(o, utf8.p + i, step, c);
    }
    sb_out_char(o, '\'');
}

static void
put_fun(struct sb_out *o, const struct sb_etf *t)
{
    sb_out_z(o, "#Fun<");
    put_vm_bytes(o, t->at[0].text, t->at[0].n);
    sb_out_printf(o, ".%lld.%lld>", (long long)t->at[1].i, (long long)t->at[2].i);
}

static void
put_export(struct sb_out *o, const struct sb_etf *t)
{
    sb_out_z(o, "fun ");
    put_vm_atom(o, sb_etf_atom_text(&t->at[0]));
    sb_out_char(o, ':');
    put_vm_atom(o, sb_etf_atom_text(&t->at[1]));
    sb_out_printf(o, "/%lld", (long long)t->at[2].i);
}

void
sb_term_put_atomic(struct sb_out *o, const struct sb_etf *t)
{
    switch (t->kind) {
    case SB_TERM_INT:
        sb_out_i64(o, t->i);
        break;
    case SB_TERM_BIG:
        put_big(o, t);
        break;
    case SB_TERM_FLOAT:
        sb_term_put_float(o, t->f);
        break;
    case SB_TERM_ATOM:
        sb_term_put_atom(o, sb_etf_atom_text(t));
        break;
    case SB_TERM_REF:
        put_ref(o, t);
        break;
    case SB_TERM_FUN:
        put_fun(o, t);
        break;
    case SB_TERM_EXPORT:
        put_export(o, t);
        break;
    case SB_TERM_PORT:
        sb_out_printf(o, "#Port<0.%llu>", (unsigned long long)t->id->number);
        break;
    case SB_TERM_PID:
        sb_out_printf(o, "<0.%llu.%u>", (unsigned long long)t->id->number, t->id->serial);
        break;
    case SB_TERM_BITS:
        sb_term_put_bits_text(o, t, sb_term_bits_text(t));
        break;
    default:
        sb_out_z(o, t->kind == SB_TERM_NIL ? "[]" : t->kind == SB_TERM_TUPLE ? "{}" : "#{}");
    }
}

/* ---- lists and binaries that are text */

bool
sb_term_is_text(const struct sb_etf *t)
{
    if (t->kind != SB_TERM_LIST || t->at[t->n].kind != SB_TERM_NIL)
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->at[i].kind != SB_TERM_INT || t->at[i].i < 0 || t->at[i].i > 255 ||
            !printable((uint32_t)t->at[i].i))
            return false;
    return true;
}

void
sb_term_put_text(struct sb_out *o, const struct sb_etf *list)
{
    sb_out_char(o, '"');
    for (uint32_t i = 0; i < list->n; i++)
        put_char(o, (uint32_t)list->at[i].i, '"');
    sb_out_char(o, '"');
}

/* UTF-8 takes precedence; other binaries may still be printable bytes. */
enum sb_bits_text
sb_term_bits_text(const struct sb_etf *t)
{
    if (t->bits != 8 && t->n > 0)
        return SB_BITS_NUMBERS;
    bool utf8 = true, ascii = true, text = true;
    for (size_t i = 0, step; i < t->n && utf8; i += step) {
        uint32_t c;
        step = sb_utf8_get((const char *)t->bytes + i, t->n - i, &c);
        utf8 = step > 0;
        ascii = ascii && step <= 1;
        text = text && utf8 && printable(c);
    }
    if (utf8)
        return !text ? SB_BITS_NUMBERS : ascii ? SB_BITS_LATIN1 : SB_BITS_UTF8;
    for (size_t i = 0; i < t->n; i++)
        if (!printable(t->bytes[i]))
            return SB_BITS_NUMBERS;
    return SB_BITS_LATIN1;
}

void
sb_term_put_bits_text(struct sb_out *o, const struct sb_etf *t, enum sb_bits_text how)
{
    sb_out_z(o, "<<");
    if (how == SB_BITS_NUMBERS) {
        for (uint32_t i = 0; i < t->n; i++) {
            bool partial = i + 1 == t->n && t->bits < 8;
            sb_out_z(o, i ? "," : "");
            sb_out_u64(o, partial ? (uint64_t)(t->bytes[i] >> (8 - t->bits)) : t->bytes[i]);
            if (partial)
                sb_out_printf(o, ":%u", t->bits);
        }
    } else if (how == SB_BITS_UTF8) {
        put_quoted(o, (struct sb_str){(const char *)t->bytes, t->n}, '"');
        sb_out_z(o, "/utf8");
    } else if (t->n > 0) {
        sb_out_char(o, '"');
        for (uint32_t i = 0; i < t->n; i++)
            put_char(o, t->bytes[i], '"');
        sb_out_char(o, '"');
    }
    sb_out_z(o, ">>");
}
