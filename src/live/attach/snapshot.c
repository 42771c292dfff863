#include "live/attach/snapshot.h"
#include "base/file.h"
#include "base/progress.h"
#include "live/attach/rings_of.h"
#include "trace/sbt/ring_ask.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { POLL_US = 5000 };
static const int64_t SEEN_WITHIN_NS = 10000000000, WRITTEN_WITHIN_NS = 600000000000;

static struct sb_rings *
map_rings(uint32_t os_pid, struct sb_arena *a)
{
    struct sb_rings_of w;
    bool found = sb_rings_of_find(&w, os_pid, a) && w.flight;
    SB_SCOPED_FD int fd = found ? sb_rings_of_open(w.rings, os_pid, O_RDWR) : -1;
    void *p = fd >= 0 ? mmap(NULL, SB_RING_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    return p == MAP_FAILED ? NULL : p;
}

/* ---- asking */

static bool
is_seen(struct sb_rings *r, int slot)
{
    return atomic_load(&sb_ring_asks_of(r)->ask[slot].state) != SB_ASK_ASKED;
}

/* A drain that runs looks within a tenth of a second; one that has begun to write takes as long as the disk does. */
static bool
wait_for(struct sb_rings *r, int slot, char text[SB_ASK_TEXT], struct sb_err *e)
{
    int64_t began = sb_clock_ns(), past;
    enum sb_ring_ask_state is;
    while ((is = sb_ring_answer(r, slot, text)) == SB_ASK_SEEN) {
        past = sb_clock_ns() - began;
        if (past > WRITTEN_WITHIN_NS || (past > SEEN_WITHIN_NS && !is_seen(r, slot)) ||
            atomic_load(&r->flight) == SB_FLIGHT_NONE) {
            sb_ring_leave(r, slot);
            return sb_err_set(e, SB_ERR_SYSTEM, "the flight recorder has ended, or does not answer");
        }
        usleep(POLL_US);
    }
    return is == SB_ASK_WRITTEN || sb_err_set(e, SB_ERR_SYSTEM, "the trace was not written: %.200s", text);
}

static bool
ask(struct sb_rings *r, const struct sb_snapshot *s, struct sb_arena *a, struct sb_str *path,
    struct sb_err *e)
{
    char text[SB_ASK_TEXT];
    int slot = -1;
    for (int64_t began = sb_clock_ns(); slot < 0 && sb_clock_ns() - began < SEEN_WITHIN_NS; usleep(POLL_US))
        slot = sb_ring_ask(r, SB_ASK_SNAPSHOT, sb_clock_ns(), s->why, s->path ? s->path : "");
    if (slot < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "the flight recorder is busy with other requests") ||
               sb_err_advise(e, "try again");
    SB_TRY(wait_for(r, slot, text, e));
    *path = sb_arena_str(a, sb_str_of(text));
    return true;
}

bool
sb_snapshot_ask(const struct sb_snapshot *s, struct sb_arena *a, struct sb_str *path, struct sb_err *e)
{
    if (s->path && strlen(s->path) >= SB_ASK_TEXT)
        return sb_err_set(e, SB_ERR_USAGE, "the path of the trace is too long");
    struct sb_rings *r = map_rings(s->os_pid, a);
    if (!r) {
        sb_err_set(e, SB_ERR_INPUT, "process %u has no flight recorder", s->os_pid);
        return sb_err_advise(e, "start one: strobe attach %u --flight 60s", s->os_pid);
    }
    bool ok = ask(r, s, a, path, e);
    munmap(r, SB_RING_PAGE);
    return ok;
}
