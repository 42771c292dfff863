#include "profile/places.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "profile/derive.h"
#include "profile/scan_row.h"

#define NOBODY UINT32_MAX
struct stated {
    int64_t file, line;
};
struct places {
    struct sb_map of; /* text of a function -> index in stated */
    SB_VEC(struct stated) stated;
};

static uint64_t
frame_key(int64_t node, int64_t number)
{
    return (uint64_t)node << 40 ^ (uint64_t)number;
}

static void
add(struct places *x, int64_t function, struct stated s)
{
    bool is_new;
    uint32_t *at = sb_map_put(&x->of, (uint64_t)function, &is_new);
    if (is_new) {
        *at = (uint32_t)x->stated.n;
        *SB_PUSH(&x->stated) = s;
    } else if (x->stated.at[*at].file != s.file || x->stated.at[*at].line != s.line)
        x->stated.at[*at].line = 0;
}

/* Frames of samples are numbered in each recording; a number that two functions have tells nothing. */
static void
name_frames(const struct sb_profile *p, struct sb_map *names)
{
    bool is_new;
    SB_SCAN(s, p, cpu_frame, node, number, function);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t name = s.value[function][i];
        uint32_t *known = sb_map_put(names, frame_key(s.value[node][i], s.value[number][i]), &is_new);
        *known = name == SB_NULL || (!is_new && *known != name) ? NOBODY : (uint32_t)name;
    }
}

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    int64_t waits = sb_profile_find_text(p, SB_STR("waits")),
            place = sb_profile_find_text(p, SB_STR("place"));
    SB_SCOPED_MAP struct sb_map names = {0};
    (void)a, (void)e;
    if (place != SB_NULL)
        name_frames(p, &names);
    SB_SCAN(s, p, event, kind, node, f, g, x, n);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t of = s.value[kind][i], line = s.value[x][i];
        if (of == SB_NULL || (of != waits && of != place) || s.value[g][i] == SB_NULL || line <= 0)
            continue;
        const uint32_t *sampled =
            of == place ? sb_map_get(&names, frame_key(s.value[node][i], s.value[n][i])) : NULL;
        int64_t function = of == waits ? s.value[f][i] : sampled && *sampled != NOBODY ? *sampled : SB_NULL;
        if (function != SB_NULL)
            add(value, function, (struct stated){s.value[g][i], line});
    }
    return true;
}

static void
close(void *value)
{
    struct places *x = value;
    sb_map_close(&x->of);
    SB_VEC_FREE(&x->stated);
}

struct sb_source_place
sb_place_of(const struct sb_profile *p, int64_t text)
{
    static const struct sb_derived derived = {sizeof(struct places), make, close};
    const struct places *x = text == SB_NULL ? NULL : sb_profile_derive(p, &derived, NULL);
    const uint32_t *at = x ? sb_map_get(&x->of, (uint64_t)text) : NULL;
    if (!at || x->stated.at[*at].line == 0)
        return (struct sb_source_place){0};
    return (struct sb_source_place){sb_profile_text(p, x->stated.at[*at].file), x->stated.at[*at].line};
}

struct sb_str
sb_place_text(const struct sb_profile *p, int64_t text, struct sb_arena *a)
{
    struct sb_source_place at = sb_place_of(p, text);
    return at.line == 0 ? (struct sb_str){0}
                        : sb_arena_printf(a, "%.*s:%lld", SB_STR_ARG(at.file), (long long)at.line);
}
