#include "serve/profiles.h"
#include "base/file.h"
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

static void *
make_all(void *arg)
{
    enum { STEP_US = 50000 };
    struct sb_profiles *s = arg;
    bool more = false;
    for (size_t i = 0; i < s->n && !atomic_load(&s->stop); i++) {
        struct sb_listed *b = &s->listed[i];
        more |= b->follow != NULL;
        if (!b->follow && atomic_load(&b->state) == SB_SERVED_ANALYSING)
            atomic_store(&b->state, add_whole(s, b) ? SB_SERVED_READY : SB_SERVED_FAILED);
    }
    while (more && !atomic_load(&s->stop)) {
        more = false;
        for (size_t i = 0; i < s->n; i++)
            if (sb_listed_is_followed(&s->listed[i])) {
                follow(s, &s->listed[i]);
                more = true;
            }
        usleep(STEP_US);
    }
    return NULL;
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

bool
sb_profiles_open(struct sb_profiles *s, const char *const *paths, size_t n, bool coming, struct sb_err *e)
{
    s->listed = sb_realloc_or_die(NULL, sb_mul_or_die(n, sizeof *s->listed));
    memset(s->listed, 0, n * sizeof *s->listed);
    for (size_t i = 0; i < n; i++) {
        struct sb_listed *b = &s->listed[s->n++];
        b->path = paths[i];
        b->err.at_byte = SB_NO_BYTE;
        sb_editions_init(&b->editions);
        SB_TRY(open_listed(b, coming, e));
    }
    return true;
}

bool
sb_profiles_is_settled(const struct sb_profiles *s)
{
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
    *s = (struct sb_profiles){0};
}
