#include "serve/profiles.h"
#include "base/file.h"
#include "base/runs.h"
#include "engine/engine.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct analysis {
    struct sb_profiles *profiles;
    struct sb_listed *listed;
};

static bool
progress(void *ctx, uint64_t done, uint64_t total)
{
    struct analysis *a = ctx;
    atomic_store(&a->listed->done_bytes, done);
    atomic_store(&a->listed->total_bytes, total);
    return !atomic_load(&a->profiles->stop);
}

static bool
add_whole(struct sb_profiles *s, struct sb_listed *b)
{
    struct analysis a = {s, b};
    struct sb_engine_options o;
    char path[4096];
    bool taken;
    sb_engine_defaults(&o);
    o.progress = progress;
    o.ctx = &a;
    return sb_engine_profile_of(b->path, &o, path, sizeof path, &b->err) &&
           sb_editions_add(&b->editions, path, false, &taken, &b->err);
}

static bool
is_profile(const char *path, bool *yes, struct sb_err *e)
{
    struct sb_file f;
    SB_TRY(sb_file_open(&f, path, e));
    *yes = sb_profile_is(f.p, f.n);
    sb_file_close(&f);
    return true;
}

static bool
add(struct sb_profiles *s, struct sb_listed *b)
{
    bool is, taken;
    SB_TRY(is_profile(b->path, &is, &b->err));
    return is ? sb_editions_add(&b->editions, b->path, false, &taken, &b->err) : add_whole(s, b);
}

bool
sb_listed_is_followed(const struct sb_listed *b)
{
    return b->follow && sb_follow_state(b->follow) != SB_FOLLOW_ENDED;
}

/* A recording without any event has no edition. */
static void
follow(struct sb_profiles *s, struct sb_listed *b)
{
    int64_t ignored;
    bool more = sb_follow_step(b->follow, &b->editions, &s->stop);
    if (sb_editions_claim(&b->editions, 0, &ignored) > 0)
        atomic_store(&b->state, SB_SERVED_READY);
    else if (!more) {
        sb_err_set(&b->err, SB_ERR_INPUT, "nothing was recorded");
        atomic_store(&b->state, SB_SERVED_FAILED);
    }
}

/* Returns whether more may come of it. */
static bool
make(struct sb_profiles *s, struct sb_listed *b)
{
    if (!atomic_load(&b->is_wanted))
        return true;
    if (b->follow) {
        bool more = sb_listed_is_followed(b);
        if (more)
            follow(s, b);
        return more;
    }
    if (atomic_load(&b->state) == SB_SERVED_ANALYSING)
        atomic_store(&b->state, add(s, b) ? SB_SERVED_READY : SB_SERVED_FAILED);
    return false;
}

static void *
make_all(void *arg)
{
    enum { STEP_US = 50000 };
    struct sb_profiles *s = arg;
    for (bool more = true; more && !atomic_load(&s->stop);) {
        more = s->folder != NULL;
        for (size_t i = 0; i < s->n && !atomic_load(&s->stop); i++)
            more |= make(s, &s->listed[i]);
        if (more)
            usleep(STEP_US);
    }
    return NULL;
}

static bool
open_listed(struct sb_listed *b, bool coming, struct sb_err *e)
{
    bool ready = false, taken;
    if (!coming)
        SB_TRY(is_profile(b->path, &ready, e));
    if (coming || sb_follow_is_written(b->path))
        b->follow = sb_follow_open(b->path, coming);
    if (!ready)
        return true;
    atomic_store(&b->state, SB_SERVED_READY);
    return sb_editions_add(&b->editions, b->path, false, &taken, e);
}

static struct sb_listed *
list(struct sb_profiles *s, const char *path)
{
    struct sb_listed *b = &s->listed[s->n];
    b->path = path;
    b->err.at_byte = SB_NO_BYTE;
    sb_editions_init(&b->editions);
    return b;
}

bool
sb_profiles_open(struct sb_profiles *s, const char *const *paths, size_t n, bool coming, struct sb_err *e)
{
    s->listed = sb_zeroed_or_die(n, sizeof *s->listed);
    for (size_t i = 0; i < n; i++) {
        struct sb_listed *b = list(s, paths[i]);
        atomic_store(&b->is_wanted, true);
        s->n++;
        SB_TRY(open_listed(b, coming, e));
    }
    return true;
}

enum { MOST_LISTED = 1000 };

static bool
is_listed(const struct sb_profiles *s, const char *path)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->listed[i].path, path) == 0)
            return true;
    return false;
}

static bool
look(struct sb_profiles *s, struct sb_err *e)
{
    SB_ARENA(a);
    struct sb_runs found;
    bool ok = sb_runs_find(s->folder, true, &a, &found, e);
    for (size_t i = 0; ok && i < found.n && s->n < MOST_LISTED; i++) {
        if (is_listed(s, found.at[i]))
            continue;
        struct sb_listed *b = list(s, sb_arena_str(&s->paths, sb_str_of(found.at[i])).p);
        b->follow = sb_follow_is_written(b->path) ? sb_follow_open(b->path, false) : NULL;
        s->n++; /* known to other threads from here on */
    }
    SB_VEC_FREE(&found);
    return ok;
}

bool
sb_profiles_open_folder(struct sb_profiles *s, const char *folder, struct sb_err *e)
{
    s->listed = sb_zeroed_or_die(MOST_LISTED, sizeof *s->listed);
    s->folder = folder;
    return look(s, e);
}

void
sb_profiles_look(struct sb_profiles *s)
{
    struct sb_err ignored;
    if (s->folder)
        look(s, &ignored);
}

bool
sb_profiles_is_settled(const struct sb_profiles *s)
{
    if (s->folder)
        return false;
    for (size_t i = 0; i < s->n; i++)
        if (atomic_load(&s->listed[i].state) == SB_SERVED_ANALYSING || sb_listed_is_followed(&s->listed[i]))
            return false;
    return true;
}

bool
sb_profiles_start(struct sb_profiles *s, struct sb_err *e)
{
    if (sb_profiles_is_settled(s))
        return true;
    errno = pthread_create(&s->thread, NULL, make_all, s);
    if (errno)
        return sb_err_errno(e, "start a thread");
    return s->started = true;
}

void
sb_profiles_leave(struct sb_profiles *s)
{
    atomic_store(&s->stop, true);
    if (s->started)
        pthread_join(s->thread, NULL);
    s->started = false;
    for (size_t i = 0; i < s->n; i++)
        if (s->listed[i].follow)
            sb_follow_leave(s->listed[i].follow);
}

void
sb_profiles_close(struct sb_profiles *s)
{
    sb_profiles_leave(s);
    for (size_t i = 0; i < s->n; i++) {
        sb_follow_close(s->listed[i].follow);
        sb_editions_close(&s->listed[i].editions);
    }
    free(s->listed);
    if (s->folder)
        sb_arena_close(&s->paths);
    s->n = 0;
}
