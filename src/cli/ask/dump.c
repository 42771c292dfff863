#include "cli/frame/cli.h"
#include "base/json.h"
#include "trace/each.h"
#include "trace/text.h"
#include <inttypes.h>

enum dump_format { AS_TEXT, AS_JSON, AS_LINES };

struct request {
    unsigned format; /* enum dump_format */
    const char *out;
    uint64_t wrap_count;
    int64_t since_ns, until_ns;
};

static const struct sb_option options[] = {
    {"--since", SB_OPT_NS, offsetof(struct request, since_ns), "T", "only events from this time on"},
    {"--until", SB_OPT_NS, offsetof(struct request, until_ns), "T", "only events up to this time"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|jsonl",
     "json: one array; jsonl: an object per line (text)"},
    {"-o", SB_OPT_TEXT, offsetof(struct request, out), "FILE", "write to FILE instead of standard output"},
    {"--wrap-count", SB_OPT_U64, offsetof(struct request, wrap_count), "N",
     "the number of files of a wrap set, as it was given to dbg", 0, UINT32_MAX},
    {0}};

SB_COMMAND(dump) = {
    .name = "dump",
    .summary = "print the events of a trace, one per line",
    .operands = "TRACE...",
    .doc =
        "Writes a trace as text, in the order of the file: time, process, scheduler, kind, and the values of "
        "that kind. Times are in nanoseconds. strobe reads this text like any other trace, so a part of a "
        "large trace can be cut out, edited by hand and analysed. --since and --until count from the "
        "earliest time stamp. TRACE may be - for standard input.",
    .example = "strobe dump fprof.trace --since 10ms --until 12ms",
    .option = options,
    .run = run,
};

struct dump {
    struct sb_source *source;
    struct sb_out out;
    struct sb_json json;
    enum dump_format format;
    bool timed;
    int64_t since_ns, until_ns; /* in the time of the trace */
};

static void
json_value(struct sb_json *j, const struct sb_names *names, const struct sb_slot *slot, uint64_t v,
           struct sb_arena *a)
{
    char hex[24];
    switch (slot->type) {
    case SB_SLOT_PID:
        sb_json_str(j, sb_names_actor(names, v, a));
        break;
    case SB_SLOT_MFA:
    case SB_SLOT_ATOM:
    case SB_SLOT_TEXT:
        sb_json_str(j, sb_names_print(names, (uint32_t)v, a));
        break;
    case SB_SLOT_HEX:
        sb_json_str(j, (struct sb_str){hex, (size_t)snprintf(hex, sizeof hex, "%" PRIx64, v)});
        break;
    case SB_SLOT_I:
        sb_json_i64(j, (int64_t)v);
        break;
    default:
        sb_json_u64(j, v);
    }
}

static void
json_event(struct sb_json *j, const struct sb_names *names, const struct sb_event *ev)
{
    const struct sb_kind *k = &sb_kinds[ev->kind];
    SB_ARENA(a);
    sb_json_obj(j);
    sb_json_key(j, SB_STR("at_ns"));
    if (ev->at_ns == SB_AT_UNKNOWN)
        sb_json_null(j);
    else
        sb_json_i64(j, ev->at_ns);
    SB_JSON(j, "who", text, ev->who ? sb_names_actor(names, ev->who, &a) : (struct sb_str){0});
    sb_json_key(j, SB_STR("scheduler"));
    if (ev->lane == SB_LANE_NONE)
        sb_json_null(j);
    else
        sb_json_u64(j, sb_lane_number(ev->lane));
    SB_JSON(j, "kind", str, sb_str_of(k->tag));
    for (unsigned i = 0; i < k->n_slots; i++) {
        if (!sb_slot_given(&k->slot[i], ev))
            continue;
        sb_json_key(j, sb_str_of(k->slot[i].name));
        json_value(j, names, &k->slot[i], sb_slot_get(&k->slot[i], ev), &a);
    }
    sb_json_end(j);
}

static void
json_line(struct sb_out *out, const struct sb_names *names, const struct sb_event *ev)
{
    struct sb_json j;
    sb_json_open(&j, out, false);
    json_event(&j, names, ev);
    sb_out_char(out, '\n');
}

static void
put_event(struct dump *d, const struct sb_event *ev)
{
    const struct sb_names *names = sb_source_names(d->source);
    if (d->timed && (ev->at_ns == SB_AT_UNKNOWN || ev->at_ns < d->since_ns || ev->at_ns > d->until_ns))
        return;
    if (d->format == AS_TEXT)
        sb_text_write(&d->out, names, ev);
    else if (d->format == AS_JSON)
        json_event(&d->json, names, ev);
    else
        json_line(&d->out, names, ev);
}

static bool
put_all(struct dump *d, struct sb_err *e)
{
    SB_SCOPED struct sb_events events = {0};
    for (struct sb_block b; sb_source_next(d->source, &b, e);) {
        events.n = 0;
        sb_source_decode(d->source, &b, &events);
        for (size_t i = 0; i < events.n && !d->out.failed; i++)
            put_event(d, &events.at[i]);
    }
    return e->code == SB_OK;
}

/* Writes what a reader of this text needs beyond the events. */
static void
put_meta(struct dump *d)
{
    const struct sb_source_info *info = sb_source_info(d->source);
    bool known = info->node_name.n || info->vm.schedulers || info->clock_is_wall || info->cpu_time ||
                 info->untimed || info->recorded;
    if (!known)
        return;
    SB_ARENA(a);
    sb_out_z(&d->out, "@meta");
    if (info->node_name.n)
        sb_out_printf(&d->out, " node=%.*s creation=%" PRIu32,
                      SB_STR_ARG(sb_names_quote(info->node_name, &a)), info->creation);
    if (info->vm.schedulers)
        sb_out_printf(&d->out, " schedulers=%" PRIu32, info->vm.schedulers);
    for (unsigned c = 0, n = 0; c < SB_CLASSES; c++)
        if (info->recorded >> c & 1)
            sb_out_printf(&d->out, "%s%s", n++ ? "," : " recorded=", sb_class_names[c]);
    if (info->clock.boot.n)
        sb_out_printf(&d->out, " boot=%.*s boot_minus_at_ns=%" PRId64, SB_STR_ARG(info->clock.boot),
                      info->clock.boot_ns);
    if (info->clock_is_wall)
        sb_out_z(&d->out, " wall");
    if (info->cpu_time)
        sb_out_z(&d->out, " cpu");
    if (info->untimed)
        sb_out_z(&d->out, " untimed");
    sb_out_char(&d->out, '\n');
}

static void
earliest(void *ctx, const struct sb_block *b, const struct sb_events *events, unsigned worker)
{
    (void)b;
    (void)worker;
    int64_t *first_ns = ctx;
    for (size_t i = 0; i < events->n; i++)
        if (events->at[i].at_ns != SB_AT_UNKNOWN && events->at[i].at_ns < *first_ns)
            *first_ns = events->at[i].at_ns;
}

/* Finds the earliest time stamp, from which times count. It can be anywhere, so this is a pass of its own. */
static bool
find_start(const char *const *paths, size_t n, const struct sb_source_options *o, int64_t *first_ns,
           struct sb_err *e)
{
    struct sb_source *s = NULL;
    *first_ns = INT64_MAX;
    SB_TRY(sb_source_open(&s, paths, n, o, e));
    struct sb_pool *pool = sb_pool_open(1);
    bool ok = sb_source_each(s, pool, earliest, first_ns, e);
    sb_pool_close(pool);
    sb_source_close(s);
    return ok;
}

static int64_t
from_start(int64_t first_ns, int64_t t_ns)
{
    int64_t at;
    return __builtin_add_overflow(first_ns, t_ns, &at) ? INT64_MAX : at;
}

static bool
dump(struct dump *d, const char *const *paths, size_t n, const char *to, struct sb_err *e)
{
    SB_TRY(sb_out_open(&d->out, to, e));
    for (size_t i = 0; i < n; i++)
        sb_out_private_as(&d->out, paths[i]);
    sb_json_open(&d->json, &d->out, false);
    if (d->format == AS_JSON)
        sb_json_arr(&d->json);
    else if (d->format == AS_TEXT)
        put_meta(d);
    bool ok = put_all(d, e);
    if (d->format == AS_JSON) {
        sb_json_end(&d->json);
        sb_out_char(&d->out, '\n');
    }
    if (!ok) {
        sb_out_abandon(&d->out);
        return false;
    }
    return sb_out_close(&d->out, e) && sb_source_whole(d->source, e);
}

static int
run(int argc, char **argv)
{
    struct request r = {.since_ns = SB_AT_UNKNOWN, .until_ns = INT64_MAX};
    struct sb_err e = {0};
    struct dump d = {0};
    int64_t first_ns = 0;
    if (!sb_cli_options(&sb_command_dump, &r, &argc, argv, &e))
        return sb_cli_usage("dump", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("dump", "no trace given");
    const char *const *paths = (const char *const *)argv;
    if (!sb_cli_may_write(r.out, paths, (size_t)argc, &e))
        return sb_cli_usage("dump", "%s", e.what);
    if (!sb_cli_read_stdin((const char **)argv, (size_t)argc, &e))
        return sb_cli_fail(&e);
    struct sb_source_options how = {.wrap_count = (uint32_t)r.wrap_count, .keep_text = true};
    d.format = (enum dump_format)r.format;
    d.timed = r.since_ns != SB_AT_UNKNOWN || r.until_ns != INT64_MAX;
    bool ok = !d.timed || find_start(paths, (size_t)argc, &how, &first_ns, &e);
    d.since_ns = r.since_ns == SB_AT_UNKNOWN ? INT64_MIN : from_start(first_ns, r.since_ns);
    d.until_ns = r.until_ns == INT64_MAX ? INT64_MAX : from_start(first_ns, r.until_ns);
    ok = ok && sb_source_open(&d.source, paths, (size_t)argc, &how, &e) &&
         dump(&d, paths, (size_t)argc, r.out, &e);
    sb_source_close(d.source);
    return ok ? 0 : sb_cli_fail(&e);
}
