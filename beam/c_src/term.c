/*
 * The data that a record has about a term: the process it names, its size, a fingerprint. Time is bounded for
 * any term, and there is no recursion.
 *
 * The NIF interface does not expose all of it (the number of a pid, the owner of an alias). Those are read
 * from the words of the term, if known terms have shown how this VM lays them out (layout_learn).
 */
#include "term.h"
#include "callers.h"
#include "dict.h"
#include "base/bytes.h"
#include <stdio.h>

enum { NIL = 0x3b }; /* if the tags are known */
enum { STACK = 64, PRINT_CELLS = 8, FLAT_MAP_MAX = 32, HEAP_BIN_MAX = 64 };

static inline uint64_t
mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* ---- actors */

static sb_actor
port_actor(unsigned node, uint64_t number)
{
    return sb_actor_make(SB_PORT, node, number >> 28, number);
}

/* The slow path, for any pid or port: reads its external form. */
static sb_actor
external_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, bool local)
{
    enum { NEW_PID = 88, NEW_PORT = 89, V4_PORT = 120 };
    ErlNifBinary bin;
    if (!enif_term_to_binary(env, t, &bin))
        return 0;
    sb_actor a = 0;
    const uint8_t *p = bin.data, *name = NULL;
    size_t name_n = 0, at = 0;
    if (bin.size > 5 && (p[2] == 119 || p[2] == 115))
        name_n = p[3], name = p + 4, at = 4 + name_n;
    else if (bin.size > 5 && (p[2] == 118 || p[2] == 100))
        name_n = sb_get_be16(p + 3), name = p + 5, at = 5 + name_n;
    size_t left = name && bin.size > at ? bin.size - at : 0;
    if (left >= 8) {
        uint32_t creation = sb_get_be32(p + bin.size - 4);
        unsigned node = local ? 0 : dict_node(env, w, name, (uint16_t)name_n, creation);
        if (local || node) {
            if (p[1] == NEW_PID && left == 12)
                a = sb_actor_make(SB_PID, node, sb_get_be32(p + at + 4), sb_get_be32(p + at));
            else if (p[1] == NEW_PORT && left == 8)
                a = port_actor(node, sb_get_be32(p + at));
            else if (p[1] == V4_PORT && left == 12)
                a = port_actor(node, sb_get_be64(p + at));
        }
    }
    enif_release_binary(&bin);
    return a;
}

/* Keeps the actor of a word that is valid for life. */
static sb_actor
keep(struct worker *w, ERL_NIF_TERM t, sb_actor a)
{
    *term_actor_place(w, t) = (struct actor_slot){t, a};
    return a;
}

/* Returns a pid or port whose word cannot be decoded. */
static sb_actor
unread_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t)
{
    ErlNifPid pid;
    ErlNifPort port;
    if (!enif_get_local_pid(env, t, &pid) && !enif_get_local_port(env, t, &port))
        return external_actor(env, w, t, false);
    return keep(w, t, external_actor(env, w, t, true));
}

static sb_actor
named_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM name, ERL_NIF_TERM node)
{
    uint8_t text[256];
    uint32_t id = dict_atom(env, w, name);
    unsigned index = 0;
    if (node) {
        int n = enif_get_atom(env, node, (char *)text, sizeof text, ERL_NIF_LATIN1);
        index = n > 1 ? dict_node(env, w, text, (uint16_t)(n - 1), 0) : 0;
    }
    return id ? (uint64_t)SB_NAMED << 62 | (uint64_t)index << 52 | id : 0;
}

/* Returns the owner of an alias: the reference of one of this node holds the pid of its process. */
static sb_actor
alias_owner(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t)
{
    const struct layout *l = &capture.layout;
    const ERL_NIF_TERM *word = (const ERL_NIF_TERM *)(t & ~(ERL_NIF_TERM)3);
    if (l->alias_word && (t & 3) == 2 && word[0] == l->alias_header &&
        (word[l->alias_word] & 0xf) == l->pid.tag)
        return term_actor(env, w, word[l->alias_word], NULL);
    return callers_take(env, t);
}

sb_actor
term_new_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags)
{
    const struct layout *l = &capture.layout;
    if (l->pid.number_mask && (t & 0xf) == l->pid.tag)
        return keep(w, t, sb_actor_make(SB_PID, 0, layout_serial(&l->pid, t), layout_number(&l->pid, t)));
    if (l->port.number_mask && (t & 0xf) == l->port.tag)
        return keep(w, t, port_actor(0, layout_number(&l->port, t)));
    if (enif_is_atom(env, t))
        return keep(w, t, named_actor(env, w, t, 0));
    const ERL_NIF_TERM *at;
    int n;
    if (enif_is_ref(env, t)) {
        if (flags)
            *flags |= SB_EVF_TO_ALIAS;
        return alias_owner(env, w, t);
    }
    if (enif_get_tuple(env, t, &n, &at))
        return n == 2 && enif_is_atom(env, at[0]) ? named_actor(env, w, at[0], at[1]) : 0;
    return enif_is_pid(env, t) || enif_is_port(env, t) ? unread_actor(env, w, t) : 0;
}

/* ---- size and fingerprint */

struct walk {
    ErlNifEnv *env;
    struct worker *w;
    const struct layout *l;
    unsigned n, cells, bound;
    bool cut;
    struct measure m;
    uint64_t print;
    ERL_NIF_TERM *stack; /* STACK entries, uninitialised: clearing them would cost more than the walk */
};

static inline bool
is_immediate(const struct layout *l, ERL_NIF_TERM t)
{
    return l->tags_known && (t & 3) == 3;
}

/* Returns the hash of an atom, a local pid or a local port. Its word is valid for life, so it is cached. */
static inline uint64_t
word_hash(struct worker *w, ERL_NIF_TERM t)
{
    struct hash_slot *slot = &w->hash[t * 0x9e3779b97f4a7c15u >> 32 & (CACHE_HASH - 1)];
    if (__builtin_expect(slot->word != t, 0))
        *slot = (struct hash_slot){t, enif_hash(ERL_NIF_PHASH2, t, 0)};
    return slot->hash;
}

/* The same for any immediate: numbers and [] are equal on every node, atoms, pids and ports are not. */
static inline uint64_t
same_immediate(struct worker *w, ERL_NIF_TERM t)
{
    return (t & LAYOUT_SMALL) == LAYOUT_SMALL || t == NIL ? t : word_hash(w, t);
}

/* Returns a word that is equal on every node. */
static inline uint64_t
same_everywhere(struct worker *w, const struct layout *l, ERL_NIF_TERM t)
{
    return is_immediate(l, t) ? same_immediate(w, t) : enif_hash(ERL_NIF_PHASH2, t, 0);
}

static inline void
see(struct walk *k, uint64_t v)
{
    if (k->cells <= PRINT_CELLS)
        k->print = mix(k->print, v);
}

static void
push(struct walk *k, ERL_NIF_TERM t)
{
    if (is_immediate(k->l, t) && k->cells > PRINT_CELLS)
        return;
    if (k->n < STACK)
        k->stack[k->n++] = t;
    else
        k->cut = true;
}

static void
walk_binary(struct walk *k, ERL_NIF_TERM t)
{
    ErlNifBinary bin;
    if (!enif_inspect_binary(k->env, t, &bin)) {
        k->m.words += k->l->words_ref_bin;
        k->cut = true;
        return;
    }
    k->m.words += bin.size <= HEAP_BIN_MAX ? k->l->words_heap_bin + (bin.size + 7) / 8 : k->l->words_ref_bin;
    uint64_t head = 0;
    memcpy(&head, bin.data, bin.size < 8 ? bin.size : 8);
    see(k, bin.size ^ head << 8);
}

static void
walk_map(struct walk *k, ERL_NIF_TERM t)
{
    size_t n = 0;
    enif_get_map_size(k->env, t, &n);
    see(k, n + 77);
    if (n > FLAT_MAP_MAX) { /* a tree: about 3.75 words per pair */
        k->m.words += n * 15 / 4;
        k->cut = true;
        return;
    }
    k->m.words += n ? k->l->words_map + n * k->l->words_pair : k->l->words_empty_map;
    ErlNifMapIterator it;
    ERL_NIF_TERM key, value;
    if (n == 0 || k->cells > k->bound ||
        !enif_map_iterator_create(k->env, t, &it, ERL_NIF_MAP_ITERATOR_FIRST))
        return;
    for (; enif_map_iterator_get_pair(k->env, &it, &key, &value); enif_map_iterator_next(k->env, &it)) {
        push(k, key);
        push(k, value);
    }
    enif_map_iterator_destroy(k->env, &it);
}

static void
walk_tuple(struct walk *k, ERL_NIF_TERM t)
{
    const ERL_NIF_TERM *at;
    int n;
    if (!layout_get_tuple(k->l, k->env, t, &n, &at))
        return;
    see(k, (uint64_t)n + 11);
    k->m.words += n ? 1 + (unsigned)n : 0;
    int seen = n < (int)k->bound ? n : (int)k->bound;
    k->cut |= seen < n;
    for (int i = seen - 1; i >= 0; i--)
        if (!is_immediate(k->l, at[i]) || i < PRINT_CELLS)
            push(k, at[i]);
}

static void
walk_integer(struct walk *k, ERL_NIF_TERM t)
{
    ErlNifSInt64 i;
    ErlNifUInt64 u;
    if (enif_get_int64(k->env, t, &i)) {
        bool small = i >= -(INT64_C(1) << 59) && i < INT64_C(1) << 59;
        k->m.words += small ? 0 : k->l->words_big;
        see(k, (uint64_t)i);
    } else if (enif_get_uint64(k->env, t, &u)) {
        k->m.words += k->l->words_big;
        see(k, u);
    } else {
        k->m.words += k->l->words_big + 1;
        k->cut = true;
        see(k, 5);
    }
}

static void
walk_reference(struct walk *k, ERL_NIF_TERM t)
{
    bool alias = k->l->alias_word && (t & 3) == 2 &&
                 *(const ERL_NIF_TERM *)(t & ~(ERL_NIF_TERM)3) == k->l->alias_header;
    k->m.words += alias ? k->l->words_alias : k->l->words_ref;
    see(k, same_everywhere(k->w, k->l, t));
}

static void
walk_one(struct walk *k, ERL_NIF_TERM t)
{
    double d;
    if (is_immediate(k->l, t)) {
        see(k, same_everywhere(k->w, k->l, t));
        return;
    }
    switch (enif_term_type(k->env, t)) {
    case ERL_NIF_TERM_TYPE_TUPLE:
        walk_tuple(k, t);
        break;
    case ERL_NIF_TERM_TYPE_MAP:
        walk_map(k, t);
        break;
    case ERL_NIF_TERM_TYPE_BITSTRING:
        walk_binary(k, t);
        break;
    case ERL_NIF_TERM_TYPE_INTEGER:
        walk_integer(k, t);
        break;
    case ERL_NIF_TERM_TYPE_REFERENCE:
        walk_reference(k, t);
        break;
    case ERL_NIF_TERM_TYPE_FLOAT:
        k->m.words += k->l->words_float;
        enif_get_double(k->env, t, &d);
        uint64_t bits;
        memcpy(&bits, &d, 8);
        see(k, bits);
        break;
    case ERL_NIF_TERM_TYPE_FUN: /* its environment is not accessible */
        k->m.words += k->l->words_fun;
        k->cut = true;
        see(k, 3);
        break;
    case ERL_NIF_TERM_TYPE_PID:
    case ERL_NIF_TERM_TYPE_PORT:
        if ((t & 3) == 2) {
            k->m.words += k->l->words_far_pid;
            k->w->far = k->w->far ? k->w->far : t;
        }
        see(k, same_everywhere(k->w, k->l, t));
        break;
    default: /* an atom, if tags are unknown */
        see(k, same_everywhere(k->w, k->l, t));
    }
}

/* Walks the cells of a list and walks or pushes their heads, until the list ends or the bound is reached. */
static void
walk_list(struct walk *k, ERL_NIF_TERM t)
{
    ERL_NIF_TERM head, tail;
    while (enif_get_list_cell(k->env, t, &head, &tail)) {
        if (k->cells++ >= k->bound) {
            k->cut = true;
            return;
        }
        k->m.words += 2;
        see(k, 1);
        if (is_immediate(k->l, head))
            see(k, same_everywhere(k->w, k->l, head));
        else
            push(k, head);
        t = tail;
    }
    bool ends = is_immediate(k->l, t) ? t == NIL : enif_is_empty_list(k->env, t);
    if (!ends)
        push(k, t);
}

static bool
is_list(const struct walk *k, ERL_NIF_TERM t)
{
    return k->l->tags_known ? (t & 3) == 1 : enif_is_list(k->env, t) && !enif_is_empty_list(k->env, t);
}

static uint16_t
short_print(uint64_t print)
{
    uint16_t p = (uint16_t)(print >> 40 ^ print >> 16);
    return p ? p : 1; /* 0 means none */
}

/* Measures the most frequent messages, an immediate or a small tuple of immediates, with the same result
 * as the walk but without its state. Returns no print for others. */
static inline struct measure
measure_flat(struct worker *w, ERL_NIF_TERM t)
{
    const struct layout *l = &capture.layout;
    const ERL_NIF_TERM *word = l->tags_known ? layout_tuple(l, t) : NULL;
    if (!word)
        return is_immediate(l, t) ? (struct measure){.print = short_print(mix(0, same_immediate(w, t)))}
                                  : (struct measure){0};
    uint64_t n = word[0] >> LAYOUT_ARITY_SHIFT, print = mix(0, n + 11);
    if (n - 1 >= PRINT_CELLS)
        return (struct measure){0};
    for (const ERL_NIF_TERM *at = word + 1; at <= word + n; at++) {
        if (__builtin_expect((*at & 3) != 3, 0))
            return (struct measure){0};
        print = mix(print, same_immediate(w, *at));
    }
    return (struct measure){.words = 1 + n, .print = short_print(print)};
}

struct measure
term_measure(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned bound)
{
    struct measure flat = measure_flat(w, t);
    if (flat.print)
        return flat;
    ERL_NIF_TERM stack[STACK];
    struct walk k = {.env = env, .w = w, .l = &capture.layout, .bound = bound, .stack = stack};
    for (push(&k, t); k.n > 0;) {
        t = k.stack[--k.n];
        if (is_list(&k, t))
            walk_list(&k, t);
        else
            walk_one(&k, t);
        if (++k.cells > bound && k.n > 0) {
            k.cut = true;
            break;
        }
    }
    k.m.at_least = k.cut;
    k.m.print = short_print(k.print);
    return k.m;
}

/* ---- text of a reason: atoms and shapes; variable parts are omitted */

struct reason {
    ErlNifEnv *env;
    char *out;
    size_t n, cap;
};

static void
put(struct reason *r, const char *text)
{
    while (*text && r->n < r->cap)
        r->out[r->n++] = *text++;
}

static bool
put_atom(struct reason *r, ERL_NIF_TERM t)
{
    char atom[256];
    if (!enif_get_atom(r->env, t, atom, sizeof atom, ERL_NIF_LATIN1))
        return false;
    for (char *c = atom; *c; c++)
        if (*c & (char)0x80)
            *c = '?';
    put(r, atom);
    return true;
}

/* Numbers further inside are data: arguments, or characters of a string. */
static bool
put_number(struct reason *r, ERL_NIF_TERM t, unsigned depth)
{
    ErlNifSInt64 i;
    char number[24];
    if (depth > 1 || !enif_get_int64(r->env, t, &i))
        return false;
    snprintf(number, sizeof number, "%lld", (long long)i);
    put(r, number);
    return true;
}

enum { REASON_DEPTH = 3, REASON_ELEMENTS = 4 };

/* Such as {{badmatch,...},[{shop,total,...},...]}: of a list the first element, in a stack the call that failed. */
static void
put_reason(struct reason *r, ERL_NIF_TERM t, unsigned depth)
{
    const ERL_NIF_TERM *at;
    ERL_NIF_TERM head, tail;
    int arity;
    if (put_atom(r, t) || put_number(r, t, depth))
        return;
    if (depth < REASON_DEPTH && enif_get_tuple(r->env, t, &arity, &at)) {
        put(r, "{");
        for (int i = 0; i < arity && i < REASON_ELEMENTS; i++) {
            put(r, i > 0 ? "," : "");
            put_reason(r, at[i], depth + 1);
        }
        put(r, arity > REASON_ELEMENTS ? ",...}" : "}");
    } else if (depth < REASON_DEPTH && enif_get_list_cell(r->env, t, &head, &tail)) {
        put(r, "[");
        put_reason(r, head, depth + 1);
        put(r, enif_is_empty_list(r->env, tail) ? "]" : ",...]");
    } else
        put(r, enif_is_empty_list(r->env, t) ? "[]" : "...");
}

size_t
term_text(ErlNifEnv *env, ERL_NIF_TERM t, char *out, size_t cap)
{
    struct reason r = {env, out, 0, cap};
    put_reason(&r, t, 0);
    if (r.n == cap)
        memcpy(out + cap - 3, "...", 3);
    return r.n;
}
