/*
 * Finds the entry that a programmer knows, where spawn was given a wrapper of OTP or Elixir:
 *     erlang:apply(Fun, Args)                                 -> the fun
 *     proc_lib:init_p(Parent, Ancestors, Fun)                 -> the fun
 *     proc_lib:init_p(Parent, Ancestors, M, F, Args)          -> M:F/length(Args), or as below
 *     erts_internal:dist_spawn_init({M, F, Arity})            -> M:F/Arity, spawned by another node
 *     gen:init_it(GenMod, Starter, Parent, [Name,] Mod, ...)  -> Mod:init/1; of a supervisor its callback module
 *     the same for an Agent of Elixir                         -> the function that makes its first state
 *     'Elixir.Task.Supervised':noreply(..., {M, F, Args})     -> the function of the task
 * Task.async gives the function to its task in a message only: entry_asked.
 */
#pragma once
#include "capture.h"

void entry_load(ErlNifEnv *env);
/* Returns the entry's number in the dictionary. `mfa`: the {M, F, Args} given to spawn; `given`: its own
 * number. */
uint32_t entry_of(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM mfa, uint32_t given);

/* Returns the function in a message that has the shape in which Elixir asks a task to run it,
 *     {Owner, Ref, ReplyTo, Callers, {M, F, Args}}
 * 0: the tuple has another shape. The engine decides whether the receiver is a task. */
uint32_t entry_asked(ErlNifEnv *env, struct worker *w, const ERL_NIF_TERM at[5]);
