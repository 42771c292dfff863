#include "orphan.h"
#include "capture.h"

static struct {
    ErlNifResourceType *type;
    /* the resource that holds the monitor; the monitor ends with it. The library stays loaded while there is one */
    _Atomic(uint64_t *) watched;
    _Atomic bool is;
} orphan;

/* Called when an owner has ended. The number of its capture is in the resource, since that capture may have been closed
 * and another one opened. */
static void
down(ErlNifEnv *env, void *resource, ErlNifPid *pid, ErlNifMonitor *monitor)
{
    (void)env, (void)pid, (void)monitor;
    if (capture_abandon(*(uint64_t *)resource))
        atomic_store(&orphan.is, true);
}

bool
orphan_load(ErlNifEnv *env)
{
    ErlNifResourceTypeInit init = {.down = down};
    ErlNifResourceType *type =
        enif_open_resource_type_x(env, "strobe_owner", &init, ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
    orphan.type = type;
    return type != NULL;
}

void
orphan_watch(ErlNifEnv *env)
{
    ErlNifPid owner;
    uint64_t *number = enif_alloc_resource(orphan.type, sizeof *number);
    atomic_store(&orphan.is, false);
    *number = capture.opened;
    if (enif_self(env, &owner))
        enif_monitor_process(env, number, &owner, NULL);
    uint64_t *before = atomic_exchange(&orphan.watched, number);
    if (before)
        enif_release_resource(before);
}

void
orphan_forget(void)
{
    uint64_t *before = atomic_exchange(&orphan.watched, NULL);
    if (before)
        enif_release_resource(before);
}

bool
orphan_is(void)
{
    return atomic_load(&orphan.is) && capture.rings;
}
