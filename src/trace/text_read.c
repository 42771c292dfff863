#include "trace/text.h"
#include "trace/text_impl.h"
#include "base/utf8.h"

struct sb_str
sb_text_word(struct sb_str *line)
{
    *line = sb_str_trim(*line);
    size_t n = 0;
    for (char quote = 0; n < line->n; n++) {
        char c = line->p[n];
        if (quote && c == '\\' && n + 1 < line->n)
            n++;
        else if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == ' ' || c == '\t')
            break;
    }
    struct sb_str word = sb_str_sub(*line, 0, n);
    *line = sb_str_sub(*line, n, SIZE_MAX);
    return word;
}

static unsigned
hex_digit(char c)
{
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static bool
read_hex(struct sb_str s, uint64_t *out)
{
    uint64_t v = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (hex_digit(s.p[i]) > 15 || v >> 60)
            return false;
        v = v << 4 | hex_digit(s.p[i]);
    }
    *out = v;
    return s.n > 0;
}

/* Decodes an escape after a backslash: \n, \101 (octal), \x41 (one byte), \x{3bb} (a character). Moves *i
 * to its end. */
static size_t
unescape(struct sb_str s, size_t *i, char *out)
{
    static const char letters[128] = {['n'] = '\n', ['t'] = '\t', ['r'] = '\r', ['b'] = '\b',
                                      ['f'] = '\f', ['v'] = '\v', ['e'] = 27,   ['d'] = 127};
    char c = s.p[*i];
    uint64_t v = 0;
    size_t end = *i + 1;
    if (c == 'x' && end < s.n && s.p[end] == '{') {
        struct sb_str digits = sb_str_sub(s, end + 1, SIZE_MAX);
        digits = sb_str_sub(digits, 0, sb_str_find(digits, '}'));
        *i = end + digits.n + 1 < s.n ? end + digits.n + 1 : s.n - 1;
        return read_hex(digits, &v) && v <= 0x10ffff ? sb_utf8_put(out, (uint32_t)v) : 0;
    }
    if (c == 'x' && read_hex(sb_str_sub(s, end, 2), &v)) {
        *i = end + 1 < s.n ? end + 1 : s.n - 1;
        out[0] = (char)v;
        return 1;
    }
    if (c >= '0' && c <= '7') {
        for (end = *i; end < s.n && end < *i + 3 && s.p[end] >= '0' && s.p[end] <= '7'; end++)
            v = v * 8 + (uint64_t)(s.p[end] - '0');
        *i = end - 1;
        out[0] = (char)v;
        return 1;
    }
    out[0] = (uint8_t)c < 128 && letters[(uint8_t)c] ? letters[(uint8_t)c] : c;
    return 1;
}

/* Removes quotes, if there are any. */
static struct sb_str
unquote(struct sb_str s, struct sb_arena *a)
{
    if (s.n < 2 || (s.p[0] != '\'' && s.p[0] != '"') || s.p[s.n - 1] != s.p[0])
        return s;
    struct sb_str inner = sb_str_sub(s, 1, s.n - 2);
    char *p = sb_arena_alloc(a, inner.n * 4 + 4, 1);
    size_t n = 0;
    for (size_t i = 0; i < inner.n; i++) {
        if (inner.p[i] != '\\' || i + 1 >= inner.n) {
            p[n++] = inner.p[i];
            continue;
        }
        i++;
        n += unescape(inner, &i, p + n);
    }
    return (struct sb_str){p, n};
}

/* Takes an atom off the front of *rest: quoted, or up to one of `stops`. */
static struct sb_str
take_atom(struct sb_str *rest, const char *stops, struct sb_arena *a)
{
    size_t n = 0;
    if (rest->n && rest->p[0] == '\'') {
        for (n = 1; n < rest->n && rest->p[n] != '\''; n++)
            n += rest->p[n] == '\\';
        n = n < rest->n ? n + 1 : rest->n;
    } else {
        while (n < rest->n && !strchr(stops, rest->p[n]))
            n++;
    }
    struct sb_str atom = unquote(sb_str_sub(*rest, 0, n), a);
    *rest = sb_str_sub(*rest, n, SIZE_MAX);
    return atom;
}

static bool
take_char(struct sb_str *rest, char c)
{
    if (rest->n == 0 || rest->p[0] != c)
        return false;
    *rest = sb_str_sub(*rest, 1, SIZE_MAX);
    return true;
}

/* Parses name/creation after the @ of a pid of another node. */
static bool
read_node(struct sb_str s, struct sb_names *names, unsigned *node, struct sb_arena *a)
{
    uint64_t creation = 0;
    struct sb_str name = take_atom(&s, "/}", a);
    bool has_creation = take_char(&s, '/');
    if (has_creation && (!sb_str_to_u64(s, &creation) || creation > UINT32_MAX))
        return false;
    uint32_t atom = sb_names_atom(names, name);
    *node = has_creation ? sb_names_node(names, atom, (uint32_t)creation) : sb_names_node_called(names, atom);
    return name.n > 0;
}

/* Parses <0.N.S> or #Port<0.N> of `node`; a following @node/creation names another node. */
static bool
read_numbered(struct sb_str s, struct sb_names *names, unsigned node, sb_actor *out, struct sb_arena *a)
{
    bool is_port = s.p[0] == '#';
    uint64_t number, serial = 0, ignored;
    struct sb_str inner = s, place, first, second;
    sb_str_cut(&inner, '<');
    place = inner;
    inner = sb_str_cut(&place, '>');
    if (!sb_str_to_u64(sb_str_cut(&inner, '.'), &ignored))
        return false;
    first = sb_str_cut(&inner, '.');
    second = inner;
    if (!sb_str_to_u64(first, &number) || (!is_port && !sb_str_to_u64(second, &serial)))
        return false;
    if (is_port) {
        serial = number >> 28;
        number &= 0xfffffff;
    }
    if (place.n && (!take_char(&place, '@') || !read_node(place, names, &node, a)))
        return false;
    *out = sb_names_pid(names, is_port ? SB_PORT : SB_PID, node, serial, number);
    return true;
}

static bool
read_actor(struct sb_str s, struct sb_names *names, sb_actor *out, struct sb_arena *a)
{
    *out = 0;
    if (sb_str_eq(s, SB_STR("-")))
        return true;
    if (s.n && (s.p[0] == '<' || sb_str_starts(s, SB_STR("#Port<"))))
        return read_numbered(s, names, 0, out, a);
    unsigned node = 0;
    bool remote = take_char(&s, '{');
    struct sb_str name = take_atom(&s, remote ? "," : "", a);
    if (name.n == 0 || (remote && (!take_char(&s, ',') || !read_node(s, names, &node, a))))
        return false;
    *out = (uint64_t)node << 52 | sb_names_atom(names, name);
    return true;
}

/* Parses m:f/a, or a single atom (the command of a port). */
static bool
read_mfa(struct sb_str s, struct sb_names *names, uint64_t *out, struct sb_arena *a)
{
    uint64_t arity;
    struct sb_str m = take_atom(&s, ":", a);
    *out = sb_names_atom(names, m);
    if (s.n == 0)
        return m.n > 0;
    take_char(&s, ':');
    struct sb_str f = s.n && s.p[0] == '\'' ? take_atom(&s, "", a) : (struct sb_str){0};
    if (!f.p) { /* an operator may be called '/': the arity follows the last slash */
        size_t slash = s.n;
        while (slash > 0 && s.p[slash - 1] != '/')
            slash--;
        f = sb_str_sub(s, 0, slash ? slash - 1 : 0);
        s = sb_str_sub(s, slash ? slash - 1 : 0, SIZE_MAX);
    }
    if (!take_char(&s, '/') || !sb_str_to_u64(s, &arity) || arity > UINT32_MAX)
        return false;
    *out = sb_names_mfa(names, (struct sb_mfa){(uint32_t)*out, sb_names_atom(names, f), (uint32_t)arity});
    return true;
}

/* A number of nanoseconds may have a unit, as a stamp may. */
static bool
read_number(const struct sb_slot *slot, struct sb_str s, uint64_t *out)
{
    static const char *const times[] = {"until", "cpu", "queue"};
    int64_t ns;
    if (sb_str_to_u64(s, out))
        return true;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(slot->name, times[i]) == 0 && sb_str_to_ns(s, &ns) && ns >= 0) {
            *out = (uint64_t)ns;
            return true;
        }
    return false;
}

static bool
read_value(const struct sb_slot *slot, struct sb_str s, struct sb_names *names, uint64_t *out,
           struct sb_arena *a)
{
    switch (slot->type) {
    case SB_SLOT_PID:
        return read_actor(s, names, out, a);
    case SB_SLOT_MFA:
        return s.n && s.p[0] == '"' ? (*out = sb_names_text(names, unquote(s, a)), true)
                                    : read_mfa(s, names, out, a);
    case SB_SLOT_ATOM:
    case SB_SLOT_TEXT:
        *out =
            s.n && s.p[0] == '"' ? sb_names_text(names, unquote(s, a)) : sb_names_atom(names, unquote(s, a));
        return true;
    case SB_SLOT_I: {
        int64_t v;
        bool ok = sb_str_to_i64(s, &v);
        *out = (uint64_t)v;
        return ok;
    }
    case SB_SLOT_HEX:
        return read_hex(s, out);
    default:
        return read_number(slot, s, out);
    }
}

static bool
read_lane(struct sb_str s, sb_lane *out)
{
    static const struct {
        char letter;
        enum sb_lane_kind kind;
    } kinds[] = {
        {'s', SB_LANE_NORMAL}, {'d', SB_LANE_DIRTY_CPU}, {'i', SB_LANE_DIRTY_IO}, {'o', SB_LANE_OTHER}};
    enum sb_lane_kind kind = SB_LANE_UNKNOWN;
    uint64_t number;
    *out = SB_LANE_NONE;
    if (sb_str_eq(s, SB_STR("-")))
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (take_char(&s, kinds[i].letter))
            kind = kinds[i].kind;
    if (!sb_str_to_u64(s, &number))
        return false;
    *out = sb_lane_make(kind, number > 0xffe ? 0xffe : (unsigned)number);
    return true;
}

static bool
read_flag(struct sb_str word, struct sb_event *ev)
{
    for (const struct sb_text_flag *f = sb_text_flags; f->word; f++)
        if (sb_str_eq(word, sb_str_of(f->word))) {
            ev->flags |= (uint8_t)f->flag;
            return true;
        }
    return false;
}

/* Parses name=value; a name unknown to the kind or a malformed value is an error. */
static bool
read_slot(struct sb_str word, struct sb_names *names, struct sb_event *ev, struct sb_arena *a,
          struct sb_err *e)
{
    struct sb_str value = word, name = sb_str_cut(&value, '=');
    const struct sb_kind *k = &sb_kinds[ev->kind];
    for (unsigned i = 0; i < k->n_slots; i++) {
        if (!sb_str_eq(name, sb_str_of(k->slot[i].name)))
            continue;
        uint64_t v;
        if (!read_value(&k->slot[i], value, names, &v, a))
            return sb_err_set(e, SB_ERR_INPUT, "bad value '%.*s' for %s", SB_STR_ARG(value), k->slot[i].name);
        sb_slot_set(&k->slot[i], ev, v);
        if (sb_str_eq(name, SB_STR("cp")))
            ev->flags |= SB_EVF_HAS_CP;
        return true;
    }
    return sb_err_set(e, SB_ERR_INPUT, "%s has no '%.*s'", k->tag, SB_STR_ARG(name));
}

static bool
read_line(struct sb_str line, struct sb_names *names, struct sb_event *ev, struct sb_arena *a,
          struct sb_err *e)
{
    struct sb_str at = sb_text_word(&line), who = sb_text_word(&line), lane = sb_text_word(&line);
    struct sb_str tag = sb_text_word(&line);
    enum sb_event_kind kind;
    int64_t at_ns = SB_AT_UNKNOWN;
    if (!sb_str_eq(at, SB_STR("-")) && !sb_str_to_ns(at, &at_ns))
        return sb_err_set(e, SB_ERR_INPUT, "bad time '%.*s'", SB_STR_ARG(at));
    if (!sb_kind_find(tag, &kind))
        return sb_err_set(e, SB_ERR_INPUT, "unknown kind of event '%.*s'", SB_STR_ARG(tag));
    *ev = sb_event_of(kind);
    ev->at_ns = at_ns;
    if (!read_actor(who, names, &ev->who, a))
        return sb_err_set(e, SB_ERR_INPUT, "bad process '%.*s'", SB_STR_ARG(who));
    if (!read_lane(lane, &ev->lane))
        return sb_err_set(e, SB_ERR_INPUT, "bad scheduler '%.*s'", SB_STR_ARG(lane));
    for (struct sb_str word; (word = sb_text_word(&line)).n > 0;)
        if (sb_str_find(word, '=') < word.n)
            SB_TRY(read_slot(word, names, ev, a, e));
        else if (!read_flag(word, ev))
            return sb_err_set(e, SB_ERR_INPUT, "unknown word '%.*s'", SB_STR_ARG(word));
    return true;
}

bool
sb_text_read(struct sb_str line, struct sb_names *names, struct sb_event *ev, struct sb_err *e)
{
    SB_ARENA(a);
    bool ok = read_line(line, names, ev, &a, e);
    return ok ? true
              : sb_err_advise(e, "write TIME WHO LANE TAG NAME=VALUE..., such as '1ms <0.85.0> s1 in'");
}

bool
sb_text_actor(struct sb_str s, struct sb_names *names, unsigned node, sb_actor *out)
{
    SB_ARENA(a);
    return s.n > 0 && (s.p[0] == '<' || s.p[0] == '#') && read_numbered(s, names, node, out, &a);
}

uint32_t
sb_text_name(struct sb_str s, enum sb_slot_type type, struct sb_names *names)
{
    SB_ARENA(a);
    uint64_t id = 0;
    if (type == SB_SLOT_TEXT)
        return sb_names_text(names, s);
    if (type == SB_SLOT_ATOM)
        id = sb_names_atom(names, unquote(s, &a));
    else if (!read_mfa(s, names, &id, &a))
        id = sb_names_text(names, s);
    return (uint32_t)id;
}
