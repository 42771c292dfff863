/*
 * The dictionary: each atom, function and node is written once to the shared memory, before a record refers
 * to its number. A thread looks in its own cache first; a miss takes the lock. Atoms are identified by their
 * word, which never changes while the VM runs.
 */
#include "dict.h"
#include <stdlib.h>

enum { RESERVE_BYTES = 1 << 16 };
enum { NEW_FUNS = 256, ATOM_EXT_MAX = 3 + 4 * 255 };

struct dict {
    ErlNifMutex *lock;
    struct sb_rings *rings;
    dict_reserve *reserve;
    uint64_t reserved; /* bytes of the dictionary that have memory */
    struct table {
        struct dict_slot *slot; /* id 0: free; cap is a power of two */
        uint32_t cap, n;
    } mfa, atom, node;
    unsigned n_new; /* funs that dict_new_funs has not returned */
    struct new_fun {
        ERL_NIF_TERM module;
        uint32_t id, atom, index, uniq;
    } new_fun[NEW_FUNS]; /* when it is full, further funs get their names from the drain alone */
};

struct dict *
dict_open(struct sb_rings *rings, dict_reserve *reserve)
{
    struct dict *d = enif_alloc(sizeof *d);
    if (!d)
        return NULL;
    *d = (struct dict){.rings = rings, .reserve = reserve, .lock = enif_mutex_create("strobe_dict")};
    if (!d->lock) {
        enif_free(d);
        return NULL;
    }
    return d;
}

void
dict_close(struct dict *d)
{
    if (!d)
        return;
    enif_mutex_destroy(d->lock);
    enif_free(d->mfa.slot);
    enif_free(d->atom.slot);
    enif_free(d->node.slot);
    enif_free(d);
}

static struct dict_slot *
find(const struct table *t, ERL_NIF_TERM m, ERL_NIF_TERM f, uint32_t arity)
{
    for (uint32_t i = dict_hash(m, f, arity);; i++) {
        struct dict_slot *s = &t->slot[i & (t->cap - 1)];
        if (!s->id || (s->m == m && s->f == f && s->arity == arity))
            return s;
    }
}

static bool
grow(struct table *t)
{
    if (t->cap && t->n < t->cap / 2)
        return true;
    uint32_t cap = t->cap ? t->cap * 2 : 1024;
    struct table bigger = {.slot = enif_alloc(sizeof *t->slot * cap), .cap = cap, .n = t->n};
    if (!bigger.slot)
        return false;
    memset(bigger.slot, 0, sizeof *t->slot * cap);
    for (uint32_t i = 0; i < t->cap; i++)
        if (t->slot[i].id)
            *find(&bigger, t->slot[i].m, t->slot[i].f, t->slot[i].arity) = t->slot[i];
    enif_free(t->slot);
    *t = bigger;
    return true;
}

/* Reserves memory up to `end`. Call with the lock held. */
static bool
has_memory(struct dict *d, uint64_t end)
{
    while (d->reserved < end) {
        uint64_t left = d->rings->dict_bytes - d->reserved,
                 step = left < RESERVE_BYTES ? left : RESERVE_BYTES;
        if (!d->reserve(d->rings->dict_at + d->reserved, step))
            return false;
        d->reserved += step;
    }
    return true;
}

/* Appends an entry; the drain sees it only when it is complete. Call with the lock held. */
static bool
append(struct dict *d, struct sb_dict_entry e, const void *bytes1, size_t n1, const void *bytes2, size_t n2)
{
    struct sb_rings *r = d->rings;
    uint64_t used = atomic_load_explicit(&r->dict_used, memory_order_relaxed);
    uint64_t need = sb_dict_entry_bytes(e.n);
    if (n1 + n2 != e.n || need > r->dict_bytes - used || !has_memory(d, used + need)) {
        atomic_fetch_add(&r->dropped[SB_DICTIONARY], 1);
        return false;
    }
    uint8_t *p = (uint8_t *)r + r->dict_at + used;
    memcpy(p, &e, sizeof e);
    if (n1)
        memcpy(p + sizeof e, bytes1, n1);
    if (n2)
        memcpy(p + sizeof e + n1, bytes2, n2);
    atomic_store_explicit(&r->dict_used, used + need, memory_order_release);
    return true;
}

/* Returns the next id of table t for this key, and writes it as entry e. Call with the lock held. */
static uint32_t
add(struct dict *d, struct table *t, struct dict_slot key, struct sb_dict_entry e, const void *bytes)
{
    if (!grow(t))
        return 0;
    struct dict_slot *s = find(t, key.m, key.f, key.arity);
    if (s->id)
        return s->id;
    if (!append(d, e, bytes, e.n, NULL, 0))
        return 0;
    key.id = ++t->n;
    *s = key;
    return key.id;
}

/* Returns the text of an atom as UTF-8. enif_get_atom supports only Latin-1 before OTP 26; the external
 * form has all. */
static size_t
atom_text(ErlNifEnv *env, ERL_NIF_TERM atom, uint8_t out[1024])
{
    ErlNifBinary bin;
    size_t n = 0;
    if (!enif_term_to_binary(env, atom, &bin))
        return 0;
    const uint8_t *p = bin.data;
    if (bin.size >= 4 && (p[1] == 100 || p[1] == 118)) /* ATOM_EXT, ATOM_UTF8_EXT: a length of two bytes */
        n = bin.size - 4, p += 4;
    else if (bin.size >= 3 && (p[1] == 115 || p[1] == 119))
        n = bin.size - 3, p += 3;
    bool latin1 = bin.data[1] == 100 || bin.data[1] == 115;
    size_t k = 0;
    for (size_t i = 0; i < n && k + 2 <= 1024; i++) {
        if (latin1 && p[i] >= 0x80) {
            out[k++] = (uint8_t)(0xc0 | p[i] >> 6);
            out[k++] = (uint8_t)(0x80 | (p[i] & 0x3f));
        } else
            out[k++] = p[i];
    }
    enif_release_binary(&bin);
    return k;
}

static uint32_t
atom_locked(ErlNifEnv *env, struct dict *d, ERL_NIF_TERM atom)
{
    uint8_t text[1024];
    if (d->atom.n) {
        struct dict_slot *s = find(&d->atom, atom, 0, 0);
        if (s->id)
            return s->id;
    }
    size_t n = atom_text(env, atom, text);
    struct sb_dict_entry e = {.kind = SB_DICT_ATOM, .n = (uint16_t)n};
    return add(d, &d->atom, (struct dict_slot){.m = atom}, e, text);
}

uint32_t
dict_atom(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM atom)
{
    struct dict_slot *hit = &w->atom[dict_hash(atom, 0, 0) & (CACHE_ATOM - 1)];
    if (hit->id && hit->m == atom)
        return hit->id;
    if (!enif_is_atom(env, atom))
        return 0;
    enif_mutex_lock(capture.dict->lock);
    uint32_t id = atom_locked(env, capture.dict, atom);
    enif_mutex_unlock(capture.dict->lock);
    *hit = (struct dict_slot){.m = atom, .id = id};
    return id;
}

static uint32_t
mfa_locked(ErlNifEnv *env, struct dict *d, ERL_NIF_TERM m, ERL_NIF_TERM f, uint32_t arity)
{
    struct sb_dict_entry e = {.kind = SB_DICT_MFA, .arity = (uint8_t)arity};
    e.a = atom_locked(env, d, m);
    e.b = atom_locked(env, d, f);
    if (!e.a || !e.b)
        return 0;
    return add(d, &d->mfa, (struct dict_slot){.m = m, .f = f, .arity = arity}, e, NULL);
}

uint32_t
dict_mfa(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM m, ERL_NIF_TERM f, uint32_t arity)
{
    ERL_NIF_TERM word = (ERL_NIF_TERM)arity << 4 | LAYOUT_SMALL;
    struct dict_slot *slot = dict_place(w, m, f, word);
    if (dict_is_at(slot, m, f, word)) {
        slot->count++;
        return slot->id;
    }
    if (!enif_is_atom(env, m) || !enif_is_atom(env, f) || arity > 255)
        return 0;
    enif_mutex_lock(capture.dict->lock);
    uint32_t id = mfa_locked(env, capture.dict, m, f, arity);
    enif_mutex_unlock(capture.dict->lock);
    if (id)
        *slot = (struct dict_slot){.m = m, .f = f, .arity = (uint32_t)word, .id = id};
    return id;
}

uint32_t
dict_any_mfa_tuple(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM tuple)
{
    const ERL_NIF_TERM *at;
    int n;
    unsigned arity;
    if (!enif_get_tuple(env, tuple, &n, &at) || n != 3)
        return 0;
    if (!enif_get_uint(env, at[2], &arity) && !enif_get_list_length(env, at[2], &arity))
        return 0;
    return dict_mfa(env, w, at[0], at[1], arity);
}

/* Returns the functions with the most records. Other threads count meanwhile, so the counts are
 * approximate. */
ERL_NIF_TERM
dict_hot(ErlNifEnv *env, uint32_t at_least)
{
    ERL_NIF_TERM list = enif_make_list(env, 0);
    for (unsigned i = 0; i < capture.n_rings; i++) {
        if (!atomic_load(&sb_rings_at(capture.rings, i)->claimed))
            continue;
        for (unsigned k = 0; k < CACHE_MFA; k++) {
            struct dict_slot *s = &capture.workers[i].mfa[k];
            uint32_t count = s->count;
            if (!s->id || count < at_least)
                continue;
            s->count = 0;
            ERL_NIF_TERM hot = enif_make_tuple4(env, enif_make_uint(env, count), s->m, s->f,
                                                enif_make_uint(env, s->arity >> 4));
            list = enif_make_list_cell(env, hot, list);
        }
    }
    return list;
}

/*
 * A fun prints as #Fun<module.index.uniq>, without its environment. Module and index go into the dictionary; the
 * session asks the VM for the name of that function, or else the drain finds it in the module's file.
 */
static uint32_t
fun_locked(ErlNifEnv *env, struct dict *d, ERL_NIF_TERM fun)
{
    char text[600];
    ERL_NIF_TERM module;
    enif_snprintf(text, sizeof text, "%T", fun);
    char *name = text + 5, *last = strrchr(text, '.'), *index = NULL, *end = NULL;
    if (strncmp(text, "#Fun<", 5) != 0 || !last)
        return 0;
    *last = 0;
    index = strrchr(name, '.');
    if (!index)
        return 0;
    *index++ = 0;
    unsigned long number = strtoul(index, &end, 10), uniq = strtoul(last + 1, NULL, 10);
    size_t n = strlen(name);
    if (end == index || *end || number > UINT32_MAX)
        return 0;
    if (n > 2 && name[0] == '\'')
        name++, n -= 2;
    if (!enif_make_existing_atom_len(env, name, n, &module, ERL_NIF_LATIN1))
        return 0;
    struct sb_dict_entry e = {.kind = SB_DICT_FUN, .a = atom_locked(env, d, module), .b = (uint32_t)number};
    /* a function's name is never a small integer, so the keys cannot collide */
    struct dict_slot key = {.m = module, .f = enif_make_ulong(env, number)};
    uint32_t known = d->mfa.n, id = e.a ? add(d, &d->mfa, key, e, NULL) : 0;
    if (id > known && d->n_new < NEW_FUNS)
        d->new_fun[d->n_new++] = (struct new_fun){module, id, e.a, (uint32_t)number, (uint32_t)uniq};
    return id;
}

ERL_NIF_TERM
dict_new_funs(ErlNifEnv *env)
{
    struct dict *d = capture.dict;
    ERL_NIF_TERM list = enif_make_list(env, 0);
    enif_mutex_lock(d->lock);
    for (; d->n_new > 0; d->n_new--) {
        const struct new_fun *f = &d->new_fun[d->n_new - 1];
        ERL_NIF_TERM fun =
            enif_make_tuple5(env, enif_make_uint(env, f->id), f->module, enif_make_uint(env, f->index),
                             enif_make_uint(env, f->uniq), enif_make_uint(env, f->atom));
        list = enif_make_list_cell(env, fun, list);
    }
    enif_mutex_unlock(d->lock);
    return list;
}

bool
dict_name_fun(uint32_t id, uint32_t atom, const uint8_t *name, size_t n, uint8_t arity)
{
    if (n > UINT16_MAX)
        return false;
    struct sb_dict_entry e = {.kind = SB_DICT_FUN_NAME, .arity = arity, .n = (uint16_t)n, .a = id, .b = atom};
    enif_mutex_lock(capture.dict->lock);
    bool ok = append(capture.dict, e, name, n, NULL, 0);
    enif_mutex_unlock(capture.dict->lock);
    return ok;
}

/* Returns the function of `fun M:F/A`, 0 for other funs. Its external form is short, since it has no environment. */
static uint32_t
exported(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM fun)
{
    enum { EXPORT_EXT = 113, SMALL_TUPLE_EXT = 104 };
    char text[8];
    ErlNifBinary bin;
    uint8_t tuple[3 + 2 * ATOM_EXT_MAX + 2] = {131, SMALL_TUPLE_EXT, 3};
    uint32_t id = 0;
    enif_snprintf(text, sizeof text, "%T", fun);
    if (strncmp(text, "fun ", 4) != 0 || !enif_term_to_binary(env, fun, &bin))
        return 0;
    ErlNifEnv *own = enif_alloc_env();
    if (own && bin.size > 2 && bin.size < sizeof tuple && bin.data[1] == EXPORT_EXT) {
        ERL_NIF_TERM mfa;
        memcpy(tuple + 3, bin.data + 2, bin.size - 2);
        if (enif_binary_to_term(own, tuple, bin.size + 1, &mfa, 0))
            id = dict_mfa_tuple(own, w, mfa);
    }
    if (own)
        enif_free_env(own);
    enif_release_binary(&bin);
    return id;
}

uint32_t
dict_fun(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM fun)
{
    ERL_NIF_TERM key =
        capture.layout.fun_word && (fun & 3) == 2 ? ((const ERL_NIF_TERM *)(fun & ~(ERL_NIF_TERM)3))[1] : 0;
    struct dict_slot *hit = &w->fun[dict_hash(key, 0, 0) & (CACHE_FUN - 1)];
    if (key && hit->id && hit->m == key)
        return hit->id;
    uint32_t id = exported(env, w, fun);
    if (!id) {
        enif_mutex_lock(capture.dict->lock);
        id = fun_locked(env, capture.dict, fun);
        enif_mutex_unlock(capture.dict->lock);
    }
    *hit = (struct dict_slot){.m = key, .id = id};
    return id;
}

/* Adds a node. `name` is as in an external term. The key is an atom of that name and the creation. */
uint32_t
dict_node(ErlNifEnv *env, struct worker *w, const uint8_t *name, uint16_t n, uint32_t creation)
{
    ERL_NIF_TERM atom;
    if (!enif_make_existing_atom_len(env, (const char *)name, n, &atom, ERL_NIF_LATIN1))
        return 0;
    enif_mutex_lock(capture.dict->lock);
    struct dict *d = capture.dict;
    struct sb_dict_entry e = {.kind = SB_DICT_NODE, .b = creation};
    e.a = atom_locked(env, d, atom);
    uint32_t id = 0;
    if (e.a && d->node.n < SB_ACTOR_NODES - 1)
        id = add(d, &d->node, (struct dict_slot){.m = atom, .f = creation}, e, NULL);
    enif_mutex_unlock(d->lock);
    (void)w;
    return id;
}

bool
dict_note(const uint8_t *key, size_t key_n, const uint8_t *value, size_t value_n)
{
    size_t room = UINT16_MAX - 1 - key_n;
    if (key_n > 255)
        return false;
    value_n = value_n < room ? value_n : room;
    uint8_t head[256];
    memcpy(head, key, key_n);
    head[key_n] = 0;
    struct sb_dict_entry e = {.kind = SB_DICT_NOTE, .n = (uint16_t)(key_n + 1 + value_n)};
    enif_mutex_lock(capture.dict->lock);
    bool ok = append(capture.dict, e, head, key_n + 1, value, value_n);
    enif_mutex_unlock(capture.dict->lock);
    return ok;
}
