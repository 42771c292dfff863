/*
 * Windows of rings that a drain empties for a recording: they are mapped to be read only, and nothing is asked of the
 * node, which may be one that cannot be reached. The recording costs the node what it costs, so no window ends early.
 */
#include "base/progress.h"
#include "base/file.h"
#include "live/attach/rings_of.h"
#include "live/watch/windows.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct beside {
    struct sb_layout layout;
    void *map;
    size_t bytes;
    int64_t from_ns; /* of the first window */
    bool begun;
};

static bool
map_rings(struct beside *b, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return false;
    b->bytes = (size_t)st.st_size;
    void *p = mmap(NULL, b->bytes, PROT_READ, MAP_SHARED, fd, 0);
    b->map = p == MAP_FAILED ? NULL : p;
    return b->map && sb_layout_take(&b->layout, b->map, b->bytes);
}

static bool
has_classes(const struct sb_source_info *info, struct sb_err *e)
{
    static const enum sb_class needed[] = {SB_PROCS, SB_RUNNING, SB_MESSAGES, SB_GC};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(info->recorded >> needed[i] & 1)) {
            sb_err_set(e, SB_ERR_INPUT, "the node is recorded already, without %s",
                       sb_class_names[needed[i]]);
            return sb_err_advise(
                e, "the table is made of procs, running, messages and gc: end that recording first");
        }
    return true;
}

static bool
open_beside(struct sb_windows *w, const struct sb_attached *of, int64_t *from_ns, struct sb_err *e)
{
    struct beside *b = w->state = sb_zeroed_or_die(1, sizeof *b);
    SB_SCOPED_FD int fd = sb_rings_of_open(of->rings, of->os_pid, O_RDONLY);
    if (fd < 0 || !map_rings(b, fd))
        return sb_err_set(e, SB_ERR_INPUT, "the rings of the recording cannot be read");
    w->reader = sb_ring_reader_open(&b->layout, true);
    const struct sb_source_info *info = sb_ring_reader_info(w->reader, e);
    *from_ns = b->from_ns = sb_clock_ns();
    return info && has_classes(info, e);
}

static void
close_beside(struct sb_windows *w)
{
    struct beside *b = w->state;
    sb_layout_free(&b->layout);
    if (b->map)
        munmap(b->map, b->bytes);
    free(b);
    w->state = NULL;
}

/* What is in the rings already shows who is there, and which process runs at the start of the first window. */
static bool
begin(struct sb_windows *w, struct sb_err *e)
{
    struct beside *b = w->state;
    b->begun = true;
    SB_TRY(sb_windows_read(w, b->from_ns, e));
    sb_tally_begin_window(w->tally, b->from_ns);
    w->lost_before = sb_ring_reader_lost(w->reader);
    return true;
}

static bool
step(struct sb_windows *w, struct sb_err *e)
{
    const struct beside *b = w->state;
    int64_t now = sb_clock_ns();
    if (atomic_load(&b->layout.rings->state) != SB_RINGS_ON)
        return sb_err_set(e, SB_ERR_SYSTEM, "the recording that was watched has ended");
    SB_TRY((b->begun || begin(w, e)) && sb_windows_read(w, now, e));
    if (now - w->tally->from_ns >= w->interval_ns)
        sb_windows_end(w, now);
    return true;
}

const struct sb_windows_way sb_windows_beside = {open_beside, close_beside, step, NULL, NULL};
