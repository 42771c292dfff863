/*
 * The processes that a question selects: by number, pid, name, label, or the function they were spawned with;
 * if there is none, those that a search for the words finds.
 */
#include "answer/answer.h"
#include "profile/scan_row.h"
#include "profile/who.h"
#include "answer/search.h"
#include "base/vec.h"

typedef SB_VEC(int64_t) ids_found;

static void
add_where(const struct sb_ask *ask, unsigned col, int64_t value, ids_found *ids)
{
    if (value == SB_NULL)
        return;
    SB_SCAN(s, ask->profile, process, id);
    sb_scan_where(&s, col, value, value);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        *SB_PUSH(ids) = s.value[id][i];
}

static void
add_found(const struct sb_ask *ask, struct sb_str given, ids_found *ids)
{
    static const unsigned col[] = {SB_C_process__pid, SB_C_process__name, SB_C_process__label,
                                   SB_C_process__entry};
    struct sb_search search;
    SB_ARENA(scratch);
    unsigned want[4];
    sb_search_read(&search, given, ask->arena);
    SB_SCAN(s, ask->profile, process, id);
    for (unsigned c = 0; c < 4; c++)
        want[c] = sb_scan_want(&s, col[c]);
    for (size_t i = 0; search.n > 0 && sb_scan_row(&s, &i); i++) {
        struct sb_str text[5] = {[4] = sb_who(ask->profile, s.value[id][i])};
        for (unsigned c = 0; c < 4; c++)
            text[c] = sb_profile_text(ask->profile, s.value[want[c]][i]);
        if (sb_search_matches(&search, text, 5, &scratch))
            *SB_PUSH(ids) = s.value[id][i];
        sb_arena_reset(&scratch);
    }
}

bool
sb_answer_chosen(const struct sb_ask *ask, int64_t **out, size_t *n, struct sb_err *e)
{
    static const unsigned text_col[] = {SB_C_process__pid, SB_C_process__name, SB_C_process__label,
                                        SB_C_process__entry};
    ids_found ids = {0};
    *n = 0;
    for (size_t i = 0; i < ask->q->n_process; i++) {
        struct sb_str given = ask->q->process[i];
        size_t before = ids.n;
        int64_t id, text = sb_profile_find_text(ask->profile, given);
        if (sb_str_to_i64(given, &id))
            add_where(ask, SB_C_process__id, id, &ids);
        for (size_t c = 0; c < sizeof text_col / sizeof text_col[0] && ids.n == before; c++)
            add_where(ask, text_col[c], text, &ids);
        if (ids.n == before)
            add_found(ask, given, &ids);
        if (ids.n == before) {
            SB_VEC_FREE(&ids);
            sb_err_set(e, SB_ERR_USAGE, "no process matches '%.*s'", SB_STR_ARG(given));
            return sb_err_advise(e, "give words of its name, label or function, a pid, or process.id");
        }
    }
    *out = SB_NEW_N(ask->arena, int64_t, ids.n + 1);
    if (ids.n > 0)
        memcpy(*out, ids.at, ids.n * sizeof **out);
    *n = ids.n;
    SB_VEC_FREE(&ids);
    return true;
}
