/* Reads the functions of a .beam file, which of them wait for messages, and where their source stands. */
#pragma once
#include "base/str.h"

struct sb_beam_code { /* a function */
    struct sb_str name;
    uint32_t arity;
    bool waits;         /* its code has a receive that can block */
    struct sb_str file; /* where its source stands; empty: the module's own name */
    uint32_t line;      /* 0: unknown */
};
typedef void sb_beam_function(void *ctx, const struct sb_beam_code *code);

/* Called for each fun, with its index in the module. */
typedef void sb_beam_fun(void *ctx, uint32_t index, struct sb_str name, uint32_t arity);

/* Called for each atom of a chunk AtU8, in order. Returns false if the chunk is damaged. */
typedef void sb_beam_text(void *ctx, struct sb_str text);
bool sb_beam_read_atoms(struct sb_str chunk, sb_beam_text *on_text, void *ctx);
/* Whether the lengths of the atoms are in compact form, as from OTP 28 on. */
bool sb_beam_has_long_atoms(struct sb_str chunk);

/* Called for each use of an atom by an instruction, by its number from 1, but for the names of functions. */
typedef void sb_beam_atom(void *ctx, uint64_t number);
bool sb_beam_scan_atoms(const uint8_t *p, size_t n, sb_beam_atom *on_atom, void *ctx);

/* Returns false when the bytes are not readable BEAM code, in whole or from some point. Any input is safe. */
bool sb_beam_scan(const uint8_t *p, size_t n, sb_beam_function *on_function, sb_beam_fun *on_fun, void *ctx);
