#include "entry.h"
#include "dict.h"

#define ATOMS(X) \
    X(proc_lib) \
    X(init_p) \
    X(gen) \
    X(init_it) \
    X(init) \
    X(erlang) \
    X(apply) \
    X(gen_event) \
    X(supervisor) \
    X(supervisor_bridge) \
    X(erts_internal) \
    X(dist_spawn_init)

static struct {
#define FIELD(name) ERL_NIF_TERM name;
    ATOMS(FIELD)
#undef FIELD
    ERL_NIF_TERM task, agent, dynamic;
} am;

void
entry_load(ErlNifEnv *env)
{
#define MAKE(name) am.name = enif_make_atom(env, #name);
    ATOMS(MAKE)
#undef MAKE
    am.task = enif_make_atom(env, "Elixir.Task.Supervised");
    am.agent = enif_make_atom(env, "Elixir.Agent.Server");
    am.dynamic = enif_make_atom(env, "Elixir.DynamicSupervisor");
}

/* Returns item `i` of a list, 0 when the list is shorter. */
static ERL_NIF_TERM
item(ErlNifEnv *env, ERL_NIF_TERM list, unsigned i)
{
    ERL_NIF_TERM head;
    do
        if (!enif_get_list_cell(env, list, &head, &list))
            return 0;
    while (i-- > 0);
    return head;
}

static uint32_t
applied(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM mfa, uint32_t given)
{
    const ERL_NIF_TERM *at;
    int n;
    if (!enif_get_tuple(env, mfa, &n, &at) || n != 3 || at[0] != am.erlang || at[1] != am.apply)
        return given;
    ERL_NIF_TERM fun = item(env, at[2], 0);
    uint32_t id = fun && enif_is_fun(env, fun) ? dict_fun(env, w, fun) : 0;
    return id ? id : given;
}

/* Returns the function of {M, F, Args} or of a fun, 0 for other terms. */
static uint32_t
function(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM runs)
{
    return enif_is_fun(env, runs) ? dict_fun(env, w, runs)
                                  : applied(env, w, runs, dict_mfa_tuple(env, w, runs));
}

/* Returns the callback module in the argument of a supervisor, `module` where the argument has none:
 *     supervisor {Name, Mod, Args}    DynamicSupervisor {Mod, Args, Name}    supervisor_bridge [Mod, Args, Name] */
static ERL_NIF_TERM
supervises(ErlNifEnv *env, ERL_NIF_TERM module, ERL_NIF_TERM argument)
{
    const ERL_NIF_TERM *at;
    int n;
    ERL_NIF_TERM callback = 0;
    if (module == am.supervisor_bridge)
        callback = item(env, argument, 0);
    else if (enif_get_tuple(env, argument, &n, &at) && n == 3)
        callback = module == am.supervisor ? at[1] : module == am.dynamic ? at[0] : 0;
    return callback && enif_is_atom(env, callback) ? callback : module;
}

/* Returns the callback of gen:init_it. The function of an Agent is in its argument. A gen_event has none. */
static uint32_t
behaviour(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM args, unsigned arity)
{
    ERL_NIF_TERM module = item(env, args, arity - 3), argument = item(env, args, arity - 2);
    if (item(env, args, 0) == am.gen_event)
        return dict_mfa(env, w, am.gen_event, am.init_it, 6);
    uint32_t id = module == am.agent ? function(env, w, argument) : 0;
    return id ? id : dict_mfa(env, w, supervises(env, module, argument), am.init, 1);
}

static uint32_t
behind_init_p(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM list, uint32_t given)
{
    ERL_NIF_TERM m = item(env, list, 2), f = item(env, list, 3), args = item(env, list, 4);
    unsigned arity;
    if (!f) {
        uint32_t id = m && enif_is_fun(env, m) ? dict_fun(env, w, m) : 0;
        return id ? id : given;
    }
    if (!args || !enif_get_list_length(env, args, &arity))
        return given;
    if (m == am.gen && f == am.init_it && (arity == 6 || arity == 7))
        return behaviour(env, w, args, arity);
    if (m == am.task && arity > 0) {
        uint32_t id = function(env, w, item(env, args, arity - 1));
        return id ? id : dict_mfa(env, w, m, f, arity);
    }
    return dict_mfa(env, w, m, f, arity);
}

static uint32_t
behind_dist_spawn(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM mfa, uint32_t given)
{
    const ERL_NIF_TERM *at;
    int n;
    bool is_mfa = mfa && enif_get_tuple(env, mfa, &n, &at) && n == 3 && enif_is_atom(env, at[0]) &&
                  enif_is_atom(env, at[1]);
    uint32_t id = is_mfa ? dict_mfa_tuple(env, w, mfa) : 0;
    return id ? id : given;
}

uint32_t
entry_of(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM mfa, uint32_t given)
{
    const ERL_NIF_TERM *at;
    int n;
    if (!enif_get_tuple(env, mfa, &n, &at) || n != 3)
        return given;
    if (at[0] == am.proc_lib && at[1] == am.init_p)
        return behind_init_p(env, w, at[2], given);
    if (at[0] == am.erts_internal && at[1] == am.dist_spawn_init)
        return behind_dist_spawn(env, w, item(env, at[2], 0), given);
    return applied(env, w, mfa, given);
}

uint32_t
entry_asked(ErlNifEnv *env, struct worker *w, const ERL_NIF_TERM at[5])
{
    const ERL_NIF_TERM *mfa;
    int n;
    bool asks = enif_is_pid(env, at[0]) && enif_is_list(env, at[3]) && enif_get_tuple(env, at[4], &n, &mfa) &&
                n == 3 && enif_is_list(env, mfa[2]);
    return asks ? function(env, w, at[4]) : 0;
}
