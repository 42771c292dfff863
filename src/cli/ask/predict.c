/* strobe predict: what a recorded run would take on other numbers of cores, or with a change. */
#include "answer/answer.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include <stdlib.h>
#include <unistd.h>

struct request {
    const char *cores;
    struct sb_option_list faster, split, free;
    unsigned format; /* enum sb_format */
};

static const struct sb_option options[] = {
    {"--cores", SB_OPT_TEXT, offsetof(struct request, cores), "N,N,...",
     "numbers of cores (1,2,4,8,16,32,64)"},
    {"--faster", SB_OPT_LIST, offsetof(struct request, faster), "WHAT=N",
     "the work of these processes, or of a function, takes 1/N of its time"},
    {"--split", SB_OPT_LIST, offsetof(struct request, split), "SERVER=N",
     "N copies share its requests; only right if requests do not depend on each other"},
    {"--free", SB_OPT_LIST, offsetof(struct request, free), "'A -> B'",
     "messages from A to B cost nothing more on other cores"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|csv|tsv", "how to print (text)"},
    {0}};

SB_COMMAND(predict) = {
    .name = "predict",
    .summary = "predict the time on other numbers of cores, or with a change",
    .operands = "P",
    .doc =
        "P is a profile, or a trace, which is analysed first. The recorded work is replayed on each "
        "number of cores, without the cost of tracing. The answer is a band: no schedule is faster than "
        "its lower end; its upper end adds what messages between cores cost. Record on one scheduler (+S "
        "1) to predict more.\n"
        "\n"
        "WHAT, SERVER, A and B are a registered name, a label, a pid, or the function that processes were "
        "spawned with. For --faster it may also be any function, with what it calls: by its calls where they "
        "were recorded, or else by samples of the CPU, whose error is in the band.\n",
    .example = "strobe predict strobe.sbp --cores 1,2,8 --faster my_server=2",
    .option = options,
    .run = run,
};

static struct sb_str
join(const struct sb_option_list *l, struct sb_arena *a)
{
    struct sb_str s = SB_STR("");
    for (size_t i = 0; i < l->n; i++)
        s = sb_arena_printf(a, "%.*s%s%s", SB_STR_ARG(s), i > 0 ? ";" : "", l->at[i]);
    return s;
}

static bool
answer(struct sb_cli_profile *c, const struct request *r, struct sb_arena *a, struct sb_err *e)
{
    struct sb_question q = {
        .since_ns = SB_NULL,
        .until_ns = SB_NULL,
        .what_if = {sb_str_of(r->cores), join(&r->faster, a), join(&r->split, a), join(&r->free, a)},
    };
    struct sb_ask ask = {c->profile, c->sql, &q, a};
    struct sb_table t = {0};
    struct sb_out out;
    SB_TRY(sb_answer_run(&sb_answer_forecast, &ask, &t, e) && sb_out_open(&out, NULL, e));
    if (r->format == SB_FORMAT_TEXT)
        sb_answer_forecast.write(&ask, &t, sb_cli_width(STDOUT_FILENO), &out);
    else
        sb_table_write(&t, (enum sb_format)r->format, &out);
    return sb_out_close(&out, e);
}

static int
run(int argc, char **argv)
{
    struct request r = {.format = SB_FORMAT_TEXT};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_cli_profile c;
    SB_ARENA(arena);
    if (!sb_cli_options(&sb_command_predict, &r, &argc, argv, &e))
        return sb_cli_usage("predict", "%s", e.what);
    if (argc != 1)
        return sb_cli_usage("predict", argc < 1 ? "no profile given" : "too many arguments");
    if (!sb_cli_profile_open(&c, argv[0], &e))
        return sb_cli_fail(&e);
    bool ok = answer(&c, &r, &arena, &e);
    if (ok)
        sb_cli_note_losses(c.profile);
    int damage = sb_cli_profile_close(&c);
    free(r.faster.at);
    free(r.split.at);
    free(r.free.at);
    return ok ? damage : sb_cli_fail(&e);
}
