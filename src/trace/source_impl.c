/* Records what a format finds out about its trace. */
#include "trace/source_impl.h"
#include <sys/mman.h>

enum { DAMAGE_KEPT = 1000, PAGE = 4096, AROUND = 16 * PAGE /* bytes that one page fault maps */ };

void
sb_source_damaged(struct sb_source *s, uint32_t file, uint64_t at_byte, uint64_t bytes, const char *fmt, ...)
{
    struct sb_damage d = {.file = file, .at_byte = at_byte, .bytes = bytes};
    if (s->quiet)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(d.what, sizeof d.what, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&s->lock);
    s->info.damages++;
    if (s->info.damage.n < DAMAGE_KEPT)
        *SB_PUSH(&s->info.damage) = d;
    pthread_mutex_unlock(&s->lock);
}

void
sb_source_lost(struct sb_source *s, enum sb_class cls, uint64_t events)
{
    if (s->quiet)
        return;
    pthread_mutex_lock(&s->lock);
    uint64_t *count = cls < SB_CLASSES ? &s->info.lost[cls] : &s->info.lost_any;
    *count = sb_amount_sum(*count, events);
    pthread_mutex_unlock(&s->lock);
}

void
sb_source_note(struct sb_source *s, const char *key, struct sb_str value)
{
    *SB_PUSH(&s->info.notes) =
        (struct sb_note){sb_arena_str(&s->arena, sb_str_of(key)), sb_arena_str(&s->arena, value)};
}

void
sb_source_end_here(struct sb_source *s, int64_t known_ns)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%lld", (long long)known_ns);
    sb_source_note(s, SB_SOURCE_UNFINISHED, SB_STR("the trace is still being written"));
    sb_source_note(s, "known_until_ns", (struct sb_str){text, (size_t)n});
}

void
sb_source_done_with(const struct sb_source *s, const struct sb_block *b)
{
    const struct sb_file *map = &s->file[b->file].map;
    /* the size of a damaged block may be too large */
    uint64_t left = b->at_byte < map->n ? map->n - b->at_byte : 0;
    uint64_t from = b->at_byte / AROUND * AROUND;
    uint64_t to = (b->at_byte + (b->size < left ? b->size : left)) / PAGE * PAGE;
    if (to > from && left > 0)
        madvise((void *)(map->p + from), to - from, MADV_DONTNEED);
}
