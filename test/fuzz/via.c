/*
 * A command of --via that answers anything: its output is searched for an answer, decoded, and used as that of the part
 * of strobe in a node: facts, pieces of a trace, lines about processes, what is left at the end, and windows of `strobe
 * top`, which are copies of rings in pieces. The shell of this program (live/attach/shell.h) prints the input.
 *
 *     input: a byte (what is asked), then for each run a byte (how), 16 bits of size, and bytes:
 *            0: what is printed, 1: a term, 2: a term as the value of the expression,
 *            3: a copy of rings with changes of three bytes each: place (16 bit), value
 */
#include "../forge/rings.h"
#include "base/base64.h"
#include "base/progress.h"
#include "live/attach/peer.h"
#include "live/attach/shell.h"
#include "live/watch/watch.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { PRINTED, TERM, VALUE, RINGS, HOWS, HEAD = 3, COPIES = 4, CHANGE = 3, STEPS = 12 };

static struct sb_ring_parts good[COPIES];
static const uint8_t *input;
static size_t left;
static unsigned copies; /* so many have been sent */
static int always_readable;

/* ---- the command */

/* The mark of an answer: the expression adds one to the number that it contains. */
static unsigned long long
mark_in(const char *expression)
{
    const char *at = strstr(expression, "integer_to_binary(");
    return at ? strtoull(at + strlen("integer_to_binary("), NULL, 10) + 1 : 0;
}

static void
print_marked(struct sb_out *to, unsigned long long mark, const void *bytes, size_t n)
{
    sb_out_printf(to, "an error: =s%llu= or\n=s%llu=", mark - 1, mark);
    sb_base64_write(to, bytes, n);
    sb_out_printf(to, "=e%llu=\nok\n", mark);
}

/* [{strobe, {windowed, Piece, true, From, To, false, none}}] */
static void
print_copy(struct sb_out *to, unsigned long long mark, const uint8_t *changes, size_t n)
{
    const struct sb_ring_parts *from = &good[copies < COPIES ? copies : COPIES - 1];
    uint8_t *copy = sb_realloc_or_die(NULL, from->n);
    ei_x_buff x;
    memcpy(copy, from->at, from->n);
    for (; n >= CHANGE; n -= CHANGE, changes += CHANGE)
        copy[(changes[0] | (size_t)changes[1] << 8) % from->n] = changes[2];
    copies++;
    ei_x_new_with_version(&x);
    ei_x_encode_list_header(&x, 1);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "strobe");
    ei_x_encode_tuple_header(&x, 7);
    ei_x_encode_atom(&x, "windowed");
    ei_x_encode_binary(&x, copy, (int)from->n);
    ei_x_encode_boolean(&x, 1);
    ei_x_encode_longlong(&x, 500 + 100000 * (long long)copies);
    ei_x_encode_longlong(&x, 500 + 100000 * (long long)(copies + 1));
    ei_x_encode_boolean(&x, 0);
    ei_x_encode_atom(&x, "none");
    ei_x_encode_empty_list(&x);
    print_marked(to, mark, x.buff, (size_t)x.index);
    ei_x_free(&x);
    free(copy);
}

bool
sb_shell_start(struct sb_shell *r, struct sb_err *e)
{
    (void)e;
    sb_out_to_memory(&r->out);
    sb_out_to_memory(&r->err);
    unsigned long long mark = mark_in(r->argument);
    size_t n = left >= HEAD ? (input[1] | (size_t)input[2] << 8) : 0;
    unsigned how = left >= HEAD ? input[0] % HOWS : PRINTED;
    input += left >= HEAD ? HEAD : left;
    left -= left >= HEAD ? HEAD : left;
    n = n < left ? n : left;
    if (how == RINGS)
        print_copy(&r->out, mark, input, n);
    else if (how == PRINTED)
        sb_out_bytes(&r->out, input, n);
    else
        print_marked(&r->out, mark + (how == VALUE), input, n);
    input += n;
    left -= n;
    return true;
}

bool
sb_shell_step(struct sb_shell *r, int wait_ms)
{
    (void)r, (void)wait_ms;
    return true;
}

bool
sb_shell_end(struct sb_shell *r, struct sb_err *e)
{
    (void)r, (void)e;
    return true;
}

unsigned
sb_shell_poll(const struct sb_shell *r, struct pollfd p[2])
{
    (void)r;
    p[0] = (struct pollfd){.fd = always_readable, .events = POLLIN};
    return 1;
}

void
sb_shell_free(struct sb_shell *r)
{
    sb_out_abandon(&r->out);
    sb_out_abandon(&r->err);
}

/* ---- what is asked */

static bool
ask_windows(struct sb_peer *n, struct sb_err *e)
{
    struct sb_watch w;
    bool ok = true;
    const struct sb_watch_options how = {.interval_ns = 100000, .permille = 10};
    SB_TRY(sb_watch_open(&w, &(struct sb_attached){.node = n, .signals = -1}, &how, e));
    for (unsigned i = 0; i < STEPS && ok; i++) {
        ok = sb_watch_step(&w, e);
        if (w.tally.process.n > 0)
            sb_watch_open_process(&w, w.tally.process.at[0].who);
        sb_watch_show(&w, (const sb_actor[]){sb_actor_make(SB_PID, 0, 0, 85)}, 1);
    }
    sb_watch_close(&w);
    return ok;
}

static bool
ask_pieces(struct sb_peer *n, struct sb_err *e)
{
    struct sb_str piece;
    uint64_t sum = 0;
    bool last = false;
    for (unsigned i = 0; i < STEPS && !last; i++) {
        SB_TRY(sb_peer_fetch(n, sum, &piece, &last, e));
        for (size_t k = 0; k < piece.n; k++) /* every byte of it can be read */
            sum += (uint8_t)piece.p[k];
    }
    return true;
}

static bool
ask(struct sb_peer *n, unsigned what, struct sb_err *e)
{
    struct sb_peer_facts facts;
    struct sb_str text;
    bool is;
    switch (what % 8) {
    case 0:
        return sb_peer_facts(n, &facts, e);
    case 1:
        return ask_pieces(n, e);
    case 2:
        return sb_peer_end(n, &text, e);
    case 3:
        return n->line.type->is_loaded(&n->line, &is, e);
    default:
        return ask_windows(n, e);
    }
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    forge_ring_copies(good, COPIES);
    always_readable = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    ei_init();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sb_arena a;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_peer n = {0};
    if (size == 0)
        return 0;
    input = data + 1;
    left = size - 1;
    copies = 0;
    a = (struct sb_arena){0};
    bool ok = sb_line_find(&n.line, NULL, "a command", &a, &e) && n.line.type->open(&n.line, &e) &&
              ask(&n, data[0], &e);
    SB_ASSERT(ok || e.what[0]);
    sb_peer_close(&n);
    sb_arena_close(&a);
    return 0;
}
