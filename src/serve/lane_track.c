#include "serve/lane_track.h"
#include "profile/scan_row.h"
#include "serve/profiles.h"

static const char *const kind_name[] = {[SB_TRACK_ALL] = "all",
                                        [SB_TRACK_SCHEDULER] = "scheduler",
                                        [SB_TRACK_PROCESS] = "process",
                                        [SB_TRACK_GROUP] = "group"};

/* The columns of a bucket, in this order. */
static const unsigned wanted[] = {
    SB_C_pyramid__bucket,   SB_C_pyramid__process,     SB_C_pyramid__running_ns, SB_C_pyramid__gc_ns,
    SB_C_pyramid__dirty_ns, SB_C_pyramid__runnable_ns, SB_C_pyramid__waiting_ns, SB_C_pyramid__handover_ns};

static void
read_tracks(struct sb_lane_tracks *k)
{
    const struct sb_profile *p = k->served->profile;
    int64_t kind = sb_profile_find_text(p, sb_str_of(kind_name[k->kind]));
    k->read = true;
    sb_scan_open(&k->level, p, SB_T_pyramid);
    sb_scan_want(&k->level, SB_C_pyramid__level);
    sb_scan_open_columns(&k->pyramid, p, SB_T_pyramid, wanted, sizeof wanted / sizeof *wanted);
    if (kind == SB_NULL)
        return;
    SB_SCAN(s, p, track, id, ref);
    sb_scan_where(&s, SB_C_track__kind, kind, kind);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[ref][i] > 0 && s.value[id][i] > 0 && s.value[id][i] <= UINT32_MAX)
            *sb_map_put(&k->id, (uint64_t)s.value[ref][i], NULL) = (uint32_t)s.value[id][i];
}

void
sb_lane_tracks_close(struct sb_lane_tracks *k)
{
    sb_map_close(&k->id);
    sb_scan_close(&k->level);
    sb_scan_close(&k->pyramid);
}

uint64_t
sb_lane_rows(const struct sb_served *b, int64_t t0, int64_t t1)
{
    uint64_t rows = sb_profile_rows(b->profile, SB_T_slice), n = 0;
    for (uint64_t row = 0; row < rows;) {
        struct sb_zone z = sb_profile_zone(b->profile, SB_T_slice, SB_C_slice__start, row);
        if (z.min < t1 && z.max >= t0 - b->longest_slice_ns)
            n += z.end - row;
        row = z.end;
    }
    return n;
}

/* The rows of a track are ordered by level, the finest first. */
static int64_t
finest_level(struct sb_lane_tracks *k, int64_t track)
{
    sb_scan_restart(&k->level);
    sb_scan_where(&k->level, SB_C_pyramid__track, track, track);
    return sb_scan_next(&k->level) ? k->level.value[0][0] : -1;
}

static void
write_bucket(const struct sb_lane_tracks *k, int64_t ref, int64_t level, size_t i, struct sb_table *t)
{
    int64_t *const *value = k->pyramid.value;
    union sb_cell *c = sb_table_row(t);
    int64_t most = 0, ns[SB_STATE_UNKNOWN], start = value[0][i] << level;
    int64_t who = k->kind == SB_TRACK_PROCESS ? ref : value[1][i];
    c[SB_LANE_C_LANE].i = ref;
    c[SB_LANE_C_START].i = start;
    c[SB_LANE_C_END].i = start + (INT64_C(1) << level);
    c[SB_LANE_C_STATE].i = SB_STATE_UNKNOWN;
    c[SB_LANE_C_COUNT].i = SB_NULL;
    sb_lane_who(c, who, SB_NULL, k->served);
    for (unsigned state = 0; state < SB_STATE_UNKNOWN; state++) {
        ns[state] = value[2 + state][i];
        if (ns[state] > most) {
            most = ns[state];
            c[SB_LANE_C_STATE].i = state;
        }
    }
    c[SB_LANE_C_SHARES].i = sb_lane_shares(ns, INT64_C(1) << level);
}

static void
write_level(struct sb_lane_tracks *k, int64_t track, int64_t ref, int64_t level, const struct sb_lane *l,
            struct sb_table *t)
{
    struct sb_scan *s = &k->pyramid;
    sb_scan_restart(s);
    sb_scan_where(s, SB_C_pyramid__track, track, track);
    sb_scan_where(s, SB_C_pyramid__level, level, level);
    sb_scan_where(s, SB_C_pyramid__bucket, l->t0 >> level, (l->t1 - 1) >> level);
    while (sb_scan_next(s))
        for (size_t i = 0; i < s->n; i++)
            write_bucket(k, ref, level, i, t);
}

bool
sb_lane_from_track(struct sb_lane_tracks *k, int64_t ref, const struct sb_lane *l, int64_t most_pixels,
                   struct sb_table *t)
{
    if (!k->read)
        read_tracks(k);
    uint32_t *track = ref > 0 ? sb_map_get(&k->id, (uint64_t)ref) : NULL;
    int64_t finest = track ? finest_level(k, *track) : -1, level = 0;
    while (INT64_C(1) << level < l->width_ns)
        level++;
    if (finest < 0 || finest > 62 || (finest > level && INT64_C(1) << (finest - level) > most_pixels))
        return false;
    write_level(k, *track, ref, finest > level ? finest : level, l, t);
    return true;
}
