/* A trace that is still being written: what is known for certain is analysed, and the trace says what became of it. */
#include "answer/losses.h"
#include "engine_analyze.h"
#include "engine_profile.h"
#include "trace/sbt/ring.h"
#include "trace/sbt/sbt.h"
#include "trace/sbt/wire.h"
#include "trace/source.h"
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>

enum { TICK_NS = 1 << SB_WIRE_TICK_SHIFT, SLICES = 50 };
static const int64_t SLICE_NS = 5000000L * TICK_NS, LATE_NS = 750000000;
static char rings[160];

/* Ten slices of one process, without a time in between, as one chunk of a ring. */
static void
put_slices(struct sb_sbt_writer *w, uint16_t ring, uint64_t number, int64_t first_ns)
{
    struct {
        struct sb_sbt_prefix prefix;
        uint8_t records[512];
    } c = {.prefix = {.base_ns = first_ns, .gap_from_ns = SB_AT_UNKNOWN}};
    sb_actor recent[SB_WIRE_RECENT] = {0};
    uint8_t *p = c.records;
    struct sb_err e;
    for (unsigned i = 0; i < 20; i++) {
        *p++ = i % 2 ? SB_EV_out : SB_EV_in;
        p = sb_varint_put(p, i % 2 ? (uint64_t)SLICE_NS / TICK_NS : 0);
        p = sb_wire_put_actor(p, recent, sb_actor_make(SB_PID, 0, 0, 85u + ring));
        p = sb_wire_put_u(p, 0);
    }
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = sb_lane_make(SB_LANE_NORMAL, 1u + ring),
                             .ring = ring,
                             .number = number,
                             .raw = (uint32_t)(p - (uint8_t *)&c),
                             .events = 20,
                             .first_ns = first_ns,
                             .last_ns = first_ns + 10 * SLICE_NS};
    assert_true(sb_sbt_put(w, &b, &c, &e));
}

/* Ring 0 is in the file up to 50 slices, ring 1 up to the slices that are given. */
static void
write_trace(const char *path, unsigned of_ring_1, bool end)
{
    struct sb_sbt_head head = {
        .magic = SB_SBT_MAGIC, .version = 1, .head_bytes = sizeof head, .tick_shift = SB_WIRE_TICK_SHIFT};
    struct sb_sbt_writer *w;
    struct sb_err e;
    snprintf(head.rings, sizeof head.rings, "%s", rings);
    unlink(path);
    assert_true(sb_sbt_open(&w, path, &head, &(struct sb_sbt_options){0}, &e));
    for (unsigned i = 0; i < SLICES; i += 10) {
        put_slices(w, 0, i / 10, TICK_NS + i * SLICE_NS);
        if (i < of_ring_1)
            put_slices(w, 1, i / 10, TICK_NS + i * SLICE_NS);
    }
    if (end)
        assert_true(sb_sbt_finish(w, &(struct sb_sbt_trailer){.end_ns = (SLICES + 1) * SLICE_NS}, NULL, &e));
    sb_sbt_close(w);
}

static int
lock_rings(void)
{
    int fd = open(rings, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
    return fd;
}

static enum sb_sbt_life
life_of(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum sb_sbt_life life = sb_sbt_life(fd);
    close(fd);
    return life;
}

static void
ends_where_an_event_may_be_missing(void **state)
{
    (void)state;
    const char *trace = in_dir("w.sbt"), *out = in_dir("w.sbp");
    int drain = lock_rings();
    /* the last slice of ring 0 that ended LATE_NS before the end of the trace */
    int64_t known = (SLICES * SLICE_NS - LATE_NS) / SLICE_NS;
    assert_true(known > 30 && known < 40);
    write_trace(trace, 40, false);
    for (unsigned threads = 1; threads <= 2; threads++) {
        analyze(&trace, 1, out, threads);
        open_profile(out);
        assert_int_equal(one("select count(*) from slice where scheduler = 1 and dur = 40000000"), known);
        assert_int_equal(one("select count(*) from slice where scheduler = 2 and dur = 40000000"), known);
        assert_int_equal(one("select count(*) from loss"), 0);
        assert_int_equal(one("select count(*) from meta where key = 'unfinished'"), 1);
        check_laws(0);
        assert_true(sb_str_starts(sb_losses_unfinished(profile, &arena), SB_STR("UNFINISHED: ")));
        close_profile();
    }
    assert_int_equal(life_of(trace), SB_SBT_WRITTEN);
    close(drain);
}

static void
a_block_in_writing_is_no_damage(void **state)
{
    (void)state;
    const char *trace = in_dir("h.sbt"), *out = in_dir("h.sbp");
    int drain = lock_rings();
    struct stat st;
    write_trace(trace, 50, false);
    assert_int_equal(stat(trace, &st), 0);
    for (off_t less = 8; less < 200; less += 24) { /* within its content, and within its head */
        assert_int_equal(truncate(trace, st.st_size - less), 0);
        analyze(&trace, 1, out, 1);
        open_profile(out);
        assert_int_equal(one("select count(*) from loss"), 0);
        close_profile();
    }
    close(drain);
    assert_int_equal(life_of(trace), SB_SBT_BROKEN);
    analyze(&trace, 1, out, 1); /* nobody will complete it */
    open_profile(out);
    assert_int_equal(one("select count(*) from loss where class = 'damage'"), 1);
    assert_int_equal(one("select count(*) from slice where scheduler = 1"), SLICES);
    assert_int_equal(one("select count(*) from meta where key = 'unfinished'"), 0);
    close_profile();
}

/* Its whole blocks can be read, and nothing shows how much came after them. */
static void
an_end_without_rings_is_damage(void **state)
{
    (void)state;
    const char *trace = in_dir("g.sbt"), *out = in_dir("g.sbp");
    unlink(rings);
    for (int whole = 0; whole <= 1; whole++) {
        unlink(trace);
        write_trace(trace, 40, whole);
        analyze(&trace, 1, out, 1);
        open_profile(out);
        assert_int_equal(one("select count(*) from loss where class = 'damage'"), !whole);
        assert_int_equal(one("select count(*) from slice where scheduler = 1"), SLICES);
        assert_int_equal(sb_losses_find(profile).n == 0, whole);
        close_profile();
    }
}

/* A drain that could not write was followed by one that could: the node records nothing after the first. */
static void
an_end_for_want_of_room_is_damage(void **state)
{
    (void)state;
    const char *trace = in_dir("room.sbt");
    struct sb_sbt_head head = {
        .magic = SB_SBT_MAGIC, .version = 1, .head_bytes = sizeof head, .tick_shift = SB_WIRE_TICK_SHIFT};
    for (unsigned stop = SB_STOP_BYTES; stop <= SB_STOP_DISK; stop++) {
        struct sb_sbt_writer *w;
        struct sb_source *s;
        struct sb_err e;
        unlink(trace);
        assert_true(sb_sbt_open(&w, trace, &head, &(struct sb_sbt_options){0}, &e));
        put_slices(w, 0, 0, TICK_NS);
        assert_true(
            sb_sbt_finish(w, &(struct sb_sbt_trailer){.stop = stop, .end_ns = 11 * SLICE_NS}, NULL, &e));
        sb_sbt_close(w);
        assert_true(sb_source_open(&s, &trace, 1, NULL, &e));
        assert_int_equal(sb_source_info(s)->damages, stop == SB_STOP_DISK);
        sb_source_close(s);
    }
}

static void
says_what_became_of_it(void **state)
{
    (void)state;
    const char *trace = in_dir("l.sbt"), *out = in_dir("l.sbp");
    FILE *f = fopen(trace, "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(life_of(trace), SB_SBT_NO_HEAD);
    int drain = lock_rings();
    write_trace(trace, 50, true);
    assert_int_equal(life_of(trace), SB_SBT_WHOLE); /* although the drain still holds its rings */
    analyze(&trace, 1, out, 1);
    open_profile(out);
    assert_int_equal(one("select count(*) from slice"), 2 * SLICES);
    assert_int_equal(one("select count(*) from meta where key = 'unfinished'"), 0);
    close_profile();
    close(drain);
}

/* The profile beside a trace that has since ended is not that of the trace, even if not a byte was added. */
static void
is_analysed_again(void **state)
{
    (void)state;
    const char *trace = in_dir("k.sbt");
    char profile_path[200];
    struct sb_engine_options o;
    struct sb_err e = {0};
    int drain = lock_rings();
    write_trace(trace, 50, false);
    sb_engine_defaults(&o);
    assert_true(sb_engine_profile_of(trace, &o, profile_path, sizeof profile_path, &e));
    open_profile(profile_path);
    assert_int_equal(one("select count(*) from meta where key = 'unfinished'"), 1);
    close_profile();
    close(drain);
    assert_true(sb_engine_profile_of(trace, &o, profile_path, sizeof profile_path, &e));
    open_profile(profile_path);
    assert_int_equal(one("select count(*) from meta where key = 'unfinished'"), 0);
    assert_int_equal(one("select count(*) from slice"), 2 * SLICES);
    close_profile();
}

/* A file with that name and without a head would be taken for anything but a trace. */
static void
has_a_head_when_it_has_its_name(void **state)
{
    (void)state;
    union {
        struct inotify_event event;
        char bytes[4096];
    } seen;
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), moved = 0;
    assert_true(inotify_add_watch(watch, dir, IN_CREATE | IN_MOVED_TO) >= 0);
    write_trace(in_dir("named.sbt"), 50, true);
    ssize_t n = read(watch, seen.bytes, sizeof seen.bytes), size;
    for (const char *at = seen.bytes; at < seen.bytes + n; at += size) {
        const struct inotify_event *event = (const void *)at;
        size = (ssize_t)(sizeof *event + event->len);
        if (strcmp(event->name, "named.sbt") != 0)
            continue;
        assert_int_equal(event->mask, IN_MOVED_TO);
        moved++;
    }
    assert_int_equal(moved, 1);
    close(watch);
}

static int
set_up(void **state)
{
    char folder[150];
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    snprintf(folder, sizeof folder, "%s/strobe-1-x", dir);
    snprintf(rings, sizeof rings, "%s/1.rings", folder);
    return mkdir(folder, 0700);
}

static int
tear_down(void **state)
{
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_where_an_event_may_be_missing),
                                       cmocka_unit_test(a_block_in_writing_is_no_damage),
                                       cmocka_unit_test(an_end_without_rings_is_damage),
                                       cmocka_unit_test(an_end_for_want_of_room_is_damage),
                                       cmocka_unit_test(says_what_became_of_it),
                                       cmocka_unit_test(is_analysed_again),
                                       cmocka_unit_test(has_a_head_when_it_has_its_name)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
