/*
 * The dictionary of a recording: atoms, functions and nodes, each stored once. A mutex guards it; each thread
 * has a cache in front of it. Ids are 0 when the dictionary is full, which counts as a loss.
 */
#ifndef STROBE_DICT_H
#define STROBE_DICT_H
#include "worker.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dict;

struct dict *dict_open(struct sb_rings *rings);
void dict_close(struct dict *d);
uint32_t dict_atom(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM atom);
uint32_t dict_mfa(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM m, ERL_NIF_TERM f, uint32_t arity);
/* 0 for a term that is not {M,F,A} */
uint32_t dict_mfa_tuple(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM tuple);
ERL_NIF_TERM dict_hot(ErlNifEnv *env, uint32_t at_least); /* [{Records, M, F, A}] since the last call */
uint32_t dict_fun(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM fun); /* numbered together with functions */
uint32_t dict_node(ErlNifEnv *env, struct worker *w, const uint8_t *name, uint16_t n, uint32_t creation);
/* [{Id, Module, Index, Uniq, AtomId}]: the funs since the last call, whose names only the VM knows */
ERL_NIF_TERM dict_new_funs(ErlNifEnv *env);
/* Adds the name of a fun; `id` and `atom` are those of dict_new_funs. */
bool dict_name_fun(uint32_t id, uint32_t atom, const uint8_t *name, size_t n, uint8_t arity);
bool dict_note(const uint8_t *key, size_t key_n, const uint8_t *value, size_t value_n);

#endif
