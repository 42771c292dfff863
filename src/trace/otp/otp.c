/*
 * The trace files of dbg, wrap sets and recorded ip streams: frames without a header or an index.
 *
 *     op:u8  size:u32 big-endian  payload
 *     0      bytes of the payload a term with its version byte: 131, 104 arity, atom, ...
 *     1      messages dropped     none
 */
#include "trace/otp/otp_impl.h"
#include "base/map.h"

static void decode_otp(struct sb_source *s, const struct sb_block *b, struct sb_events *out);
static bool open_otp(struct sb_source *s, struct sb_err *e);
static void close_otp(struct sb_source *s);
static bool probe(const uint8_t *head, size_t n, const char *path);

const struct sb_source_format sb_format_otp = {
    .name = "otp",
    .doc = "traces of dbg, fprof and Percept2: a file, a wrap set, a recorded ip stream",
    .probe = probe,
    .open = open_otp,
    .scan = otp_scan,
    .next = otp_next,
    .decode = decode_otp,
    .close = close_otp,
};

enum { SCANNED = 1 << 20 };

/* ---- decoding */

static void
dropped(struct sb_events *out, uint32_t events)
{
    struct sb_event ev = sb_event_of(SB_EV_drop);
    ev.drop.events = events;
    out->at[out->n++] = ev;
}

/* Drops have no time stamp. They get the later one of the records around them, so that all earlier events
 * precede them. */
static void
date_drops(struct sb_event *at, size_t n)
{
    int64_t near = SB_AT_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        if (at[i].kind == SB_EV_drop)
            at[i].at_ns = near;
        else if (at[i].at_ns != SB_AT_UNKNOWN)
            near = at[i].at_ns;
    near = SB_AT_UNKNOWN;
    for (size_t i = n; i-- > 0;)
        if (at[i].kind != SB_EV_drop)
            near = at[i].at_ns != SB_AT_UNKNOWN ? at[i].at_ns : near;
        else if (at[i].at_ns < near)
            at[i].at_ns = near;
}

static void
decode_frames(struct sb_source *s, struct otp_decoder *d, const struct sb_block *b, struct sb_events *out)
{
    const uint8_t *base = s->file[b->file].map.p, *end = base + b->at_byte + b->size;
    size_t had = out->n;
    bool drops = false;
    SB_RESERVE(out, b->n_events);
    for (const uint8_t *p = base + b->at_byte; end - p >= OTP_HEADER && out->n < out->cap;) {
        uint32_t size = sb_get_be32(p + 1);
        otp_fetch_ahead(p);
        if (p[0] == 1) {
            if (out->n > had && out->at[out->n - 1].kind == SB_EV_drop)
                out->at[out->n - 1].drop.events += size; /* at one moment */
            else
                dropped(out, size);
            drops = true;
            p += OTP_HEADER;
            continue;
        }
        if (size > (uint64_t)(end - p) - OTP_HEADER) /* the file was changed after it was framed */
            break;
        if (otp_record(d, p + OTP_HEADER, size, &out->at[out->n]))
            out->n++;
        else
            sb_source_damaged(s, b->file, (uint64_t)(d->p <= d->end ? d->p - base : d->end - base),
                              (uint64_t)OTP_HEADER + size, "%s", d->why);
        p += OTP_HEADER + size;
    }
    if (drops)
        date_drops(out->at + had, out->n - had);
}

static void
decode_otp(struct sb_source *s, const struct sb_block *b, struct sb_events *out)
{
    struct otp_decoder *d = otp_borrow(s);
    decode_frames(s, d, b, out);
    otp_give_back(s, d);
    sb_source_done_with(s, b);
}

/* ---- opening: finds the traced node and the meaning of the time stamps */

/*
 * CPU time has the same form as wall time, but starts near zero. Mostly it is within the first days of 1970,
 * where no real clock is. Otherwise it shows by going backwards when a process changes threads. Only traced
 * events are in the order of each process; events of system_profile are not.
 */
static bool
is_cpu_time(const struct sb_events *events)
{
    SB_SCOPED_MAP struct sb_map last = {0};
    const int64_t first_days_ns = 1000000000000000;
    int64_t latest = -1;
    bool backwards = false;
    size_t of_wall = 0;
    for (size_t i = 0; i < events->n; i++) {
        const struct sb_event *ev = &events->at[i];
        if (ev->at_ns == SB_AT_UNKNOWN)
            continue;
        if (ev->at_ns > OTP_YEAR_2001_NS && ++of_wall <= events->n / 4)
            continue;
        latest = ev->at_ns < 0 || ev->at_ns > latest ? ev->at_ns : latest;
        if (latest < 0 || latest > OTP_YEAR_2001_NS)
            break;
        if (sb_kinds[ev->kind].class == SB_META || sb_kinds[ev->kind].class == SB_PROFILE)
            continue;
        uint32_t *seen = sb_map_put(&last, ev->who, NULL);
        backwards |= *seen && events->at[*seen - 1].at_ns > ev->at_ns;
        *seen = (uint32_t)i + 1;
    }
    return latest >= 0 && (latest < first_days_ns || (backwards && latest <= OTP_YEAR_2001_NS));
}

static void
conclude(struct sb_source *s, const struct otp_decoder *d, const struct sb_events *events)
{
    struct otp_state *st = s->state;
    s->info.clock_is_wall = d->clock == OTP_CLOCK_TUPLE;
    s->info.cpu_time = d->clock == OTP_CLOCK_TUPLE && is_cpu_time(events);
    s->info.untimed = d->clock == OTP_CLOCK_NONE && events->n > 0;
    s->info.clock_is_wall &= !s->info.cpu_time;
    if (s->info.clock_is_wall)
        s->info.clock.wall_ns = 0;
    st->cpu_flag = s->info.cpu_time ? SB_EVF_CPU_TIME : 0;
    s->info.node_name = sb_names_node_name(s->names, 0, &s->info.creation);
    bool utf8 = d->node_tag == SB_ETF_SMALL_ATOM_UTF8 || d->node_tag == SB_ETF_ATOM_UTF8;
    st->release = utf8 ? OTP_SINCE_26 : OTP_UP_TO_25;
    if (d->pid_tag)
        s->info.otp = d->pid_tag == SB_ETF_PID ? SB_STR("22 or older")
                      : utf8                   ? SB_STR("26 or newer")
                                               : SB_STR("23 to 25");
    for (size_t i = 0; i < events->n && !s->info.vm.schedulers; i++)
        if (events->at[i].kind == SB_EV_schedulers && events->at[i].schedulers.count != SB_UNKNOWN32)
            s->info.vm.schedulers = events->at[i].schedulers.count;
}

/* Decodes the first blocks, and further ones until a process is found. Framing then restarts. */
static void
look_around(struct sb_source *s)
{
    struct otp_state *st = s->state;
    struct otp_decoder *d = otp_borrow(s);
    SB_SCOPED struct sb_events events = {0};
    struct sb_source_info before = s->info;
    struct sb_block b;
    s->quiet = true; /* all of it will be read again */
    for (uint64_t bytes = 0; (bytes < SCANNED || !st->local.known) && otp_next(s, &b, NULL);
         bytes += b.size) {
        if (bytes >= SCANNED)
            events.n = 0;
        decode_frames(s, d, &b, &events);
    }
    s->quiet = false;
    s->info = before;
    conclude(s, d, &events);
    otp_give_back(s, d);
    st->file = 0;
    st->at = st->seq = 0;
}

static bool
open_otp(struct sb_source *s, struct sb_err *e)
{
    (void)e;
    static const struct sb_str atoms[OTP_ATOMS] = {
#define ATOM(id, text) [OTP_##id] = {text, sizeof text - 1},
#include "trace/otp/otp_atoms.def"
#undef ATOM
    };
    struct otp_state *st = sb_zeroed_or_die(1, sizeof *st);
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
    otp_free_decoders(st);
    otp_scan_close(st->scan);
    pthread_mutex_destroy(&st->lock);
    free(st);
}

/* Accepts an empty file (a trace without events), drops alone, and records after a damaged start. */
static bool
probe(const uint8_t *head, size_t n, const char *path)
{
    (void)path;
    struct sb_file f = {.p = head, .n = n};
    uint64_t at = 0, next;
    while (at < n && otp_look(&f, at, &next) == OTP_DROP)
        at = next;
    if (at == n || (n - at <= OTP_HEADER && head[at] <= 1))
        return true;
    bool first_is_cut = head[at] == 0 && n - at > OTP_HEADER + 3 && head[at + OTP_HEADER] == SB_ETF_VERSION;
    return (first_is_cut && otp_is_head(head + at + 8, n - at - 8)) || otp_resynchronise(&f, at, n) < n;
}
