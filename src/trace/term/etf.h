/*
 * External terms (the output of term_to_binary, and the content of trace files), read in two ways:
 *
 *     walked    sb_etf_skip and the readers below step over the bytes and build nothing
 *     a tree    sb_etf_decode makes struct sb_etf nodes in an arena
 *
 * Neither recurses, so deep nesting cannot overflow the stack. No length is trusted before that many bytes
 * are known to exist. The decoder refuses what binary_to_term of OTP 25 refuses: unknown tags, atoms that are
 * too long or not UTF-8, equal keys in a map, floats that are not numbers. Compressed terms and atom cache
 * references are not supported.
 */
#pragma once
#include "base/arena.h"

enum sb_etf_tag {
    SB_ETF_NEW_FLOAT = 70,
    SB_ETF_BIT_BINARY = 77,
    SB_ETF_NEW_PID = 88,
    SB_ETF_NEW_PORT = 89,
    SB_ETF_NEWER_REF = 90,
    SB_ETF_SMALL_INT = 97,
    SB_ETF_INT = 98,
    SB_ETF_FLOAT = 99,
    SB_ETF_ATOM = 100,
    SB_ETF_REF = 101,
    SB_ETF_PORT = 102,
    SB_ETF_PID = 103,
    SB_ETF_SMALL_TUPLE = 104,
    SB_ETF_LARGE_TUPLE = 105,
    SB_ETF_NIL = 106,
    SB_ETF_STRING = 107,
    SB_ETF_LIST = 108,
    SB_ETF_BINARY = 109,
    SB_ETF_SMALL_BIG = 110,
    SB_ETF_LARGE_BIG = 111,
    SB_ETF_NEW_FUN = 112,
    SB_ETF_EXPORT = 113,
    SB_ETF_NEW_REF = 114,
    SB_ETF_SMALL_ATOM = 115,
    SB_ETF_MAP = 116,
    SB_ETF_OLD_FUN = 117, /* before OTP 23 */
    SB_ETF_ATOM_UTF8 = 118,
    SB_ETF_SMALL_ATOM_UTF8 = 119,
    SB_ETF_V4_PORT = 120,
    SB_ETF_VERSION = 131,
};

/* What follows the node of a process, port or reference, without the words of a new reference; 0: it is none. */
extern const uint8_t sb_etf_id_bytes[256];

/* ---- walked: `p` is at a tag (after the version byte); all return NULL unless a whole value of that type
 * is there */

const uint8_t *sb_etf_skip(const uint8_t *p, const uint8_t *end);
const uint8_t *sb_etf_int(const uint8_t *p, const uint8_t *end, int64_t *v); /* any integer that fits */
/* returns the first element */
const uint8_t *sb_etf_tuple(const uint8_t *p, const uint8_t *end, uint32_t *arity);
/* the raw bytes of an atom's text; *latin1 if they are Latin-1, not UTF-8 (the same for ASCII) */
const uint8_t *sb_etf_atom(const uint8_t *p, const uint8_t *end, struct sb_str *text, bool *latin1);
struct sb_str sb_etf_latin1_to_utf8(struct sb_arena *a, struct sb_str latin1);

/* ---- as a tree */

/* in Erlang's term order: a smaller kind is a smaller term (integers, big integers and floats compare by
 * value) */
enum sb_etf_kind {
    SB_TERM_INT,
    SB_TERM_BIG,
    SB_TERM_FLOAT,
    SB_TERM_ATOM,
    SB_TERM_REF,
    SB_TERM_FUN,
    SB_TERM_EXPORT,
    SB_TERM_PORT,
    SB_TERM_PID,
    SB_TERM_TUPLE,
    SB_TERM_MAP,
    SB_TERM_NIL,
    SB_TERM_LIST,
    SB_TERM_BITS,
};

struct sb_etf {
    uint8_t kind;
    uint8_t bits;  /* BITS: used bits of the last byte, 1..8; BIG: 1 if negative */
    uint8_t arity; /* FUN */
    uint32_t n;    /* TUPLE, LIST: elements; MAP: pairs; BIG, BITS: bytes; FUN: parts; REF: words */
    union {
        int64_t i;            /* INT */
        double f;             /* FLOAT */
        const char *text;     /* ATOM: UTF-8 of n bytes */
        const uint8_t *bytes; /* BITS; BIG: little endian, no leading zeros */
        const struct sb_etf
            *at; /* TUPLE: elements; LIST: elements, then the tail; MAP: key, value, in Erlang's iteration
                    order; FUN: module, index, uniq, pid, environment; EXPORT: module, name, arity */
        const struct sb_etf_id *id; /* PID, PORT, REF */
    };
};

struct sb_etf_id {
    struct sb_str node;
    uint32_t creation;
    uint64_t number;      /* PID, PORT */
    uint32_t serial;      /* PID */
    const uint32_t *word; /* REF: as in the external format */
};

/* Decodes the term at p (no version byte); the tree refers to these bytes. Sets *behind, if given, to the
 * end of the term. */
bool sb_etf_decode(const uint8_t *p, const uint8_t *end, struct sb_arena *a, struct sb_etf *t,
                   const uint8_t **behind);
/* Decodes a term with a version byte. Like binary_to_term, it ignores bytes after the term. */
bool sb_etf_decode_binary(const uint8_t *p, size_t n, struct sb_arena *a, struct sb_etf *t);

int sb_etf_cmp(const struct sb_etf *a,
               const struct sb_etf *b); /* Erlang's term order (==, so 1 equals 1.0) */
int sb_etf_cmp_exact(const struct sb_etf *a,
                     const struct sb_etf *b); /* the order of map keys: integers before floats */

static inline struct sb_str
sb_etf_atom_text(const struct sb_etf *t)
{
    return t->kind == SB_TERM_ATOM ? (struct sb_str){t->text, t->n} : (struct sb_str){0};
}
static inline struct sb_etf
sb_etf_new_atom(struct sb_str utf8)
{
    return (struct sb_etf){.kind = SB_TERM_ATOM, .n = (uint32_t)utf8.n, .text = utf8.p};
}
static inline struct sb_etf
sb_etf_new_int(int64_t i)
{
    return (struct sb_etf){.kind = SB_TERM_INT, .i = i};
}
struct sb_etf sb_etf_new_tuple(struct sb_arena *a, const struct sb_etf *at, uint32_t n);
struct sb_etf sb_etf_new_list(struct sb_arena *a, const struct sb_etf *at, uint32_t n); /* proper */
struct sb_etf sb_etf_new_text(struct sb_arena *a, struct sb_str latin1); /* a "string": a list of its bytes */
/* A map of up to this many pairs is in key order. A larger one is in hash order; the file shows that order
 * reversed, since such a map is written from its end. */
#define SB_ETF_SORTED_MAP 32
/* Sorts key, value, key, value... by key; false if two keys are equal. */
bool sb_etf_sort_pairs(struct sb_arena *a, struct sb_etf *at, uint32_t pairs);
