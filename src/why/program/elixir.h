/* Functions and modules as Elixir writes them. */
#pragma once
#include "base/arena.h"
#include "profile/profile.h"

/* 'Elixir.Enum':map/2 is Enum.map/2; with `all`, lists:map/2 is :lists.map/2. */
struct sb_str sb_elixir_name(struct sb_str erlang, bool all, struct sb_arena *a);
/* Whether `given` is a name as Erlang, as texts or as Elixir write it. */
bool sb_elixir_is(struct sb_str erlang, struct sb_str given, struct sb_arena *a);
/* Names of Elixir inside a sentence. */
struct sb_str sb_elixir_sentence(struct sb_str text, struct sb_arena *a);
/* Whether a process of an Elixir application runs here, which is among the first. Then text and the page write all
 * names as Elixir does. */
bool sb_is_elixir(const struct sb_profile *p);
