#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_serial_start = {
    .name = "serial_start",
    .looks_for = "a supervisor that starts children one after the other, each waiting in its init",
    .erlang = "return {ok, State, {continue, load}} from init/1 and do the slow part in handle_continue/2",
    .elixir = "return {:ok, state, {:continue, :load}} from init/1 and do the slow part in handle_continue/2",
    .find = find,
};

struct starts {
    int64_t process, n, total_ns, longest_ns;
};

static void
look_at(struct sb_why *w, const struct starts *t)
{
    const struct sb_actor *a = &w->x.actor[t->process];
    struct sb_ranges waits = {0};
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        if (s->wait == SB_WAIT_NONE ||
            !sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("proc_lib:sync_start")))
            continue;
        sb_ranges_add(&waits, s->start + s->dur, s->start + s->dur + s->wait_ns);
    }
    sb_ranges_unite(&waits);
    int64_t quiet = sb_ranges_within(&waits, &w->x.level, SB_LEVEL_QUIET),
            idle = sb_ranges_within(&waits, &w->x.level, SB_LEVEL_IDLE);
    SB_VEC_FREE(&waits);
    int64_t rest = t->total_ns - t->longest_ns;
    sb_why_put(w, (struct sb_finding){
                      .process = t->process,
                      .subject = sb_why_who(w, t->process),
                      .title = sb_why_printf(w,
                                             "%.*s started %lld processes one after the other and waited "
                                             "%.*s for their init, up to %.*s for one",
                                             SB_STR_ARG(sb_why_who(w, t->process)), (long long)t->n,
                                             SB_STR_ARG(sb_why_ns(w, t->total_ns)),
                                             SB_STR_ARG(sb_why_ns(w, t->longest_ns))),
                      .low_ns = 0,
                      .gain_ns = sb_least(rest, idle + sb_why_spread(w, quiet > idle ? quiet - idle : 0)),
                      .high_ns = rest,
                      .confidence = "high",
                      .evidence = sb_why_printf(
                          w, "SELECT function, count, total_ns, max_ns FROM wait WHERE process = %lld",
                          (long long)t->process),
                  });
}

static void
find(struct sb_why *w)
{
    struct sb_scan s;
    sb_scan_open(&s, w->x.profile, SB_T_wait);
    unsigned process = sb_scan_want(&s, SB_C_wait__process), function = sb_scan_want(&s, SB_C_wait__function),
             count = sb_scan_want(&s, SB_C_wait__count), total = sb_scan_want(&s, SB_C_wait__total_ns),
             longest = sb_scan_want(&s, SB_C_wait__max_ns);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            struct starts t = {s.value[process][i], s.value[count][i], s.value[total][i],
                               s.value[longest][i]};
            if (t.n > 1 && t.process >= 1 && (uint64_t)t.process < w->x.n_actors &&
                sb_str_starts(sb_profile_text(w->x.profile, s.value[function][i]),
                              SB_STR("proc_lib:sync_start")))
                look_at(w, &t);
        }
    sb_scan_close(&s);
}
