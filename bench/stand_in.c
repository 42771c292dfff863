#include "stand_in.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATOM = 0xb };
static char names[64][32]; /* of the atoms so far */

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
enif_get_list_cell(ErlNifEnv *env, ERL_NIF_TERM t, ERL_NIF_TERM *head, ERL_NIF_TERM *tail)
{
    (void)env;
    if ((t & 3) != LIST)
        return 0;
    const ERL_NIF_TERM *cell = (const ERL_NIF_TERM *)(t & ~(ERL_NIF_TERM)3);
    *head = cell[0];
    *tail = cell[1];
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

int
enif_get_uint64(ErlNifEnv *env, ERL_NIF_TERM t, ErlNifUInt64 *v)
{
    (void)env;
    *v = t >> 4;
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

struct ErlDrvMutex_ {
    uint64_t locked; /* times, so that a lock is a write to memory that threads share */
};

ErlNifMutex *
enif_mutex_create(char *name)
{
    (void)name;
    return calloc(1, sizeof(struct ErlDrvMutex_));
}

void
enif_mutex_lock(ErlNifMutex *m)
{
    m->locked++;
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
