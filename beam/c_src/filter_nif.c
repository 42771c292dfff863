#include "filter_nif.h"
#include "capture.h"
#include <sched.h>

/* Waits until every thread has been outside since the new set was published. No thread uses the old set
 * then. */
static void
wait_for_all(void)
{
    capture_quiet(); /* for its barrier: threads that enter later see the new set */
    unsigned n = atomic_load(&capture.seats);
    for (unsigned i = 0; i < n && i < SEATS_MAX; i++)
        while (atomic_load_explicit(&capture.seat[i].inside, memory_order_acquire))
            sched_yield();
}

static ERL_NIF_TERM
refused(ErlNifEnv *env, const char *why)
{
    return enif_make_tuple2(env, enif_make_atom(env, "error"), enif_make_atom(env, why));
}

NIF(nif_filter)
{
    if (!capture.rings)
        return refused(env, "not_started");
    struct filter *f = filter_make(env, argv[0], argv[1], argv[2]);
    if (!f)
        return enif_make_badarg(env);
    struct filters *old = atomic_load(&capture.filters), *set = filters_with(old, f);
    if (!set) {
        filter_free(f);
        return refused(env, "too_many_filters");
    }
    atomic_store(&capture.filters, set);
    wait_for_all();
    filters_free(old, set);
    return enif_make_atom(env, "ok");
}

NIF(nif_filter_run)
{
    const ERL_NIF_TERM *at;
    int n;
    struct filter_event ev;
    struct filter_text say = {0};
    if (!enif_get_tuple(env, argv[1], &n, &at) || n < 1 || n > (int)(sizeof ev.at / sizeof *ev.at))
        return enif_make_badarg(env);
    struct filter *f = filter_make(env, enif_make_atom(env, "all"), enif_make_list(env, 0), argv[0]);
    if (!f)
        return enif_make_badarg(env);
    ev.n = (unsigned)n;
    memcpy(ev.at, at, sizeof *at * ev.n);
    enum filter_verdict v = filter_judge(f, env, &ev, &say);
    filter_free(f);
    if (v != FILTER_SAY)
        return enif_make_atom(env, v == FILTER_PASS ? "true" : v == FILTER_DROP ? "false" : "unknown");
    ERL_NIF_TERM text;
    memcpy(enif_make_new_binary(env, say.n, &text), say.at, say.n);
    return text;
}
