#include "live/drain/when.h"

enum unit { COUNT, SIZE, SPAN, LEVEL };
static const struct {
    const char *name;
    enum unit unit;
    const char *form;
} kinds[] = {
    [SB_WHEN_MAILBOX] = {"mailbox", COUNT, "mailbox > 10000"},
    [SB_WHEN_RUN_QUEUE] = {"run_queue", COUNT, "run_queue > 50 for 2s"},
    [SB_WHEN_CALL] = {"call", SPAN, "call NAME > 500ms"},
    [SB_WHEN_NO_YIELD] = {"no_yield", SPAN, "no_yield > 200ms"},
    [SB_WHEN_MEMORY] = {"memory", SIZE, "memory > 2G"},
    [SB_WHEN_LOG] = {"log", LEVEL, "log error"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct sb_str
word(struct sb_str *rest)
{
    *rest = sb_str_trim(*rest);
    struct sb_str w = sb_str_cut(rest, ' ');
    *rest = sb_str_trim(*rest);
    return w;
}

static bool
is_level(struct sb_str s)
{
    static const char *const level[] = {"emergency", "alert",  "critical", "error",
                                        "warning",   "notice", "info",     "debug"};
    for (unsigned i = 0; i < sizeof level / sizeof *level; i++)
        if (sb_str_eq(s, sb_str_of(level[i])))
            return true;
    return false;
}

static bool
read_span(struct sb_str s, int64_t *ns)
{
    char last = s.n ? s.p[s.n - 1] : '0';
    return (last < '0' || last > '9') && sb_str_to_ns(s, ns) && *ns > 0;
}

static bool
read_limit(struct sb_when *w, struct sb_str s)
{
    uint64_t n = 0;
    if (kinds[w->kind].unit == SPAN)
        return read_span(s, &w->limit);
    if (kinds[w->kind].unit == SIZE && s.n > 1 && s.p[s.n - 1] == 'B')
        s.n--;
    bool ok = kinds[w->kind].unit == SIZE ? sb_str_to_bytes(s, &n) : sb_str_to_u64(s, &n);
    w->limit = (int64_t)n;
    return ok && n <= INT64_MAX;
}

static bool
read_for(struct sb_when *w, struct sb_str rest)
{
    if (!rest.n)
        return true;
    return w->kind == SB_WHEN_RUN_QUEUE && sb_str_eq(word(&rest), SB_STR("for")) &&
           read_span(word(&rest), &w->for_ns) && !rest.n;
}

static bool
read_rest(struct sb_when *w, struct sb_str rest)
{
    if (kinds[w->kind].unit == LEVEL) {
        w->name = word(&rest);
        return is_level(w->name) && !rest.n;
    }
    if (w->kind == SB_WHEN_CALL) {
        w->name = word(&rest);
        SB_TRY(w->name.n > 0 && w->name.n < 256);
    }
    return sb_str_eq(word(&rest), SB_STR(">")) && read_limit(w, word(&rest)) && read_for(w, rest);
}

bool
sb_when_read(struct sb_when *w, const char *text, struct sb_err *e)
{
    struct sb_str rest = sb_str_of(text), name = word(&rest);
    *w = (struct sb_when){0};
    for (unsigned i = 0; i < KINDS; i++) {
        if (!sb_str_eq(name, sb_str_of(kinds[i].name)))
            continue;
        w->kind = (enum sb_when_kind)i;
        return read_rest(w, rest) ||
               sb_err_set(e, SB_ERR_USAGE, "'%s' is no condition: write it as '%s'", text, kinds[i].form);
    }
    return sb_err_set(e, SB_ERR_USAGE,
                      "'%s' is no condition: there are 'mailbox > N', 'run_queue > N for T', 'call NAME > "
                      "T', 'no_yield > T', 'memory > SIZE' and 'log LEVEL'",
                      text);
}
