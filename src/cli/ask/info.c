#include "cli/frame/cli.h"
#include "cli/ask/info_profile.h"
#include "base/date.h"
#include "base/json.h"
#include "base/progress.h"
#include "trace/each.h"
#include "trace/kind.h"

struct request {
    unsigned format;
    uint64_t wrap_count, threads;
};

static const struct sb_option options[] = {
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json", "how to print it (text)"},
    {"--wrap-count", SB_OPT_U64, offsetof(struct request, wrap_count), "N",
     "the number of files of a wrap set, as it was given to dbg", 0, UINT32_MAX},
    {"--threads", SB_OPT_U64, offsetof(struct request, threads), "N", "number of threads (0: one per core)",
     0, 256},
    {0}};

SB_COMMAND(info) = {
    .name = "info",
    .summary = "show what a trace or profile contains, and what is missing",
    .operands = "FILE...",
    .doc =
        "Shows the format of a trace and its node, the number of events of each kind, the time they span,\n"
        "the events that were lost during recording, and where the file is damaged. FILE is a profile, a\n"
        "trace of strobe, dbg, fprof or Percept2, a trace as text, or the base name of a wrap set; - is\n"
        "standard input.",
    .example = "strobe info fprof.trace --format json",
    .option = options,
    .run = run,
};

/* The counts of one worker; they are summed at the end. */
struct tally {
    uint64_t by_kind[SB_EVENT_KINDS];
    int64_t first_ns, last_ns;
    int64_t trigger_ns; /* of the first mark that no process set: why a flight recorder wrote the trace */
    uint32_t trigger;   /* its text; 0: there is none */
};

struct stock {
    struct tally *tally; /* of each worker */
    struct sb_progress progress;
    _Atomic uint64_t bytes;
};

static void
take_trigger(struct tally *t, uint32_t text, int64_t at_ns)
{
    if (!text || (t->trigger && t->trigger_ns <= at_ns))
        return;
    t->trigger = text;
    t->trigger_ns = at_ns;
}

static void
count(void *ctx, const struct sb_block *b, const struct sb_events *events, unsigned worker)
{
    struct stock *stock = ctx;
    struct tally *t = &stock->tally[worker];
    stock->bytes += b->size;
    if (worker == 0)
        sb_progress_set(&stock->progress, stock->bytes);
    for (size_t i = 0; i < events->n; i++) {
        const struct sb_event *ev = &events->at[i];
        t->by_kind[ev->kind]++;
        if (ev->kind == SB_EV_mark && !ev->who)
            take_trigger(t, ev->mark.text, ev->at_ns);
        if (ev->at_ns == SB_AT_UNKNOWN)
            continue;
        t->first_ns = ev->at_ns < t->first_ns ? ev->at_ns : t->first_ns;
        t->last_ns = ev->at_ns > t->last_ns ? ev->at_ns : t->last_ns;
    }
}

static bool
take_stock(struct sb_source *s, unsigned threads, struct tally *sum, struct sb_err *e)
{
    struct sb_pool *pool = sb_pool_open(threads);
    unsigned n = sb_pool_threads(pool);
    struct tally *tally = sb_realloc_or_die(NULL, n * sizeof *tally);
    struct stock stock = {.tally = tally};
    sb_progress_open(&stock.progress, "reading", "MB", 1e6, sb_source_info(s)->bytes);
    for (unsigned i = 0; i < n; i++)
        tally[i] = (struct tally){.first_ns = INT64_MAX, .last_ns = INT64_MIN};
    bool ok = sb_source_each(s, pool, count, &stock, e);
    sb_progress_close(&stock.progress);
    sb_pool_close(pool);
    *sum = tally[0];
    for (unsigned i = 1; i < n; i++) {
        for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
            sum->by_kind[k] += tally[i].by_kind[k];
        sum->first_ns = tally[i].first_ns < sum->first_ns ? tally[i].first_ns : sum->first_ns;
        sum->last_ns = tally[i].last_ns > sum->last_ns ? tally[i].last_ns : sum->last_ns;
        take_trigger(sum, tally[i].trigger, tally[i].trigger_ns);
    }
    free(tally);
    return ok;
}

static uint64_t
span_ns(const struct tally *t)
{
    return t->first_ns > t->last_ns ? 0 : (uint64_t)t->last_ns - (uint64_t)t->first_ns;
}

/* Losses by class; those without a class are of "any", as in table loss. */
static void
json_loss(struct sb_json *j, const struct sb_source_info *info)
{
    SB_JSON(j, "loss", obj);
    for (unsigned c = 0; c < SB_CLASSES; c++)
        if (info->lost[c])
            SB_JSON(j, sb_class_names[c], u64, info->lost[c]);
    if (info->lost_any)
        SB_JSON(j, "any", u64, info->lost_any);
    sb_json_end(j);
}

static void
json_damage(struct sb_json *j, const struct sb_source_info *info)
{
    SB_JSON_EACH (j, "damage", i, info->damage.n) {
        const struct sb_damage *d = &info->damage.at[i];
        sb_json_obj(j);
        SB_JSON(j, "file", u64, d->file);
        SB_JSON(j, "byte", u64, d->at_byte);
        SB_JSON(j, "bytes", u64, d->bytes);
        SB_JSON(j, "what", str, sb_str_of(d->what));
        sb_json_end(j);
    }
}

static void
json_nodes(struct sb_json *j, struct sb_source *s)
{
    struct sb_names *names = sb_source_names(s);
    SB_JSON_EACH (j, "nodes", i, sb_names_nodes(names)) {
        struct sb_str name = sb_names_node_name(names, (unsigned)i, NULL);
        if (name.n)
            sb_json_str(j, name);
    }
}

static void
json_by_kind(struct sb_json *j, const struct tally *t)
{
    SB_JSON(j, "by_kind", obj);
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        if (t->by_kind[k] && k != SB_EV_drop)
            SB_JSON(j, sb_kinds[k].tag, u64, t->by_kind[k]);
    sb_json_end(j);
}

/* When the first event happened by the node's clock; false if the trace does not say. */
static bool
began(const struct sb_source_info *info, const struct tally *t, char date[SB_DATE])
{
    int64_t wall_ns = 0;
    bool known = info->clock_is_wall || info->clock.wall_ns != SB_AT_UNKNOWN;
    if (!known || info->untimed || t->first_ns > t->last_ns ||
        __builtin_add_overflow(t->first_ns, info->clock_is_wall ? 0 : info->clock.wall_ns, &wall_ns))
        return false;
    return sb_date(wall_ns, date);
}

/* Date, and the facts that the recorder noted: host, command, versions. */
static void
json_notes(struct sb_json *j, const struct sb_source_info *info, const struct tally *t)
{
    char date[SB_DATE];
    SB_JSON(j, "date", text, sb_str_of(began(info, t, date) ? date : NULL));
    SB_JSON(j, "notes", obj);
    for (size_t i = 0; i < info->notes.n; i++) {
        sb_json_key(j, info->notes.at[i].key);
        sb_json_str(j, info->notes.at[i].value);
    }
    sb_json_end(j);
}

static void
write_json(struct sb_out *out, struct sb_source *s, const struct tally *t)
{
    const struct sb_source_info *info = sb_source_info(s);
    struct sb_json j;
    sb_json_open(&j, out, true);
    sb_json_obj(&j);
    SB_JSON(&j, "source", str, sb_str_of(info->format));
    SB_JSON(&j, "version", text, info->otp.n ? info->otp : (struct sb_str){0});
    json_nodes(&j, s);
    SB_JSON(&j, "files", u64, info->n_files);
    SB_JSON(&j, "events", u64, info->records);
    SB_JSON(&j, "bytes", u64, info->bytes);
    SB_JSON(&j, "span_ns", u64, span_ns(t));
    SB_JSON(&j, "cpu_time", bool, info->cpu_time);
    json_notes(&j, info, t);
    json_by_kind(&j, t);
    json_loss(&j, info);
    json_damage(&j, info);
    sb_json_end(&j);
}

static void
fact(struct sb_out *out, const char *what, const char *fmt, ...)
{
    SB_ARENA(a);
    va_list ap;
    va_start(ap, fmt);
    sb_out_printf(out, "%-20.*s ", SB_STR_ARG(sb_table_printable(&a, sb_str_of(what))));
    sb_out_str(out, sb_table_printable(&a, sb_arena_vprintf(&a, fmt, ap)));
    sb_out_char(out, '\n');
    va_end(ap);
}

/* A restarted node appears as another node with the same name. */
static bool
is_named_before(const struct sb_names *names, unsigned i)
{
    for (unsigned k = 1; k < i; k++)
        if (sb_str_eq(sb_names_node_name(names, k, NULL), sb_names_node_name(names, i, NULL)))
            return true;
    return false;
}

static void
put_peers(struct sb_out *out, const struct sb_names *names)
{
    SB_ARENA(a);
    struct sb_str list = {0};
    for (unsigned i = 1; i < sb_names_nodes(names); i++) {
        struct sb_str name = sb_names_node_name(names, i, NULL);
        if (name.n > 0 && !is_named_before(names, i))
            list = sb_arena_printf(&a, "%.*s%s%.*s", SB_STR_ARG(list), list.n ? ", " : "", SB_STR_ARG(name));
    }
    if (list.n > 0)
        fact(out, "talks to", "%.*s", SB_STR_ARG(list));
}

/* What a note is called in words; NULL for one that is said elsewhere, or that only readers of JSON can use. */
static const char *
note_in_words(const struct sb_source_info *info, struct sb_str key)
{
    static const struct {
        const char *key, *words;
    } known[] = {
        {"schedulers_online", "schedulers online"},
        {"dirty_cpu", "dirty CPU schedulers"},
        {"dirty_io", "dirty I/O schedulers"},
        {"os_pid", "OS process"},
        {"erts", "runtime (ERTS)"},
        {"otp_minus_at_ns", NULL},
        {"wall_minus_at_ns", NULL},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sb_str_eq(key, sb_str_of(known[i].key)))
            return known[i].words;
    bool said = (info->vm.schedulers && sb_str_eq(key, SB_STR("schedulers"))) ||
                sb_str_starts(key, SB_STR("cost_ns_x100_"));
    return said ? NULL : key.p;
}

static void
note(struct sb_out *out, const struct sb_source_info *info, const struct sb_note *n)
{
    const char *words = note_in_words(info, n->key);
    if (words)
        fact(out, words, "%.*s", SB_STR_ARG(n->value));
}

/* What recording one event took of the node's time, as its recorder measured it. */
static void
text_costs(struct sb_out *out, const struct sb_source_info *info)
{
    for (unsigned c = 0; c < SB_CLASSES; c++) {
        if (!info->cost_ns_x100[c])
            continue;
        fact(out, "cost of recording", "%s for each event of %s",
             sb_human((int64_t)(info->cost_ns_x100[c] / 100), SB_U_NS).text, sb_class_names[c]);
    }
}

static void
text_facts(struct sb_out *out, struct sb_source *s, const struct tally *t)
{
    const struct sb_source_info *info = sb_source_info(s);
    struct sb_names *names = sb_source_names(s);
    char date[SB_DATE];
    if (t->trigger)
        fact(out, "trigger", "%.*s", SB_STR_ARG(sb_names_str(names, t->trigger)));
    fact(out, "source", "%s", info->format);
    if (began(info, t, date))
        fact(out, "date", "%s", date);
    if (info->otp.n)
        fact(out, "OTP", "%.*s", SB_STR_ARG(info->otp));
    if (sb_names_node_name(names, 0, NULL).n)
        fact(out, "node", "%.*s", SB_STR_ARG(sb_names_node_name(names, 0, NULL)));
    put_peers(out, names);
    if (info->vm.schedulers)
        fact(out, "schedulers", "%u", info->vm.schedulers);
    fact(out, "events", "%s in %s, %u file%s", sb_human((int64_t)info->records, SB_U_COUNT).text,
         sb_human((int64_t)info->bytes, SB_U_BYTES).text, info->n_files, info->n_files == 1 ? "" : "s");
    fact(out, "time", "%s%s",
         info->untimed ? "unknown" : sb_human((int64_t)sb_amount_sum(0, span_ns(t)), SB_U_NS).text,
         info->untimed    ? ": no record has a time stamp"
         : info->cpu_time ? " of CPU time: only the order of events in the file is meaningful"
                          : "");
    for (size_t i = 0; i < info->notes.n; i++)
        note(out, info, &info->notes.at[i]);
    text_costs(out, info);
}

static void
text_loss(struct sb_out *out, const struct sb_source *s)
{
    const struct sb_source_info *info = sb_source_info(s);
    bool any = info->lost_any > 0;
    for (unsigned c = 0; c < SB_CLASSES; c++) {
        if (!info->lost[c])
            continue;
        any = true;
        fact(out, "lost", "%s events of %s", sb_human((int64_t)info->lost[c], SB_U_COUNT).text,
             sb_class_names[c]);
    }
    if (info->lost_any)
        fact(out, "lost", "%s events", sb_human((int64_t)info->lost_any, SB_U_COUNT).text);
    if (!any && info->damage.n > 0)
        fact(out, "lost", "damage in %zu place%s, unknown how much", info->damage.n,
             info->damage.n == 1 ? "" : "s");
    else if (!any && sb_source_may_have_wrapped(s))
        fact(out, "lost",
             "nothing in the files that are there; their names do not show whether older ones were removed");
    else if (!any && sb_source_wrapped(info))
        fact(out, "lost", "nothing in the files that are there");
    else if (!any)
        fact(out, "lost", "nothing");
}

static void
text_damage(struct sb_out *out, const struct sb_source_info *info)
{
    enum { SHOWN = 10 };
    for (size_t i = 0; i < info->damage.n && i < SHOWN; i++) {
        const struct sb_damage *d = &info->damage.at[i];
        fact(out, "damage", "%s, at byte %llu of file %u: %llu bytes skipped", d->what,
             (unsigned long long)d->at_byte, d->file, (unsigned long long)d->bytes);
    }
    if (info->damages > SHOWN)
        fact(out, "damage", "%llu more places", (unsigned long long)(info->damages - SHOWN));
}

static void
write_text(struct sb_out *out, struct sb_source *s, const struct tally *t)
{
    static const struct sb_column columns[] = {{"kind", SB_TEXT, SB_U_NONE, "event"},
                                               {"class", SB_TEXT, SB_U_NONE, "class of loss accounting"},
                                               {"events", SB_INT, SB_U_COUNT, "how many"}};
    SB_ARENA(a);
    struct sb_table table;
    sb_table_init(&table, &a, columns, 3);
    text_facts(out, s, t);
    text_loss(out, s);
    text_damage(out, sb_source_info(s));
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++) {
        if (!t->by_kind[k] || k == SB_EV_drop)
            continue;
        SB_ROW(&table, {.s = sb_str_of(sb_kinds[k].tag)}, {.s = sb_str_of(sb_class_names[sb_kinds[k].class])},
               {.i = (int64_t)t->by_kind[k]});
    }
    if (table.n_rows) {
        sb_out_char(out, '\n');
        sb_table_write(&table, SB_FORMAT_TEXT, out);
    }
}

/* Shows what could be read; a trace that could not be read completely is still an error. */
static bool
show(struct sb_source *s, enum sb_format format, unsigned threads, struct sb_err *e)
{
    struct tally t;
    struct sb_out out;
    SB_TRY(take_stock(s, threads, &t, e));
    bool whole = sb_source_whole(s, e);
    SB_TRY(sb_out_open(&out, NULL, e));
    if (format == SB_FORMAT_JSON)
        write_json(&out, s, &t);
    else
        write_text(&out, s, &t);
    return sb_out_close(&out, e) && whole;
}

static int
run(int argc, char **argv)
{
    struct request r = {0};
    struct sb_err e = {0};
    struct sb_source *s = NULL;
    if (!sb_cli_options(&sb_command_info, &r, &argc, argv, &e))
        return sb_cli_usage("info", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("info", "no trace given");
    if (!sb_cli_read_stdin((const char **)argv, (size_t)argc, &e))
        return sb_cli_fail(&e);
    enum sb_format format = (enum sb_format)r.format;
    struct sb_source_options how = {.wrap_count = (uint32_t)r.wrap_count};
    if (argc == 1 && sb_info_is_profile(argv[0])) {
        bool shown = sb_info_profile(argv[0], format, &e);
        return shown ? 0 : sb_cli_fail(&e);
    }
    bool ok = sb_source_open(&s, (const char *const *)argv, (size_t)argc, &how, &e) &&
              show(s, format, (unsigned)r.threads, &e);
    sb_source_close(s);
    return ok ? 0 : sb_cli_fail(&e);
}
