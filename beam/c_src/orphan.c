#include "orphan.h"
#include "capture.h"

static struct {
    ErlNifResourceType *type;
    uint64_t *watched; /* the resource that holds the monitor; the monitor ends with it */
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
    if (orphan.watched)
        enif_release_resource(orphan.watched);
    orphan.watched = number;
}

bool
orphan_is(void)
{
    return atomic_load(&orphan.is) && capture.rings;
}
