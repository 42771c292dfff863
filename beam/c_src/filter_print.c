/* Prints a term as ~w does (without quotes around reserved words), bounded in length and depth. A
 * truncated text ends in "..." or just ends. */
#include "filter.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, ATOM_TEXT = 1100 };

static void
put(struct filter_text *to, const char *text)
{
    size_t n = strlen(text), room = FILTER_TEXT - to->n;
    n = n < room ? n : room;
    memcpy(to->at + to->n, text, n);
    to->n += n;
}

static void
put_float(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to)
{
    double d = 0;
    char text[40];
    enif_get_double(env, t, &d);
    for (int digits = 1; digits <= 17; digits++) { /* the shortest text of this number */
        snprintf(text, sizeof text, "%.*g", digits, d);
        if (strtod(text, NULL) == d)
            break;
    }
    char *e = strchr(text, 'e');
    if (!strchr(text, '.')) { /* Erlang requires a point */
        char exponent[16] = "";
        snprintf(exponent, sizeof exponent, "%s", e ? e : "");
        snprintf(e ? e : text + strlen(text), 24, ".0%s", exponent);
    }
    put(to, text);
}

static void
put_binary(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to)
{
    ErlNifBinary bin;
    char byte[8];
    if (!enif_inspect_binary(env, t, &bin)) {
        put(to, "<<...>>");
        return;
    }
    put(to, "<<");
    for (size_t i = 0; i < bin.size && to->n < FILTER_TEXT; i++) {
        snprintf(byte, sizeof byte, "%s%u", i ? "," : "", bin.data[i]);
        put(to, byte);
    }
    put(to, ">>");
}

static void print(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth);

static void
put_list(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    ERL_NIF_TERM head;
    put(to, "[");
    for (bool first = true; enif_get_list_cell(env, t, &head, &t) && to->n < FILTER_TEXT; first = false) {
        put(to, first ? "" : ",");
        print(env, head, to, depth);
    }
    if (!enif_is_list(env, t)) {
        put(to, "|");
        print(env, t, to, depth);
    }
    put(to, "]");
}

static void
put_map(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    ErlNifMapIterator it;
    ERL_NIF_TERM key, value;
    put(to, "#{");
    if (enif_map_iterator_create(env, t, &it, ERL_NIF_MAP_ITERATOR_FIRST)) {
        for (bool first = true; enif_map_iterator_get_pair(env, &it, &key, &value) && to->n < FILTER_TEXT;
             first = false) {
            put(to, first ? "" : ",");
            print(env, key, to, depth);
            put(to, " => ");
            print(env, value, to, depth);
            enif_map_iterator_next(env, &it);
        }
        enif_map_iterator_destroy(env, &it);
    }
    put(to, "}");
}

static void
put_tuple(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    const ERL_NIF_TERM *at;
    int n = 0;
    enif_get_tuple(env, t, &n, &at);
    put(to, "{");
    for (int i = 0; i < n && to->n < FILTER_TEXT; i++) {
        put(to, i ? "," : "");
        print(env, at[i], to, depth);
    }
    put(to, "}");
}

/* Prints atoms, pids and other terms whose text in the VM is bounded. */
static void
put_plain(ERL_NIF_TERM t, struct filter_text *to)
{
    char text[ATOM_TEXT];
    enif_snprintf(text, sizeof text, "%T", t);
    put(to, text);
}

static void
print(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    ErlNifSInt64 i;
    char text[32];
    if (to->n >= FILTER_TEXT)
        return;
    switch (enif_term_type(env, t)) {
    case ERL_NIF_TERM_TYPE_TUPLE:
    case ERL_NIF_TERM_TYPE_LIST:
    case ERL_NIF_TERM_TYPE_MAP:
        if (depth == 0)
            put(to, "...");
        else if (enif_is_tuple(env, t))
            put_tuple(env, t, to, depth - 1);
        else if (enif_is_list(env, t))
            put_list(env, t, to, depth - 1);
        else
            put_map(env, t, to, depth - 1);
        break;
    case ERL_NIF_TERM_TYPE_INTEGER:
        i = 0;
        bool small = enif_get_int64(env, t, &i);
        snprintf(text, sizeof text, "%lld", (long long)i);
        put(to, small ? text : "<big>");
        break;
    case ERL_NIF_TERM_TYPE_FLOAT:
        put_float(env, t, to);
        break;
    case ERL_NIF_TERM_TYPE_BITSTRING:
        put_binary(env, t, to);
        break;
    default:
        put_plain(t, to);
    }
}

void
filter_print(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to)
{
    print(env, t, to, DEPTH);
}
