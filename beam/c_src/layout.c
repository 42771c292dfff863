#include "layout.h"
#include <string.h>

void
layout_set_id(struct layout_id *id, unsigned number_bits, unsigned serial_bits, unsigned index_bits,
              unsigned turn)
{
    id->number_mask = layout_low_bits(number_bits);
    id->serial_shift = serial_bits ? 4 + number_bits : 0;
    id->serial_mask = layout_low_bits(serial_bits);
    id->index_mask = layout_low_bits(index_bits);
    id->index_bits = index_bits;
    id->turn = turn;
}

/* Returns whether the numbers and serials of all probes, {Term, Number, Serial}, are where this layout has them. */
static bool
fits(ErlNifEnv *env, ERL_NIF_TERM probes, const struct layout_id *id)
{
    ERL_NIF_TERM head;
    bool any = false;
    for (; enif_get_list_cell(env, probes, &head, &probes); any = true) {
        const ERL_NIF_TERM *at;
        int n;
        ErlNifUInt64 number, serial;
        if (!enif_get_tuple(env, head, &n, &at) || n != 3 || !enif_get_uint64(env, at[1], &number) ||
            !enif_get_uint64(env, at[2], &serial) || (at[0] & 0xf) != id->tag ||
            layout_number(id, at[0]) != number || layout_serial(id, at[0]) != serial)
            return false;
    }
    return any;
}

/* Learns the low four bits of all probes, which may be known where their numbers are not; 0: they differ. */
static unsigned
learn_tag(ErlNifEnv *env, ERL_NIF_TERM probes)
{
    ERL_NIF_TERM head;
    unsigned tags = 0, tag = 0;
    while (enif_get_list_cell(env, probes, &head, &probes)) {
        const ERL_NIF_TERM *at;
        int n;
        if (!enif_get_tuple(env, head, &n, &at) || n < 1)
            return 0;
        tag = at[0] & 0xf;
        tags |= 1u << tag;
    }
    return tags == 1u << tag ? tag : 0;
}

/* Tries all widths of number and serial in the 60 bits above the tag. */
static bool
learn_widths(ErlNifEnv *env, ERL_NIF_TERM probes, const struct layout_widths *w, unsigned index_bits,
             unsigned turn, struct layout_id *id)
{
    enum { BITS = 60 };
    for (unsigned number = w->number_most; number >= w->number_least; number--) {
        unsigned most = BITS - number < w->serial_most ? BITS - number : w->serial_most;
        for (unsigned serial = most + 1; serial-- > w->serial_least;) {
            layout_set_id(id, number, serial, index_bits, turn);
            if (fits(env, probes, id))
                return true;
        }
    }
    return false;
}

/* The number of low bits that count to `limit`, the size of a table: a power of two, or one less. */
static unsigned
bits_of(uint64_t limit)
{
    unsigned bits = 0;
    while (bits < 32 && UINT64_C(1) << bits < limit)
        bits++;
    return bits;
}

bool
layout_learn_id(ErlNifEnv *env, ERL_NIF_TERM probe, const struct layout_widths *w, struct layout_id *id)
{
    enum { TURN_MOST = 6 }; /* a cache line of the table holds at most 64 entries */
    const ERL_NIF_TERM *at;
    int n;
    ErlNifUInt64 limit;
    if (!enif_get_tuple(env, probe, &n, &at) || n != 2 || !enif_get_uint64(env, at[0], &limit))
        return false;
    id->tag = learn_tag(env, at[1]);
    if (learn_widths(env, at[1], w, 0, 0, id))
        return true;
    unsigned bits = bits_of(limit);
    for (unsigned turn = 1; turn <= TURN_MOST && turn < bits; turn++)
        if (learn_widths(env, at[1], w, bits, turn, id))
            return true;
    id->number_mask = 0;
    return true;
}

static void
learn_tags(ErlNifEnv *env, struct layout *l)
{
    ERL_NIF_TERM nil = enif_make_list(env, 0), one = enif_make_int(env, 1);
    ERL_NIF_TERM list = enif_make_list1(env, one), tuple = enif_make_tuple1(env, one);
    l->tags_known = sizeof(ERL_NIF_TERM) == 8 && (nil & 3) == 3 && (one & 3) == 3 && (list & 3) == 1 &&
                    (tuple & 3) == 2 && (enif_make_atom(env, "ok") & 3) == 3 && (l->pid.tag & 3) == 3;
}

static const ERL_NIF_TERM *
words_of(ERL_NIF_TERM t)
{
    return (const ERL_NIF_TERM *)(t & ~(ERL_NIF_TERM)3);
}

/* Returns whether tuples of all small arities are what layout_get_tuple takes them for. */
static bool
tuples_fit(ErlNifEnv *env)
{
    enum { ARITIES = 9 };
    ERL_NIF_TERM at[ARITIES];
    for (unsigned n = 1; n < ARITIES; n++) {
        at[n - 1] = enif_make_uint(env, n);
        ERL_NIF_TERM t = enif_make_tuple_from_array(env, at, n);
        if ((t & 3) != LAYOUT_BOXED || words_of(t)[0] != (ERL_NIF_TERM)n << LAYOUT_ARITY_SHIFT ||
            memcmp(words_of(t) + 1, at, n * sizeof *at) != 0)
            return false;
    }
    return true;
}

/* Returns whether other boxed terms differ from tuples. */
static bool
others_differ(ErlNifEnv *env)
{
    ERL_NIF_TERM bin, other[] = {enif_make_double(env, 0.5),      enif_make_uint64(env, UINT64_MAX),
                                 enif_make_int64(env, INT64_MIN), enif_make_ref(env),
                                 enif_make_new_map(env),          0};
    unsigned n = sizeof other / sizeof *other;
    if (!enif_make_new_binary(env, 1, &bin))
        return false;
    other[n - 1] = bin;
    for (unsigned i = 0; i < n; i++)
        if ((other[i] & 3) != LAYOUT_BOXED ||
            (words_of(other[i])[0] & layout_low_bits(LAYOUT_ARITY_SHIFT)) == 0)
            return false;
    return true;
}

static void
learn_map(ErlNifEnv *env, struct layout *l)
{
    ERL_NIF_TERM key = enif_make_atom(env, "extra"), value = enif_make_atom(env, "ok"), map;
    if (!enif_make_map_put(env, enif_make_new_map(env), key, value, &map) || (map & 3) != LAYOUT_BOXED)
        return;
    const ERL_NIF_TERM *word = words_of(map), *keys = layout_tuple(l, word[2]);
    if (!keys || keys[0] != 1 << LAYOUT_ARITY_SHIFT || keys[1] != key || word[3] != value)
        return;
    l->map_tag = LAYOUT_BOXED;
    memcpy(l->map_head, word, sizeof l->map_head);
}

static void
learn_tuples(ErlNifEnv *env, struct layout *l)
{
    if (!l->tags_known || (enif_make_int(env, 1) & LAYOUT_SMALL) != LAYOUT_SMALL || !tuples_fit(env) ||
        !others_differ(env))
        return;
    l->tuple_tag = LAYOUT_BOXED;
    learn_map(env, l);
}

/* Compares two aliases of known owners with two bare references: the headers differ, and one word is the
 * owner's pid. */
static void
learn_alias(ErlNifEnv *env, ERL_NIF_TERM probe, struct layout *l)
{
    const ERL_NIF_TERM *at;
    int n;
    if (!l->tags_known || !enif_get_tuple(env, probe, &n, &at) || n != 3 || !enif_is_ref(env, at[0]) ||
        !enif_is_ref(env, at[1]) || (at[0] & 3) != 2 || (at[1] & 3) != 2)
        return;
    const ERL_NIF_TERM *alias = (const ERL_NIF_TERM *)(at[0] & ~(ERL_NIF_TERM)3);
    const ERL_NIF_TERM *plain = (const ERL_NIF_TERM *)(at[1] & ~(ERL_NIF_TERM)3);
    for (int i = 1; i < (int)l->words_alias; i++)
        if (alias[i] == at[2] && alias[0] != plain[0]) {
            l->alias_word = i;
            l->alias_header = alias[0];
        }
}

/* Learns whether the second word of a fun identifies its function: {Closure, Same, Other, Exported, OtherExported},
 * where only the first two have one function. */
static void
learn_fun(ErlNifEnv *env, ERL_NIF_TERM probe, struct layout *l)
{
    const ERL_NIF_TERM *at;
    int n;
    enum { PROBES = 5 };
    if (!l->tags_known || !enif_get_tuple(env, probe, &n, &at) || n != PROBES)
        return;
    uint64_t word[PROBES];
    for (int i = 0; i < PROBES; i++) {
        if (!enif_is_fun(env, at[i]) || (at[i] & 3) != 2)
            return;
        word[i] = ((const ERL_NIF_TERM *)(at[i] & ~(ERL_NIF_TERM)3))[1];
    }
    l->fun_word = word[0] == word[1];
    for (int i = 1; i < PROBES; i++)
        for (int k = i + 1; k < PROBES; k++)
            l->fun_word &= word[i] != word[k];
}

static bool
learn_words(ErlNifEnv *env, ERL_NIF_TERM sizes, struct layout *l)
{
    uint32_t *into[] = {&l->words_ref,     &l->words_alias,    &l->words_float,  &l->words_big,
                        &l->words_fun,     &l->words_map,      &l->words_pair,   &l->words_empty_map,
                        &l->words_far_pid, &l->words_heap_bin, &l->words_ref_bin};
    const ERL_NIF_TERM *at;
    int n;
    if (!enif_get_tuple(env, sizes, &n, &at) || n != (int)(sizeof into / sizeof *into))
        return false;
    for (int i = 0; i < n; i++)
        if (!enif_get_uint(env, at[i], into[i]))
            return false;
    return true;
}

/* Probes = {Pids, Ports, {Alias, Ref, Owner} | none, Sizes, Funs, Room}, where Pids and Ports are {Limit, [{Term,
 * Number, Serial}]}: strobe_layout.erl */
bool
layout_learn(ErlNifEnv *env, ERL_NIF_TERM probes, struct layout *l)
{
    static const struct layout_widths pid = {32, 10, 32, 13}, port = {60, 20, 0, 0};
    const ERL_NIF_TERM *at;
    int n;
    *l = (struct layout){.tuple_tag = LAYOUT_NEVER, .map_tag = LAYOUT_NEVER};
    if (!enif_get_tuple(env, probes, &n, &at) || n != 6 || !learn_words(env, at[3], l) ||
        !layout_learn_id(env, at[0], &pid, &l->pid) || !layout_learn_id(env, at[1], &port, &l->port))
        return false;
    learn_tags(env, l);
    learn_tuples(env, l);
    learn_alias(env, at[2], l);
    learn_fun(env, at[4], l);
    room_learn(env, at[5], &l->room);
    return true;
}
