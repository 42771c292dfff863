#include "answer/hot.h"
#include "why/account/critical.h"
#include "why/find/findings.h"
#include "base/map.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "profile/who.h"

static const struct sb_column columns[] = {
    {"share", SB_REAL, SB_U_PERCENT, "per cent of the length of the run"},
    {"ns", SB_INT, SB_U_NS, "on the path"},
    {"kind", SB_TEXT, SB_U_NONE, "as in table critical"},
    {"process", SB_TEXT, SB_U_NONE, "process"},
    {"processes", SB_INT, SB_U_COUNT, "number of processes with the same name or entry"},
    {"function", SB_TEXT, SB_U_NONE, "where its slices began, or the function that waits"},
    {"peer", SB_TEXT, SB_U_NONE, "sender of the messages, parent, or the process that was looked for"},
    {"steps", SB_INT, SB_U_COUNT, "of the path"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>; NULL: several"},
    {"id", SB_INT, SB_U_ID, "process.id; NULL: several"},
    {"peer_id", SB_INT, SB_U_ID, "process.id; NULL: several"},
    {"note", SB_TEXT, SB_U_NONE,
     "in the longest wait: what it was for, if waits are most of the path; where most samples of the CPU "
     "are: the functions of the path"},
    {"node", SB_INT, SB_U_ID, "node.id; NULL: no process"},
    {"samples", SB_INT, SB_U_COUNT, "samples of the CPU in these steps; NULL: too few in the whole run"},
    {"hot", SB_TEXT, SB_U_NONE, "functions that took these samples; NULL: fewer than 100"},
    {0},
};

static const char sql[] =
    "SELECT 100.0 * ns / (SELECT max(value + 0) FROM meta WHERE key = 'span_ns') AS share, ns, kind, "
    "process, processes, function, peer, steps, pid(id) AS pid, id, peer_id, '' AS note, node, NULL AS "
    "samples, '' AS hot FROM (SELECT sum(ns) AS ns, kind, who(process) AS process, nullif(count(DISTINCT "
    "process), 0) AS processes, function, who(peer) AS peer, sum(steps) AS steps, iif(min(process) = "
    "max(process), process, NULL) AS id, iif(min(peer) = max(peer), peer, NULL) AS peer_id, node FROM "
    "(SELECT sum(dur) AS ns, count(*) AS steps, kind, process, function, peer, (SELECT node FROM process "
    "WHERE id = c.process) AS node FROM critical c GROUP BY process, kind, function, peer) GROUP BY "
    "who(process), kind, function, who(peer), node)";
enum { NS = 1, KIND, PROCESS, PROCESSES, FUNCTION, STEPS = 7, PID, ID, NOTE = 11, NODE, SAMPLES, HOT };

/* ---- the note: what most of the path waited for, in words ---- */

static const struct wait {
    const char *kind, *what, *end; /* of the sentence */
} waits[] = {
    {"outside", "a message that no process sent", NULL},
    {"port", "a port", " for an external program, a file or a socket"},
    {"timer", "a timer", ""},
    {"unknown", "what the trace does not show", ""},
};
static const struct wait program = {"outside", "an external program", " (os:cmd)"},
                         busy = {"outside", "a connection to another node", ", until its buffer had room"};

static const struct wait *
wait_of(const union sb_cell *row)
{
    if (sb_str_eq(row[FUNCTION].s, SB_STR("os:get_data/6")))
        return &program;
    if (sb_str_eq(row[FUNCTION].s, SB_STR("erts_internal:dsend_continue_trap/1")))
        return &busy;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (sb_str_eq(row[KIND].s, sb_str_of(waits[i].kind)))
            return &waits[i];
    return NULL;
}

/* The row of a wait with most time, if such rows are most of the path. */
static union sb_cell *
longest_wait(const struct sb_ask *ask, struct sb_table *t)
{
    int64_t waited = 0;
    union sb_cell *most = NULL;
    for (size_t i = 0; i < t->n_rows; i++) {
        union sb_cell *row = &t->cell[i * t->n_columns];
        if (!wait_of(row))
            continue;
        waited += row[NS].i;
        most = !most || row[NS].i > most[NS].i ? row : most;
    }
    return 2 * waited > sb_profile_span(ask->profile) ? most : NULL;
}

/* ", in the test NAME (FILE:LINE)" */
static const char *
test_of(const struct sb_ask *ask, int64_t process)
{
    const struct sb_findings *f = process != SB_NULL ? sb_findings_of(ask->profile, NULL) : NULL;
    const struct sb_test *most = NULL;
    for (size_t i = 0; f && i < f->tests.n; i++) {
        const struct sb_test *test = &f->tests.at[i];
        if (test->process == process && test->name.n > 0 && (!most || test->sleep_ns > most->sleep_ns))
            most = test;
    }
    if (!most)
        return "";
    const char *place =
        most->file.n > 0 && most->line != SB_NULL
            ? sb_words(ask->arena, " (%.*s:%lld)", SB_STR_ARG(most->file), (long long)most->line)
            : "";
    return sb_words(ask->arena, ", in the test \"%.*s\"%s", SB_STR_ARG(most->name), place);
}

static struct sb_str
name(const struct sb_ask *ask, struct sb_str s)
{
    return sb_elixir_name(s, ask->q->elixir, ask->arena);
}

/* Ports send to their owners, and other nodes to a node with a name. */
static const char *
senders(const struct sb_ask *ask, int64_t process)
{
    bool owns = process == SB_NULL, named = owns;
    if (process != SB_NULL) {
        SB_SCAN(s, ask->profile, port, owner);
        for (size_t i = 0; sb_scan_row(&s, &i); i++)
            owns |= s.value[owner][i] == process;
        int64_t node = SB_CELL(ask->profile, process, node, (uint64_t)process - 1);
        named = node < 1 || !sb_str_starts(sb_profile_text(ask->profile, SB_CELL(ask->profile, node, name,
                                                                                 (uint64_t)node - 1)),
                                           SB_STR("nonode@"));
    }
    return sb_words(ask->arena, "; it came from a timer%s%s or native code", owns ? ", a port" : "",
                    named ? ", another node" : "");
}

/* "m:f/0 <0.9.0> waited 1.00 s of 1.20 s in m:g/0" */
static const char *
words_of(const struct sb_ask *ask, const union sb_cell *row)
{
    int64_t id = row[ID].i, n = row[PROCESSES].i;
    const char *ns = sb_words_ns(ask->arena, row[NS].i),
               *all = sb_words_ns(ask->arena, sb_profile_span(ask->profile));
    if (row[PROCESS].s.n == 0)
        return sb_words(ask->arena, "no process was at work for %s of %s", ns, all);
    struct sb_str f = name(ask, row[FUNCTION].s), entry = name(ask, row[PROCESS].s);
    const char *who = id != SB_NULL ? sb_words_who(ask->arena, ask->profile, id, ask->q->elixir)
                                    : sb_words(ask->arena, "%s processes of %.*s",
                                               sb_words_count(ask->arena, n), SB_STR_ARG(entry));
    return sb_words(ask->arena, "%s waited %s of %s%s%.*s%s%s", who, ns, all, f.n > 0 ? " in " : "",
                    SB_STR_ARG(f), test_of(ask, id),
                    wait_of(row)->end ? wait_of(row)->end : senders(ask, id));
}

/* Who was at work when the recording ended, as one that stops the VM at once; else nobody is known to have ended it. */
static const char *
end_of(const struct sb_ask *ask, const struct sb_critical *path)
{
    const struct sb_critical_step *last = &path->at[path->n - 1];
    return last->kind != SB_CRITICAL_RUN || last->process == 0
               ? "the program had not ended when the recording did"
               : sb_words(ask->arena, "%s was at work when the recording ended",
                          sb_words_who(ask->arena, ask->profile, last->process, ask->q->elixir));
}

static const char *
sentence(const struct sb_ask *ask, const union sb_cell *row, const struct sb_critical *path)
{
    bool most = 2 * row[NS].i > sb_profile_span(ask->profile);
    const char *what = wait_of(row)->what, *words = words_of(ask, row);
    if (!path->is_ended)
        return sb_words(ask->arena,
                        "no result set this length: %s. Most of the path is waiting, %sfor %s: %s",
                        end_of(ask, path), most ? "" : "longest ", what, words);
    return most ? sb_words(ask->arena, "%s set this length: %s", what, words)
                : sb_words(ask->arena, "waits set most of this length, the longest for %s: %s", what, words);
}

/* ---- functions by samples of the CPU that fall on the path ---- */

struct on_path {
    struct sb_vm_samples vm;
    uint32_t *is_on, *row; /* by sample; row: UINT32_MAX if it is not on the path */
};

static bool
is_work(int kind)
{
    return kind == SB_CRITICAL_RUN || kind == SB_CRITICAL_GC || kind == SB_CRITICAL_DIRTY;
}

static const struct sb_critical_step *
step_of(const struct sb_critical *path, const struct sb_cpu_sample *s)
{
    size_t from = 0, to = path->n;
    SB_SEARCH(from, to, path->at[mid].start + path->at[mid].dur <= s->at);
    const struct sb_critical_step *step = &path->at[from];
    return from < path->n && step->process == s->process && is_work(step->kind) ? step : NULL;
}

/* The row that the step is summed in. */
static uint32_t
row_of(const struct sb_ask *ask, const struct sb_table *t, const struct sb_critical_step *step,
       struct sb_map *known)
{
    bool is_new;
    uint32_t i = 0,
             *row = sb_map_put(
                 known, (uint64_t)step->process << 32 | (uint32_t)step->function << 4 | step->kind, &is_new);
    struct sb_str function = sb_profile_text(ask->profile, step->function),
                  name = sb_who(ask->profile, step->process);
    for (; is_new && i < t->n_rows; i++) {
        const union sb_cell *c = &t->cell[i * t->n_columns];
        if (sb_str_eq(c[KIND].s, sb_str_of(sb_critical_names[step->kind])) &&
            sb_str_eq(c[FUNCTION].s, function) && sb_str_eq(c[PROCESS].s, name))
            break;
    }
    return is_new ? *row = i : *row;
}

static void
find_samples(const struct sb_ask *ask, const struct sb_table *t, const struct sb_critical *path,
             struct on_path *x)
{
    const struct sb_critical_step *step;
    SB_SCOPED_MAP struct sb_map known = {0};
    sb_vm_samples_find(ask->profile, sb_range_of(ask->profile, SB_NULL, SB_NULL), ask->arena, &x->vm);
    x->is_on = SB_NEW_N(ask->arena, uint32_t, x->vm.all->n_samples + 1);
    x->row = SB_NEW_N(ask->arena, uint32_t, x->vm.all->n_samples + 1);
    for (size_t i = 0; i < x->vm.all->n_samples; i++) {
        const struct sb_cpu_sample *s = &x->vm.all->sample[i];
        step = sb_vm_counts(&x->vm, s) ? step_of(path, s) : NULL;
        x->is_on[i] = step != NULL;
        x->row[i] = step ? row_of(ask, t, step, &known) : UINT32_MAX;
    }
}

static void
put_hot(const struct sb_ask *ask, struct sb_table *t, const struct sb_critical *path)
{
    struct on_path x = {0};
    union sb_cell *most = t->cell;
    find_samples(ask, t, path, &x);
    for (size_t i = 0; x.vm.n > 0 && i < t->n_rows; i++)
        t->cell[i * t->n_columns + SAMPLES].i = 0;
    for (size_t i = 0; i < x.vm.all->n_samples; i++)
        if (x.row[i] < t->n_rows)
            t->cell[x.row[i] * t->n_columns + SAMPLES].i++;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        union sb_cell *row = &t->cell[i * t->n_columns];
        most = row[SAMPLES].i > most[SAMPLES].i ? row : most;
        if (row[SAMPLES].i < SB_VM_LEAST_SAMPLES)
            continue;
        struct sb_vm_samples v = sb_vm_samples_in(&x.vm, x.row, i);
        row[HOT].s = sb_str_of(sb_hot_functions(ask, &v));
    }
    struct sb_vm_samples all = sb_vm_samples_in(&x.vm, x.is_on, true);
    const char *text = sb_hot_functions(ask, &all);
    if (*text && most)
        most[NOTE].s = sb_str_of(sb_words(ask->arena, "%s of the CPU time on the path, by samples (%s)", text,
                                          sb_hot_error(ask, &all)));
}

/* A service goes on when its recording ends, so nothing that it did last set the length. */
static bool
ask_critical(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    SB_TRY(sb_answer_sql(ask, sql, t, e));
    for (size_t i = 0; i < t->n_rows; i++)
        t->cell[i * t->n_columns + NOTE].s = t->cell[i * t->n_columns + HOT].s = (struct sb_str){0};
    const struct sb_critical *path = sb_critical_of(ask->profile, e);
    SB_TRY(path != NULL);
    union sb_cell *row = longest_wait(ask, t);
    if (row)
        row[NOTE].s = sb_str_of(sentence(ask, row, path));
    put_hot(ask, t, path);
    return true;
}

static const char *
note(const struct sb_ask *ask, const struct sb_table *t)
{
    const char *text = NULL;
    for (size_t i = 0; i < t->n_rows; i++) {
        const union sb_cell *row = &t->cell[i * t->n_columns];
        if (row[NOTE].s.n == 0)
            continue;
        text = sb_words(ask->arena, "%s%s%.*s", text ? text : "", text ? "\n" : "", SB_STR_ARG(row[NOTE].s));
        const struct sb_critical *path = wait_of(row) ? sb_critical_of(ask->profile, NULL) : NULL;
        if (path && !path->is_ended)
            text = sb_words(ask->arena, "%s\nhow long its requests took: %.*s", text,
                            SB_STR_ARG(sb_answer_command(ask, SB_STR("strobe report P latency"))));
    }
    return text;
}

const struct sb_answer sb_answer_critical = {
    .name = "critical",
    .title = "The chain of work and waits that led to the end of the recording",
    .ordered = "by its time on it",
    .whole_run = "the table critical has each step with its time: strobe query P \"SELECT * FROM critical\"",
    .of_all = true,
    .doc = "The critical path: work and waits that follow each other up to the end of the program, or else "
           "to what ran last before the recording was stopped, summed by name of the process, kind, function "
           "and name of the peer. Table critical has its steps in order.",
    .model = SB_MODEL_PATH,
    .note = note,
    .needs = "--trace running,messages",
    .limit = 20,
    .ask = ask_critical,
    .order = "ns",
    .column = columns,
    .narrow = "share,ns,kind,process,processes,function,steps",
    .hide = "node,id,peer_id,note",
};
