#include "serve/profiles.h"
#include "base/file.h"
#include "engine/engine.h"
#include <errno.h>
#include <stdlib.h>

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

static void
make(struct sb_profiles *s, struct sb_listed *b)
{
    struct analysis a = {s, b};
    struct sb_engine_options o;
    char path[sizeof b->served.profile_path];
    sb_engine_defaults(&o);
    o.progress = progress;
    o.ctx = &a;
    bool ok = sb_engine_profile_of(b->path, &o, path, sizeof path, &b->err) &&
              sb_served_open(&b->served, path, &b->err);
    atomic_store(&b->state, ok ? SB_SERVED_READY : SB_SERVED_FAILED);
}

static void *
make_all(void *arg)
{
    struct sb_profiles *s = arg;
    for (size_t i = 0; i < s->n && !atomic_load(&s->stop); i++)
        if (atomic_load(&s->listed[i].state) == SB_SERVED_ANALYSING)
            make(s, &s->listed[i]);
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

bool
sb_profiles_open(struct sb_profiles *s, const char *const *paths, size_t n, struct sb_err *e)
{
    s->n = n;
    s->listed = sb_realloc_or_die(NULL, sb_mul_or_die(n, sizeof *s->listed));
    memset(s->listed, 0, n * sizeof *s->listed);
    for (size_t i = 0; i < n; i++) {
        bool ready = false;
        s->listed[i].path = paths[i];
        s->listed[i].err.at_byte = SB_NO_BYTE;
        SB_TRY(is_profile(paths[i], &ready, e));
        if (ready) {
            SB_TRY(sb_served_open(&s->listed[i].served, paths[i], e));
            atomic_store(&s->listed[i].state, SB_SERVED_READY);
        }
    }
    return true;
}

bool
sb_profiles_is_settled(const struct sb_profiles *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (atomic_load(&s->listed[i].state) == SB_SERVED_ANALYSING)
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
sb_profiles_close(struct sb_profiles *s)
{
    atomic_store(&s->stop, true);
    if (s->started)
        pthread_join(s->thread, NULL);
    for (size_t i = 0; i < s->n; i++)
        sb_served_close(&s->listed[i].served);
    free(s->listed);
    *s = (struct sb_profiles){0};
}
