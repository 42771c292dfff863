/* Prints names, pids and functions as Erlang does. */
#include "trace/names.h"
#include "base/utf8.h"
#include <inttypes.h>

/* Erlang treats the letters of Latin-1 like those of ASCII. */
static bool
is_lower(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 0xdf && c <= 0xff && c != 0xf7);
}

static bool
is_name_char(uint32_t c)
{
    bool upper = (c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7);
    return is_lower(c) || upper || (c >= '0' && c <= '9') || c == '_' || c == '@';
}

static bool
is_reserved(struct sb_str s)
{
    static const char *const words[] = {"after",  "and",     "andalso", "band", "begin", "bnot", "bor",
                                        "bsl",    "bsr",     "bxor",    "case", "catch", "cond", "div",
                                        "end",    "fun",     "if",      "let",  "not",   "of",   "or",
                                        "orelse", "receive", "rem",     "try",  "when",  "xor"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sb_str_eq(s, sb_str_of(words[i])))
            return true;
    return false;
}

bool
sb_names_chars(struct sb_str s)
{
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = sb_utf8_get(s.p + i, s.n - i, &c);
        if (n == 0 || !(i == 0 ? is_lower(c) : is_name_char(c)))
            return false;
        i += n;
    }
    return s.n > 0;
}

bool
sb_names_plain(struct sb_str s)
{
    return sb_names_chars(s) && !is_reserved(s);
}

/* Writes one character of a quoted atom; returns the number of bytes, at most 4. */
static size_t
quoted_char(char *out, const char *p, size_t len, uint32_t c)
{
    static const char letters[128] = {['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r', ['\b'] = 'b',  ['\f'] = 'f',
                                      ['\v'] = 'v', [27] = 'e',   [127] = 'd',  ['\''] = '\'', ['\\'] = '\\'};
    if (len == 0) { /* a byte that is not UTF-8; Erlang never writes one */
        static const char digit[] = "0123456789abcdef";
        memcpy(out, "\\x", 2);
        out[2] = digit[(uint8_t)*p >> 4];
        out[3] = digit[(uint8_t)*p & 15];
        return 4;
    }
    if (c < 128 && letters[c]) {
        out[0] = '\\';
        out[1] = letters[c];
        return 2;
    }
    if (c < 32) {
        out[0] = '\\';
        out[1] = '0';
        out[2] = (char)('0' + c / 8);
        out[3] = (char)('0' + c % 8);
        return 4;
    }
    memcpy(out, p, len);
    return len;
}

struct sb_str
sb_names_quote(struct sb_str atom, struct sb_arena *a)
{
    if (sb_names_plain(atom))
        return sb_arena_str(a, atom);
    char *p = sb_arena_alloc(a, sb_mul_or_die(atom.n, 4) + 3, 1);
    size_t at = 0;
    p[at++] = '\'';
    for (size_t i = 0; i < atom.n;) {
        uint32_t c = 0;
        size_t n = sb_utf8_get(atom.p + i, atom.n - i, &c);
        at += quoted_char(p + at, atom.p + i, n, c);
        i += n ? n : 1;
    }
    p[at++] = '\'';
    return (struct sb_str){p, at};
}

struct sb_str
sb_names_print(const struct sb_names *n, uint32_t id, struct sb_arena *a)
{
    struct sb_mfa mfa = sb_names_mfa_of(n, id);
    switch (sb_names_kind(n, id)) {
    case SB_NAME_ATOM:
        return sb_names_quote(sb_names_str(n, id), a);
    case SB_NAME_TEXT:
        return sb_names_str(n, id);
    case SB_NAME_MFA:
        return sb_arena_printf(a, "%.*s:%.*s/%" PRIu32, SB_STR_ARG(sb_names_quote(sb_names_str(n, mfa.m), a)),
                               SB_STR_ARG(sb_names_quote(sb_names_str(n, mfa.f), a)), mfa.arity);
    default:
        return (struct sb_str){0};
    }
}

/* A port's number has up to 64 bits: the packed form has its upper bits in the place of a pid's serial. */
static struct sb_str
numbered(bool is_port, uint64_t serial, uint64_t number, struct sb_arena *a)
{
    if (is_port)
        return sb_arena_printf(a, "#Port<0.%" PRIu64 ">", serial << 28 | number);
    return sb_arena_printf(a, "<0.%" PRIu64 ".%" PRIu64 ">", number, serial);
}

static struct sb_str
named(const struct sb_names *n, sb_actor who, struct sb_arena *a)
{
    struct sb_str name = sb_names_print(n, (uint32_t)who, a);
    if (sb_actor_node(who) == 0)
        return name;
    struct sb_str node = sb_names_quote(sb_names_node_name(n, sb_actor_node(who), NULL), a);
    return sb_arena_printf(a, "{%.*s,%.*s}", SB_STR_ARG(name), SB_STR_ARG(node));
}

struct sb_str
sb_names_actor(const struct sb_names *n, sb_actor who, struct sb_arena *a)
{
    unsigned node;
    uint64_t serial, number;
    if (who == 0)
        return (struct sb_str){0};
    switch (sb_actor_kind(who)) {
    case SB_NAMED:
        return named(n, who, a);
    case SB_ODD:
        sb_names_odd_parts(n, who, &node, &serial, &number);
        return numbered(sb_names_odd_is_port(n, who), serial, number, a);
    default:
        return numbered(sb_actor_kind(who) == SB_PORT, sb_actor_serial(who), sb_actor_number(who), a);
    }
}
