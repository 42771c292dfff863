/*
 * Names that the compiler or the VM made to those that people gave. Erlang's way of writing functions to Elixir's:
 *     'Elixir.Enum':map/2                                  Enum.map/2
 *     'Elixir.Foo':'-bar/2-fun-0-'/1                       anonymous fn/1 in Foo.bar/2
 *     'Elixir.Foo':'-bar/2-lists^map/1-0-'/2               comprehension in Foo.bar/2
 *     elixir_compiler_0:'__FILE__'/1                       top level of a file
 *     elixir_compiler_0:'-__FILE__/1-fun-0-'/1             anonymous fn/1 at the top level of a file
 *     lists:map/2                                          :lists.map/2 (only when all is asked for)
 *
 * In both, the module of an escript that is interpreted, shop__escript__1796__24705__758021__3, is shop.
 */
#include "why/program/elixir.h"

static struct sb_str
unquoted(struct sb_str s)
{
    bool quoted = s.n >= 2 && s.p[0] == '\'' && s.p[s.n - 1] == '\'';
    return quoted ? sb_str_sub(s, 1, s.n - 2) : s;
}

/* The length of the atom at the start of s: up to its closing quote, or up to the separator. */
static size_t
atom_length(struct sb_str s, char separator)
{
    if (s.n == 0 || s.p[0] != '\'')
        return sb_str_find(s, separator);
    for (size_t i = 1; i < s.n; i++) {
        if (s.p[i] == '\\')
            i++;
        else if (s.p[i] == '\'')
            return i + 1;
    }
    return s.n;
}

static size_t
last_of(struct sb_str s, char c)
{
    for (size_t i = s.n; i > 0; i--)
        if (s.p[i - 1] == c)
            return i - 1;
    return s.n;
}

static bool
is_letter(char c) /* all characters beyond ASCII count as letters */
{
    return (c >= 'a' && c <= 'z') || c == '_' || (c & 0x80);
}

static bool
is_operator(struct sb_str s)
{
    static const char *const all[] = {
        "!",   "&",    "*",   "**", "+",   "++", "+++", "-",  "--",  "---", "..",  "..//", "/",  "<",
        "<<<", "<<~",  "<=",  "<>", "<|>", "<~", "<~>", "=",  "==",  "===", "=~",  ">",    ">=", ">>>",
        "@",   "^",    "^^^", "|",  "|>",  "||", "|||", "~>", "~>>", "~~~", "&&",  "&&&",  "!=", "!==",
        "::",  "\\\\", "<-",  "=>", "->",  ".",  "...", "{}", "%{}", "%",   "<<>>"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (sb_str_eq(s, sb_str_of(all[i])))
            return true;
    return false;
}

static bool
is_plain(struct sb_str s) /* needs no quotes in Elixir */
{
    if (s.n == 0 || !is_letter(s.p[0]))
        return is_operator(s);
    for (size_t i = 1; i < s.n; i++) {
        char c = s.p[i];
        bool word = is_letter(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && !((c == '?' || c == '!') && i + 1 == s.n))
            return false;
    }
    return true;
}

static struct sb_str
module_name(struct sb_str atom, struct sb_arena *a)
{
    struct sb_str m = unquoted(atom), elixir = SB_STR("Elixir.");
    if (sb_str_starts(m, elixir))
        return sb_str_sub(m, elixir.n, m.n - elixir.n);
    return sb_arena_printf(a, is_plain(m) ? ":%.*s" : ":\"%.*s\"", SB_STR_ARG(m));
}

static struct sb_str
plain_function(struct sb_str m, struct sb_str f, struct sb_str arity, struct sb_arena *a)
{
    if (sb_str_starts(f, SB_STR("MACRO-")))
        return sb_arena_printf(a, "%.*s.%.*s/%.*s (macro)", SB_STR_ARG(m),
                               SB_STR_ARG(sb_str_sub(f, 6, f.n - 6)), SB_STR_ARG(arity));
    return sb_arena_printf(a, is_plain(f) ? "%.*s.%.*s/%.*s" : "%.*s.\"%.*s\"/%.*s", SB_STR_ARG(m),
                           SB_STR_ARG(f), SB_STR_ARG(arity));
}

/* The expressions of a file outside of modules are compiled into a module of their own. */
static bool
is_top_level(struct sb_str s)
{
    size_t m_end = sb_str_find(s, ':');
    return sb_str_starts(s, SB_STR("elixir_compiler_")) &&
           (sb_str_starts(sb_str_sub(s, m_end, SIZE_MAX), SB_STR(":'__FILE__'/")) ||
            sb_str_starts(sb_str_sub(s, m_end, SIZE_MAX), SB_STR(":'-__FILE__/")));
}

static struct sb_str
top_level_name(struct sb_str s, struct sb_arena *a)
{
    static const struct sb_str where = SB_STR("top level of a file");
    struct sb_str rest = sb_str_sub(s, sb_str_find(s, ':') + 1, SIZE_MAX),
                  arity = sb_str_sub(s, last_of(s, '/') + 1, SIZE_MAX);
    if (sb_str_starts(rest, SB_STR("'__FILE__'")))
        return where;
    return sb_str_has(rest, SB_STR("-fun-"))
               ? sb_arena_printf(a, "anonymous fn/%.*s at the %.*s", SB_STR_ARG(arity), SB_STR_ARG(where))
               : sb_arena_printf(a, "comprehension at the %.*s", SB_STR_ARG(where));
}

/* -outer/2-fun-0- and -outer/2-lists^map/1-0-: what the compiler made of a fun or comprehension in outer/2 */
static bool
lifted(struct sb_str m, struct sb_str f, struct sb_str arity, struct sb_arena *a, struct sb_str *out)
{
    if (f.n < 3 || f.p[0] != '-' || f.p[f.n - 1] != '-')
        return false;
    struct sb_str in = sb_str_sub(f, 1, f.n - 2);
    size_t slash = sb_str_find(in, '/');
    if (slash == in.n)
        return false;
    size_t end = slash + sb_str_find(sb_str_sub(in, slash, in.n - slash), '-');
    if (end == in.n)
        return false;
    struct sb_str outer = sb_str_sub(in, 0, slash), outer_arity = sb_str_sub(in, slash + 1, end - slash - 1);
    struct sb_str what = sb_str_sub(in, end + 1, in.n - end - 1),
                  name = plain_function(m, outer, outer_arity, a);
    if (sb_str_starts(what, SB_STR("fun-")))
        *out = sb_arena_printf(a, "anonymous fn/%.*s in %.*s", SB_STR_ARG(arity), SB_STR_ARG(name));
    else
        *out = sb_arena_printf(a, "comprehension in %.*s", SB_STR_ARG(name));
    return true;
}

/* The length of what an escript's module has behind its name, at the start of s; 0: it has nothing. The name of a
 * function follows, or four numbers stand for themselves. */
static size_t
escript_length(struct sb_str s)
{
    enum { NUMBERS = 4 };
    static const struct sb_str mark = SB_STR("__escript__");
    size_t n = mark.n, numbers = 1;
    if (!sb_str_starts(s, mark))
        return 0;
    for (; n < s.n && ((s.p[n] >= '0' && s.p[n] <= '9') || s.p[n] == '_'); n++)
        numbers += s.p[n] == '_' && s.p[n - 1] == '_';
    bool ends = n >= s.n || s.p[n] == ' ';
    return (ends && numbers == NUMBERS) || (n < s.n && s.p[n] == ':') ? n : 0;
}

static struct sb_str
without_escript(struct sb_str s, struct sb_arena *a)
{
    for (size_t i = 0; i < s.n; i++) {
        size_t n = s.p[i] == '_' ? escript_length(sb_str_sub(s, i, s.n)) : 0;
        if (n > 0)
            return without_escript(
                sb_arena_printf(a, "%.*s%.*s", (int)i, s.p, (int)(s.n - i - n), s.p + i + n), a);
    }
    return s;
}

/* The length of the name at the start of s, of a function, m:f/a, or else up to a space; it may be quoted. */
static size_t
name_length(struct sb_str s)
{
    size_t n = atom_length(s, ' '), m_end = atom_length(s, ':');
    struct sb_str f = sb_str_sub(s, m_end + 1, s.n);
    bool is_quoted = f.n > 0 && f.p[0] == '\'';
    if (m_end >= s.n || s.p[m_end] != ':' || (m_end > n && s.p[0] != '\''))
        return n;
    f = is_quoted ? f : sb_str_sub(f, 0, sb_str_find(f, ' '));
    size_t slash = is_quoted ? atom_length(f, '/') : last_of(f, '/'), end = slash + 1;
    while (end < f.n && f.p[end] >= '0' && f.p[end] <= '9')
        end++;
    return slash == 0 || slash >= f.n || f.p[slash] != '/' || end == slash + 1 ? n : m_end + 1 + end;
}

/* What follows a name, such as a pid, stays; so does text that does not begin with one. */
static struct sb_str
name_of(struct sb_str s, bool all, struct sb_arena *a)
{
    struct sb_str out, elixir = SB_STR("'Elixir.");
    size_t n = name_length(s);
    if (n < s.n && s.p[n] != ' ')
        return s;
    if (n < s.n) {
        struct sb_str bare = sb_str_sub(s, 0, n), name = name_of(bare, all, a);
        return sb_str_eq(name, bare)
                   ? s
                   : sb_arena_printf(a, "%.*s%.*s", SB_STR_ARG(name), (int)(s.n - n), s.p + n);
    }
    if (is_top_level(s))
        return top_level_name(s, a);
    bool is_elixir = sb_str_starts(s, elixir);
    size_t m_end = atom_length(s, ':');
    if (is_elixir && m_end == s.n && unquoted(s).n < s.n)
        return sb_str_sub(unquoted(s), 7, s.n); /* a module, or a name that looks like one */
    if (sb_str_starts(s, SB_STR("Elixir.")) && m_end == s.n)
        return sb_str_sub(s, 7, s.n); /* a module without its quotes */
    if ((!is_elixir && !all) || m_end >= s.n || s.p[m_end] != ':')
        return s;
    struct sb_str m = module_name(sb_str_sub(s, 0, m_end), a), rest = sb_str_sub(s, m_end + 1, s.n);
    size_t slash = last_of(rest, '/');
    if (slash == rest.n)
        return s;
    struct sb_str f = unquoted(sb_str_sub(rest, 0, slash)), arity = sb_str_sub(rest, slash + 1, rest.n);
    return lifted(m, f, arity, a, &out) ? out : plain_function(m, f, arity, a);
}

struct sb_str
sb_elixir_name(struct sb_str s, bool all, struct sb_arena *a)
{
    size_t in = 0; /* rows of a tree are indented */
    while (in < s.n && s.p[in] == ' ')
        in++;
    struct sb_str bare = without_escript(sb_str_sub(s, in, s.n - in), a), name = name_of(bare, all, a);
    if (in == 0)
        return name;
    return sb_arena_printf(a, "%*s%.*s", (int)in, "", SB_STR_ARG(name));
}

bool
sb_elixir_is(struct sb_str erlang, struct sb_str given, struct sb_arena *a)
{
    return sb_str_eq(erlang, given) || sb_str_eq(sb_elixir_name(erlang, false, a), given) ||
           sb_str_eq(sb_elixir_name(erlang, true, a), given);
}

struct sb_str
sb_elixir_sentence(struct sb_str s, struct sb_arena *a)
{
    struct sb_str out = {0};
    size_t done = 0;
    s = without_escript(s, a);
    for (size_t i = 0; i < s.n; i++) {
        struct sb_str rest = sb_str_sub(s, i, s.n);
        if (!sb_str_starts(rest, SB_STR("'Elixir.")) && !is_top_level(rest))
            continue;
        size_t n = name_length(rest);
        struct sb_str name = sb_elixir_name(sb_str_sub(rest, 0, n), false, a);
        out = sb_arena_printf(a, "%.*s%.*s%.*s", SB_STR_ARG(out), (int)(i - done), s.p + done,
                              SB_STR_ARG(name));
        done = i + n;
        i = done - 1;
    }
    return done == 0 ? s : sb_arena_printf(a, "%.*s%.*s", SB_STR_ARG(out), (int)(s.n - done), s.p + done);
}

static bool
is_elixir_name(struct sb_str s)
{
    return sb_str_starts(s, SB_STR("'Elixir.")) || sb_str_starts(s, SB_STR("Elixir."));
}

bool
sb_is_elixir(const struct sb_profile *p)
{
    int64_t text[SB_BLOCK_ROWS];
    static const unsigned column[] = {SB_C_process__entry, SB_C_process__name};
    uint64_t rows = sb_profile_rows(p, SB_T_process), n = rows < SB_BLOCK_ROWS ? rows : SB_BLOCK_ROWS;
    for (size_t c = 0; c < 2 && n > 0; c++) {
        sb_profile_read(p, SB_T_process, column[c], 0, n, text);
        for (uint64_t i = 0; i < n; i++)
            if ((i == 0 || text[i] != text[i - 1]) && is_elixir_name(sb_profile_text(p, text[i])))
                return true;
    }
    return false;
}
