#include "profile/derive.h"
#include "base/vec.h"
#include "profile/profile_impl.h"

static void *
find(const struct sb_profile *p, const struct sb_derived *what)
{
    for (size_t i = 0; i < p->derived.n; i++)
        if (p->derived.at[i].what == what)
            return p->derived.at[i].value;
    return NULL;
}

const void *
sb_profile_derive(const struct sb_profile *p, const struct sb_derived *what, struct sb_err *e)
{
    struct sb_profile *keeper = (struct sb_profile *)p; /* the lock protects what changes */
    pthread_mutex_lock(&keeper->derive_lock);
    void *value = find(p, what);
    if (!value && (value = what->make(p, e)))
        *SB_PUSH(&keeper->derived) = (struct sb_kept_value){what, value};
    pthread_mutex_unlock(&keeper->derive_lock);
    return value;
}

void
sb_profile_forget(struct sb_profile *p)
{
    while (p->derived.n > 0) {
        struct sb_kept_value *last = &p->derived.at[--p->derived.n];
        last->what->close(last->value);
    }
    SB_VEC_FREE(&p->derived);
}
