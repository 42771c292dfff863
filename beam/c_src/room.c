#include "room.h"

/* The VM exports its functions to NIFs, these too. */
__attribute__((weak)) room_finder erts_pid2proc_opt;
__attribute__((weak)) room_function_finder erts_find_function_from_pc;

enum { WORDS = 48, PROBES = 8 }; /* how far into a process is searched */

enum size { BLOCK, USED, STACK, SIZES };
struct probe {
    const uint64_t *word;
    uint64_t bytes[SIZES];
    struct room_function waits; /* in this function */
};

static bool
read_probe(ErlNifEnv *env, ERL_NIF_TERM t, struct probe *p)
{
    const ERL_NIF_TERM *at;
    const ERL_NIF_TERM *mfa;
    int n, three;
    if (!enif_get_tuple(env, t, &n, &at) || n != 2 + SIZES ||
        !enif_get_tuple(env, at[1 + SIZES], &three, &mfa) || three != 3)
        return false;
    ErlNifUInt64 arity;
    if (!enif_get_uint64(env, mfa[2], &arity))
        return false;
    p->waits = (struct room_function){mfa[0], mfa[1], arity};
    for (int i = 0; i < SIZES; i++) {
        ErlNifUInt64 words;
        if (!enif_get_uint64(env, at[1 + i], &words))
            return false;
        p->bytes[i] = words * sizeof(ERL_NIF_TERM);
    }
    p->word = erts_pid2proc_opt(NULL, 0, at[0], 0, 0);
    return p->word != NULL;
}

/* Returns the only word with this distance to the known word in each probe; WORDS: there is none, or more than one. */
static unsigned
find_word(const struct probe *p, size_t n, enum size size, unsigned known)
{
    unsigned found = WORDS;
    for (unsigned w = 0; w < WORDS; w++) {
        size_t fits = 0;
        while (fits < n && (size == STACK ? p[fits].word[known] - p[fits].word[w]
                                          : p[fits].word[w] - p[fits].word[known]) == p[fits].bytes[size])
            fits++;
        if (fits == n && found != WORDS)
            return WORDS;
        if (fits == n)
            found = w;
    }
    return found;
}

/* Tries each word as the one with the begin of the heap. */
static bool
find_words(const struct probe *p, size_t n, struct room *room)
{
    unsigned found = 0;
    for (unsigned heap = 0; heap < WORDS; heap++) {
        unsigned end = find_word(p, n, BLOCK, heap), top = find_word(p, n, USED, heap);
        unsigned stop = end < WORDS ? find_word(p, n, STACK, end) : WORDS;
        if (top < WORDS && stop < WORDS) {
            room->top = top;
            room->stop = stop;
            found++;
        }
    }
    return found == 1;
}

static bool
is_in(const struct room_function *is, const struct room_function *expected)
{
    return is && is->module == expected->module && is->function == expected->function &&
           is->arity == expected->arity;
}

/* Finds the only word that is a place in the function where each probe waits. */
static void
find_place(const struct probe *p, size_t n, struct room *room)
{
    unsigned found = 0;
    for (unsigned w = 0; w < WORDS; w++) {
        size_t fits = 0;
        while (fits < n && is_in(erts_find_function_from_pc(p[fits].word[w]), &p[fits].waits))
            fits++;
        if (fits == n) {
            room->place = w;
            found++;
        }
    }
    room->find_function = found == 1 ? erts_find_function_from_pc : NULL;
}

static void
find_hibernating(ErlNifEnv *env, ERL_NIF_TERM list, struct room *room)
{
    ERL_NIF_TERM head;
    struct probe p;
    if (!room->find_function || !enif_get_list_cell(env, list, &head, &list) || !read_probe(env, head, &p) ||
        room->find_function(p.word[room->place]))
        return;
    room->hibernates_at = p.word[room->place];
    room->hibernates = p.waits;
}

void
room_learn(ErlNifEnv *env, ERL_NIF_TERM probe, struct room *room)
{
    struct probe p[PROBES];
    const ERL_NIF_TERM *at;
    ERL_NIF_TERM list, head;
    int three;
    size_t n = 0;
    *room = (struct room){.careful = true};
    if (!enif_get_tuple(env, probe, &three, &at) || three != 3)
        return;
    room->careful = enif_is_identical(at[0], enif_make_atom(env, "true"));
    list = at[1];
    if (!erts_pid2proc_opt || sizeof(ERL_NIF_TERM) != sizeof(uint64_t))
        return;
    for (; n < PROBES && enif_get_list_cell(env, list, &head, &list); n++)
        if (!read_probe(env, head, &p[n]))
            return;
    if (n > 1 && find_words(p, n, room)) {
        room->find = erts_pid2proc_opt;
        if (erts_find_function_from_pc)
            find_place(p, n, room);
        find_hibernating(env, at[2], room);
        room->careful |= room->find_function != NULL;
    }
}
