#include "live/record/count.h"
#include "base/file.h"
#include "base/signals.h"
#include "live/record/start.h"
#include <sys/wait.h>
#include <unistd.h>

static const char *const kinds[] = {
    [SB_COUNT_CALLS] = "count", [SB_COUNT_TIME] = "time", [SB_COUNT_WORDS] = "memory"};

/* ---- before: what is counted */

static bool
write_options(const struct sb_folder *f, const struct sb_count_options *o, struct sb_arena *a,
              struct sb_err *e)
{
    struct sb_out out;
    SB_TRY(sb_out_open(&out, sb_arena_printf(a, "%s/options", f->path).p, e));
    sb_out_printf(&out, "kind=%s\n", kinds[o->kind]);
    for (size_t i = 0; i < o->n_modules; i++)
        sb_out_printf(&out, "module=%s\n", o->module[i]);
    for (size_t i = 0; i < o->n_processes; i++)
        sb_out_printf(&out, "process=%s\n", o->process[i]);
    if (o->by_process)
        sb_out_z(&out, "by_process=true\n");
    return sb_out_close(&out, e);
}

/* ---- during: waits and passes signals on; the terminal sends Ctrl-C to the command itself */

static bool
wait_for(pid_t command, const sigset_t *ours, int *code, struct sb_err *e)
{
    for (int status;;) {
        pid_t ended = waitpid(command, &status, WNOHANG);
        if (ended < 0)
            return sb_err_errno(e, "wait for the command");
        if (ended > 0) {
            *code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
            return true;
        }
        int sig = sigwaitinfo(ours, NULL);
        if (sig == SIGTERM || sig == SIGHUP)
            kill(command, sig);
    }
}

static bool
run(const struct sb_folder *f, const struct sb_count_options *o, int *code, struct sb_err *e)
{
    sigset_t ours = sb_signals(SB_SIGNALS_STOP_AND_CHILD), before;
    sigprocmask(SIG_BLOCK, &ours, &before);
    pid_t command;
    bool started = sb_start(&command, o->command, f, e);
    if (!started)
        *code = sb_start_exit_code();
    bool fine = started && wait_for(command, &ours, code, e);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fine;
}

/* ---- after: the counts */

static bool
read_row(struct sb_str line, struct sb_counted *row)
{
    row->process = sb_str_cut(&line, '\t');
    row->function = sb_str_cut(&line, '\t');
    struct sb_str calls = sb_str_cut(&line, '\t');
    return row->function.n && sb_str_to_i64(calls, &row->calls) && sb_str_to_i64(line, &row->value);
}

/* Reads one VM's counts. The VM with the most calls wins: its rows replace the earlier ones. */
static bool
read_counts(const char *path, struct sb_arena *a, int64_t *most, struct sb_count_result *r, struct sb_err *e)
{
    struct sb_file file;
    SB_TRY(sb_file_open(&file, path, e));
    struct sb_str rest = sb_arena_str(a, (struct sb_str){(const char *)file.p, file.n});
    sb_file_close(&file);
    if (!sb_str_eq(sb_str_cut(&rest, '\n'), SB_STR("strobe-count 1")))
        return sb_err_set(e, SB_ERR_INPUT, "is not a count written by a VM") && sb_err_in(e, path, 0);
    struct sb_counted_list found = {0};
    int64_t calls = 0;
    while (rest.n) {
        struct sb_counted row;
        if (!read_row(sb_str_cut(&rest, '\n'), &row))
            continue;
        calls += row.calls;
        *SB_PUSH(&found) = row;
    }
    r->vms++;
    if (calls <= *most) {
        SB_VEC_FREE(&found);
        return true;
    }
    *most = calls;
    SB_VEC_FREE(&r->row);
    r->row = found;
    return true;
}

static bool
collect(const struct sb_folder *f, struct sb_arena *a, struct sb_count_result *r, struct sb_err *e)
{
    SB_SCOPED_DIR DIR *d = opendir(f->path);
    int64_t most = -1;
    bool fine = true;
    if (!d)
        return sb_err_errno(e, "read the counts");
    for (struct dirent *entry; fine && (entry = readdir(d));) {
        int64_t before = most;
        if (sb_str_ends(sb_str_of(entry->d_name), SB_STR(".counts")))
            fine = read_counts(sb_arena_printf(a, "%s/%s", f->path, entry->d_name).p, a, &most, r, e);
        if (most > before)
            r->missing = sb_folder_read(
                f, sb_arena_printf(a, "%ld.missing", strtol(entry->d_name, NULL, 10)).p, geteuid(), a);
        if (sb_str_ends(sb_str_of(entry->d_name), SB_STR(".failed")))
            r->failed = sb_folder_read(f, entry->d_name, geteuid(), a);
    }
    return fine;
}

bool
sb_count(const struct sb_count_options *o, struct sb_arena *a, struct sb_count_result *r, struct sb_err *e)
{
    struct sb_folder f;
    bool fine = sb_folder_begin(&f, "strobe_count", a, e) && write_options(&f, o, a, e) &&
                run(&f, o, &r->exit_code, e) && collect(&f, a, r, e);
    sb_folder_close(&f);
    return fine;
}
