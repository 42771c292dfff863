#include "cli/watch/top_rows.h"
#include "base/order.h"
#include "why/program/elixir.h"
#include <ctype.h>
#include <stdio.h>

const struct sb_top_column sb_top_column[SB_TOP_COLUMNS] = {
    [SB_TOP_NODE] = {"NODE", 16, '@', true, true, false, "name of the node"},
    [SB_TOP_PID] = {"PID", 11, 'p', true, false, false, "process identifier"},
    [SB_TOP_PROCESSES] = {"PROCS", 6, 'N', false, true, false, "processes of the group"},
    [SB_TOP_CORE] = {"CORE%", 6, 'c', true, true, false,
                     "time on a scheduler, dirty or not, as a share of one core"},
    [SB_TOP_GC] = {"GC%", 5, 'G', true, true, true, "the part of it spent in garbage collection"},
    [SB_TOP_SWITCHES] = {"SW/s", 6, 's', true, true, false, "context switches: times it was scheduled in"},
    [SB_TOP_IN] = {"IN/s", 6, 'i', true, true, false, "messages received"},
    [SB_TOP_OUT] = {"OUT/s", 6, 'o', true, true, true, "messages sent"},
    [SB_TOP_MAILBOX] = {"MBOX", 6, 'm', true, true, false, "messages in the mailbox"},
    [SB_TOP_MEMORY] = {"MEM", 6, 'M', true, true, true, "memory in bytes"},
    [SB_TOP_NAME] = {"NAME", 0, 'n', true, true, false,
                     "registered name, label or entry; of a group the entry"},
};

void
sb_top_rows_init(struct sb_top_rows *r, size_t nodes)
{
    *r = (struct sb_top_rows){.of = sb_zeroed_or_die(nodes, sizeof *r->of), .nodes = nodes};
}

void
sb_top_rows_close(struct sb_top_rows *r)
{
    SB_VEC_FREE(&r->row);
    for (size_t i = 0; i < r->nodes; i++)
        SB_VEC_FREE(&r->of[i].process);
    free(r->of);
    sb_arena_close(&r->labels);
    sb_arena_close(&r->text);
}

/* ---- values */

/* Hundredths of a percent for shares, counts a second times 100 for rates. */
static int64_t
per_window(int64_t window_ns, int64_t n, int64_t scale)
{
    return window_ns > 0 ? (int64_t)((double)n * (double)scale / (double)window_ns + 0.5) : 0;
}

static void
set_sums(const struct sb_top_rows *r, struct sb_top_row *row, const struct sb_tally_sums *s)
{
    enum { SHARE = 10000 };
    const int64_t rate = 100000000000, window_ns = r->of[row->node].window_ns;
    row->value[SB_TOP_NODE].n = (int64_t)row->node;
    row->value[SB_TOP_CORE].n = per_window(window_ns, s->core_ns, SHARE);
    row->value[SB_TOP_GC].n = per_window(window_ns, s->gc_ns, SHARE);
    row->value[SB_TOP_SWITCHES].n = per_window(window_ns, s->slices, rate);
    row->value[SB_TOP_IN].n = per_window(window_ns, s->receives, rate);
    row->value[SB_TOP_OUT].n = per_window(window_ns, s->sends, rate);
}

static void
human(char *text, size_t room, double v)
{
    static const char unit[] = " kMGTPE";
    size_t u = 0;
    for (; v >= 999.5 && u + 1 < sizeof unit - 1; u++)
        v /= 1000;
    if (u == 0)
        snprintf(text, room, "%.0f", v);
    else
        snprintf(text, room, v < 99.95 ? "%.1f%c" : "%.0f%c", v, unit[u]);
}

/* Rates below ten keep a digit after the point, so that a process that did something seldom differs from one that did
 * nothing. */
static void
rate(char *text, size_t room, int64_t hundredths)
{
    double v = (double)hundredths / 100;
    if (hundredths == 0)
        snprintf(text, room, "0");
    else if (v < 9.95)
        snprintf(text, room, v < 0.05 ? "<0.1" : "%.1f", v);
    else
        human(text, room, v);
}

void
sb_top_value_text(char *text, size_t room, enum sb_top_column_id c, struct sb_top_value v)
{
    char number[24];
    if (v.n == SB_TALLY_UNKNOWN)
        snprintf(number, sizeof number, "--");
    else if (c == SB_TOP_CORE || c == SB_TOP_GC)
        snprintf(number, sizeof number, v.n >= 9995 ? "%.0f" : "%.1f", (double)v.n / 100);
    else if (c == SB_TOP_SWITCHES || c == SB_TOP_IN || c == SB_TOP_OUT)
        rate(number, sizeof number, v.n);
    else
        human(number, sizeof number, (double)v.n);
    snprintf(text, room, "%s%s", v.at_least && v.n != SB_TALLY_UNKNOWN ? ">" : "", number);
}

/* ---- names */

static struct sb_str
name_of(struct sb_top_rows *r, size_t node, uint32_t named, struct sb_str label, uint32_t entry)
{
    const struct sb_names *names = r->of[node].names;
    if (!named && label.n)
        return label;
    if (!named && !entry)
        return SB_STR("--");
    struct sb_str s = named ? sb_names_str(names, named) : sb_names_print(names, entry, &r->text);
    return named ? sb_arena_str(&r->text, s) : sb_elixir_name(s, r->elixir, &r->text);
}

struct sb_str
sb_top_row_name(struct sb_top_rows *r, struct sb_top_row *row)
{
    if (row->name.n == 0)
        row->name = name_of(r, row->node, row->named, row->label, row->entry);
    return row->name;
}

struct sb_str
sb_top_who(struct sb_top_rows *r, size_t node, const struct sb_tally *t, sb_actor who)
{
    struct sb_str pid = sb_names_actor(r->of[node].names, who, &r->text);
    const struct sb_tally_process *p = sb_tally_find(t, who);
    if (!p || (!p->name && !p->label && !p->entry))
        return pid;
    struct sb_str name = name_of(r, node, p->name, sb_str_of(p->label), p->entry);
    return sb_arena_printf(&r->text, "%.*s %.*s", SB_STR_ARG(pid), SB_STR_ARG(name));
}

/* ---- filter */

static bool
contains(struct sb_str text, struct sb_str part)
{
    for (size_t i = 0; i + part.n <= text.n; i++) {
        size_t k = 0;
        while (k < part.n && tolower((unsigned char)text.p[i + k]) == tolower((unsigned char)part.p[k]))
            k++;
        if (k == part.n)
            return true;
    }
    return part.n == 0;
}

static bool
is_wanted(struct sb_top_rows *r, struct sb_top_row *row, const struct sb_top_view *v)
{
    if (v->one_group && !v->groups && (row->entry != v->group || row->node != v->group_node))
        return false;
    if (v->filter.n == 0)
        return true;
    if (contains(sb_top_row_name(r, row), v->filter))
        return true;
    const struct sb_top_copy *of = &r->of[row->node];
    return (row->who && contains(sb_names_actor(of->names, row->who, &r->text), v->filter)) ||
           (r->nodes > 1 && contains(of->node, v->filter));
}

/* ---- rows */

static struct sb_top_row
process_row(struct sb_top_rows *r, size_t node, const struct sb_tally_process *p)
{
    struct sb_top_row row = {.who = p->who, .node = node, .entry = p->entry, .named = p->name};
    row.label = sb_str_of(p->label);
    set_sums(r, &row, &p->last);
    row.value[SB_TOP_PID].n = (int64_t)(p->who & 0xfffffffffffffu);
    row.value[SB_TOP_MAILBOX].n = p->ended ? SB_TALLY_UNKNOWN : p->mailbox;
    row.value[SB_TOP_MEMORY].n = p->ended ? SB_TALLY_UNKNOWN : p->memory;
    return row;
}

/* The processes of one node, as rows or only for what the head says of them. */
static void
arrange_processes(struct sb_top_rows *r, size_t node, const struct sb_top_view *v)
{
    const struct sb_top_copy *of = &r->of[node];
    for (size_t i = 0; i < of->process.n; i++) {
        const struct sb_tally_process *p = &of->process.at[i];
        struct sb_top_row row = process_row(r, node, p);
        r->processes += !p->ended;
        if (row.value[SB_TOP_MAILBOX].n > r->longest.value[SB_TOP_MAILBOX].n)
            r->longest = row;
        if (!v->groups && is_wanted(r, &row, v))
            *SB_PUSH(&r->row) = row;
    }
}

static void
add_known(struct sb_top_value *sum, int64_t more)
{
    if (more == SB_TALLY_UNKNOWN)
        sum->at_least = true;
    else
        sum->n = (sum->n == SB_TALLY_UNKNOWN ? 0 : sum->n) + more;
}

static void
add_to_group(struct sb_top_row *g, struct sb_tally_sums *s, const struct sb_tally_process *p)
{
    sb_tally_sums_add(s, &p->last);
    g->value[SB_TOP_PROCESSES].n += !p->ended;
    if (!p->ended) {
        add_known(&g->value[SB_TOP_MAILBOX], p->mailbox);
        add_known(&g->value[SB_TOP_MEMORY], p->memory);
    }
}

static void
arrange_groups(struct sb_top_rows *r, size_t node, const struct sb_top_view *v)
{
    const struct sb_top_copy *of = &r->of[node];
    const size_t first = r->row.n;
    SB_SCOPED_MAP struct sb_map place = {0};
    SB_SCOPED SB_VEC(struct sb_tally_sums) sums = {0};
    for (size_t i = 0; i < of->process.n; i++) {
        const struct sb_tally_process *p = &of->process.at[i];
        uint32_t at = sb_map_place(&place, p->entry, sums.n);
        if (at == sums.n) {
            struct sb_top_row g = {.node = node, .entry = p->entry};
            g.value[SB_TOP_MAILBOX].n = g.value[SB_TOP_MEMORY].n = SB_TALLY_UNKNOWN;
            *SB_PUSH(&r->row) = g;
            *SB_PUSH(&sums) = (struct sb_tally_sums){0};
        }
        add_to_group(&r->row.at[first + at], &sums.at[at], p);
    }
    size_t n = first;
    for (size_t i = 0; i < sums.n; i++) {
        struct sb_top_row g = r->row.at[first + i];
        set_sums(r, &g, &sums.at[i]);
        if (is_wanted(r, &g, v))
            r->row.at[n++] = g;
    }
    r->row.n = n;
}

/* ---- order: the largest first, names from A on; equal values by node and pid */

struct order {
    enum sb_top_column_id by;
    bool reverse;
};

static int
compare(const void *pa, const void *pb, void *ctx)
{
    const struct sb_top_row *a = pa, *b = pb;
    const struct order *o = ctx;
    int64_t x = a->value[o->by].n, y = b->value[o->by].n;
    int c = o->by == SB_TOP_NAME                          ? sb_str_cmp(a->name, b->name)
            : o->by == SB_TOP_PID || o->by == SB_TOP_NODE ? (x > y) - (x < y)
                                                          : (x < y) - (x > y);
    if (c != 0)
        return o->reverse ? -c : c;
    return SB_UP(node) ?: SB_UP(who) ?: SB_UP(entry);
}

void
sb_top_rows_clear(struct sb_top_rows *r)
{
    sb_arena_reset(&r->labels);
    for (size_t i = 0; i < r->nodes; i++)
        r->of[i].process.n = 0;
}

void
sb_top_rows_take(struct sb_top_rows *r, size_t node, struct sb_str name, const struct sb_tally *t)
{
    struct sb_top_copy *of = &r->of[node];
    of->node = name;
    of->names = t->names;
    of->window_ns = t->last_to_ns - t->last_from_ns;
    of->every_ns = t->every_ns;
    for (size_t i = 0; i < t->process.n; i++) {
        struct sb_tally_process *p = SB_PUSH(&of->process);
        *p = t->process.at[i];
        if (p->label)
            p->label = (char *)sb_arena_str(&r->labels, sb_str_of(p->label)).p;
    }
}

void
sb_top_rows_arrange(struct sb_top_rows *r, const struct sb_top_view *v)
{
    sb_arena_reset(&r->text);
    r->row.n = 0;
    r->elixir = v->elixir;
    r->processes = 0;
    r->longest = (struct sb_top_row){0};
    for (size_t i = 0; i < r->nodes; i++) {
        arrange_processes(r, i, v);
        if (v->groups)
            arrange_groups(r, i, v);
    }
    struct order o = {v->sort, v->reverse};
    if (v->sort == SB_TOP_NAME)
        for (size_t i = 0; i < r->row.n; i++)
            sb_top_row_name(r, &r->row.at[i]);
    if (r->row.n > 1)
        qsort_r(r->row.at, r->row.n, sizeof *r->row.at, compare, &o);
}
