#include "live/drain/drain_facts.h"
#include "base/progress.h"

bool
sb_drain_names_put(struct sb_sbt_writer *out, const struct sb_layout *l, uint64_t from, uint64_t to,
                   struct sb_err *e)
{
    bool ok = true;
    for (uint64_t n; ok && from < to; from += n) {
        n = to - from < SB_SBT_RAW_MAX ? to - from : SB_SBT_RAW_MAX;
        struct sb_sbt_block b = {.type = SB_SBT_DICT, .raw = (uint32_t)n, .number = from};
        uint8_t *names = sb_layout_copy_names(l, from, n);
        ok = sb_sbt_put(out, &b, names, e);
        free(names);
    }
    return ok;
}

enum { WAIT_NS = 100000000 }; /* for further facts, so that there are few blocks */

void
sb_drain_facts_find(struct sb_waits *w, const struct sb_sbt_writer *out, const struct sb_layout *l,
                    const char *cwd)
{
    uint64_t written = sb_sbt_dict_written(out), n = written < l->dict_bytes ? written : l->dict_bytes;
    uint8_t *dictionary = sb_layout_copy_names(l, 0, n);
    *w = (struct sb_waits){0};
    sb_waits_find(w, dictionary, n, cwd);
    free(dictionary);
}

/* The block is not part of the node's dictionary, so the offset after it is the one before it. */
static bool
put_names(struct sb_sbt_writer *out, struct sb_waits *w, struct sb_err *e)
{
    struct sb_dict_entry stated = {.kind = SB_DICT_STATED, .a = w->stated};
    SB_RESERVE(&w->names, sb_dict_entry_bytes(0));
    memset(w->names.at + w->names.n, 0, sb_dict_entry_bytes(0));
    memcpy(w->names.at + w->names.n, &stated, sizeof stated);
    w->names.n += sb_dict_entry_bytes(0);
    uint32_t n = (uint32_t)w->names.n;
    return sb_sbt_put(
        out, &(struct sb_sbt_block){.type = SB_SBT_DICT, .raw = n, .number = sb_sbt_dict_written(out) - n},
        w->names.at, e);
}

bool
sb_drain_facts_put(struct sb_sbt_writer *out, struct sb_waits *w, const struct sb_layout *l, int64_t at_ns,
                   int64_t bound_ns, struct sb_err *e)
{
    w->made.base_ns = w->made.last_ns = at_ns;
    return sb_made_put(&w->made, l->n_rings, bound_ns, out, e) && put_names(out, w, e);
}

void
sb_drain_facts_free(struct sb_waits *w)
{
    sb_made_close(&w->made);
    SB_VEC_FREE(&w->names);
}

/* ---- while the dictionary grows */

static bool
put_found(struct sb_stating *s, struct sb_sbt_writer *out, const struct sb_layout *l, int64_t at_ns,
          struct sb_err *e)
{
    bool ok = sb_drain_facts_put(out, &s->found, l, at_ns, l->start_ns, e);
    s->written_ns = sb_clock_ns();
    s->found.names.n = 0;
    return ok;
}

static void
take_dictionary(struct sb_stating *s, const struct sb_sbt_writer *out, const struct sb_layout *l)
{
    uint64_t written = sb_sbt_dict_written(out), n = written < l->dict_bytes ? written : l->dict_bytes;
    uint8_t *dictionary = sb_layout_copy_names(l, 0, n);
    sb_waits_dictionary(s->finder, dictionary, n);
    free(dictionary);
}

bool
sb_stating_step(struct sb_stating *s, struct sb_sbt_writer *out, const struct sb_layout *l, int64_t at_ns,
                bool *more, struct sb_err *e)
{
    uint64_t bytes = sb_sbt_dict_written(out);
    *more = false;
    if (bytes == s->dict_bytes || at_ns == INT64_MAX)
        return true;
    take_dictionary(s, out, l);
    *more = sb_waits_step(s->finder, &s->found);
    if (!*more)
        s->dict_bytes = bytes;
    return (*more && sb_clock_ns() - s->written_ns < WAIT_NS) || put_found(s, out, l, at_ns, e);
}

bool
sb_stating_last(struct sb_stating *s, struct sb_sbt_writer *out, const struct sb_layout *l, int64_t at_ns,
                struct sb_err *e)
{
    if (at_ns == INT64_MAX)
        return true;
    take_dictionary(s, out, l);
    sb_waits_last(s->finder, &s->found);
    return put_found(s, out, l, at_ns, e);
}

void
sb_stating_close(struct sb_stating *s)
{
    sb_wait_finder_close(s->finder);
    sb_drain_facts_free(&s->found);
}
