#include "live/drain/drain_facts.h"
#include <stdlib.h>
#include <string.h>

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

void
sb_drain_facts_find(struct sb_waits *w, const struct sb_sbt_writer *out, const struct sb_layout *l,
                    const char *cwd)
{
    uint64_t written = sb_sbt_dict_written(out), n = written < l->dict_bytes ? written : l->dict_bytes;
    uint8_t *dictionary = sb_layout_copy_names(l, 0, n);
    *w = (struct sb_waits){0};
    sb_waits_find(w, dictionary, n, *cwd ? cwd : NULL);
    free(dictionary);
}

static bool
put_records(struct sb_sbt_writer *out, const struct sb_waits *w, const struct sb_layout *l, int64_t at_ns,
            struct sb_err *e)
{
    struct sb_sbt_prefix prefix = {.base_ns = at_ns, .gap_from_ns = SB_AT_UNKNOWN};
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = SB_LANE_NONE,
                             .ring = (uint16_t)l->n_rings,
                             .raw = (uint32_t)(sizeof prefix + w->records.n),
                             .events = w->events,
                             .first_ns = at_ns,
                             .last_ns = at_ns};
    uint8_t *raw = sb_realloc_or_die(NULL, b.raw);
    memcpy(raw, &prefix, sizeof prefix);
    memcpy(raw + sizeof prefix, w->records.at, w->records.n);
    bool ok = sb_sbt_put(out, &b, raw, e);
    free(raw);
    return ok;
}

bool
sb_drain_facts_put(struct sb_sbt_writer *out, const struct sb_waits *w, const struct sb_layout *l,
                   int64_t at_ns, struct sb_err *e)
{
    struct sb_sbt_block names = {
        .type = SB_SBT_DICT, .raw = (uint32_t)w->names.n, .number = sb_sbt_dict_written(out)};
    bool ok = w->events == 0 || at_ns == INT64_MAX || put_records(out, w, l, at_ns, e);
    return ok && (w->names.n == 0 || sb_sbt_put(out, &names, w->names.at, e));
}

void
sb_drain_facts_free(struct sb_waits *w)
{
    SB_VEC_FREE(&w->records);
    SB_VEC_FREE(&w->names);
}
