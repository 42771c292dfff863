/* The words of terms that the NIF interface does not expose: derived from known terms, verified, otherwise
 * not used. */
#ifndef STROBE_LAYOUT_H
#define STROBE_LAYOUT_H
#include <erl_nif.h>
#include <stdbool.h>
#include <stdint.h>

struct layout {
    /* a local pid: tag 4, number, serial; 0: unknown, use the slow path */
    uint64_t pid_number_mask, pid_serial_mask;
    unsigned pid_serial_shift;
    /* a local port: tag 4, number; 0: unknown, use the slow path */
    unsigned port_number_bits;
    unsigned pid_tag, port_tag; /* the low four bits */
    bool tags_known;            /* the low two bits distinguish immediates, lists and boxed terms */
    /* index of the word with the owner's pid in an alias reference; 0: unknown */
    int alias_word;
    uint64_t alias_header; /* its first word */
    bool fun_word;         /* the second word of a fun identifies its code */
    uint32_t words_ref, words_alias, words_float, words_big, words_fun, words_map, words_pair;
    uint32_t words_empty_map, words_far_pid;
    uint32_t words_heap_bin, words_ref_bin; /* a heap binary without its bytes; a large binary */
};

static inline uint64_t
layout_low_bits(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Sets how local pids are laid out. */
void layout_set_pids(struct layout *l, unsigned tag, unsigned number_bits, unsigned serial_bits);
/* Returns false for malformed probes (see strobe_layout.erl). */
bool layout_learn(ErlNifEnv *env, ERL_NIF_TERM probes, struct layout *l);

#endif
