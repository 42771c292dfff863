/*
 * The dictionary of a recording: atoms, functions and nodes, each stored once. A mutex guards it; each thread
 * has a cache in front of it. Ids are 0 when the dictionary is full, which counts as a loss.
 */
#pragma once
#include "worker.h"

struct dict;

typedef bool dict_reserve(uint64_t at,
                          uint64_t bytes); /* makes sure that this part of the rings has memory */

struct dict *dict_open(struct sb_rings *rings, dict_reserve *reserve);
void dict_close(struct dict *d);
uint32_t dict_atom(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM atom);
uint32_t dict_mfa(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM m, ERL_NIF_TERM f, uint32_t arity);
/* 0 for a term that is not {M, F, Arity} or {M, F, Args} */
static inline uint32_t dict_mfa_tuple(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM tuple);
uint32_t dict_any_mfa_tuple(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM tuple);
ERL_NIF_TERM dict_hot(ErlNifEnv *env, uint32_t at_least); /* [{Records, M, F, A}] since the last call */
uint32_t dict_fun(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM fun); /* numbered together with functions */
uint32_t dict_node(ErlNifEnv *env, struct worker *w, const uint8_t *name, uint16_t n, uint32_t creation);
/* [{Id, Module, Index, Uniq, AtomId}]: the funs since the last call, whose names only the VM knows */
ERL_NIF_TERM dict_new_funs(ErlNifEnv *env);
/* Adds the name of a fun; `id` and `atom` are those of dict_new_funs. */
bool dict_name_fun(uint32_t id, uint32_t atom, const uint8_t *name, size_t n, uint8_t arity);
bool dict_note(const uint8_t *key, size_t key_n, const uint8_t *value, size_t value_n);

static inline uint32_t
dict_hash(ERL_NIF_TERM m, ERL_NIF_TERM f, ERL_NIF_TERM arity)
{
    uint64_t h = ((uint64_t)m ^ (uint64_t)f << 21 ^ arity) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

/* Returns a function's place in the thread's cache, where its arity is the word of a small integer. */
static inline struct dict_slot *
dict_place(struct worker *w, ERL_NIF_TERM m, ERL_NIF_TERM f, ERL_NIF_TERM arity)
{
    return &w->mfa[dict_hash(m, f, arity) & (CACHE_MFA - 1)];
}

static inline bool
dict_is_at(const struct dict_slot *s, ERL_NIF_TERM m, ERL_NIF_TERM f, ERL_NIF_TERM arity)
{
    return __builtin_expect(s->m == m && s->f == f && s->arity == arity, 1);
}

/* Returns the place of {M, F, Arity} in the thread's cache; NULL: it is not there. */
static inline struct dict_slot *
dict_cached(struct worker *w, ERL_NIF_TERM tuple)
{
    const ERL_NIF_TERM *at = layout_tuple(&capture.layout, tuple);
    if (__builtin_expect(!at || at[0] != 3 << LAYOUT_ARITY_SHIFT, 0))
        return NULL;
    struct dict_slot *s = dict_place(w, at[1], at[2], at[3]);
    return dict_is_at(s, at[1], at[2], at[3]) ? s : NULL;
}

/* Returns the number of the function in `s`, its place in the cache or NULL. */
static inline uint32_t
dict_mfa_at(ErlNifEnv *env, struct worker *w, struct dict_slot *s, ERL_NIF_TERM tuple)
{
    if (__builtin_expect(!s, 0))
        return dict_any_mfa_tuple(env, w, tuple);
    s->count++;
    return s->id;
}

static inline uint32_t
dict_mfa_tuple(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM tuple)
{
    return dict_mfa_at(env, w, dict_cached(w, tuple), tuple);
}
