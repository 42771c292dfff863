#include "copy_nif.h"
#include "live/drain/copy.h"

enum { PATH_BYTES = 4096 };

static ErlNifResourceType *handles;

static void
gone(ErlNifEnv *env, void *object)
{
    (void)env;
    sb_copy_close(object);
}

bool
sb_copy_nif_load(ErlNifEnv *env)
{
    handles = enif_open_resource_type(env, NULL, "strobe_rings", gone,
                                      ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
    return handles != NULL;
}

static ERL_NIF_TERM
failed(ErlNifEnv *env, const struct sb_err *e)
{
    ERL_NIF_TERM text;
    size_t n = strlen(e->what);
    memcpy(enif_make_new_binary(env, n, &text), e->what, n);
    return enif_make_tuple2(env, enif_make_atom(env, "error"), text);
}

static struct sb_copy *
copy_of(ErlNifEnv *env, ERL_NIF_TERM term)
{
    void *object;
    return enif_get_resource(env, term, handles, &object) ? object : NULL;
}

NIF(sb_nif_rings)
{
    char path[PATH_BYTES];
    ErlNifBinary bin;
    struct sb_err e = {0};
    if (!enif_inspect_binary(env, argv[0], &bin) || bin.size >= sizeof path || memchr(bin.data, 0, bin.size))
        return enif_make_badarg(env);
    memcpy(path, bin.data, bin.size);
    path[bin.size] = 0;
    struct sb_copy *c = enif_alloc_resource(handles, sizeof *c);
    bool ok = sb_copy_open(c, path, &e);
    ERL_NIF_TERM t = enif_make_resource(env, c);
    enif_release_resource(c);
    return ok ? enif_make_tuple2(env, enif_make_atom(env, "ok"), t) : failed(env, &e);
}

NIF(sb_nif_look)
{
    const struct sb_copy *c = copy_of(env, argv[0]);
    int64_t clock;
    if (!c)
        return enif_make_badarg(env);
    uint64_t events = sb_copy_look(c, &clock);
    return enif_make_tuple2(env, enif_make_int64(env, clock), enif_make_uint64(env, events));
}

NIF(sb_nif_copy)
{
    struct sb_copy *c = copy_of(env, argv[0]);
    struct sb_ring_parts parts = {0};
    struct sb_err e = {0};
    ERL_NIF_TERM bytes;
    int64_t clock;
    if (!c)
        return enif_make_badarg(env);
    if (!sb_copy_take(c, &clock, &parts, &e)) {
        SB_VEC_FREE(&parts);
        return failed(env, &e);
    }
    memcpy(enif_make_new_binary(env, parts.n, &bytes), parts.at, parts.n);
    SB_VEC_FREE(&parts);
    return enif_make_tuple2(env, enif_make_int64(env, clock), bytes);
}
