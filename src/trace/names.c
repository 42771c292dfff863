/*
 * Storage of the dictionary. Entries are in chunks that double in size and never move, so an entry is read by
 * its id without a lock. The id of a value is found through one of 64 tables, chosen by hash, each with its
 * own lock. Decoders cache recent ids and rarely get here.
 *
 *     chunk 0: ids 0 .. 4095   chunk 1: 4096 .. 12287   chunk k: 4096 << k entries
 */
#include "trace/names.h"
#include "base/hash.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SHARDS = 64, CHUNKS = 20, FIRST_CHUNK_BITS = 12 };

struct entry {
    uint32_t kind;
    uint32_t n; /* length of a text, arity of a function */
    union {
        const char *p;
        struct {
            uint32_t m, f;
        } mfa;
    };
};

struct shard {
    pthread_mutex_t lock;
    struct sb_arena text;
    struct found {
        uint64_t hash;
        uint32_t id; /* 0: free */
    } * slot;
    size_t n, cap;
};

struct node {
    uint32_t atom, creation;
};

struct odd {
    unsigned kind, node;
    uint64_t serial, number;
};

struct sb_names {
    _Atomic(struct entry *) chunk[CHUNKS];
    _Atomic uint32_t next;
    _Atomic uint64_t left_out;
    struct shard shard[SHARDS];
    pthread_mutex_t lock; /* for rare additions: chunks, nodes, odd pids */
    struct node node[SB_ACTOR_NODES];
    _Atomic unsigned n_nodes;
    _Atomic(struct odd *) odd[CHUNKS];
    uint32_t n_odd;
};

/* Returns the chunk of an index and sets the place in it. */
static unsigned
chunk_of(uint32_t index, size_t *at)
{
    uint64_t shifted = (uint64_t)index + (1u << FIRST_CHUNK_BITS);
    unsigned top = 63 - (unsigned)__builtin_clzll(shifted);
    *at = shifted - (1ull << top);
    return top - FIRST_CHUNK_BITS;
}

static void *
new_chunk(unsigned k, size_t elem)
{
    return sb_zeroed_or_die((size_t)1 << (FIRST_CHUNK_BITS + k), elem);
}

struct sb_names *
sb_names_open(void)
{
    struct sb_names *n = sb_zeroed_or_die(1, sizeof *n);
    pthread_mutex_init(&n->lock, NULL);
    for (unsigned i = 0; i < SHARDS; i++)
        pthread_mutex_init(&n->shard[i].lock, NULL);
    atomic_store(&n->chunk[0], new_chunk(0, sizeof(struct entry)));
    atomic_store(&n->next, 1);
    atomic_store(&n->n_nodes, 1);
    return n;
}

void
sb_names_close(struct sb_names *n)
{
    if (!n)
        return;
    for (unsigned i = 0; i < SHARDS; i++) {
        sb_arena_close(&n->shard[i].text);
        free(n->shard[i].slot);
        pthread_mutex_destroy(&n->shard[i].lock);
    }
    for (unsigned i = 0; i < CHUNKS; i++) {
        free(atomic_load(&n->chunk[i]));
        free(atomic_load(&n->odd[i]));
    }
    pthread_mutex_destroy(&n->lock);
    free(n);
}

static const struct entry *
entry_of(const struct sb_names *n, uint32_t id)
{
    static const struct entry none;
    size_t at;
    unsigned k = chunk_of(id, &at);
    const struct entry *chunk = k < CHUNKS ? atomic_load_explicit(&n->chunk[k], memory_order_acquire) : NULL;
    return chunk ? &chunk[at] : &none;
}

/* Returns a new id and its entry, to be filled in; 0 when the dictionary is full. */
static uint32_t
new_id(struct sb_names *n, struct entry **place)
{
    uint32_t id = atomic_fetch_add(&n->next, 1);
    if (id >= SB_NAMES_MOST) {
        atomic_fetch_sub(&n->next, 1);
        atomic_fetch_add(&n->left_out, 1);
        return 0;
    }
    size_t at;
    unsigned k = chunk_of(id, &at);
    struct entry *chunk = atomic_load_explicit(&n->chunk[k], memory_order_acquire);
    if (!chunk) {
        pthread_mutex_lock(&n->lock);
        chunk = atomic_load(&n->chunk[k]);
        if (!chunk)
            atomic_store_explicit(&n->chunk[k], chunk = new_chunk(k, sizeof *chunk), memory_order_release);
        pthread_mutex_unlock(&n->lock);
    }
    *place = &chunk[at];
    return id;
}

static bool
same(const struct entry *a, const struct entry *b)
{
    if (a->kind != b->kind || a->n != b->n)
        return false;
    if (a->kind == SB_NAME_MFA)
        return a->mfa.m == b->mfa.m && a->mfa.f == b->mfa.f;
    return a->n == 0 || memcmp(a->p, b->p, a->n) == 0;
}

static void
grow(struct shard *s)
{
    struct found *old = s->slot;
    size_t old_cap = s->cap;
    s->cap = old_cap ? old_cap * 2 : 64;
    s->slot = sb_zeroed_or_die(s->cap, sizeof *s->slot);
    for (size_t i = 0; i < old_cap; i++) {
        if (!old[i].id)
            continue;
        size_t at = old[i].hash & (s->cap - 1);
        while (s->slot[at].id)
            at = (at + 1) & (s->cap - 1);
        s->slot[at] = old[i];
    }
    free(old);
}

static uint32_t
put_locked(struct sb_names *n, struct shard *s, const struct entry *wanted, uint64_t hash)
{
    if (s->n >= s->cap / 4 * 3)
        grow(s);
    size_t at = hash & (s->cap - 1);
    for (; s->slot[at].id; at = (at + 1) & (s->cap - 1))
        if (s->slot[at].hash == hash && same(entry_of(n, s->slot[at].id), wanted))
            return s->slot[at].id;
    struct entry *place;
    uint32_t id = new_id(n, &place);
    if (id == 0)
        return 0;
    *place = *wanted;
    if (wanted->kind != SB_NAME_MFA)
        place->p = sb_arena_str(&s->text, (struct sb_str){wanted->p, wanted->n}).p;
    s->slot[at] = (struct found){hash, id};
    s->n++;
    return id;
}

static uint32_t
put(struct sb_names *n, const struct entry *wanted, uint64_t hash)
{
    struct shard *s = &n->shard[hash >> 58];
    pthread_mutex_lock(&s->lock);
    uint32_t id = put_locked(n, s, wanted, hash);
    pthread_mutex_unlock(&s->lock);
    return id;
}

static uint32_t
put_str(struct sb_names *n, enum sb_name_kind kind, struct sb_str s)
{
    if (s.n > UINT32_MAX)
        s.n = UINT32_MAX;
    struct entry e = {.kind = kind, .n = (uint32_t)s.n, .p = s.p};
    return put(n, &e, sb_mix64(sb_hash_str(s) + (uint64_t)kind));
}

uint32_t
sb_names_atom(struct sb_names *n, struct sb_str utf8)
{
    return put_str(n, SB_NAME_ATOM, utf8);
}

uint32_t
sb_names_text(struct sb_names *n, struct sb_str utf8)
{
    return put_str(n, SB_NAME_TEXT, utf8);
}

uint32_t
sb_names_mfa(struct sb_names *n, struct sb_mfa mfa)
{
    struct entry e = {.kind = SB_NAME_MFA, .n = mfa.arity, .mfa = {mfa.m, mfa.f}};
    return put(n, &e, sb_mix64(sb_mix64((uint64_t)mfa.m << 32 | mfa.f) + mfa.arity));
}

void
sb_names_set_traced_node(struct sb_names *n, uint32_t atom, uint32_t creation)
{
    n->node[0] = (struct node){atom, creation};
}

/* Finds the index of a known node. Once the table is full, the last index stands for all further nodes. */
static bool
find_node(struct sb_names *n, struct node wanted, uint32_t *index)
{
    unsigned known = atomic_load_explicit(&n->n_nodes, memory_order_acquire);
    for (unsigned i = 0; i < known; i++)
        if (n->node[i].atom == wanted.atom && n->node[i].creation == wanted.creation) {
            *index = i;
            return true;
        }
    *index = SB_ACTOR_NODES - 1;
    return known == SB_ACTOR_NODES;
}

uint32_t
sb_names_node(struct sb_names *n, uint32_t atom, uint32_t creation)
{
    struct node wanted = {atom, creation};
    uint32_t index;
    if (find_node(n, wanted, &index))
        return index;
    pthread_mutex_lock(&n->lock);
    if (!find_node(n, wanted, &index)) {
        index = atomic_load(&n->n_nodes);
        n->node[index] = wanted;
        atomic_store_explicit(&n->n_nodes, index + 1, memory_order_release);
    }
    pthread_mutex_unlock(&n->lock);
    return index;
}

unsigned
sb_names_node_called(struct sb_names *n, uint32_t atom)
{
    return n->node[0].atom == atom ? 0 : sb_names_node(n, atom, 0);
}

static bool
same_odd(const struct odd *a, const struct odd *b)
{
    return a->kind == b->kind && a->node == b->node && a->serial == b->serial && a->number == b->number;
}

static struct odd *
odd_at(const struct sb_names *n, uint32_t index)
{
    size_t at;
    unsigned k = chunk_of(index, &at);
    return atomic_load_explicit(&n->odd[k], memory_order_acquire) + at;
}

/* Adds a pid or port with large numbers. These are rare, so a linear search from the newest is enough;
 * hostile input is cut off. */
static uint32_t
put_odd(struct sb_names *n, const struct odd *wanted)
{
    enum { MOST = 4096 };
    for (uint32_t i = n->n_odd; i-- > 0;)
        if (same_odd(odd_at(n, i), wanted))
            return i;
    if (n->n_odd == MOST) {
        atomic_fetch_add(&n->left_out, 1);
        return MOST - 1;
    }
    if (n->n_odd == 0)
        atomic_store_explicit(&n->odd[0], new_chunk(0, sizeof *wanted), memory_order_release);
    *odd_at(n, n->n_odd) = *wanted;
    return n->n_odd++;
}

sb_actor
sb_names_pid(struct sb_names *n, enum sb_actor_kind kind, unsigned node, uint64_t serial, uint64_t number)
{
    if (serial <= 0xffffff && number <= 0xfffffff)
        return sb_actor_make(kind, node, serial, number);
    struct odd wanted = {kind, node, serial, number};
    pthread_mutex_lock(&n->lock);
    uint32_t index = put_odd(n, &wanted);
    pthread_mutex_unlock(&n->lock);
    return sb_actor_make(SB_ODD, node, 0, index);
}

void
sb_names_odd_parts(const struct sb_names *n, sb_actor odd, unsigned *node, uint64_t *serial, uint64_t *number)
{
    const struct odd *o = odd_at(n, sb_actor_number(odd));
    *node = o->node;
    *serial = o->serial;
    *number = o->number;
}

bool
sb_names_odd_is_port(const struct sb_names *n, sb_actor odd)
{
    return odd_at(n, sb_actor_number(odd))->kind == SB_PORT;
}

enum sb_name_kind
sb_names_kind(const struct sb_names *n, uint32_t id)
{
    return (enum sb_name_kind)entry_of(n, id)->kind;
}

struct sb_str
sb_names_str(const struct sb_names *n, uint32_t id)
{
    const struct entry *e = entry_of(n, id);
    bool has_text = e->kind == SB_NAME_ATOM || e->kind == SB_NAME_TEXT;
    return has_text ? (struct sb_str){e->p, e->n} : (struct sb_str){0};
}

struct sb_mfa
sb_names_mfa_of(const struct sb_names *n, uint32_t id)
{
    const struct entry *e = entry_of(n, id);
    return e->kind == SB_NAME_MFA ? (struct sb_mfa){e->mfa.m, e->mfa.f, e->n} : (struct sb_mfa){0};
}

struct sb_str
sb_names_node_name(const struct sb_names *n, unsigned node, uint32_t *creation)
{
    bool known = node < atomic_load_explicit(&n->n_nodes, memory_order_acquire);
    struct node found = known ? n->node[node] : (struct node){0};
    if (creation)
        *creation = found.creation;
    return sb_names_str(n, found.atom);
}

unsigned
sb_names_nodes(const struct sb_names *n)
{
    return atomic_load(&n->n_nodes);
}

uint32_t
sb_names_count(const struct sb_names *n)
{
    return atomic_load(&n->next);
}
