#include "serve/editions.h"
#include "base/progress.h"
#include <stdlib.h>
#include <unistd.h>

static const int64_t CLAIM_NS = 10000000000;

void
sb_editions_init(struct sb_editions *all)
{
    pthread_mutex_init(&all->lock, NULL);
    all->newest = NULL;
}

static void
close_edition(struct sb_edition *x)
{
    sb_served_close(&x->served);
    free(x);
}

void
sb_editions_close(struct sb_editions *all)
{
    for (struct sb_edition *x = all->newest, *older; x; x = older) {
        older = x->older;
        close_edition(x);
    }
    pthread_mutex_destroy(&all->lock);
}

/* Takes the editions that nobody needs out of the list, which the caller has locked. */
static struct sb_edition *
take_out(struct sb_editions *all)
{
    struct sb_edition *out = NULL;
    int64_t now = sb_clock_ns();
    unsigned n = 1;
    for (struct sb_edition **at = all->newest ? &all->newest->older : &all->newest; *at;) {
        struct sb_edition *x = *at;
        bool needed = x->users > 0 || (now - x->claimed_ns < CLAIM_NS && n < SB_MOST_EDITIONS);
        n++;
        if (needed) {
            at = &x->older;
            continue;
        }
        *at = x->older;
        x->older = out;
        out = x;
    }
    return out;
}

/* Closing a large profile takes a moment, so nobody waits for the lock meanwhile. */
static void
unlock_and_close(struct sb_editions *all, struct sb_edition *out)
{
    pthread_mutex_unlock(&all->lock);
    for (struct sb_edition *older; out; out = older) {
        older = out->older;
        close_edition(out);
    }
}

static int64_t
known_until(const struct sb_profile *p)
{
    int64_t ns;
    return sb_str_to_i64(sb_profile_meta(p, SB_STR("known_until_ns")), &ns) ? ns : SB_NULL;
}

bool
sb_editions_add(struct sb_editions *all, const char *profile_path, bool nameless, bool *taken,
                struct sb_err *e)
{
    struct sb_edition *x = SB_HEAP(struct sb_edition, .claimed_ns = sb_clock_ns());
    bool ok = sb_served_open(&x->served, profile_path, e);
    if (nameless)
        unlink(profile_path);
    *taken = ok && (!nameless || sb_profile_rows(x->served.profile, SB_T_process) > 0);
    if (!*taken) {
        close_edition(x);
        return ok;
    }
    if (nameless)
        x->served.profile_path[0] = '\0';
    x->known_until_ns = known_until(x->served.profile);
    pthread_mutex_lock(&all->lock);
    x->number = all->newest ? all->newest->number + 1 : 1;
    x->older = all->newest;
    if (x->older)
        x->older->claimed_ns = x->claimed_ns; /* pages have not heard of the new one */
    all->newest = x;
    unlock_and_close(all, take_out(all));
    return true;
}

static struct sb_edition *
find(struct sb_editions *all, uint64_t number)
{
    struct sb_edition *x = all->newest;
    while (x && number != 0 && x->number != number)
        x = x->older;
    return x;
}

struct sb_served *
sb_editions_take(struct sb_editions *all, uint64_t number)
{
    pthread_mutex_lock(&all->lock);
    struct sb_edition *x = find(all, number);
    if (x)
        x->users++;
    pthread_mutex_unlock(&all->lock);
    return x ? &x->served : NULL;
}

static struct sb_edition *
edition_of(const struct sb_served *of)
{
    return (struct sb_edition *)(uintptr_t)of; /* its first member */
}

void
sb_editions_give_back(struct sb_editions *all, struct sb_served *of)
{
    if (!of)
        return;
    pthread_mutex_lock(&all->lock);
    edition_of(of)->users--;
    unlock_and_close(all, take_out(all));
}

uint64_t
sb_editions_number(const struct sb_served *of)
{
    return edition_of(of)->number;
}

uint64_t
sb_editions_claim(struct sb_editions *all, uint64_t number, int64_t *known_until_ns)
{
    pthread_mutex_lock(&all->lock);
    struct sb_edition *x = number ? find(all, number) : NULL, *newest = all->newest;
    if (x)
        x->claimed_ns = sb_clock_ns();
    uint64_t last = newest ? newest->number : 0;
    *known_until_ns = newest ? newest->known_until_ns : SB_NULL;
    unlock_and_close(all, take_out(all));
    return last;
}

void
sb_editions_interrupt(struct sb_editions *all)
{
    pthread_mutex_lock(&all->lock);
    for (struct sb_edition *x = all->newest; x; x = x->older)
        sb_served_interrupt(&x->served);
    pthread_mutex_unlock(&all->lock);
}
