/* States over time from the pyramid, at the level whose buckets are at least about a pixel wide. Columns that
   the page does not draw are omitted, since the first such answer is part of the page; timeline() of SQL has
   all. */
#include "profile/timeline.h"
#include "profile/scan_row.h"
#include "serve/route.h"

static const struct sb_column columns[] = {
    {"start", SB_INT, SB_U_AT_NS, "of the bucket"},
    {"dur", SB_INT, SB_U_NS, "its width"},
    {"running_ns", SB_INT, SB_U_NS, "gc apart"},
    {"gc_ns", SB_INT, SB_U_NS, ""},
    {"dirty_ns", SB_INT, SB_U_NS, ""},
    {"runnable_ns", SB_INT, SB_U_NS, ""},
    {"ports_ns", SB_INT, SB_U_NS, "ports at work"},
    {"schedulers_ns", SB_INT, SB_U_NS, "schedulers at work"},
    {"peak_running", SB_INT, SB_U_COUNT, "most at one moment"},
    {"peak_runnable", SB_INT, SB_U_COUNT, "most at one moment"},
};
enum { COLUMNS = sizeof columns / sizeof *columns, FIRST_VALUE = 2 };

/* Returns the finest level of a track that needs at most n buckets, else the coarsest. */
static int64_t
find_level(const struct sb_profile *p, int64_t track, int64_t span, int64_t n)
{
    bool there[64] = {false};
    int64_t want = 0, best = -1;
    SB_SCAN(s, p, pyramid, level);
    sb_scan_where(&s, SB_C_pyramid__track, track, track);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        there[s.value[level][i] & 63] = true;
    while (want < 62 && (span >> want) > n)
        want++;
    for (int64_t l = 63; l >= 0; l--)
        if (there[l] && (best < 0 || l >= want))
            best = l;
    return best;
}

static void
write_buckets(const struct sb_profile *p, int64_t track, int64_t level, int64_t t0, int64_t t1,
              struct sb_table *t)
{
    unsigned value[COLUMNS];
    SB_SCAN(s, p, pyramid, bucket);
    sb_scan_where(&s, SB_C_pyramid__track, track, track);
    sb_scan_where(&s, SB_C_pyramid__level, level, level);
    sb_scan_where(&s, SB_C_pyramid__bucket, t0 >> level, t1 >> level);
    for (unsigned c = FIRST_VALUE; c < COLUMNS; c++)
        value[c] = sb_scan_want(&s, (unsigned)sb_schema_column(SB_T_pyramid, sb_str_of(columns[c].name)));
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        union sb_cell *cell = sb_table_row(t);
        cell[0].i = s.value[bucket][i] << level;
        cell[1].i = INT64_C(1) << level;
        for (unsigned c = FIRST_VALUE; c < COLUMNS; c++)
            cell[c].i = s.value[value[c]][i];
    }
}

bool
sb_route_timeline(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    int64_t t0, t1, n;
    struct sb_track track;
    struct sb_str named = sb_request_text(rq, "track");
    SB_TRY(sb_request_window(rq, &t0, &t1, e));
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){1, 8192, 1024}, &n, e));
    SB_TRY(sb_track_find(rq->served->profile, named.n ? named : SB_STR("all"), &track, e));
    struct sb_table *t = sb_reply_table(r, "timeline", columns, COLUMNS);
    int64_t level = track.id == SB_NULL ? -1 : find_level(rq->served->profile, track.id, t1 - t0, n);
    if (level >= 0)
        write_buckets(rq->served->profile, track.id, level, t0, t1, t);
    sb_reply_int(r, "bucket_ns", level >= 0 ? INT64_C(1) << level : SB_NULL);
    return true;
}
