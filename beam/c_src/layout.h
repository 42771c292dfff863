/* The words of terms that the NIF interface does not expose: derived from known terms, verified, otherwise
 * not used. */
#pragma once
#include "room.h"

struct layout {
    uint64_t tuple_tag;            /* LAYOUT_BOXED; LAYOUT_NEVER: the words of tuples are unknown */
    uint64_t map_tag, map_head[2]; /* the same for a map of one key: header, size, tuple of keys, value */
    struct layout_id {             /* of local pids, and of local ports: four bits of tag, number, serial */
        uint64_t number_mask, serial_mask; /* number_mask 0: unknown, use the slow path */
        uint64_t index_mask; /* low bits of the number, rotated left by `turn`; 0: not rotated */
        unsigned serial_shift, index_bits, turn;
        unsigned tag; /* the low four bits */
    } pid, port;
    bool tags_known; /* the low two bits distinguish immediates, lists and boxed terms */
    /* index of the word with the owner's pid in an alias reference; 0: unknown */
    int alias_word;
    uint64_t alias_header; /* its first word */
    bool fun_word;         /* the second word of a fun identifies its code */
    uint32_t words_ref, words_alias, words_float, words_big, words_fun, words_map, words_pair;
    uint32_t words_empty_map, words_far_pid;
    uint32_t words_heap_bin, words_ref_bin; /* a heap binary without its bytes; a large binary */
    struct room room;
};

static inline uint64_t
layout_low_bits(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline uint64_t
layout_serial(const struct layout_id *id, ERL_NIF_TERM t)
{
    return t >> id->serial_shift & id->serial_mask;
}

/* Returns the number of a pid or port. Since OTP 26 a word holds the index in the table of processes (or
 * ports) in place of the low bits of the number: these bits rotated, so that processes made one after another
 * are in different cache lines of the table. */
static inline uint64_t
layout_number(const struct layout_id *id, ERL_NIF_TERM t)
{
    uint64_t n = t >> 4 & id->number_mask, index = n & id->index_mask;
    return (n & ~id->index_mask) | index >> id->turn |
           (index << (id->index_bits - id->turn) & id->index_mask);
}

/* Returns a number whose low bits differ between processes that were made one after another, rotated or not. */
static inline uint64_t
layout_place(ERL_NIF_TERM t)
{
    return t >> 4 ^ t >> 7;
}

/* If the tags are known: the low four bits of a small integer. */
enum { LAYOUT_SMALL = 0xf };
/* If tuples are known: the low two bits of a boxed term, its header in the first word, with the arity of a tuple above
 * six zeros. */
enum { LAYOUT_BOXED = 2, LAYOUT_NEVER = 4, LAYOUT_ARITY_SHIFT = 6 };

/* Returns the words of a tuple, its header and its elements; NULL for another term, or if tuples are not known. */
static inline const ERL_NIF_TERM *
layout_tuple(const struct layout *l, ERL_NIF_TERM t)
{
    if ((t & 3) != l->tuple_tag)
        return NULL;
    const ERL_NIF_TERM *word = (const ERL_NIF_TERM *)(t - LAYOUT_BOXED);
    return word[0] & layout_low_bits(LAYOUT_ARITY_SHIFT) ? NULL : word;
}

/* As enif_get_tuple. */
static inline bool
layout_get_tuple(const struct layout *l, ErlNifEnv *env, ERL_NIF_TERM t, int *n, const ERL_NIF_TERM **at)
{
    const ERL_NIF_TERM *word = layout_tuple(l, t);
    if (!word)
        return l->tuple_tag == LAYOUT_NEVER && enif_get_tuple(env, t, n, at);
    *n = (int)(word[0] >> LAYOUT_ARITY_SHIFT);
    *at = word + 1;
    return true;
}

/* Returns the value of the key in a map of no other keys; 0: that cannot be told. */
static inline ERL_NIF_TERM
layout_only_value(const struct layout *l, ERL_NIF_TERM map, ERL_NIF_TERM key)
{
    const ERL_NIF_TERM *word = (const ERL_NIF_TERM *)(map - LAYOUT_BOXED), *keys;
    if ((map & 3) != l->map_tag || word[0] != l->map_head[0] || word[1] != l->map_head[1])
        return 0;
    keys = layout_tuple(l, word[2]);
    return keys && keys[1] == key ? word[3] : 0;
}

/* Sets how local pids or ports are laid out. */
void layout_set_id(struct layout_id *id, unsigned number_bits, unsigned serial_bits, unsigned index_bits,
                   unsigned turn);
struct layout_widths { /* the numbers of bits to try, the most first */
    unsigned number_most, number_least, serial_most, serial_least;
};
/* Learns where pids or ports have their numbers: {Limit, [{Term, Number, Serial}]}. Both return false for malformed
 * probes (see strobe_layout.erl). */
bool layout_learn_id(ErlNifEnv *env, ERL_NIF_TERM probe, const struct layout_widths *w, struct layout_id *id);
bool layout_learn(ErlNifEnv *env, ERL_NIF_TERM probes, struct layout *l);
