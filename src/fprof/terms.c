#include "fprof/terms.h"
#include "trace/term/term_print.h"

/* ---- copies of terms: the terms of a table are small (functions, pids); their depth is bounded all the
 * same */

enum { DEEPEST = 64 };

static struct sb_etf
copy_term(struct sb_arena *a, const struct sb_etf *t, unsigned depth)
{
    struct sb_etf c = *t;
    uint32_t parts = 0;
    switch (t->kind) {
    case SB_TERM_ATOM:
        c.text = sb_arena_str(a, sb_etf_atom_text(t)).p;
        return c;
    case SB_TERM_BIG:
    case SB_TERM_BITS:
        c.bytes = (const uint8_t *)sb_arena_str(a, (struct sb_str){(const char *)t->bytes, t->n}).p;
        return c;
    case SB_TERM_PID:
    case SB_TERM_PORT:
    case SB_TERM_REF: {
        struct sb_etf_id *id = SB_NEW(a, struct sb_etf_id);
        *id = *t->id;
        id->node = sb_arena_str(a, t->id->node);
        if (t->kind == SB_TERM_REF) {
            uint32_t *word = SB_NEW_N(a, uint32_t, t->n);
            memcpy(word, t->id->word, t->n * sizeof *word);
            id->word = word;
        }
        c.id = id;
        return c;
    }
    case SB_TERM_TUPLE:
    case SB_TERM_FUN:
    case SB_TERM_EXPORT:
        parts = t->n;
        break;
    case SB_TERM_LIST:
        parts = t->n + 1;
        break;
    case SB_TERM_MAP:
        parts = 2 * t->n;
        break;
    default:
        return c;
    }
    if (depth == DEEPEST)
        return sb_etf_new_atom(SB_STR("..."));
    struct sb_etf *at = SB_NEW_N(a, struct sb_etf, parts ? parts : 1);
    for (uint32_t i = 0; i < parts; i++)
        at[i] = copy_term(a, &t->at[i], depth + 1);
    c.at = at;
    return c;
}

/* ---- the table */

void
fp_terms_init(struct fp_terms *t)
{
    static const char *const atoms[] = {
        [FP_UNDEFINED] = "undefined", [FP_SUSPEND] = "suspend", [FP_GARBAGE_COLLECT] = "garbage_collect"};
    *t = (struct fp_terms){.lock = PTHREAD_MUTEX_INITIALIZER};
    sb_intern_init(&t->keys);
    sb_out_to_memory(&t->key);
    *SB_PUSH(&t->term) = (struct sb_etf){.kind = SB_TERM_NIL};
    for (size_t i = FP_UNDEFINED; i <= FP_GARBAGE_COLLECT; i++) {
        struct sb_etf atom = sb_etf_new_atom(sb_str_of(atoms[i]));
        SB_ASSERT(fp_terms_put(t, &atom) == i);
    }
}

void
fp_terms_close(struct fp_terms *t)
{
    sb_intern_close(&t->keys);
    sb_out_abandon(&t->key);
    SB_VEC_FREE(&t->term);
    pthread_mutex_destroy(&t->lock);
}

static void
put_key(struct sb_out *key, const struct sb_etf *term)
{
    key->n = 0;
    if (fp_is_mfa(term)) { /* the same text as the pretty printer, with less work */
        for (size_t i = 0; i < 3; i++) {
            sb_out_char(key, i ? ',' : '{');
            sb_term_put_atomic(key, &term->at[i]);
        }
        sb_out_char(key, '}');
        return;
    }
    sb_term_print_flat(key, term, SB_TERM_PLAIN);
    if (term->kind == SB_TERM_PID || term->kind == SB_TERM_PORT) {
        sb_out_char(key, '@');
        sb_out_str(key, term->id->node);
        sb_out_printf(key, "@%u", term->id->creation);
    }
}

uint32_t
fp_terms_put(struct fp_terms *t, const struct sb_etf *term)
{
    pthread_mutex_lock(&t->lock);
    put_key(&t->key, term);
    uint32_t id = sb_intern_put(&t->keys, (struct sb_str){t->key.buf, t->key.n});
    if (id == t->term.n)
        *SB_PUSH(&t->term) = copy_term(&t->keys.arena, term, 0);
    pthread_mutex_unlock(&t->lock);
    return id;
}

static int
cmp_terms(const struct sb_etf *x, const struct sb_etf *y)
{
    if (!fp_is_mfa(x) || !fp_is_mfa(y))
        return sb_etf_cmp(x, y);
    int c = sb_str_cmp(sb_etf_atom_text(&x->at[0]), sb_etf_atom_text(&y->at[0]));
    c = c ? c : sb_str_cmp(sb_etf_atom_text(&x->at[1]), sb_etf_atom_text(&y->at[1]));
    return c ? c : (x->at[2].i > y->at[2].i) - (x->at[2].i < y->at[2].i);
}

static int
by_term(const void *a, const void *b, void *terms)
{
    const struct sb_etf *at = terms;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int c = cmp_terms(&at[x], &at[y]);
    return c ? c : (x > y) - (x < y);
}

uint32_t *
fp_terms_rank(const struct fp_terms *t)
{
    size_t n = t->term.n;
    uint32_t *order = sb_realloc_or_die(NULL, n * sizeof *order),
             *rank = sb_realloc_or_die(NULL, n * sizeof *rank);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_term, t->term.at);
    for (uint32_t i = 0; i < n; i++)
        rank[order[i]] = i;
    free(order);
    return rank;
}

/* ---- caches */

void
fp_cache_init(struct fp_cache *c, struct fp_terms *t)
{
    *c = (struct fp_cache){.terms = t, .slots = 256};
    c->slot = sb_realloc_or_die(NULL, c->slots * sizeof *c->slot);
    memset(c->slot, 0, c->slots * sizeof *c->slot);
    *SB_PUSH(&c->entry) = (struct fp_cached){.n = UINT32_MAX};
}

void
fp_cache_close(struct fp_cache *c)
{
    free(c->slot);
    SB_VEC_FREE(&c->entry);
    sb_arena_close(&c->arena);
    sb_arena_close(&c->scratch);
}

static void
enter(struct fp_cache *c, uint32_t entry)
{
    size_t i = c->entry.at[entry].hash & (c->slots - 1);
    while (c->slot[i])
        i = (i + 1) & (c->slots - 1);
    c->slot[i] = entry;
}

static void
grow(struct fp_cache *c)
{
    c->slots *= 2;
    c->slot = sb_realloc_or_die(c->slot, sb_mul_or_die(c->slots, sizeof *c->slot));
    memset(c->slot, 0, c->slots * sizeof *c->slot);
    for (uint32_t i = 1; i < c->entry.n; i++)
        enter(c, i);
}

uint32_t
fp_cache_add(struct fp_cache *c, uint64_t hash, const uint8_t *raw, size_t n)
{
    struct sb_etf term;
    sb_arena_reset(&c->scratch);
    uint32_t id = sb_etf_decode(raw, raw + n, &c->scratch, &term, NULL) ? fp_terms_put(c->terms, &term) : 0;
    bool function = id && term.kind == SB_TERM_TUPLE && term.n == 3 && term.at[2].kind <= SB_TERM_BIG;
    if (id == 0)
        return 0;
    if (c->entry.n * 2 >= c->slots)
        grow(c);
    uint8_t *copy = sb_arena_alloc(&c->arena, n, 8);
    memcpy(copy, raw, n);
    uint32_t entry = (uint32_t)c->entry.n;
    *SB_PUSH(&c->entry) =
        (struct fp_cached){.hash = hash, .raw = copy, .n = (uint32_t)n, .id = id, .function = function};
    enter(c, entry);
    return entry;
}
