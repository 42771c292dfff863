/* Functions and modules as Elixir writes them. */
#pragma once
#include "base/arena.h"

/* 'Elixir.Enum':map/2 is Enum.map/2; with `all`, lists:map/2 is :lists.map/2. */
struct sb_str sb_elixir_name(struct sb_str erlang, bool all, struct sb_arena *a);
/* the same for names of Elixir inside a sentence */
struct sb_str sb_elixir_sentence(struct sb_str text, struct sb_arena *a);
