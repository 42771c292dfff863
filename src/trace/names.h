/*
 * The dictionary of one trace: atoms, functions, texts and nodes, each stored once. Many decoding threads add
 * entries at the same time (a sharded table behind a small per-thread cache). Ids differ from run to run, so
 * nothing may be ordered by id: order by text. Id 0 is none.
 */
#pragma once
#include "base/arena.h"
#include "trace/event.h"

enum sb_name_kind { SB_NAME_NONE, SB_NAME_ATOM, SB_NAME_MFA, SB_NAME_TEXT };

struct sb_mfa {
    uint32_t m, f; /* atom ids */
    uint32_t arity;
};

/* Limits memory for hostile input: further entries get id 0 and are counted. */
enum { SB_NAMES_MOST = 1 << 24 };

struct sb_names;
struct sb_names *sb_names_open(void);
void sb_names_close(struct sb_names *n);

/* thread-safe; equal values get equal ids */
uint32_t sb_names_atom(struct sb_names *n, struct sb_str utf8);
uint32_t sb_names_text(struct sb_names *n, struct sb_str utf8);
uint32_t sb_names_mfa(struct sb_names *n, struct sb_mfa mfa);
/* returns the node index for sb_actor; 0 is the traced node */
uint32_t sb_names_node(struct sb_names *n, uint32_t atom, uint32_t creation);
/* for a node known by name only: 0 if it is the traced node, else the node with creation 0 */
unsigned sb_names_node_called(struct sb_names *n, uint32_t atom);
/* sets node 0; call once, before any other node is added */
void sb_names_set_traced_node(struct sb_names *n, uint32_t atom, uint32_t creation);
/* a pid or port; its numbers may be larger than those of an sb_actor */
sb_actor sb_names_pid(struct sb_names *n, enum sb_actor_kind kind, unsigned node, uint64_t serial,
                      uint64_t number);

/* reading; safe beside writers for any id already returned */
enum sb_name_kind sb_names_kind(const struct sb_names *n, uint32_t id);
/* text of an atom or text; empty for an MFA */
struct sb_str sb_names_str(const struct sb_names *n, uint32_t id);
struct sb_mfa sb_names_mfa_of(const struct sb_names *n, uint32_t id);
struct sb_str sb_names_node_name(const struct sb_names *n, unsigned node, uint32_t *creation);
unsigned sb_names_nodes(const struct sb_names *n);
uint32_t sb_names_count(const struct sb_names *n);

/* as Erlang prints them: 'quoted atom', m:f/2 with quotes if needed, <0.85.0>, #Port<0.5>, name */
struct sb_str sb_names_print(const struct sb_names *n, uint32_t id, struct sb_arena *a);
struct sb_str sb_names_actor(const struct sb_names *n, sb_actor who,
                             struct sb_arena *a); /* pids as <0.N.S> */
void sb_names_odd_parts(const struct sb_names *n, sb_actor odd, unsigned *node, uint64_t *serial,
                        uint64_t *number);

bool sb_names_odd_is_port(const struct sb_names *n, sb_actor odd);
/* has the characters of an unquoted atom; it may still be a reserved word */
bool sb_names_chars(struct sb_str atom);
bool sb_names_plain(struct sb_str atom); /* true if Erlang writes it without quotes */
/* returns an atom as Erlang writes it, quoted if needed */
struct sb_str sb_names_quote(struct sb_str atom, struct sb_arena *a);
