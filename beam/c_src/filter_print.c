/* Prints a term as ~w does (without quotes around reserved words), bounded in length and depth. A
 * truncated text ends in "..." or just ends. */
#include "filter.h"
#include "filter_big.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, ATOM_TEXT = 1100 };

void
filter_print_text(const char *text, struct filter_text *to)
{
    size_t n = strlen(text), room = FILTER_TEXT - to->n;
    n = n < room ? n : room;
    memcpy(to->at + to->n, text, n);
    to->n += n;
}

/* Writes the fewest digits that mean this number. Above a power of two doubles are twice as far apart as below, so
 * the digits may be of a number above this one that is not the nearest with so many. */
static int
fewest_digits(double d, char *text, size_t cap)
{
    long double above = (long double)d * (1 + 0x3p-55L);
    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, cap, "%.*e", digits - 1, d);
        if (strtod(text, NULL) == d)
            return digits;
        snprintf(text, cap, "%.*Le", digits - 1, above);
        if (strtod(text, NULL) == d)
            return digits;
    }
    snprintf(text, cap, "%.16e", d);
    return 17;
}

/* With or without an exponent, whichever is shorter; from 2^53 on with one. */
void
filter_print_float(double d, struct filter_text *to)
{
    char text[40], plain[40], digit[20];
    int digits = fewest_digits(d, text, sizeof text), n = 0;
    char *e = strchr(text, 'e');
    int exponent = atoi(e + 1), decimals = digits - 1 - exponent;
    for (const char *c = text; c < e; c++)
        if (*c >= '0' && *c <= '9')
            digit[n++] = *c;
    snprintf(text, sizeof text, "%s%c.%.*se%d", signbit(d) ? "-" : "", digit[0], n > 1 ? n - 1 : 1,
             n > 1 ? digit + 1 : "0", exponent);
    bool long_one = fabs(d) >= 0x1p53 ||
                    snprintf(plain, sizeof plain, "%.*f", decimals > 1 ? decimals : 1, d) > (int)strlen(text);
    filter_print_text(long_one ? text : plain, to);
}

static void
put_binary(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to)
{
    ErlNifBinary bin;
    char byte[8];
    if (!enif_inspect_binary(env, t, &bin)) {
        filter_print_text("<<...>>", to);
        return;
    }
    filter_print_text("<<", to);
    for (size_t i = 0; i < bin.size && to->n < FILTER_TEXT; i++) {
        snprintf(byte, sizeof byte, "%s%u", i ? "," : "", bin.data[i]);
        filter_print_text(byte, to);
    }
    filter_print_text(">>", to);
}

static void print(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth);

static void
put_list(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    ERL_NIF_TERM head;
    filter_print_text("[", to);
    for (bool first = true; enif_get_list_cell(env, t, &head, &t) && to->n < FILTER_TEXT; first = false) {
        filter_print_text(first ? "" : ",", to);
        print(env, head, to, depth);
    }
    if (!enif_is_list(env, t)) {
        filter_print_text("|", to);
        print(env, t, to, depth);
    }
    filter_print_text("]", to);
}

static void
put_map(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    ErlNifMapIterator it;
    ERL_NIF_TERM key, value;
    filter_print_text("#{", to);
    if (enif_map_iterator_create(env, t, &it, ERL_NIF_MAP_ITERATOR_FIRST)) {
        for (bool first = true; enif_map_iterator_get_pair(env, &it, &key, &value) && to->n < FILTER_TEXT;
             first = false) {
            filter_print_text(first ? "" : ",", to);
            print(env, key, to, depth);
            filter_print_text(" => ", to);
            print(env, value, to, depth);
            enif_map_iterator_next(env, &it);
        }
        enif_map_iterator_destroy(env, &it);
    }
    filter_print_text("}", to);
}

static void
put_tuple(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    const ERL_NIF_TERM *at;
    int n = 0;
    enif_get_tuple(env, t, &n, &at);
    filter_print_text("{", to);
    for (int i = 0; i < n && to->n < FILTER_TEXT; i++) {
        filter_print_text(i ? "," : "", to);
        print(env, at[i], to, depth);
    }
    filter_print_text("}", to);
}

/* Prints atoms, pids and other terms whose text in the VM is bounded. */
static void
put_plain(ERL_NIF_TERM t, struct filter_text *to)
{
    char text[ATOM_TEXT];
    enif_snprintf(text, sizeof text, "%T", t);
    filter_print_text(text, to);
}

static void
print(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to, unsigned depth)
{
    ErlNifSInt64 i = 0;
    double d = 0;
    struct big big;
    char text[BIG_TEXT];
    if (to->n >= FILTER_TEXT)
        return;
    switch (enif_term_type(env, t)) {
    case ERL_NIF_TERM_TYPE_TUPLE:
    case ERL_NIF_TERM_TYPE_LIST:
    case ERL_NIF_TERM_TYPE_MAP:
        if (depth == 0)
            filter_print_text("...", to);
        else if (enif_is_tuple(env, t))
            put_tuple(env, t, to, depth - 1);
        else if (enif_is_list(env, t))
            put_list(env, t, to, depth - 1);
        else
            put_map(env, t, to, depth - 1);
        break;
    case ERL_NIF_TERM_TYPE_INTEGER:
        if (enif_get_int64(env, t, &i))
            big_from_int(&big, i);
        else if (!filter_read_big(env, t, &big)) {
            filter_print_text("<big>", to);
            break;
        }
        filter_print_text(big_text(&big, text), to);
        break;
    case ERL_NIF_TERM_TYPE_FLOAT:
        enif_get_double(env, t, &d);
        filter_print_float(d, to);
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
