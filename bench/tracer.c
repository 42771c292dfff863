/*
 * What an event costs in the tracer itself, in instructions: the code of beam/c_src between stand-ins for the VM's
 * functions that do nothing but what it needs. bench/capture.sh counts them by callgrind, from `measured` on:
 *
 *     tracer KIND EVENTS
 *
 * The VM's own work is not in it: choosing the callback, building terms, its functions of enif. The numbers are the
 * same on each run and beside any neighbour.
 */
#include "dict.h"
#include "events.h"
#include "only.h"
#include "trace/sbt/ring_write.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATOM = 0xb, PID = 3, SMALL = 0xf, BOXED = 2, WARM = 1000, ARITY_SHIFT = 6 };

/* ---- the VM: words of terms as it lays them out */

static char names[64][32]; /* of the atoms so far */

static ERL_NIF_TERM
pid(ERL_NIF_TERM number)
{
    return number << 4 | PID;
}

static ERL_NIF_TERM
boxed(const ERL_NIF_TERM *word)
{
    return (ERL_NIF_TERM)word | BOXED;
}

ERL_NIF_TERM
enif_make_atom(ErlNifEnv *env, const char *name)
{
    (void)env;
    ERL_NIF_TERM i = 0;
    while (names[i][0] && strcmp(names[i], name) != 0)
        i++;
    snprintf(names[i], sizeof names[i], "%s", name);
    return i << 6 | ATOM;
}

int
enif_is_atom(ErlNifEnv *env, ERL_NIF_TERM t)
{
    (void)env;
    return (t & 0x3f) == ATOM;
}

int
enif_is_ref(ErlNifEnv *env, ERL_NIF_TERM t)
{
    (void)env, (void)t;
    return 0;
}

int
enif_is_fun(ErlNifEnv *env, ERL_NIF_TERM t)
{
    (void)env, (void)t;
    return 0;
}

/* A tuple is its arity and its elements. */
int
enif_get_tuple(ErlNifEnv *env, ERL_NIF_TERM t, int *n, const ERL_NIF_TERM **at)
{
    (void)env;
    if ((t & 3) != BOXED)
        return 0;
    const ERL_NIF_TERM *word = (const ERL_NIF_TERM *)(t & ~(ERL_NIF_TERM)3);
    *n = (int)(word[0] >> ARITY_SHIFT);
    *at = word + 1;
    return 1;
}

int
enif_get_int(ErlNifEnv *env, ERL_NIF_TERM t, int *v)
{
    (void)env;
    *v = (int)(t >> 4);
    return (t & 0xf) == SMALL;
}

int
enif_get_uint(ErlNifEnv *env, ERL_NIF_TERM t, unsigned *v)
{
    (void)env;
    *v = (unsigned)(t >> 4);
    return (t & 0xf) == SMALL;
}

/* The map of options has one value, `extra`, here a tuple of one. */
int
enif_get_map_value(ErlNifEnv *env, ERL_NIF_TERM map, ERL_NIF_TERM key, ERL_NIF_TERM *v)
{
    const ERL_NIF_TERM *at;
    int n;
    (void)key;
    return enif_get_tuple(env, map, &n, &at) && (*v = at[0]);
}

ERL_NIF_UINT
enif_hash(ErlNifHash type, ERL_NIF_TERM t, ErlNifUInt64 salt)
{
    (void)type;
    return (t ^ salt) * 0x9e3779b97f4a7c15u >> 32;
}

/* An atom in the external format. */
int
enif_term_to_binary(ErlNifEnv *env, ERL_NIF_TERM t, ErlNifBinary *bin)
{
    (void)env;
    const char *name = names[t >> 6];
    bin->size = 3 + strlen(name);
    bin->data = malloc(bin->size);
    memcpy(bin->data, (uint8_t[]){131, 119, (uint8_t)strlen(name)}, 3);
    memcpy(bin->data + 3, name, strlen(name));
    return 1;
}

void
enif_release_binary(ErlNifBinary *bin)
{
    free(bin->data);
}

void *
enif_alloc(size_t n)
{
    return malloc(n);
}

void
enif_free(void *p)
{
    free(p);
}

ErlNifMutex *
enif_mutex_create(char *name)
{
    return (ErlNifMutex *)name;
}

void
enif_mutex_lock(ErlNifMutex *m)
{
    (void)m;
}

void
enif_mutex_unlock(ErlNifMutex *m)
{
    (void)m;
}

int
enif_thread_type(void)
{
    return ERL_NIF_THR_NORMAL_SCHEDULER;
}

/* ---- events of two processes, four of each in turn, as in a ring of messages */

struct event {
    const char *name, *tag;
    ERL_NIF_TERM (*enabled)(ErlNifEnv *, int, const ERL_NIF_TERM *);
    ERL_NIF_TERM (*trace)(ErlNifEnv *, int, const ERL_NIF_TERM *);
    enum { FUNCTION, MESSAGE, MESSAGE_TO } term;
};
static const struct event events[] = {
    {"call", "call", enabled_call, trace_call, FUNCTION},
    {"return_to", "return_to", enabled_call, trace_call, FUNCTION},
    {"in", "in", enabled, trace_running, FUNCTION},
    {"out", "out", enabled, trace_running, FUNCTION},
    {"send", "send", enabled, trace_send, MESSAGE_TO},
    {"receive", "receive", enabled, trace_receive, MESSAGE},
};

static ERL_NIF_TERM mfa[4], message[3], extra[2];

/* {M, F, 1}, {token, 7}, and #{extra => Pid} */
static void
make_terms(void)
{
    mfa[0] = 3 << ARITY_SHIFT;
    mfa[1] = enif_make_atom(NULL, "worker");
    mfa[2] = enif_make_atom(NULL, "loop");
    mfa[3] = 1 << 4 | SMALL;
    message[0] = 2 << ARITY_SHIFT;
    message[1] = enif_make_atom(NULL, "token");
    message[2] = 7 << 4 | SMALL;
    extra[0] = 1 << ARITY_SHIFT;
}

static inline void
make_events(const struct event *e, ERL_NIF_TERM tag, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        extra[1] = e->term == MESSAGE_TO ? pid(100 + (i / 4 + 1) % 2) : 0;
        ERL_NIF_TERM arg[] = {tag, 0, pid(100 + i / 4 % 2), boxed(e->term == FUNCTION ? mfa : message),
                              boxed(extra)};
        e->enabled(NULL, 3, arg);
        e->trace(NULL, 5, arg);
    }
}

static __attribute__((noinline)) void
measured(const struct event *e, ERL_NIF_TERM tag, unsigned n)
{
    make_events(e, tag, n);
}

static bool
begin(void)
{
    const struct ring_sizes sizes = {.n_large = 1,
                                     .n_small = 1,
                                     .large_bytes = 16 << 20,
                                     .small_bytes = 1 << 16,
                                     .chunk_large = 1 << 16,
                                     .chunk_small = 1 << 12,
                                     .dict_bytes = 1 << 20};
    if (capture_open("", &sizes))
        return false;
    /* as learned from the terms of OTP 25, and with a measured clock */
    capture.layout = (struct layout){.tags_known = true, .tuple_tag = LAYOUT_BOXED, .map_tag = LAYOUT_NEVER};
    layout_set_pids(&capture.layout, PID, 28, 32);
    atomic_store(&capture.clock.ns_per_cycle, 1);
    atomic_store(&capture.clock.anchor_cycles, UINT64_MAX);
    only_add(&(struct only_entry){mfa[1], mfa[2], 1});
    capture_begin();
    rest_begin(&capture.rest, false);
    return events_load(NULL);
}

static uint64_t
recorded(void)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < SB_KINDS_MAX; k++)
        n += sb_rings_at(capture.rings, 0)->kinds[k];
    return n;
}

int
main(int argc, char **argv)
{
    unsigned n = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
    make_terms();
    for (unsigned i = 0; n > 0 && i < sizeof events / sizeof *events; i++)
        if (strcmp(argv[1], events[i].name) == 0 && begin()) {
            ERL_NIF_TERM tag = enif_make_atom(NULL, events[i].tag);
            atomic_store(&capture.rest.state, REST_STATES); /* the rest has ended */
            make_events(&events[i], tag, WARM);             /* fills the caches of names */
            measured(&events[i], tag, n);
            return recorded() == n + WARM ? 0 : 1;
        }
    fprintf(stderr, "usage: tracer KIND EVENTS\n");
    return 2;
}
