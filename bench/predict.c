/*
 * The cost of explanations and predictions of a profile, as CPU time, which other programs change less than time:
 *     bench_predict FILE.sbp -> "WHAT \t SECONDS \t OPERATIONS" a line; for a forecast the time until it is there
 */
#include "base/progress.h"
#include "why/account/whole.h"
#include "why/account/critical.h"
#include "why/find/findings.h"
#include "why/predict/forecast.h"
#include "why/predict/replay.h"
#include <time.h>

static double
now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
say(const char *what, clockid_t clock, double since, uint64_t operations)
{
    printf("%s\t%.6f\t%llu\n", what, now(clock) - since, (unsigned long long)operations);
}

/* Replays as they are, with typical costs where messages cost. */
static void
time_replays(const struct sb_ops *o)
{
    static const struct sb_replay_costs costs = {.change = 150,
                                                 .send = 250,
                                                 .ready = 3000,
                                                 .wake = 3000,
                                                 .receive = 200,
                                                 .dispatch = 400,
                                                 .start = 3000};
    static const struct {
        const char *name;
        uint32_t cores;
        bool has_costs;
    } one[] = {{"replay at 1", 1, false}, {"replay at 2", 2, false},       {"replay at 2, costs", 2, true},
               {"replay at 8", 8, false}, {"replay at 8, costs", 8, true}, {"replay at 64, costs", 64, true}};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        struct sb_replay_plan plan = {.ops = o, .costs = one[i].has_costs ? &costs : NULL};
        double began = now(CLOCK_THREAD_CPUTIME_ID);
        sb_replay_run(&plan, one[i].cores);
        say(one[i].name, CLOCK_THREAD_CPUTIME_ID, began, o->from[o->n_lines + 1]);
    }
}

static bool
time_change(const char *name, const struct sb_profile *p, const struct sb_what_if *w, struct sb_err *e)
{
    struct sb_forecast f;
    char cpu_name[64];
    snprintf(cpu_name, sizeof cpu_name, "%s, CPU", name);
    for (int i = 0; i < 3; i++) {
        double began = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        SB_TRY(sb_forecast_make(&f, p, w, e));
        say(name, CLOCK_MONOTONIC, began, f.n);
        say(cpu_name, CLOCK_PROCESS_CPUTIME_ID, cpu, f.n);
    }
    return true;
}

/* A slider of the page asks for the cores of the recording first, and then for the curve. */
static bool
time_forecast(const struct sb_profile *p, const struct sb_forecast_base *b, bool *of, struct sb_err *e)
{
    struct sb_faster faster = {.of = of, .by = 2};
    struct sb_what_if all = {.cores = {1, 2, 4, 8, 16, 32, 64},
                             .n_cores = 7,
                             .faster = &faster,
                             .n_faster = 1},
                      one = {.cores = {1}, .n_cores = 1, .faster = &faster, .n_faster = 1};
    one.cores[0] = b->doubts.schedulers > 0 ? (uint32_t)b->doubts.schedulers : 1;
    for (uint64_t id = 1; id <= b->ops.n_processes; id++)
        of[id] = id == b->ops.root;
    return time_change("point", p, &one, e) && time_change("forecast", p, &all, e);
}

static bool
time_all(const struct sb_profile *p, struct sb_err *e)
{
    double began = now(CLOCK_PROCESS_CPUTIME_ID);
    (void)sb_whole_of(p);
    say("account", CLOCK_PROCESS_CPUTIME_ID, began, 0);
    began = now(CLOCK_PROCESS_CPUTIME_ID);
    SB_TRY(sb_critical_of(p, e));
    say("critical path", CLOCK_PROCESS_CPUTIME_ID, began, 0);
    began = now(CLOCK_PROCESS_CPUTIME_ID);
    const struct sb_forecast_base *b = sb_forecast_base_of(p, e);
    if (!b)
        return false;
    say("operations", CLOCK_PROCESS_CPUTIME_ID, began, b->ops.from[b->ops.n_lines + 1]);
    time_replays(&b->ops);
    bool *of = sb_realloc_or_die(NULL, b->ops.n_processes + 1), ok = time_forecast(p, b, of, e);
    free(of);
    began = now(CLOCK_PROCESS_CPUTIME_ID);
    SB_TRY(ok && sb_findings_of(p, e));
    say("findings", CLOCK_PROCESS_CPUTIME_ID, began, 0);
    return true;
}

int
main(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_profile *p = NULL;
    bool ok = argc == 2 ? sb_profile_open(&p, argv[1], &e) && time_all(p, &e)
                        : sb_err_set(&e, SB_ERR_USAGE, "bench_predict FILE.sbp");
    if (!ok)
        sb_err_print(&e, stderr);
    if (p)
        sb_profile_close(p);
    return sb_err_exit_code(ok ? &(struct sb_err){0} : &e);
}
