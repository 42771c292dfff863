#include "export/pick.h"
#include "export/select.h"
#include <stdlib.h>

enum { PROCESS = 0, FROM = 2, DUR = 4, COLUMNS = 8 };

static int
column(enum sb_tab t, const char *name)
{
    return sb_schema_column(t, sb_str_of(name));
}

static void
find_processes(struct sb_pick *r)
{
    r->process[0] = r->tab == SB_T_process ? SB_C_process__id : column(r->tab, "process");
    r->process[1] = -1;
    if (column(r->tab, "sender") >= 0) {
        r->process[0] = column(r->tab, "sender");
        r->process[1] = column(r->tab, "receiver");
    }
}

static void
find_times(struct sb_pick *r)
{
    enum sb_tab t = r->tab;
    r->from[0] = r->from[1] = r->dur[0] = r->dur[1] = r->dur[2] = r->dur[3] = -1;
    if (t == SB_T_gap) {
        r->from[0] = SB_C_gap__start;
        r->dur[0] = SB_C_gap__wait_ns;
        r->dur[1] = SB_C_gap__runnable_ns;
        r->dur[2] = SB_C_gap__unknown_ns;
        r->dur[3] = SB_C_gap__handover_ns;
    } else if (column(t, "start") >= 0 && column(t, "dur") >= 0) {
        r->from[0] = column(t, "start");
        r->dur[0] = column(t, "dur");
    } else if (column(t, "sent") >= 0) {
        r->from[0] = column(t, "sent");
        r->from[1] = column(t, "received");
    } else if (t != SB_T_loss) { /* a loss concerns every range */
        r->from[0] = column(t, "at");
    }
}

static int
column_of(const struct sb_pick *r, unsigned k)
{
    return k < FROM ? r->process[k] : k < DUR ? r->from[k - FROM] : r->dur[k - DUR];
}

void
sb_pick_open(struct sb_pick *r, const struct sb_profile *p, const struct sb_export_options *o, enum sb_tab t)
{
    *r = (struct sb_pick){
        .profile = p, .options = o, .tab = t, .process = {-1, -1}, .from = {-1, -1}, .dur = {-1, -1, -1, -1}};
    if (o->n_process > 0)
        find_processes(r);
    if (sb_select_windowed(o)) {
        find_times(r);
        if (r->from[0] < 0 && t != SB_T_loss)
            sb_select_note(o,
                           "--since and --until narrow only tables whose rows have a time: process, function "
                           "and the like are of the whole run");
    }
    for (unsigned k = 0; k < COLUMNS; k++)
        if (column_of(r, k) >= 0)
            r->cell[k] = sb_realloc_or_die(NULL, SB_BLOCK_ROWS * sizeof(int64_t));
}

void
sb_pick_close(struct sb_pick *r)
{
    for (unsigned k = 0; k < COLUMNS; k++)
        free(r->cell[k]);
}

static int64_t
value(const struct sb_pick *r, unsigned k, size_t i)
{
    return r->cell[k] ? r->cell[k][i] : SB_NULL;
}

static bool
of_process(const struct sb_pick *r, size_t i)
{
    if (r->process[0] < 0)
        return true;
    for (unsigned k = PROCESS; k < FROM; k++) {
        int64_t id = value(r, k, i);
        if (id != SB_NULL && sb_select_process(r->options, id))
            return true;
    }
    return false;
}

static bool
in_window(const struct sb_pick *r, size_t i)
{
    if (r->from[0] < 0)
        return true;
    int64_t start_ns = value(r, FROM, i), dur_ns = 0;
    for (unsigned k = DUR; k < COLUMNS; k++)
        dur_ns += value(r, k, i) > 0 ? value(r, k, i) : 0;
    return sb_select_clip(r->options, &start_ns, &dur_ns) || sb_select_at(r->options, value(r, FROM + 1, i));
}

size_t
sb_pick_rows(struct sb_pick *r, uint64_t row, size_t n, uint16_t *place)
{
    SB_ASSERT(n <= SB_BLOCK_ROWS);
    for (unsigned k = 0; k < COLUMNS; k++)
        if (r->cell[k])
            sb_profile_read(r->profile, r->tab, (unsigned)column_of(r, k), row, n, r->cell[k]);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (of_process(r, i) && in_window(r, i))
            place[kept++] = (uint16_t)i;
    return kept;
}
