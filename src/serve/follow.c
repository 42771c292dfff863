#include "serve/follow.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/temporary.h"
#include "engine/growth.h"
#include "trace/sbt/sbt.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { START_BYTES = 4096 };
/* The shortest pause between two steps; and the time after which a drain that was killed is not started again. */
static const int64_t PAUSE_NS = 500000000, PATIENCE_NS = 3000000000;
/* While much is left to take in, an edition is made now and then. */
static const int64_t EDITION_NS = 2000000000;

struct sb_follow {
    const char *path;
    int fd;                      /* of the trace, however it is renamed; -1: not there yet */
    char same[64];               /* a path that leads to fd */
    char folder[4096];           /* of the profiles; empty: not made yet */
    uint64_t size;               /* of the trace when it was analysed last */
    uint64_t taken;              /* bytes of it that were taken in */
    bool has_more;               /* not all of that was taken in */
    struct sb_growth *growth;    /* the analysis; NULL: not begun */
    int64_t edition_ns;          /* when the last edition was made */
    uint64_t start, start_bytes; /* hash and length of its start, when it was analysed first */
    int64_t due_ns;              /* of the next step */
    int64_t alone_ns;            /* since when no drain writes the trace; 0: one does */
    const _Atomic bool *stop;
    bool was_coming;
    _Atomic bool coming; /* its recorder is at work */
    _Atomic int state;   /* enum sb_follow_state */
    pthread_mutex_t lock;
    char said[SB_FOLLOW_SAID]; /* guarded by the lock */
};

/* ---- what there is to say */

static void __attribute__((format(printf, 2, 3))) say(struct sb_follow *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    pthread_mutex_lock(&f->lock);
    vsnprintf(f->said, sizeof f->said, fmt, ap);
    pthread_mutex_unlock(&f->lock);
    va_end(ap);
}

void
sb_follow_said(struct sb_follow *f, char said[SB_FOLLOW_SAID])
{
    pthread_mutex_lock(&f->lock);
    memcpy(said, f->said, sizeof f->said);
    pthread_mutex_unlock(&f->lock);
}

enum sb_follow_state
sb_follow_state(const struct sb_follow *f)
{
    return (enum sb_follow_state)atomic_load(&f->state);
}

static void
say_how_it_ended(struct sb_follow *f)
{
    static const char *const why[] = {[SB_STOP_TIME] = "its time limit was reached",
                                      [SB_STOP_EVENTS] = "its limit of events was reached",
                                      [SB_STOP_BYTES] = "its limit of size was reached",
                                      [SB_STOP_DISK] = "the trace could not be written",
                                      [SB_STOP_USER] = "it was stopped"};
    struct sb_sbt_trailer t;
    struct sb_err ignored;
    if (!sb_sbt_read_trailer(f->same, &t, &ignored))
        say(f, "The recording was broken off: nothing writes the trace any more. This is what was written.");
    else if (t.node_died)
        say(f, "The recording has ended: the node is gone.");
    else if (t.stop && t.stop < sizeof why / sizeof *why)
        say(f, "The recording has ended: %s.", why[t.stop]);
    else
        say(f, "The recording has ended.");
}

/* ---- analyses */

static bool
go_on(void *ctx, uint64_t done, uint64_t total)
{
    const struct sb_follow *f = ctx;
    (void)done;
    (void)total;
    return !atomic_load(f->stop);
}

static struct sb_engine_options
options_of(struct sb_follow *f)
{
    struct sb_engine_options o;
    sb_engine_defaults(&o);
    o.threads = 1;
    o.progress = go_on;
    o.ctx = f;
    return o;
}

/* A folder that somebody has removed, such as a program that cleans /tmp, is made again. `strobe clean` knows
 * folders of this name if we are killed. */
static bool
make_folder(struct sb_follow *f, struct sb_err *e)
{
    if (f->folder[0] && access(f->folder, W_OK) == 0)
        return true;
    int n =
        snprintf(f->folder, sizeof f->folder, "%s/strobe-%u-XXXXXX", sb_temporary_root(), (unsigned)getpid());
    if (n < (int)sizeof f->folder && mkdtemp(f->folder))
        return true;
    if (n >= (int)sizeof f->folder)
        errno = ENAMETOOLONG;
    f->folder[0] = '\0';
    return sb_err_errno(e, "create a folder for the profile");
}

/* The edition of a trace that has no place for its profile, in one analysis. */
static bool
add_nameless(struct sb_follow *f, struct sb_editions *to, struct sb_err *e)
{
    char path[sizeof f->folder + 16];
    const char *trace = f->same;
    struct sb_engine_options o = options_of(f);
    bool taken;
    SB_TRY(make_folder(f, e));
    snprintf(path, sizeof path, "%s/live.sbp", f->folder);
    return sb_engine_analyze(&trace, 1, path, &o, NULL, e) && sb_editions_add(to, path, true, &taken, e);
}

/* ---- while the trace grows */

static bool
open_growth(struct sb_follow *f, struct sb_err *e)
{
    char path[sizeof f->folder + 16];
    struct sb_engine_options o = options_of(f);
    SB_TRY(make_folder(f, e));
    snprintf(path, sizeof path, "%s/growing.sbp", f->folder);
    f->growth = f->growth ? f->growth : sb_growth_open(f->same, path, &o);
    return true;
}

static bool
add_grown(struct sb_follow *f, struct sb_editions *to, int64_t *copy_ns, struct sb_err *e)
{
    char path[sizeof f->folder + 16];
    bool taken;
    snprintf(path, sizeof path, "%s/live.sbp", f->folder);
    f->edition_ns = sb_clock_ns();
    return sb_growth_edition(f->growth, path, copy_ns, e) && sb_editions_add(to, path, true, &taken, e);
}

/* Takes in what was added. After an error the next time begins anew. */
static bool
grow(struct sb_follow *f, struct sb_editions *to, int64_t *copy_ns, struct sb_err *e)
{
    SB_TRY(open_growth(f, e));
    enum sb_grown how = sb_growth_step(f->growth, e);
    if (how == SB_GROWN_FAILED) {
        sb_growth_close(f->growth);
        f->growth = NULL;
        return false;
    }
    f->taken = sb_growth_taken(f->growth);
    f->has_more = how == SB_GROWN_SOME;
    bool due = !f->has_more || sb_clock_ns() - f->edition_ns > EDITION_NS;
    return !due || !sb_growth_has_more(f->growth) || add_grown(f, to, copy_ns, e);
}

/* ---- the end */

/* The name of the trace, which may have changed; false if it has none any more. */
static bool
find_name(const struct sb_follow *f, char *name, size_t cap)
{
    struct stat named, open;
    ssize_t n = readlink(f->same, name, cap - 1);
    name[n > 0 ? n : 0] = '\0';
    return n > 0 && fstat(f->fd, &open) == 0 && stat(name, &named) == 0 && named.st_dev == open.st_dev &&
           named.st_ino == open.st_ino;
}

/* The last profile is kept beside the trace if it can be. */
static bool
add_last(struct sb_follow *f, struct sb_editions *to, struct sb_err *e)
{
    char name[4096], profile_path[4096];
    struct sb_engine_options o = options_of(f);
    struct sb_err ignored;
    bool taken, named = find_name(f, name, sizeof name);
    bool kept = named && f->growth && sb_growth_keep(f->growth, name, profile_path, sizeof profile_path);
    if (named && (kept || sb_engine_profile_of(name, &o, profile_path, sizeof profile_path, &ignored)))
        return sb_editions_add(to, profile_path, false, &taken, e);
    return !atomic_load(f->stop) && add_nameless(f, to, e);
}

static void
bring_up_to_date(struct sb_follow *f, struct sb_editions *to, uint64_t size)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    int64_t before = sb_thread_cpu_ns(), copy_ns = 0;
    f->has_more = false;
    bool ok = grow(f, to, &copy_ns, &e);
    int64_t took = sb_thread_cpu_ns() - before + copy_ns, least = f->has_more ? 0 : PAUSE_NS;
    f->due_ns = sb_clock_ns() + (took > least ? took : least);
    f->size = size;
    if (ok)
        say(f, "%s", "");
    else if (!atomic_load(f->stop))
        say(f, "The profile could not be brought up to date: %s.", e.what);
}

static bool
end(struct sb_follow *f, struct sb_editions *to)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    atomic_store(&f->state, SB_FOLLOW_ENDING);
    say_how_it_ended(f);
    if (!add_last(f, to, &e) && !atomic_load(f->stop))
        say(f, "The recording has ended, and its last profile could not be made: %s.", e.what);
    atomic_store(&f->state, SB_FOLLOW_ENDED);
    return false;
}

static bool
end_at_once(struct sb_follow *f, const char *why)
{
    say(f, "%s", why);
    atomic_store(&f->state, SB_FOLLOW_ENDED);
    return false;
}

/* ---- steps */

static uint64_t
hash_of_start(const struct sb_follow *f)
{
    char bytes[START_BYTES];
    size_t n = (size_t)f->start_bytes;
    return pread(f->fd, bytes, n, 0) == (ssize_t)n ? sb_hash(bytes, n) : 0;
}

/* A drain that resumes cuts off half a block, which was not taken in. One that goes on after its file was truncated
 * makes it as long as before, so the start counts too. */
static bool
is_the_same(struct sb_follow *f, uint64_t size)
{
    if (f->start_bytes == 0) {
        f->start_bytes = size < START_BYTES ? size : START_BYTES;
        f->start = hash_of_start(f);
    }
    return size >= f->taken && hash_of_start(f) == f->start;
}

static bool
open_trace(struct sb_follow *f)
{
    if (f->fd < 0)
        f->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    snprintf(f->same, sizeof f->same, "/proc/self/fd/%d", f->fd);
    return f->fd >= 0;
}

/* A drain that was killed is started again by its recorder, so some time passes before a trace counts as broken
 * off. */
static bool
is_alone(struct sb_follow *f, int64_t now)
{
    if (f->alone_ns == 0)
        f->alone_ns = now;
    return now - f->alone_ns >= PATIENCE_NS;
}

bool
sb_follow_step(struct sb_follow *f, struct sb_editions *to, const _Atomic bool *stop)
{
    int64_t now = sb_clock_ns();
    struct stat st;
    f->stop = stop;
    bool coming = atomic_load(&f->coming), is_there = open_trace(f) && fstat(f->fd, &st) == 0;
    if (!is_there && f->was_coming && !coming)
        return end_at_once(f, "Nothing was recorded.");
    if (!is_there || now < f->due_ns)
        return true;
    enum sb_sbt_life life = sb_sbt_life(f->fd);
    if (f->size > 0 && !is_the_same(f, (uint64_t)st.st_size))
        return end_at_once(f,
                           "The trace was truncated while it was followed. This is what was known before.");
    if (life == SB_SBT_WHOLE || (f->was_coming && !coming) ||
        (life == SB_SBT_BROKEN && !coming && is_alone(f, now)))
        return end(f, to);
    if (life != SB_SBT_WRITTEN)
        return true;
    f->alone_ns = 0;
    if (((uint64_t)st.st_size != f->size || f->has_more) && is_the_same(f, (uint64_t)st.st_size))
        bring_up_to_date(f, to, (uint64_t)st.st_size);
    return true;
}

bool
sb_follow_is_written(const char *path)
{
    SB_SCOPED_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    return fd >= 0 && sb_sbt_life(fd) == SB_SBT_WRITTEN;
}

struct sb_follow *
sb_follow_open(const char *path, bool coming)
{
    struct sb_follow *f =
        SB_HEAP(struct sb_follow, .path = path, .fd = -1, .was_coming = coming, .coming = coming);
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

void
sb_follow_recorded(struct sb_follow *f)
{
    atomic_store(&f->coming, false);
}

void
sb_follow_leave(struct sb_follow *f)
{
    if (f->folder[0])
        rmdir(f->folder);
}

void
sb_follow_close(struct sb_follow *f)
{
    if (!f)
        return;
    sb_close(f->fd);
    sb_growth_close(f->growth);
    sb_follow_leave(f);
    pthread_mutex_destroy(&f->lock);
    free(f);
}
