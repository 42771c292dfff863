#include "cli/record/recording.h"
#include "base/shell.h"
#include "base/runs.h"
#include <errno.h>
#include <sys/stat.h>

struct side {
    const char *folder;
    char **command;
};

/* A folder without runs: those of an earlier program would be taken for this one's. */
static bool
make_folder(const char *path, struct sb_arena *a, struct sb_err *e)
{
    struct sb_runs old;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        sb_err_errno(e, "create the folder of the runs");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    if (!sb_runs_find(path, false, a, &old, &(struct sb_err){0}))
        return true;
    bool is_folder = old.n != 1 || old.at[0] != path;
    SB_VEC_FREE(&old);
    sb_err_set(e, SB_ERR_USAGE,
               is_folder ? "has runs already: name another folder, or remove them"
                         : "is no folder: name one for the runs");
    return sb_err_in(e, path, SB_NO_BYTE);
}

static bool
record_one(const struct sb_record_options *plan, const struct side *s, uint64_t n, int *code,
           struct sb_arena *a, struct sb_err *e)
{
    struct sb_record_result result = {0};
    struct sb_record_options o = *plan;
    o.command = s->command;
    o.trace = sb_arena_printf(a, "%s/%llu.sbt", s->folder, (unsigned long long)n).p;
    bool ok = sb_record(&o, a, &result, e);
    bool whole = result.vm.n > 0;
    for (size_t i = 0; i < result.vm.n; i++)
        whole &= result.vm.at[i].complete;
    bool stopped = result.vm.n > 0 && result.vm.at[0].totals.stop == SB_STOP_USER;
    *code = result.exit_code;
    SB_VEC_FREE(&result.vm);
    if (!ok)
        return false;
    if (*code)
        return sb_err_set(e, SB_ERR_SYSTEM, "run %llu: %s ended with exit code %d: the runs end here",
                          (unsigned long long)n, s->command[0], *code);
    if (stopped)
        return sb_err_set(e, SB_ERR_SYSTEM, "interrupted: run %llu is not whole", (unsigned long long)n);
    return whole || sb_err_set(e, SB_ERR_SYSTEM, "no Erlang VM was recorded as a whole: %s",
                               result.failed.n ? sb_arena_str(a, result.failed).p : s->command[0]);
}

static bool
record_all(const struct sb_recording_options *r, const struct side *side, size_t sides, int *code,
           struct sb_arena *a, struct sb_err *e)
{
    for (uint64_t n = 1; n <= r->runs; n++)
        for (size_t i = 0; i < sides; i++) {
            const struct side *s = &side[n % 2 ? i : sides - 1 - i];
            fprintf(stderr, "strobe: run %llu of %llu: %s\n", (unsigned long long)n,
                    (unsigned long long)r->runs, s->folder);
            SB_TRY(record_one(&r->o, s, n, code, a, e));
        }
    return true;
}

static void
print_next(const char *folder, const char *against, struct sb_arena *a)
{
    struct sb_str runs = sb_shell_word(sb_str_of(folder), a),
                  base = against ? sb_shell_word(sb_str_of(against), a) : SB_STR("OTHER-RUNS");
    fprintf(stderr, "strobe: the runs are in %.*s; compare them: strobe diff %.*s %.*s\n", SB_STR_ARG(runs),
            SB_STR_ARG(base), SB_STR_ARG(runs));
}

static const char *
misused(const struct sb_recording_options *r)
{
    return r->runs == 0                            ? "--against needs --runs N"
           : strcmp(r->o.trace, "strobe.sbt") == 0 ? "--runs needs a folder for the runs: -o DIR"
           : r->o.flight.window_ns                 ? "--runs records whole runs: leave --flight out"
                                                   : NULL;
}

int
sb_record_runs(struct sb_recording_options *r, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    const char *folder = r->o.trace, *wrong = misused(r);
    if (wrong)
        return sb_cli_usage("record", "%s", wrong);
    char *other[] = {"/bin/sh", "-c", (char *)r->against, NULL};
    const char *against = r->against ? sb_arena_printf(a, "%s/against", folder).p : NULL;
    struct side side[] = {{folder, r->o.command}, {against, other}};
    bool ok = make_folder(folder, a, &e) && (!against || make_folder(against, a, &e));
    r->o.trace = sb_arena_printf(a, "%s/1.sbt", folder).p;
    int code = ok ? sb_recording_check(r, "record", a) : 0;
    if (code)
        return code;
    ok = ok && record_all(r, side, against ? 2 : 1, &code, a, &e);
    if (!ok)
        return sb_cli_fail_to_run(&e, code);
    print_next(folder, against, a);
    return 0;
}
