#include "profile/derive.h"
#include "profile/profile_impl.h"

enum progress { UNKNOWN, BEING_MADE, MADE };

static struct sb_kept_value *
find(const struct sb_profile *p, const struct sb_derived *what)
{
    for (size_t i = 0; i < p->derived.n; i++)
        if (p->derived.at[i]->what == what)
            return p->derived.at[i];
    return NULL;
}

static struct sb_kept_value *
begin(struct sb_profile *p, const struct sb_derived *what)
{
    struct sb_kept_value *v = find(p, what);
    if (!v) {
        v = *SB_PUSH(&p->derived) = sb_zeroed_or_die(1, sizeof *v);
        v->what = what;
        v->value = sb_zeroed_or_die(1, what->bytes);
    }
    return v;
}

const void *
sb_profile_derive(const struct sb_profile *p, const struct sb_derived *what, struct sb_err *e)
{
    struct sb_profile *keeper = (struct sb_profile *)p; /* the lock protects what changes */
    pthread_mutex_lock(&keeper->derive_lock);
    struct sb_kept_value *v = begin(keeper, what);
    while (v->progress == BEING_MADE)
        pthread_cond_wait(&keeper->derived_one, &keeper->derive_lock);
    if (v->progress == UNKNOWN) {
        v->progress = BEING_MADE;
        pthread_mutex_unlock(&keeper->derive_lock);
        bool made = what->make(v->value, p, &v->arena, e);
        pthread_mutex_lock(&keeper->derive_lock);
        v->progress = made ? MADE : UNKNOWN;
        pthread_cond_broadcast(&keeper->derived_one);
    }
    const void *value = v->progress == MADE ? v->value : NULL;
    pthread_mutex_unlock(&keeper->derive_lock);
    return value;
}

void
sb_profile_forget(struct sb_profile *p)
{
    for (size_t i = 0; i < p->derived.n; i++) {
        struct sb_kept_value *v = p->derived.at[i];
        if (v->progress == MADE && v->what->close)
            v->what->close(v->value);
        sb_arena_close(&v->arena);
        free(v->value);
        free(v);
    }
    SB_VEC_FREE(&p->derived);
}

void
sb_profile_watch(struct sb_profile *p, void (*watcher)(void *ctx, uint64_t done, uint64_t all), void *ctx)
{
    p->watcher = watcher;
    p->watcher_ctx = ctx;
}

void
sb_profile_tell(const struct sb_profile *p, uint64_t done, uint64_t all)
{
    if (p->watcher)
        p->watcher(p->watcher_ctx, done, all);
}
