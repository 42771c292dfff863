#include "why/find/finding.h"

SB_RULE(interpreted) = {
    .name = "interpreted",
    .looks_for = "work in code that the VM interprets: funs of the shell and of -eval, and escripts that are "
                 "not compiled",
    .erlang = "move the code to a module and compile it; in an escript write -mode(compile)",
    .elixir = "move the code into functions of a module, since only modules are compiled",
    .of_work = true,
    .find = find,
};

/* A compiler calls the interpreter as well, to fold constants, between its own functions. */
static bool
is_interpreter(struct sb_str mfa)
{
    return sb_str_starts(mfa, SB_STR("erl_eval:")) || sb_str_starts(mfa, SB_STR("eval_bits:"));
}

/* The interpreter calls these for each expression. A loop uses up its reductions in the same place each time. */
static bool
is_helper(struct sb_str mfa)
{
    return sb_str_starts(mfa, SB_STR("orddict:")) || sb_str_starts(mfa, SB_STR("lists:fold"));
}

struct interpreted {
    int64_t most, most_ns, ns, share_ns; /* of all processes of which most slices ended there */
};

/* A slice that ends in these functions counts in whole, one that ends elsewhere not at all. */
static void
add(const struct sb_why *w, int64_t id, struct interpreted *all)
{
    int64_t itself_ns = 0, ns = 0, share_ns = 0;
    SB_EACH_STEP (&w->x, id, s) {
        struct sb_str mfa = sb_evidence_text(&w->x, s->out);
        if (!is_interpreter(mfa) && !is_helper(mfa))
            continue;
        itself_ns += is_interpreter(mfa) ? s->dur : 0;
        ns += s->dur;
        share_ns += sb_level_within(&w->x.level, SB_LEVEL_SHARE, s->start, s->start + s->dur);
    }
    if (4 * itself_ns < w->x.actor[id].work_ns || 2 * ns < w->x.actor[id].work_ns)
        return;
    all->ns += ns;
    all->share_ns += share_ns;
    if (ns > all->most_ns) {
        all->most = id;
        all->most_ns = ns;
    }
}

static void
find(struct sb_why *w)
{
    struct interpreted all = {0};
    SB_EACH_PRESENT (&w->x, id)
        add(w, id, &all);
    if (all.most == 0)
        return;
    struct sb_finding f = {
        .process = all.most,
        .gain = {0, all.share_ns, all.share_ns},
        .confidence = "medium",
        .evidence = "SELECT out_function, count(*), sum(dur) FROM slice WHERE process = {process} GROUP BY 1 "
                    "ORDER BY 3 DESC",
    };
    sb_why_put(w, f,
               "code was interpreted instead of compiled: %s of the program's %s of work ended in functions "
               "of erl_eval and their helpers, most of it in %s",
               sb_words_ns(w->arena, all.ns), sb_words_ns(w->arena, w->x.work_ns), sb_why_who(w, all.most));
}
