/* Facts about time: the number at work at once, in the whole run and while the program ran, and what it
 * waited for. */
#include "answer/facts.h"
#include "answer/on_cpu.h"
#include "answer/summary_row.h"

enum { MATERIAL = 20 /* a twentieth of the run */ };
static const double LITTLE = 0.9, MUCH = 1.1; /* CPU for work: between them, it is what it should be */

static const char *
percent(const struct sb_ask *ask, int64_t part, int64_t whole)
{
    return whole > 0 ? sb_words(ask->arena, "%.1f %%", 100.0 * (double)part / (double)whole) : "--";
}

/* Of a lower bound down, of an upper one up, so that the value is between them. */
static const char *
rounded(const struct sb_ask *ask, int64_t part, int64_t whole, bool up)
{
    double exact = whole > 0 ? 100.0 * (double)part / (double)whole : 0;
    long long down = (long long)exact;
    return sb_words(ask->arena, "%lld", up && (double)down < exact ? down + 1 : down);
}

/* Of bounds that are further apart than half of the whole only what they exclude is said. */
static const char *
wide_share(const struct sb_ask *ask, struct sb_bounded part, int64_t whole)
{
    const char *low = rounded(ask, part.low, whole, false), *high = rounded(ask, part.high, whole, true);
    bool has_low = 10 * part.low >= whole, has_high = 10 * part.high <= 9 * whole;
    return has_low && has_high ? sb_words(ask->arena, "between %s and %s %%", low, high)
           : has_low           ? sb_words(ask->arena, "at least %s %%", low)
           : has_high          ? sb_words(ask->arena, "at most %s %%", high)
                               : sb_words(ask->arena, "unknown (between %s and %s %%)", low, high);
}

/* "24.1 % (between 5 and 31 %)"; without bounds that are less than 1 % of the whole apart */
static const char *
share(const struct sb_ask *ask, struct sb_bounded part, int64_t whole)
{
    const char *value = percent(ask, part.ns, whole);
    if (part.high - part.low < whole / 100)
        return value;
    if (part.high - part.low > whole / 2)
        return wide_share(ask, part, whole);
    const char *bounds = sb_bounded_text(ask->arena, rounded(ask, part.low, whole, false),
                                         rounded(ask, part.high, whole, true), " %");
    return sb_words(ask->arena, "%s%s", value, bounds);
}

static bool
left_out(const struct sb_facts *f)
{
    return f->together->left_out > 0;
}

/* "31.2 % of the time TEXT"; or -- with the reason if it is unknown. */
static void
put_share(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, const char *item,
          struct sb_bounded part, const char *text)
{
    int64_t span = f->span_ns;
    const char *unknown = left_out(f) ? "-- (not all processes were recorded)"
                                      : "-- (the number of schedulers is not in the trace)";
    sb_summary_put(
        t, (struct sb_summary_fact){item, sb_facts_ppm(part.ns, span), SB_U_PPM, "strobe report P activity"},
        "%s",
        part.ns == SB_NULL ? unknown
                           : sb_words(ask->arena, "%s of the time %s", share(ask, part, span), text));
}

static double
mean(const struct sb_facts *f, int64_t ns)
{
    return f->span_ns > 0 && ns != SB_NULL ? (double)ns / (double)f->span_ns : 0;
}

static void
put_parallelism(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    double processes = mean(f, f->together->work_ns), ports = mean(f, f->together->port_ns);
    const char *on = f->schedulers > 0 ? sb_words(ask->arena, ", on %lld scheduler%s",
                                                  (long long)f->schedulers, f->schedulers == 1 ? "" : "s")
                                       : "; the number of schedulers is not in the trace";
    const char *and = ports >= 0.005 ? sb_words(ask->arena, " and %.2f ports", ports) : "";
    sb_summary_put(t,
                   (struct sb_summary_fact){"parallelism", sb_facts_ppm(f->together->work_ns, f->span_ns),
                                            SB_U_PPM, "strobe report P activity"},
                   "%.2f %sprocesses%s at work on average%s", processes, left_out(f) ? "recorded " : "", and,
                   on);
}

static void
put_serial(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    const char *what = left_out(f) ? "one recorded process was at work and no other of them was ready"
                                   : "one was at work and nobody else was ready";
    if (f->schedulers == 1) {
        sb_summary_put(t, (struct sb_summary_fact){"serial", SB_NULL, SB_U_PPM},
                       "-- (one scheduler runs one process at a time)");
        sb_summary_minor(t, true);
        return;
    }
    int64_t half = (f->together->serial.ns + 1) / 2;
    if (f->loading_ns > f->serial_share_ns && f->loading_ns >= half)
        what = sb_words(ask->arena, "%s, most often to load code", what);
    else if (f->serial_process != SB_NULL && f->serial_share_ns >= half)
        what = sb_words(ask->arena, "%s, most often %s", what, sb_facts_who(ask, f->serial_process));
    put_share(ask, f, t, "serial", f->together->serial, what);
}

/* Start-up, shutdown and work of OTP alone do not belong to the program. */
static void
put_program(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    const struct sb_parallel *s = f->program;
    if (s == f->together) {
        sb_summary_put(t, (struct sb_summary_fact){"program", SB_NULL, SB_U_NS},
                       "-- (no function outside OTP and Elixir was seen)");
        sb_summary_minor(t, true);
        return;
    }
    const char *serial =
        f->schedulers == 1 ? "" : sb_words(ask->arena, ", serial %s", share(ask, s->serial, s->span_ns));
    sb_summary_put(
        t, (struct sb_summary_fact){"program", s->span_ns, SB_U_NS},
        "%s, from %s on, without start-up and shutdown: %.2f processes at work on average%s, idle %s",
        sb_words_ns(ask->arena, s->span_ns), sb_words_ns(ask->arena, f->part.from_ns),
        (double)s->work_ns / (double)s->span_ns, serial, percent(ask, s->at_level_ns[0], s->span_ns));
    sb_summary_minor(t, !sb_whole_has_part(sb_whole_of(ask->profile)));
}

/* The framework of a suite waits for its tests, though it counts as the program. */
static bool
is_own(const struct sb_facts *f, int64_t process, struct sb_str waits_in)
{
    return (f->part.has[process] && !sb_is_test_framework(waits_in)) || !sb_is_otp(waits_in) ||
           sb_is_sleep(waits_in);
}

/* True if it did next to nothing else: it waits for whatever comes, in a loop that has no name of a behaviour. */
static bool
is_at_rest(int64_t waited_ns, int64_t lived_ns, struct sb_str waits_in)
{
    return lived_ns - waited_ns < lived_ns / MATERIAL && !sb_is_call(waits_in) && !sb_is_sleep(waits_in);
}

/* The longest wait of a process of the program outside its top loop. Those of others that are half as long come first
 * if it is at rest, or in a call: then the server knows more. One that has children waits for them. */
static bool
put_waiting(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    struct sb_table w;
    int64_t rests = f->program->resting.ns;
    struct sb_sql_value value[] = {{":least", false, rests / 4, {0}}, {":span", false, f->span_ns, {0}}};
    if (rests < f->span_ns / MATERIAL)
        return true;
    SB_TRY(sb_sql_ask(
        ask->sql,
        SB_STR("SELECT w.process, w.function, w.count, w.total_ns, coalesce(p.end, :span) - "
               "coalesce(p.start, 0), p.timeouts FROM wait w JOIN process p ON p.id = w.process WHERE "
               "w.function IS NOT p.entry AND w.function IS NOT p.spawn_mfa AND w.total_ns >= "
               ":least ORDER BY coalesce(p.spawned, 0) > 0, 4 DESC LIMIT 1000"),
        value, sizeof value / sizeof value[0], NULL, ask->arena, &w, e));
    const union sb_cell *found = NULL;
    for (size_t i = 0; i < w.n_rows; i++) {
        const union sb_cell *c = &w.cell[i * w.n_columns];
        bool beyond = c[3].i > f->program->span_ns; /* some of it was outside the program's part */
        if (c[0].i == SB_NULL || beyond || sb_is_loop(c[1].s) || !is_own(f, c[0].i, c[1].s))
            continue;
        if (!found || 2 * c[3].i >= found[3].i) {
            bool tells_less = is_at_rest(c[3].i, c[4].i, c[1].s) || sb_is_call(c[1].s);
            found = !found || !tells_less ? c : found;
            if (!tells_less)
                break;
        }
    }
    if (found)
        sb_summary_put(t, (struct sb_summary_fact){"waiting", rests, SB_U_NS, "strobe report P waits"},
                       "for %s%s %s was at work or ready; %s waited %s in %s, in %s wait%s%s",
                       sb_words_ns(ask->arena, rests), f->part.from_ns == SB_NULL ? "" : " of the program",
                       left_out(f) ? "no recorded process" : "nothing", sb_facts_who(ask, found[0].i),
                       sb_words_ns(ask->arena, found[3].i),
                       sb_words_function(ask->arena, ask->profile,
                                         sb_profile_find_text(ask->profile, found[1].s), ask->q->elixir),
                       sb_words_count(ask->arena, found[2].i), found[2].i == 1 ? "" : "s",
                       sb_is_sleep(found[1].s) && found[5].i < found[2].i && found[5].i > 0
                           ? ", since messages interrupted its sleeps"
                           : "");
    return true;
}

/* The time range of the readings, unless they cover nearly everything. */
static const char *
when_read(const struct sb_ask *ask, const struct sb_facts *f, const struct sb_on_cpu *c)
{
    if ((double)(c->to - c->from) > 0.9 * (double)f->span_ns)
        return "";
    return sb_words(ask->arena, " from %s to %s", sb_words_ns(ask->arena, c->from),
                    sb_words_ns(ask->arena, c->to));
}

/* Why the schedulers got no CPU although they had work. */
static const char *
off_cpu_text(const struct sb_ask *ask, const struct sb_on_cpu *c, int64_t work)
{
    int64_t queue = c->schedulers.queue_ns, cpu = c->schedulers.cpu_ns;
    if (queue != SB_NULL && queue >= (work - cpu) / 2)
        return sb_words(ask->arena,
                        "; they waited %s for a core, taken by other programs or by a CPU limit, and all "
                        "times below include that",
                        sb_words_ns(ask->arena, queue));
    return "; for most of the rest they slept in the operating system: in file operations, a NIF or a driver";
}

static const char *
on_cpu_text(const struct sb_ask *ask, const struct sb_facts *f, const struct sb_on_cpu *c, int64_t work,
            double share)
{
    int64_t cpu = c->schedulers.cpu_ns;
    const char *why = "";
    if (share < LITTLE)
        why = off_cpu_text(ask, c, work);
    else if (share > MUCH)
        why = sb_words(ask->arena, "; %s of it outside of %sscheduling, timers, polling, busy waiting",
                       sb_words_ns(ask->arena, cpu - work),
                       left_out(f) ? "the recorded processes: other processes, " : "processes: ");
    /* in ns the work of the run stands in item `ran`: two figures of it would differ */
    const char *of_work = share < LITTLE
                              ? sb_words(ask->arena, ", %.0f %% of the time of their work", 100 * share)
                              : sb_words(ask->arena, " for %s of work", sb_words_ns(ask->arena, work));
    return sb_words(ask->arena, "schedulers, dirty ones included, got %s of CPU%s%s%s",
                    sb_words_ns(ask->arena, cpu), of_work, when_read(ask, f, c), why);
}

/* Readings are accurate to the kernel's tick, so they say nothing about small amounts of work. */
static bool
put_on_cpu(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    enum { LEAST_NS = 100000000 };
    struct sb_on_cpu c;
    int64_t work;
    sb_on_cpu_find(ask->profile, f->range.from_ns, f->range.to_ns, ask->arena, &c);
    SB_TRY(sb_on_cpu_work(ask->profile, &c, &work, e));
    if (c.schedulers.cpu_ns == SB_NULL || work == SB_NULL)
        return true;
    work += (int64_t)(mean(f, f->together->port_ns) * (double)(c.to - c.from));
    if (work < LEAST_NS)
        return true;
    double share = (double)c.schedulers.cpu_ns / (double)work;
    sb_summary_put(
        t, (struct sb_summary_fact){"on CPU", c.schedulers.cpu_ns, SB_U_NS, "strobe report P schedulers"},
        "%s", on_cpu_text(ask, f, &c, work, share));
    sb_summary_minor(t, share >= LITTLE && share <= MUCH);
    return true;
}

bool
sb_facts_put_program(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    if (!f->range.is_part)
        put_program(ask, f, t);
    return put_on_cpu(ask, f, t, e);
}

void
sb_facts_put_parallel(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    const struct sb_parallel *s = f->together;
    put_parallelism(ask, f, t);
    put_serial(ask, f, t);
    put_share(ask, f, t, "idle", sb_bounded_exact(s->at_level_ns[0]),
              left_out(f) ? "none of the recorded processes was at work"
                          : "nothing was at work on any scheduler");
    put_share(ask, f, t, "too few to run", s->few, "there was less to run than schedulers");
    sb_summary_minor(t, f->schedulers < 2); /* with one, it is idle time */
    put_share(ask, f, t, "ready beside idle", s->held_up, "a process was ready while a scheduler ran none");
    sb_summary_minor(t, s->held_up.high < f->span_ns / SB_FACTS_MINOR);
    put_share(ask, f, t, "dirty only", sb_bounded_exact(s->dirty_only_ns),
              left_out(f) ? "all recorded work was on dirty schedulers" : "all work was on dirty schedulers");
    sb_summary_minor(t, s->dirty_only_ns < f->span_ns / SB_FACTS_MINOR);
}

bool
sb_facts_put_idle(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    put_share(ask, f, t, "loading code", sb_bounded_exact(f->loading_ns),
              "only code_server or erl_prim_loader was at work");
    sb_summary_minor(t, f->loading_ns < f->span_ns / MATERIAL);
    return f->range.is_part || put_waiting(ask, f, t, e); /* table wait is of the whole run */
}
