#include "layout.h"
#include <string.h>

/* Returns whether the numbers of all probes, {Term, Number} or {Term, Number, Serial}, are where this
 * layout has them. */
static bool
fits(ErlNifEnv *env, ERL_NIF_TERM list, unsigned number_bits, unsigned serial_bits, unsigned *tag)
{
    ERL_NIF_TERM head;
    bool first = true;
    while (enif_get_list_cell(env, list, &head, &list)) {
        const ERL_NIF_TERM *at;
        int n;
        ErlNifUInt64 number, serial = 0;
        if (!enif_get_tuple(env, head, &n, &at) || n < 2 || !enif_get_uint64(env, at[1], &number) ||
            (n == 3 && !enif_get_uint64(env, at[2], &serial)))
            return false;
        if ((at[0] >> 4 & layout_low_bits(number_bits)) != number ||
            (at[0] >> (4 + number_bits) & layout_low_bits(serial_bits)) != serial ||
            (!first && *tag != (at[0] & 0xf)))
            return false;
        *tag = at[0] & 0xf;
        first = false;
    }
    return !first;
}

void
layout_set_pids(struct layout *l, unsigned tag, unsigned number_bits, unsigned serial_bits)
{
    l->pid_tag = tag;
    l->pid_serial_shift = 4 + number_bits;
    l->pid_number_mask = layout_low_bits(number_bits);
    l->pid_serial_mask = layout_low_bits(serial_bits);
}

/* Learns the low four bits of local pids. Where their numbers are is another question: since OTP 26 it depends on the
 * size of the table of processes. */
static void
learn_pid_tag(ErlNifEnv *env, ERL_NIF_TERM pids, struct layout *l)
{
    ERL_NIF_TERM head;
    unsigned tags = 0, tag = 0;
    while (enif_get_list_cell(env, pids, &head, &pids)) {
        const ERL_NIF_TERM *at;
        int n;
        if (!enif_get_tuple(env, head, &n, &at) || n < 1)
            return;
        tag = at[0] & 0xf;
        tags |= 1u << tag;
    }
    l->pid_tag = tags == 1u << tag ? tag : 0;
}

static void
learn_numbers(ErlNifEnv *env, ERL_NIF_TERM pids, ERL_NIF_TERM ports, struct layout *l)
{
    for (unsigned bits = 32; bits >= 10; bits--)
        for (unsigned serial = 60 - bits < 32 ? 60 - bits : 32; serial >= 13 && !l->pid_number_mask; serial--)
            if (fits(env, pids, bits, serial, &l->pid_tag))
                layout_set_pids(l, l->pid_tag, bits, serial);
    for (unsigned bits = 60; bits >= 20 && !l->port_number_bits; bits--)
        if (fits(env, ports, bits, 0, &l->port_tag))
            l->port_number_bits = bits;
}

static void
learn_tags(ErlNifEnv *env, struct layout *l)
{
    ERL_NIF_TERM nil = enif_make_list(env, 0), one = enif_make_int(env, 1);
    ERL_NIF_TERM list = enif_make_list1(env, one), tuple = enif_make_tuple1(env, one);
    l->tags_known = sizeof(ERL_NIF_TERM) == 8 && (nil & 3) == 3 && (one & 3) == 3 && (list & 3) == 1 &&
                    (tuple & 3) == 2 && (enif_make_atom(env, "ok") & 3) == 3 && (l->pid_tag & 3) == 3;
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

/* Probes = {[{Pid, Number, Serial}], [{Port, Number}], {Alias, Ref, Owner} | none, Sizes, Funs}: strobe_layout.erl
 */
bool
layout_learn(ErlNifEnv *env, ERL_NIF_TERM probes, struct layout *l)
{
    const ERL_NIF_TERM *at;
    int n;
    *l = (struct layout){.tuple_tag = LAYOUT_NEVER, .map_tag = LAYOUT_NEVER};
    if (!enif_get_tuple(env, probes, &n, &at) || n != 5 || !learn_words(env, at[3], l))
        return false;
    learn_numbers(env, at[0], at[1], l);
    learn_pid_tag(env, at[0], l);
    learn_tags(env, l);
    learn_tuples(env, l);
    learn_alias(env, at[2], l);
    learn_fun(env, at[4], l);
    return true;
}
