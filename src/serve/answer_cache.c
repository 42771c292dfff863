#include "serve/answer_cache.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *question; /* NULL: free */
    size_t n_question;
    char *answer; /* NULL: a worker is computing it */
    size_t n_answer;
    uint64_t used; /* number of the question that used it last */
};

struct sb_answer_cache {
    pthread_mutex_t lock;
    pthread_cond_t known;
    uint64_t now;
    struct entry at[SB_KEPT_ANSWERS];
};

struct sb_answer_cache *
sb_answer_cache_open(void)
{
    struct sb_answer_cache *k = sb_realloc_or_die(NULL, sizeof *k);
    memset(k, 0, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->known, NULL);
    return k;
}

static void
clear(struct entry *e)
{
    free(e->question);
    free(e->answer);
    *e = (struct entry){0};
}

void
sb_answer_cache_close(struct sb_answer_cache *k)
{
    for (size_t i = 0; i < SB_KEPT_ANSWERS; i++)
        clear(&k->at[i]);
    pthread_cond_destroy(&k->known);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

static char *
copy(const char *p, size_t n)
{
    char *to = sb_realloc_or_die(NULL, n + 1);
    memcpy(to, p, n);
    return to;
}

static struct entry *
find(struct sb_answer_cache *k, struct sb_str question)
{
    for (size_t i = 0; i < SB_KEPT_ANSWERS; i++)
        if (k->at[i].question && sb_str_eq(question, (struct sb_str){k->at[i].question, k->at[i].n_question}))
            return &k->at[i];
    return NULL;
}

/* Returns a free entry, else the least recently used one; NULL if all are being computed. */
static struct entry *
make_room(struct sb_answer_cache *k)
{
    struct entry *oldest = NULL;
    for (size_t i = 0; i < SB_KEPT_ANSWERS; i++) {
        struct entry *e = &k->at[i];
        if (!e->question)
            return e;
        if (e->answer && (!oldest || e->used < oldest->used))
            oldest = e;
    }
    if (oldest)
        clear(oldest);
    return oldest;
}

bool
sb_answer_cache_get(struct sb_answer_cache *k, struct sb_str question, struct sb_out *out)
{
    struct entry *e;
    pthread_mutex_lock(&k->lock);
    while ((e = find(k, question)) && !e->answer)
        pthread_cond_wait(&k->known, &k->lock);
    bool found = e != NULL;
    if (found)
        sb_out_bytes(out, e->answer, e->n_answer);
    else if ((e = make_room(k)))
        *e = (struct entry){.question = copy(question.p, question.n), .n_question = question.n};
    if (e)
        e->used = ++k->now;
    pthread_mutex_unlock(&k->lock);
    return found;
}

void
sb_answer_cache_put(struct sb_answer_cache *k, struct sb_str question, const struct sb_out *answer)
{
    pthread_mutex_lock(&k->lock);
    struct entry *e = find(k, question);
    if (e && !e->answer) {
        if (answer && answer->n <= SB_KEPT_BYTES) {
            e->answer = copy(answer->buf, answer->n);
            e->n_answer = answer->n;
        } else
            clear(e);
        pthread_cond_broadcast(&k->known);
    }
    pthread_mutex_unlock(&k->lock);
}
