/* strobe calibrate: measures what messages between cores cost here, for strobe predict. */
#include "cli/frame/cli.h"
#include "live/record/calibrate.h"
#include "why/predict/calibration.h"
#include <errno.h>
#include <sys/stat.h>

enum { MOST_SCHEDULERS = 64 };

struct request {
    uint64_t cores;
    unsigned format; /* enum sb_format */
};

static const struct sb_option options[] = {
    {"--cores", SB_OPT_U64, offsetof(struct request, cores), "N",
     "measure with up to N schedulers (those that may run here, at most 64)", 2, MOST_SCHEDULERS},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|csv|tsv", "how to print (text)"},
    {0}};

SB_COMMAND(calibrate) = {
    .name = "calibrate",
    .summary = "measure what messages between cores cost on this machine",
    .operands = "",
    .doc = "Runs small loops in a VM (erl) with one scheduler and in one with many, and stores the "
           "differences for strobe predict in $XDG_CACHE_HOME/strobe/calibration or "
           "~/.cache/strobe/calibration. Takes some seconds. The machine should be idle.\n",
    .example = "strobe calibrate",
    .option = options,
    .run = run,
};

static double
above(double many, double one)
{
    return many > one ? many - one : 0;
}

/* What the loops need more on several schedulers. A hop has a send, a wake and a receive in it; the rest is latency. Of
 * waking the sender pays at most half: a sleeping thread is woken by a call of the kernel that both take part in. */
static struct sb_calibration
costs_of(const struct sb_loops *one, const struct sb_loops *many)
{
    struct sb_calibration c = {
        .is_measured = true,
        .cores = many->schedulers,
        .send = above(many->send, one->send),
        .ready = above(above(many->cross, one->cross), above(many->within, one->within)),
        .receive = above(many->receive, one->receive),
        .change = one->yield,
        .dispatch = above(many->yield, one->yield),
        .spawn = one->spawn,
        .memory = one->memory > 0 && many->memory > one->memory ? many->memory / one->memory : 1,
    };
    double hop = above(above(many->hop, one->hop), c.send + c.receive + c.dispatch),
           wake = above(above(many->wake, one->wake), c.send);
    c.wake = wake < hop / 2 ? wake : hop / 2;
    c.start = hop - c.wake;
    return c;
}

static const struct sb_column columns[] = {
    {"name", SB_TEXT, SB_U_NONE, "constant"},
    {"value", SB_REAL, SB_U_NONE, "measured"},
    {"meaning", SB_TEXT, SB_U_NONE, "what it is"},
};

static void
put_table(const struct sb_calibration *c, struct sb_table *t)
{
#define NUMBER(of, doc) SB_ROW(t, {.s = SB_STR(#of)}, {.f = c->of}, {.s = SB_STR(doc)});
    SB_CALIBRATION_NUMBERS(NUMBER)
#undef NUMBER
}

/* Creates the folders of a path; those that exist are fine. */
static bool
make_folders(char *path, struct sb_err *e)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool ok = mkdir(path, 0755) == 0 || errno == EEXIST || sb_err_errno(e, "create a folder") ||
                  sb_err_in(e, path, SB_NO_BYTE);
        *slash = '/';
        SB_TRY(ok);
    }
    return true;
}

static bool
store(const struct sb_calibration *c, struct sb_str *path, struct sb_arena *a, struct sb_err *e)
{
    struct sb_out out;
    *path = sb_calibration_path(a);
    if (path->n == 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "there is no folder for the measurement") ||
               sb_err_advise(e, "set HOME or XDG_CACHE_HOME");
    SB_TRY(make_folders((char *)path->p, e) && sb_out_open(&out, path->p, e));
#define NUMBER(of, doc) sb_out_printf(&out, "%s %.3f\n", #of, c->of);
    SB_CALIBRATION_NUMBERS(NUMBER)
#undef NUMBER
    return sb_out_close(&out, e);
}

static bool
calibrate(const struct request *r, struct sb_arena *a, struct sb_err *e)
{
    struct sb_loops one, many;
    struct sb_table t;
    struct sb_out out;
    struct sb_str path;
    unsigned cores = r->cores ? (unsigned)r->cores : sb_calibrate_cores();
    if (cores < 2)
        return sb_err_set(e, SB_ERR_INPUT,
                          "messages between cores need two cores, and this process may use one");
    cores = cores < MOST_SCHEDULERS ? cores : MOST_SCHEDULERS;
    SB_TRY(sb_calibrate_run(1, &one, a, e) && sb_calibrate_run(cores, &many, a, e));
    struct sb_calibration c = costs_of(&one, &many);
    SB_TRY(store(&c, &path, a, e) && sb_out_open(&out, NULL, e));
    sb_table_init(&t, a, columns, sizeof columns / sizeof *columns);
    put_table(&c, &t);
    sb_table_write(&t, (enum sb_format)r->format, &out);
    if (r->format == SB_FORMAT_TEXT)
        sb_out_printf(&out, "stored in %.*s\n", SB_STR_ARG(path));
    return sb_out_close(&out, e);
}

static int
run(int argc, char **argv)
{
    struct request r = {.format = SB_FORMAT_TEXT};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    SB_ARENA(a);
    if (!sb_cli_options(&sb_command_calibrate, &r, &argc, argv, &e))
        return sb_cli_usage("calibrate", "%s", e.what);
    if (argc != 0)
        return sb_cli_usage("calibrate", "too many arguments");
    bool ok = calibrate(&r, &a, &e);
    return ok ? 0 : sb_cli_fail(&e);
}
