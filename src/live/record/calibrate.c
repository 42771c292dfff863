#include "live/record/calibrate.h"
#include "base/file.h"
#include "live/record/start.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>

unsigned
sb_calibrate_cores(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 0 ? (unsigned)n : 1;
}

static bool
set_loop(struct sb_loops *l, struct sb_str name, double v)
{
#define LOOP(of) \
    if (sb_str_eq(name, SB_STR(#of))) { \
        l->of = v; \
        return true; \
    }
    SB_LOOPS(LOOP)
#undef LOOP
    return false;
}

static bool
parse_loops(struct sb_str text, struct sb_loops *out)
{
    unsigned n = 0, all = 0;
    *out = (struct sb_loops){0};
#define LOOP(name) all++;
    SB_LOOPS(LOOP)
#undef LOOP
    while (text.n > 0) {
        struct sb_str line = sb_str_trim(sb_str_cut(&text, '\n')), name = sb_str_cut(&line, ' ');
        char number[32] = "", *end = number;
        if (line.n > 0 && line.n < sizeof number)
            memcpy(number, line.p, line.n);
        double v = strtod(number, &end);
        n += end > number && *end == '\0' && v >= 0 && set_loop(out, name, v);
    }
    return n == all;
}

static bool
wait_for(pid_t pid, struct sb_err *e)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return sb_err_errno(e, "wait for erl");
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           sb_err_set(e, SB_ERR_SYSTEM, "erl failed while it measured");
}

static bool
read_numbers(const struct sb_folder *f, struct sb_loops *out, struct sb_arena *a, struct sb_err *e)
{
    struct sb_file file;
    SB_TRY(sb_file_open(&file, sb_arena_printf(a, "%s/numbers", f->path).p, e));
    bool ok = parse_loops((struct sb_str){(const char *)file.p, file.n}, out);
    sb_file_close(&file);
    return ok || sb_err_set(e, SB_ERR_SYSTEM, "erl did not measure all of its loops");
}

bool
sb_calibrate_run(unsigned schedulers, struct sb_loops *out, struct sb_arena *a, struct sb_err *e)
{
    struct sb_folder f;
    pid_t pid;
    char *count = (char *)sb_arena_printf(a, "%u:%u", schedulers, schedulers).p,
         *argv[] = {"erl", "+S", count, "-noshell", "-noinput", NULL};
    bool ok = sb_folder_begin(&f, "strobe_calibrate", a, e) && sb_start(&pid, argv, &f, e) &&
              wait_for(pid, e) && read_numbers(&f, out, a, e);
    sb_folder_close(&f);
    return ok;
}
