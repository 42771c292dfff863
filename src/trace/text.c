#include "trace/text.h"
#include "trace/text_impl.h"
#include "base/utf8.h"
#include <inttypes.h>

const struct sb_text_flag sb_text_flags[] = {{"timeout", SB_EVF_TIMEOUT}, {"at_least", SB_EVF_AT_LEAST},
                                             {"cp", SB_EVF_HAS_CP},       {"alias", SB_EVF_TO_ALIAS},
                                             {"cpu", SB_EVF_CPU_TIME},    {NULL, 0}};

/* All times have the same unit, so that `sort -n` and awk can compare them. */
static void
put_time(struct sb_out *o, int64_t ns)
{
    if (ns == SB_AT_UNKNOWN)
        sb_out_char(o, '-');
    else
        sb_out_i64(o, ns);
}

static void
put_lane(struct sb_out *o, sb_lane lane)
{
    static const char letter[16] = {
        [SB_LANE_NORMAL] = 's', [SB_LANE_DIRTY_CPU] = 'd', [SB_LANE_DIRTY_IO] = 'i', [SB_LANE_OTHER] = 'o'};
    if (lane == SB_LANE_NONE) {
        sb_out_char(o, '-');
        return;
    }
    if (letter[sb_lane_kind(lane)])
        sb_out_char(o, letter[sb_lane_kind(lane)]);
    sb_out_u64(o, sb_lane_number(lane));
}

/* Puts free text into double quotes, so that text with blanks and line ends stays one word. */
static void
put_quoted(struct sb_out *o, struct sb_str s)
{
    sb_out_char(o, '"');
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = sb_utf8_get(s.p + i, s.n - i, &c);
        if (n == 0 || c < ' ' || c == 0x7f)
            sb_out_printf(o, "\\x%02x", (unsigned)(uint8_t)s.p[i]);
        else if (c == '"' || c == '\\')
            sb_out_bytes(o, (char[]){'\\', (char)c}, 2);
        else
            sb_out_bytes(o, s.p + i, n);
        i += n ? n : 1;
    }
    sb_out_char(o, '"');
}

static void
put_actor(struct sb_out *o, const struct sb_names *names, sb_actor who, struct sb_arena *a)
{
    uint32_t creation;
    if (who == 0) {
        sb_out_char(o, '-');
        return;
    }
    sb_out_str(o, sb_names_actor(names, who, a));
    unsigned node = sb_actor_node(who);
    if (node == 0 || sb_actor_kind(who) == SB_NAMED)
        return;
    struct sb_str name = sb_names_node_name(names, node, &creation);
    sb_out_char(o, '@');
    sb_out_str(o, sb_names_quote(name, a));
    sb_out_printf(o, "/%" PRIu32, creation);
}

static void
put_slot(struct sb_out *o, const struct sb_names *names, const struct sb_slot *s, uint64_t v,
         struct sb_arena *a)
{
    switch (s->type) {
    case SB_SLOT_PID:
        put_actor(o, names, v, a);
        break;
    case SB_SLOT_MFA:
    case SB_SLOT_ATOM:
    case SB_SLOT_TEXT:
        if (sb_names_kind(names, (uint32_t)v) == SB_NAME_TEXT)
            put_quoted(o, sb_names_str(names, (uint32_t)v));
        else
            sb_out_str(o, sb_names_print(names, (uint32_t)v, a));
        break;
    case SB_SLOT_I:
        sb_out_i64(o, (int64_t)v);
        break;
    case SB_SLOT_HEX:
        sb_out_printf(o, "%" PRIx64, v);
        break;
    default:
        sb_out_u64(o, v);
    }
}

void
sb_text_write(struct sb_out *o, const struct sb_names *names, const struct sb_event *ev)
{
    const struct sb_kind *k = &sb_kinds[ev->kind < SB_EVENT_KINDS ? ev->kind : SB_EV_none];
    SB_ARENA(a);
    put_time(o, ev->at_ns);
    sb_out_char(o, ' ');
    put_actor(o, names, ev->who, &a);
    sb_out_char(o, ' ');
    put_lane(o, ev->lane);
    sb_out_char(o, ' ');
    sb_out_z(o, k->tag);
    bool has_cp = false;
    for (unsigned i = 0; i < k->n_slots; i++) {
        const struct sb_slot *s = &k->slot[i];
        if (!sb_slot_given(s, ev))
            continue;
        sb_out_printf(o, " %s=", s->name);
        put_slot(o, names, s, sb_slot_get(s, ev), &a);
        has_cp |= strcmp(s->name, "cp") == 0;
    }
    for (const struct sb_text_flag *f = sb_text_flags; f->word; f++)
        if (ev->flags & f->flag && !(f->flag == SB_EVF_HAS_CP && has_cp))
            sb_out_printf(o, " %s", f->word);
    sb_out_char(o, '\n');
}
