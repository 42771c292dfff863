/* Texts of sentences. They live as long as the arena. */
#pragma once
#include "profile/profile.h"

const char *sb_words(struct sb_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *sb_words_human(struct sb_arena *a, int64_t v, enum sb_unit u); /* "--" if it is unknown */
const char *sb_words_ns(struct sb_arena *a, int64_t ns);
const char *sb_words_bytes(struct sb_arena *a, int64_t bytes);
const char *sb_words_count(struct sb_arena *a, int64_t n);
/* A function as its source writes it; of one outside OTP and Elixir with the place: "Shop.run/1 at lib/shop.ex:12". */
const char *sb_words_function(struct sb_arena *a, const struct sb_profile *p, int64_t text, bool elixir);
/* A text of its row in table process; empty if it is NULL. */
struct sb_str sb_words_cell(const struct sb_profile *p, int64_t process, unsigned column);
/* Its name (profile/who.h) with the pid. Functions of Elixir are written its way, with `elixir` those of Erlang too. */
const char *sb_words_who(struct sb_arena *a, const struct sb_profile *p, int64_t process, bool elixir);
/* " on NODE", for profiles of several nodes, since a pid such as <0.9.0> exists on each of them; empty if only one node
 * was traced, or if the node has no name. on_node.c */
uint64_t sb_traced_nodes(const struct sb_profile *p);
struct sb_str sb_on_node(const struct sb_profile *p, int64_t process, struct sb_arena *a);
