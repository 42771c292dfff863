#include "serve/served.h"
#include "profile/scan_row.h"
#include "serve/process_order.h"
#include "why/program/elixir.h"
#include <stdlib.h>
#include <sys/stat.h>

/* Fills two arrays by process id, since ids are dense: the row and the group. */
static void
index_processes(struct sb_served *b)
{
    uint64_t rows = sb_profile_rows(b->profile, SB_T_process);
    int64_t most = sb_profile_largest(b->profile, SB_T_process, SB_C_process__id);
    b->n_ids = most >= 0 && (uint64_t)most <= 4 * rows + 1024 ? (uint64_t)most + 1 : 1;
    b->process_row = sb_zeroed_or_die(b->n_ids, sizeof *b->process_row);
    b->group_of = sb_zeroed_or_die(b->n_ids, sizeof *b->group_of);
    SB_SCAN(s, b->profile, process, id, group_id);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t at = s.value[id][i], g = s.value[group_id][i];
        if (at <= 0 || (uint64_t)at >= b->n_ids)
            continue;
        b->process_row[at] = (uint32_t)s.row[i] + 1;
        b->group_of[at] = g > 0 && g <= UINT32_MAX ? (uint32_t)g : 0;
    }
}

bool
sb_served_process_row(const struct sb_served *b, int64_t id, uint64_t *row)
{
    if (id <= 0 || (uint64_t)id >= b->n_ids || b->process_row[id] == 0)
        return false;
    *row = b->process_row[id] - 1;
    return true;
}

int64_t
sb_served_group(const struct sb_served *b, int64_t id)
{
    return id > 0 && (uint64_t)id < b->n_ids && b->group_of[id] ? (int64_t)b->group_of[id] : SB_NULL;
}

bool
sb_served_open(struct sb_served *b, const char *profile_path, struct sb_err *e)
{
    struct stat st;
    SB_TRY(sb_profile_open(&b->profile, profile_path, e));
    if (stat(profile_path, &st) == 0) {
        b->dev = st.st_dev;
        b->ino = st.st_ino;
        b->size = (uint64_t)st.st_size;
        b->written = st.st_mtim;
    }
    snprintf(b->profile_path, sizeof b->profile_path, "%s", profile_path);
    b->longest_slice_ns = sb_profile_largest(b->profile, SB_T_slice, SB_C_slice__dur);
    b->longest_gc_ns = sb_profile_largest(b->profile, SB_T_gc, SB_C_gc__dur);
    int64_t span_ns = sb_profile_span(b->profile);
    b->end_ns = span_ns > 0 ? span_ns : b->longest_slice_ns + 1;
    b->elixir = sb_is_elixir(b->profile);
    index_processes(b);
    b->roll = sb_process_order_open();
    return true;
}

void
sb_served_interrupt(struct sb_served *b)
{
    for (unsigned i = 0; i < SB_WORKERS; i++)
        if (atomic_load(&b->sql[i]))
            sb_sql_interrupt(atomic_load(&b->sql[i]));
}

void
sb_served_close(struct sb_served *b)
{
    for (unsigned i = 0; i < SB_WORKERS; i++)
        if (atomic_load(&b->sql[i]))
            sb_sql_close(atomic_load(&b->sql[i]));
    sb_profile_close(b->profile);
    if (b->roll)
        sb_process_order_close(b->roll);
    free(b->process_row);
    free(b->group_of);
    *b = (struct sb_served){0};
}

enum sb_served_fate
sb_served_fate(const struct sb_served *b)
{
    struct stat st;
    if (b->profile_path[0] == '\0')
        return SB_SERVED_SAME;
    if (stat(b->profile_path, &st) != 0 || st.st_dev != b->dev || st.st_ino != b->ino)
        return SB_SERVED_REPLACED; /* the old file remains while it is mapped */
    bool same = (uint64_t)st.st_size == b->size && st.st_mtim.tv_sec == b->written.tv_sec &&
                st.st_mtim.tv_nsec == b->written.tv_nsec;
    return same ? SB_SERVED_SAME : SB_SERVED_OVERWRITTEN;
}
