#include "rest.h"

bool
rest_end(struct rest *r, ErlNifEnv *env, int64_t now_ns)
{
    int64_t state = atomic_load(&r->state);
    while (state < REST_STATES)
        if (atomic_compare_exchange_weak(&r->state, &state, now_ns)) {
            return state == REST_ASLEEP && (enif_send(env, &r->session, NULL, r->message), true);
        }
    return false;
}

int64_t
rest_begin(struct rest *r, bool asleep)
{
    int64_t first_ns = atomic_exchange(&r->state, asleep ? REST_ASLEEP : REST_WATCHED);
    return first_ns < REST_STATES ? 0 : first_ns;
}
