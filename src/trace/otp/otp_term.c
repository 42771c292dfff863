#include "trace/otp/otp_read.h"
#include "base/hash.h"

bool
otp_bad(struct otp_decoder *d, const char *why)
{
    d->why = why;
    return false;
}

static bool
cut(struct otp_decoder *d)
{
    return otp_bad(d, "a term reaches beyond its record");
}

/* ---- numbers and containers */

static bool
big(struct otp_decoder *d, uint32_t header, uint64_t n, int64_t *v)
{
    uint64_t magnitude = 0;
    bool negative;
    if (otp_short_of(d, header + n))
        return cut(d);
    const uint8_t *digits = d->p + header;
    negative = d->p[header - 1] != 0;
    while (n > 0 && digits[n - 1] == 0)
        n--;
    for (uint64_t i = 0; i < n && i < 8; i++)
        magnitude |= (uint64_t)digits[i] << 8 * i;
    if (n > 8 || magnitude > INT64_MAX)
        *v = negative ? INT64_MIN + 1 : INT64_MAX;
    else
        *v = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return otp_skip(d);
}

bool
otp_int(struct otp_decoder *d, int64_t *v)
{
    switch (otp_peek(d)) {
    case SB_ETF_SMALL_INT:
        return otp_small_int(d, v) || cut(d);
    case SB_ETF_INT:
        if (otp_short_of(d, 5))
            return cut(d);
        *v = (int32_t)sb_get_be32(d->p + 1);
        d->p += 5;
        return true;
    case SB_ETF_SMALL_BIG:
        return otp_short_of(d, 3) ? cut(d) : big(d, 3, d->p[1], v);
    case SB_ETF_LARGE_BIG:
        return otp_short_of(d, 6) ? cut(d) : big(d, 6, sb_get_be32(d->p + 1), v);
    default:
        return otp_bad(d, "a number was expected");
    }
}

bool
otp_tuple(struct otp_decoder *d, uint32_t *arity)
{
    if (!otp_short_of(d, 2) && d->p[0] == SB_ETF_SMALL_TUPLE) {
        *arity = d->p[1];
        d->p += 2;
        return true;
    }
    if (!otp_short_of(d, 5) && d->p[0] == SB_ETF_LARGE_TUPLE) {
        *arity = sb_get_be32(d->p + 1);
        d->p += 5;
        return otp_short_of(d, *arity) ? cut(d) : true;
    }
    return otp_bad(d, "a tuple was expected");
}

bool
otp_list(struct otp_decoder *d, uint32_t *n)
{
    *n = 0;
    if (otp_peek(d) == SB_ETF_NIL) {
        d->p++;
        return true;
    }
    if (otp_short_of(d, 5) || d->p[0] != SB_ETF_LIST)
        return otp_bad(d, "a list was expected");
    *n = sb_get_be32(d->p + 1);
    d->p += 5;
    return otp_short_of(d, *n) ? cut(d) : true;
}

/* ---- pids, ports, references */

static bool
is_node(const struct otp_node *n, const uint8_t *raw, uint32_t len, uint32_t creation)
{
    return n->known && n->n == len && n->creation == creation && otp_same_bytes(n->raw, raw, len);
}

static void
know_node(struct otp_node *node, const uint8_t *raw, uint32_t n, uint32_t creation, unsigned index)
{
    *node = (struct otp_node){.n = n, .creation = creation, .index = index, .known = n <= sizeof node->raw};
    if (node->known)
        memcpy(node->raw, raw, n);
}

/*
 * Returns the node index. The node of the first pid in a trace is the traced one. A node without distribution
 * is called nonode@nohost, which can only be the traced one too.
 */
static unsigned
node_index(struct otp_decoder *d, const uint8_t *raw, uint32_t n, uint32_t creation)
{
    struct otp_node *local = &d->state->local;
    if (is_node(local, raw, n, creation))
        return 0;
    if (is_node(&d->remote, raw, n, creation))
        return d->remote.index;
    uint32_t atom = otp_intern(d, raw, n);
    if (!local->known && n <= sizeof local->raw) {
        know_node(local, raw, n, creation, 0);
        sb_names_set_traced_node(d->names, atom, creation);
        return 0;
    }
    unsigned index = atom == OTP_nonode ? 0 : sb_names_node(d->names, atom, creation);
    know_node(&d->remote, raw, n, creation, index);
    return index;
}

/* Returns a node given by name alone: the traced one, one whose pids were seen, or one with creation 0. */
unsigned
otp_node_of_name(struct otp_decoder *d, uint32_t atom)
{
    struct sb_str name = sb_names_str(d->names, atom);
    for (unsigned i = 0; i < sb_names_nodes(d->names); i++)
        if (sb_str_eq(sb_names_node_name(d->names, i, NULL), name))
            return i;
    return sb_names_node(d->names, atom, 0);
}

/* tag, atom of the node, then per tag:  88: id serial creation32   103: id serial creation8
 *                                       89: id creation32   120: id64 creation32   102: id creation8 */
bool
otp_actor(struct otp_decoder *d, sb_actor *who)
{
    if (otp_usual_pid(d, who)) {
        d->pid_tag = SB_ETF_NEW_PID;
        d->node_tag = d->state->local.raw[0];
        return true;
    }
    uint8_t tag = otp_peek(d);
    if (sb_etf_id_bytes[tag] == 0 || otp_is_ref(tag))
        return otp_bad(d, "a process or port was expected");
    const uint8_t *raw = d->p + 1;
    uint32_t header, n = otp_atom_bytes(raw, d->end, &header);
    if (n == 0 || (uint64_t)(d->end - raw) < (uint64_t)n + sb_etf_id_bytes[tag])
        return cut(d);
    const uint8_t *at = raw + n, *last = at + sb_etf_id_bytes[tag];
    bool old = tag == SB_ETF_PID || tag == SB_ETF_PORT;
    unsigned node = node_index(d, raw, n, old ? last[-1] : sb_get_be32(last - 4));
    d->node_tag = raw[0];
    if (tag == SB_ETF_NEW_PID || tag == SB_ETF_PID) {
        *who = sb_names_pid(d->names, SB_PID, node, sb_get_be32(at + 4), sb_get_be32(at));
        d->pid_tag = tag;
    } else {
        uint64_t number = tag == SB_ETF_V4_PORT ? sb_get_be64(at) : sb_get_be32(at);
        *who = sb_names_pid(d->names, SB_PORT, node, number >> 28, number & 0xfffffff);
    }
    d->p = last;
    return true;
}

/* Fingerprints a reference by its numbers: creation and 32-bit words follow the node. */
bool
otp_ref(struct otp_decoder *d, uint32_t *fingerprint)
{
    const uint8_t *start = d->p;
    uint8_t tag = otp_peek(d);
    if (!otp_is_ref(tag) || !otp_skip(d))
        return otp_bad(d, "a reference was expected");
    uint32_t words = tag == SB_ETF_REF ? 1 : sb_get_be16(start + 1);
    const uint8_t *numbers = tag == SB_ETF_REF ? d->p - 5 : d->p - 4 * (size_t)words;
    uint32_t hash = (uint32_t)sb_hash(numbers, 4 * (size_t)words);
    *fingerprint = hash ? hash : 1;
    return true;
}

/* ---- skipping and measuring: one loop over the parts of a term, counting the missing ones */

/* One part: its end, NULL when it is cut off; the number of its own parts; its size on the heap. */
struct part {
    const uint8_t *behind;
    uint64_t parts, words;
};

static struct part
cut_at(struct otp_decoder *d, const uint8_t *p)
{
    d->p = p;
    cut(d);
    return (struct part){0};
}

static inline size_t
room(const struct otp_decoder *d, const uint8_t *p)
{
    return (size_t)(d->end - p);
}

static inline struct part
flat(struct otp_decoder *d, const uint8_t *p, size_t n, uint64_t words)
{
    return n <= room(d, p) ? (struct part){.behind = p + n, .words = words} : cut_at(d, d->end);
}

/*
 * Sizes that differ between releases, in words. A trace does not distinguish 26 from later releases, so all
 * of them are measured as 27 (29 has removed four words from each fun).
 */
static const struct {
    uint8_t large_binary, bitstring, fun, export;
} words_of[] = {[OTP_UP_TO_25] = {6, 5, 5, 5}, [OTP_SINCE_26] = {8, 0, 6, 2}};

/* Returns whether a node differs from that of the record's process. */
static bool
is_foreign(struct otp_decoder *d, const uint8_t *raw, uint32_t n, uint32_t creation)
{
    return d->state->local.known && node_index(d, raw, n, creation) != d->node;
}

/* Pids and ports of other nodes are on the heap. References always are, those of aliases with one word
 * more. */
static struct part
id_part(struct otp_decoder *d, const uint8_t *p)
{
    uint8_t tag = p[0];
    uint64_t lead = 1, numbers = 0, words = 0;
    if (tag == SB_ETF_NEW_REF || tag == SB_ETF_NEWER_REF) {
        if (room(d, p) < 3)
            return cut_at(d, p);
        numbers = sb_get_be16(p + 1);
        lead = 3;
    }
    const uint8_t *raw = p + lead;
    uint32_t header, n = otp_atom_bytes(raw, d->end, &header);
    if (n == 0 || room(d, raw) < n + sb_etf_id_bytes[tag] + 4 * numbers)
        return cut_at(d, p);
    const uint8_t *at = raw + n;
    bool old = tag == SB_ETF_PID || tag == SB_ETF_PORT || tag == SB_ETF_REF || tag == SB_ETF_NEW_REF;
    const uint8_t *creation = lead == 3 ? at : at + sb_etf_id_bytes[tag] - (old ? 1 : 4);
    bool foreign = is_foreign(d, raw, n, old ? *creation : sb_get_be32(creation));
    if (otp_is_ref(tag)) {
        bool of_alias =
            numbers == 5 || (numbers == 3 && sb_get_be32(at + sb_etf_id_bytes[tag] + 4) & 0x10000);
        if (of_alias && !d->alias)
            d->alias = p;
        words = foreign ? 3 + (numbers + 2) / 2 : 3u + of_alias;
    } else if (foreign) {
        words = 4;
    }
    return (struct part){.behind = at + sb_etf_id_bytes[tag] + 4 * numbers, .words = words};
}

static struct part
big_part(struct otp_decoder *d, const uint8_t *p, uint32_t header)
{
    if (room(d, p) < header)
        return cut_at(d, p);
    uint64_t n = header == 3 ? p[1] : sb_get_be32(p + 1);
    if (room(d, p) < header + n)
        return cut_at(d, p);
    const uint8_t *digits = p + header;
    bool negative = digits[-1] != 0, small = n < 8;
    if (n == 8) { /* a small integer has 60 bits */
        uint64_t v = sb_get_le64(digits);
        small = v < (1ull << 59) || (negative && v == 1ull << 59);
    }
    return (struct part){.behind = digits + n, .words = small ? 0 : 1 + (n + 7) / 8};
}

/* Binaries up to 64 bytes are on the heap, larger ones are referenced; a bitstring was a window on either. */
static inline struct part
binary_part(struct otp_decoder *d, const uint8_t *p, uint32_t header)
{
    if (room(d, p) < header)
        return cut_at(d, p);
    uint64_t n = sb_get_be32(p + 1), words = 2 + (n + 7) / 8;
    if (room(d, p) < header + n)
        return cut_at(d, p);
    enum otp_release release = d->state->release;
    if (n > 64)
        words = words_of[release].large_binary;
    if (header == 6)
        words += words_of[release].bitstring;
    return (struct part){.behind = p + header + n, .words = words};
}

static struct part
string_part(struct otp_decoder *d, const uint8_t *p)
{
    uint32_t n = room(d, p) < 3 ? 0 : sb_get_be16(p + 1);
    if (room(d, p) < 3u + n)
        return cut_at(d, p);
    return (struct part){.behind = p + 3 + n, .words = 2u * n};
}

/* Large maps are trees whose size depends on the hashes of their keys: 3.75 words per pair, within a few
 * percent. */
static uint64_t
words_of_map(uint64_t pairs)
{
    return pairs == 0 ? 3 : pairs <= 32 ? 4 + 2 * pairs : 15 * pairs / 4;
}

/* A fun's fixed part is followed by module, index, uniq, creator and the free variables, all terms. */
static struct part
fun_part(struct otp_decoder *d, const uint8_t *p)
{
    bool old = p[0] == SB_ETF_OLD_FUN;
    uint32_t header = old ? 5 : 30;
    if (room(d, p) < header)
        return cut_at(d, p);
    uint64_t n_free = sb_get_be32(p + header - 4);
    return (struct part){p + header, 4 + n_free, words_of[d->state->release].fun + n_free};
}

static inline struct part
small_tuple_part(struct otp_decoder *d, const uint8_t *p)
{
    if (room(d, p) < 2)
        return cut_at(d, p);
    return (struct part){p + 2, p[1], p[1] ? p[1] + 1u : 0};
}

static struct part
container_part(struct otp_decoder *d, const uint8_t *p)
{
    if (room(d, p) < 5)
        return cut_at(d, p);
    uint64_t n = sb_get_be32(p + 1);
    return p[0] == SB_ETF_LIST  ? (struct part){p + 5, n + 1, 2 * n}
           : p[0] == SB_ETF_MAP ? (struct part){p + 5, 2 * n, words_of_map(n)}
                                : (struct part){p + 5, n, n ? n + 1 : 0};
}

static inline struct part
atom_part(struct otp_decoder *d, const uint8_t *p)
{
    uint32_t header, n = otp_atom_bytes(p, d->end, &header);
    return n ? (struct part){.behind = p + n} : cut_at(d, p);
}

/* Handles the rare terms. */
static __attribute__((noinline)) struct part
other_part(struct otp_decoder *d, const uint8_t *p)
{
    switch (p[0]) {
    case SB_ETF_NEW_FLOAT:
        return flat(d, p, 9, 2);
    case SB_ETF_FLOAT:
        return flat(d, p, 32, 2);
    case SB_ETF_SMALL_BIG:
        return big_part(d, p, 3);
    case SB_ETF_LARGE_BIG:
        return big_part(d, p, 6);
    case SB_ETF_BIT_BINARY:
        return binary_part(d, p, 6);
    case SB_ETF_STRING:
        return string_part(d, p);
    case SB_ETF_EXPORT:
        return (struct part){p + 1, 3, words_of[d->state->release].export};
    case SB_ETF_NEW_FUN:
    case SB_ETF_OLD_FUN:
        return fun_part(d, p);
    default:
        d->p = p;
        otp_bad(d, p[0] ? "an unknown tag in a term" : "a term reaches beyond its record");
        return (struct part){0};
    }
}

static inline struct part
part_at(struct otp_decoder *d, const uint8_t *p)
{
    switch (p[0]) {
    case SB_ETF_SMALL_INT:
        return flat(d, p, 2, 0);
    case SB_ETF_INT:
        return flat(d, p, 5, 0);
    case SB_ETF_NIL:
        return flat(d, p, 1, 0);
    case SB_ETF_SMALL_ATOM_UTF8:
    case SB_ETF_ATOM:
    case SB_ETF_ATOM_UTF8:
    case SB_ETF_SMALL_ATOM:
        return atom_part(d, p);
    case SB_ETF_SMALL_TUPLE:
        return small_tuple_part(d, p);
    case SB_ETF_LARGE_TUPLE:
    case SB_ETF_LIST:
    case SB_ETF_MAP:
        return container_part(d, p);
    case SB_ETF_BINARY:
        return binary_part(d, p, 5);
    case SB_ETF_NEW_PID:
    case SB_ETF_PID:
    case SB_ETF_NEW_PORT:
    case SB_ETF_V4_PORT:
    case SB_ETF_PORT:
    case SB_ETF_NEWER_REF:
    case SB_ETF_NEW_REF:
    case SB_ETF_REF:
        return id_part(d, p);
    default:
        return other_part(d, p);
    }
}

/* Every part has at least one byte, so more missing parts than bytes means damage, whatever the lengths
 * are. */
bool
otp_measure(struct otp_decoder *d, uint64_t *words)
{
    const uint8_t *p = d->p;
    uint64_t sum = 0;
    for (uint64_t todo = 1; todo > 0; todo--) {
        struct part x = todo <= room(d, p) ? part_at(d, p) : cut_at(d, p);
        if (!x.behind)
            return false;
        p = x.behind;
        todo += x.parts;
        sum += x.words;
    }
    d->p = p;
    *words = sum;
    return true;
}

bool
otp_skip(struct otp_decoder *d)
{
    uint64_t words;
    return otp_measure(d, &words);
}
