/*
 * dbg's trace files, wrap sets and recorded ip streams: frames without a header or an index.
 *
 *     op:u8  size:u32 big-endian  payload
 *     0      bytes of the payload a term with its version byte: 131, 104 arity, atom, ...
 *     1      messages dropped     none
 *
 * Where a frame does not lead to another one, something is damaged: reading goes on at the next place that
 * looks like a frame which leads to another, and what lies between is counted.
 */
#include "trace/otp_impl.h"
#include "base/map.h"
#include <stdlib.h>

enum { HEADER = 5, BLOCK = 512 << 10, SCANNED = 1 << 20, TRUSTED = 16 << 10, AHEAD = 1 << 10 };

enum look { FRAME, DROP, END, CUT, BAD };

static enum look
look(const struct sb_file *f, uint64_t at, uint64_t *next)
{
    uint64_t left = f->n - at;
    if (left == 0)
        return END;
    const uint8_t *p = f->p + at;
    if (left < HEADER)
        return p[0] <= 1 ? CUT : BAD;
    uint64_t size = sb_get_be32(p + 1);
    *next = at + HEADER + (p[0] == 0 ? size : 0);
    if (p[0] == 1)
        return DROP;
    if (p[0] != 0)
        return BAD;
    if (*next > f->n)
        return CUT;
    return size >= 2 && p[HEADER] == OTP_VERSION ? FRAME : BAD;
}

/* A frame of a wrong content between right frames is a record all the same; the decoder will say what is
 * wrong. */
static bool
leads_on(const struct sb_file *f, uint64_t at)
{
    uint64_t next = 0, ignored;
    if (look(f, at, &next) == CUT || f->p[at] != 0)
        return false;
    enum look then = look(f, next, &ignored);
    return then == FRAME || then == END;
}

static bool
is_head(const uint8_t *p, uint64_t left)
{
    static const char *const heads[] = {"trace_ts", "trace", "profile", "seq_trace", "schedulers"};
    if (left < 4 || !otp_is_atom(p[0]))
        return false;
    const uint8_t *text = p + (p[0] == EXT_ATOM || p[0] == EXT_ATOM_UTF8 ? 3 : 2);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if ((uint64_t)(p + left - text) >= strlen(heads[i]) && memcmp(text, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* What reading can go on with: a frame that holds a tuple of one of the known heads and leads to another, or
 * the end. */
static bool
plausible(const struct sb_file *f, uint64_t at)
{
    uint64_t next, ignored;
    if (look(f, at, &next) != FRAME || next - at < HEADER + 6 || !is_head(f->p + at + 8, next - at - 8))
        return false;
    return look(f, next, &ignored) != BAD;
}

/* The next plausible frame at or behind `from`, or the end: found by the two bytes a payload begins with. */
static uint64_t
resynchronise(const struct sb_file *f, uint64_t from)
{
    for (uint64_t at = from; at + HEADER + 1 < f->n;) {
        const uint8_t *found = memchr(f->p + at + HEADER, OTP_VERSION, f->n - at - HEADER - 1);
        if (!found)
            return f->n;
        at = (uint64_t)(found - f->p) - HEADER;
        if (found[1] == EXT_SMALL_TUPLE && plausible(f, at))
            return at;
        at++;
    }
    return f->n;
}

/* ---- decoders: as many as there are threads, each used by one block at a time */

static struct otp_decoder *
borrow(struct sb_source *s)
{
    struct otp_state *st = s->state;
    pthread_mutex_lock(&st->lock);
    struct otp_decoder *d = st->idle;
    if (d)
        st->idle = d->next_idle;
    pthread_mutex_unlock(&st->lock);
    if (d)
        return d;
    d = calloc(1, sizeof *d);
    if (!d)
        sb_out_of_memory(sizeof *d);
    d->names = s->names;
    d->state = st;
    d->keep_text = s->options.keep_text;
    return d;
}

static void
give_back(struct otp_state *st, struct otp_decoder *d)
{
    pthread_mutex_lock(&st->lock);
    d->next_idle = st->idle;
    st->idle = d;
    pthread_mutex_unlock(&st->lock);
}

/* Is the payload of this frame one whole term? Only asked beside damage, and only of what is quickly told. */
static bool
is_whole(struct sb_source *s, const struct sb_file *f, uint64_t at)
{
    uint64_t size = sb_get_be32(f->p + at + 1);
    if (size > TRUSTED)
        return false;
    struct otp_decoder *d = borrow(s);
    d->p = f->p + at + HEADER + 1;
    d->end = f->p + at + HEADER + size;
    bool whole = otp_skip(d) && d->p == d->end;
    give_back(s->state, d);
    return whole;
}

/* ---- framing */

static void
say_damage(struct sb_source *s, uint64_t at, uint64_t to)
{
    struct otp_state *st = s->state;
    const struct sb_file *f = &s->file[st->file].map;
    uint64_t next;
    enum look what = look(f, at, &next);
    if (what == CUT && to == f->n)
        sb_source_damaged(s, st->file, at, to - at, "cut off in the middle of a record");
    else if (what == CUT)
        sb_source_damaged(s, st->file, at, to - at, "a record of %u bytes reaches beyond the end of the file",
                          sb_get_be32(f->p + at + 1));
    else if (f->p[at] > 1)
        sb_source_damaged(s, st->file, at, to - at, "bad trace tag %u", f->p[at]);
    else
        sb_source_damaged(s, st->file, at, to - at, "a record that does not lead to another");
}

/*
 * Reading stopped at `at`. When the frame before it (at `prev`, or none: `prev` == `at`) is no whole term
 * either, it was that one's length that led astray, and it does not count.
 */
static void
pass_damage(struct sb_source *s, struct sb_block *b, uint64_t prev)
{
    struct otp_state *st = s->state;
    const struct sb_file *f = &s->file[st->file].map;
    uint64_t from = st->at;
    if (prev < from && !is_whole(s, f, prev)) {
        from = prev;
        b->n_events--;
        s->info.records--;
    }
    uint64_t to = resynchronise(f, from + 1);
    say_damage(s, from, to);
    b->size = from - b->at_byte;
    st->at = to;
}

/* Adds frames to the block until it is large enough. False when damage ended it. */
static bool
fill(struct sb_source *s, struct sb_block *b)
{
    struct otp_state *st = s->state;
    const struct sb_file *f = &s->file[st->file].map;
    uint64_t prev = st->at, next = st->at, full = b->at_byte + BLOCK;
    for (;; st->at = next) {
        enum look what = look(f, st->at, &next);
        __builtin_prefetch(f->p + st->at + AHEAD); /* a frame's place is known only from the one before it */
        if (what == END || (st->at >= full && what == FRAME))
            break;
        if (what != FRAME && what != DROP && !(what == BAD && leads_on(f, st->at))) {
            pass_damage(s, b, prev);
            return false;
        }
        if (what == DROP)
            sb_source_lost(s, SB_CLASSES, sb_get_be32(f->p + st->at + 1));
        else
            s->info.records++;
        prev = what == DROP ? next : st->at;
        b->n_events++;
    }
    b->size = st->at - b->at_byte;
    return true;
}

/* A file that somebody cuts while it is read: what is gone must not be touched. Looked at for each block. */
static bool
shrunk(struct sb_source *s)
{
    struct otp_state *st = s->state;
    struct sb_file *f = &s->file[st->file].map;
    uint64_t before = f->n;
    if (sb_file_recheck(f))
        return false;
    sb_source_damaged(s, st->file, f->n, before - f->n, "became shorter while it was read");
    return true;
}

static bool
next_otp(struct sb_source *s, struct sb_block *b, struct sb_err *e)
{
    (void)e;
    struct otp_state *st = s->state;
    for (;;) {
        while (st->file < s->n_files && st->at >= s->file[st->file].map.n) {
            st->file++;
            st->at = 0;
        }
        if (st->file == s->n_files)
            return false;
        if (shrunk(s))
            continue;
        *b = (struct sb_block){
            .seq = st->seq, .file = st->file, .at_byte = st->at, .first_ns = INT64_MIN, .last_ns = INT64_MAX};
        fill(s, b);
        if (b->n_events > 0) {
            st->seq++;
            return true;
        }
    }
}

/* ---- decoding */

static void
dropped(struct sb_events *out, uint32_t events)
{
    struct sb_event ev = sb_event_of(SB_EV_drop);
    ev.x = events;
    out->at[out->n++] = ev;
}

/* `report`: not when looking around while opening, or the same damage would be counted twice */
static void
decode_frames(struct sb_source *s, struct otp_decoder *d, const struct sb_block *b, bool report,
              struct sb_events *out)
{
    const uint8_t *base = s->file[b->file].map.p, *end = base + b->at_byte + b->size;
    SB_RESERVE(out, b->n_events);
    for (const uint8_t *p = base + b->at_byte; end - p >= HEADER && out->n < out->cap;) {
        uint32_t size = sb_get_be32(p + 1);
        if (p[0] == 1) {
            dropped(out, size);
            p += HEADER;
            continue;
        }
        if (size > (uint64_t)(end - p) - HEADER) /* framed otherwise: somebody wrote to the file since */
            break;
        if (otp_record(d, p + HEADER, size, &out->at[out->n]))
            out->n++;
        else if (report)
            sb_source_damaged(s, b->file, (uint64_t)(d->p <= d->end ? d->p - base : d->end - base),
                              (uint64_t)HEADER + size, "%s", d->why);
        p += HEADER + size;
    }
}

static void
decode_otp(struct sb_source *s, const struct sb_block *b, struct sb_events *out)
{
    struct otp_decoder *d = borrow(s);
    decode_frames(s, d, b, true, out);
    give_back(s->state, d);
    sb_source_done_with(s, b);
}

/* ---- opening: who is the traced node, what do the stamps mean */

/*
 * Stamps of CPU time look like wall time, but lie shortly after 1970 and run backwards where a process moves
 * between threads. Only traced events come in each process's own order; those of system_profile do not.
 */
static bool
runs_backwards(const struct sb_events *events)
{
    const int64_t year_2001_ns = 1000000000000000000;
    struct sb_map last = {0};
    bool backwards = false;
    for (size_t i = 0; i < events->n; i++) {
        const struct sb_event *ev = &events->at[i];
        if (ev->at_ns == SB_AT_UNKNOWN || sb_kinds[ev->kind].class == SB_META ||
            sb_kinds[ev->kind].class == SB_PROFILE)
            continue;
        if (ev->at_ns < 0 || ev->at_ns > year_2001_ns) {
            backwards = false;
            break;
        }
        uint32_t *seen = sb_map_put(&last, ev->who, NULL);
        backwards |= *seen && events->at[*seen - 1].at_ns > ev->at_ns;
        *seen = (uint32_t)i + 1;
    }
    sb_map_close(&last);
    return backwards;
}

static void
conclude(struct sb_source *s, const struct otp_decoder *d, const struct sb_events *events)
{
    struct otp_state *st = s->state;
    s->info.clock_is_wall = d->clock == OTP_CLOCK_TUPLE;
    s->info.cpu_time = d->clock == OTP_CLOCK_TUPLE && runs_backwards(events);
    s->info.clock_is_wall &= !s->info.cpu_time;
    if (s->info.clock_is_wall)
        s->info.wall_minus_at_ns = 0;
    st->cpu_flag = s->info.cpu_time ? SB_EVF_CPU_TIME : 0;
    s->info.node_name = sb_names_node_name(s->names, 0, &s->info.creation);
    bool utf8 = d->node_tag == EXT_SMALL_ATOM_UTF8 || d->node_tag == EXT_ATOM_UTF8;
    st->release = utf8 ? OTP_SINCE_26 : OTP_UP_TO_25;
    if (d->pid_tag)
        s->info.otp = d->pid_tag == EXT_OLD_PID ? SB_STR("22 or older")
                      : utf8                    ? SB_STR("26 or newer")
                                                : SB_STR("23 to 25");
    for (size_t i = 0; i < events->n && !s->info.schedulers; i++)
        if (events->at[i].kind == SB_EV_schedulers && events->at[i].n != SB_UNKNOWN32)
            s->info.schedulers = events->at[i].n;
}

/* Decodes what stands in front, and on until a process is named; then framing starts anew. */
static void
look_around(struct sb_source *s)
{
    struct otp_state *st = s->state;
    struct otp_decoder *d = borrow(s);
    struct sb_events events = {0};
    struct sb_source_info before = s->info;
    struct sb_block b;
    s->info.damage.at = NULL;
    s->info.damage.cap = 0;
    for (uint64_t bytes = 0; (bytes < SCANNED || !st->local.known) && next_otp(s, &b, NULL);
         bytes += b.size) {
        if (bytes >= SCANNED)
            events.n = 0;
        decode_frames(s, d, &b, false, &events);
    }
    SB_VEC_FREE(&s->info.damage);
    s->info = before;
    conclude(s, d, &events);
    SB_VEC_FREE(&events);
    give_back(st, d);
    st->file = 0;
    st->at = st->seq = 0;
}

static bool
open_otp(struct sb_source *s, struct sb_err *e)
{
    (void)e;
    static const struct sb_str atoms[OTP_ATOMS] = {
#define ATOM(id, text) [OTP_##id] = {text, sizeof text - 1},
#include "trace/otp_atoms.def"
#undef ATOM
    };
    struct otp_state *st = calloc(1, sizeof *st);
    if (!st)
        sb_out_of_memory(sizeof *st);
    pthread_mutex_init(&st->lock, NULL);
    s->state = st;
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        st->blank[k] = sb_event_of((enum sb_event_kind)k);
    for (uint32_t i = 1; i < OTP_ATOMS; i++)
        SB_ASSERT(sb_names_atom(s->names, atoms[i]) == i);
    look_around(s);
    return true;
}

static void
close_otp(struct sb_source *s)
{
    struct otp_state *st = s->state;
    if (!st)
        return;
    while (st->idle) {
        struct otp_decoder *d = st->idle;
        st->idle = d->next_idle;
        free(d);
    }
    pthread_mutex_destroy(&st->lock);
    free(st);
}

/* An empty file is the trace of nothing, drops alone one of what was lost; records may stand behind a damaged
 * start. */
static bool
probe(const uint8_t *head, size_t n, const char *path)
{
    (void)path;
    struct sb_file f = {.p = head, .n = n};
    uint64_t at = 0, next;
    while (at < n && look(&f, at, &next) == DROP)
        at = next;
    if (at == n || (n - at <= HEADER && head[at] <= 1))
        return true;
    bool first_is_cut = head[at] == 0 && n - at > HEADER + 3 && head[at + HEADER] == OTP_VERSION;
    return (first_is_cut && is_head(head + at + 8, n - at - 8)) || resynchronise(&f, at) < n;
}

const struct sb_source_format sb_format_otp = {
    .name = "otp",
    .doc = "traces of dbg, fprof and Percept2: a file, a wrap set, a recorded ip stream",
    .probe = probe,
    .open = open_otp,
    .next = next_otp,
    .decode = decode_otp,
    .close = close_otp,
};
