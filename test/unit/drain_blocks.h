/* Blocks and the dictionary of a trace, as a drain writes them. */
#pragma once
#include "base/map.h"
#include "trace/names.h"
#include "trace/sbt/sbt.h"
#include "trace/sbt/wire_record.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LANES = 64 };

struct ring {
    sb_lane lane;
    SB_VEC(struct sb_event) open;
    uint64_t chunks;
};
struct writer {
    struct sb_sbt_writer *out;
    struct sb_names *names;
    struct ring ring[LANES];
    unsigned n_rings;
    struct sb_map id_of; /* name id -> id in the dictionary */
    uint32_t atoms, functions, stated;
    SB_VEC(uint8_t) dict;
    SB_VEC(uint32_t) function; /* name ids, by id - 1 */
    struct sb_map waits;       /* name id of a function -> kind + 1 */
    uint64_t dict_bytes, fact_blocks, events;
    int64_t start_ns, stated_ns; /* of the first event; when functions were stated last */
    bool drops, states_late;     /* loses events; states functions at the end only */
};

static inline void
put_entry(struct writer *w, struct sb_dict_entry e, const void *bytes, size_t n)
{
    e.n = (uint16_t)n;
    SB_RESERVE(&w->dict, sb_dict_entry_bytes(e.n));
    uint8_t *p = w->dict.at + w->dict.n;
    memset(p, 0, sb_dict_entry_bytes(e.n));
    memcpy(p, &e, sizeof e);
    if (n > 0)
        memcpy(p + sizeof e, bytes, n);
    w->dict.n += sb_dict_entry_bytes(e.n);
}

static inline uint32_t
dict_id(struct writer *w, uint32_t name)
{
    bool is_new;
    if (name == 0 || name == SB_UNKNOWN32 || sb_names_kind(w->names, name) == SB_NAME_TEXT)
        return 0;
    uint32_t *id = sb_map_get(&w->id_of, name);
    if (id)
        return *id;
    uint32_t mine;
    if (sb_names_kind(w->names, name) == SB_NAME_ATOM) {
        struct sb_str s = sb_names_str(w->names, name);
        put_entry(w, (struct sb_dict_entry){.kind = SB_DICT_ATOM}, s.p, s.n);
        mine = ++w->atoms;
    } else {
        struct sb_mfa f = sb_names_mfa_of(w->names, name);
        uint32_t m = dict_id(w, f.m), fn = dict_id(w, f.f);
        put_entry(w, (struct sb_dict_entry){.kind = SB_DICT_MFA, .arity = (uint8_t)f.arity, .a = m, .b = fn},
                  NULL, 0);
        *SB_PUSH(&w->function) = name;
        mine = ++w->functions;
    }
    *sb_map_put(&w->id_of, name, &is_new) = mine;
    return mine;
}

static inline void
put_dict(struct writer *w)
{
    struct sb_err e;
    struct sb_sbt_block b = {.type = SB_SBT_DICT, .raw = (uint32_t)w->dict.n, .number = w->dict_bytes};
    if (w->dict.n == 0)
        return;
    assert_true(sb_sbt_put(w->out, &b, w->dict.at, &e));
    w->dict_bytes += w->dict.n;
    w->dict.n = 0;
}

static inline void
put_block(struct writer *w, struct sb_sbt_block b, struct sb_sbt_prefix prefix, const struct sb_event *at,
          size_t n)
{
    struct sb_wire_state s;
    struct sb_err e;
    uint8_t *raw = malloc(sizeof prefix + n * SB_WIRE_RECORD_MAX), *p = raw + sizeof prefix;
    assert_non_null(raw);
    memcpy(raw, &prefix, sizeof prefix);
    sb_wire_begin(&s, prefix.base_ns);
    for (size_t i = 0; i < n; i++)
        p = sb_wire_write(&s, p, &(struct sb_wire_record){.ev = at[i], .text = (const uint8_t *)"\3abc"});
    b.type = SB_SBT_EVENTS;
    b.raw = (uint32_t)(p - raw);
    b.events = (uint32_t)n;
    assert_true(sb_sbt_put(w->out, &b, raw, &e));
    w->events += n;
    free(raw);
}
