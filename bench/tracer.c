/*
 * The tracer without a VM: the code of beam/c_src between stand-ins for the VM's functions that do nothing but what it
 * needs (stand_in.h). What it does is the same on each run and beside any neighbour.
 *
 *     tracer KIND EVENTS       makes events of a kind; bench/tracer counts the instructions from `measured` on
 *     tracer threads EVENTS    makes events of all kinds in each of several threads, one thread after another, and
 *                              stores to the addresses that it prints before and after each
 *     tracer layouts           learns where pids have their numbers, from those of several layouts
 *
 * The VM's own work is not in it: choosing the callback, building terms, its functions of enif.
 */
#include "dict.h"
#include "enabled.h"
#include "only.h"
#include "stand_in.h"
#include "trace/sbt/ring_write.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 1000, THREADS = 4 };

/* ---- events of two processes, four of each in turn, as in a ring of messages */

struct event {
    const char *name;
    ERL_NIF_TERM (*enabled)(ErlNifEnv *, int, const ERL_NIF_TERM *);
    ERL_NIF_TERM (*trace)(ErlNifEnv *, int, const ERL_NIF_TERM *);
    enum { FUNCTION, MESSAGE, MESSAGE_TO } term;
};
static const struct event events[] = {
    {"call", enabled_call, trace_call, FUNCTION},     {"return_to", enabled_call, trace_call, FUNCTION},
    {"in", enabled_running, trace_running, FUNCTION}, {"out", enabled_running, trace_running, FUNCTION},
    {"send", enabled, trace_send, MESSAGE_TO},        {"receive", enabled, trace_receive, MESSAGE},
};
enum { KINDS = sizeof events / sizeof *events };

struct terms { /* {M, F, 1}, {token, 7}, and #{extra => Pid} */
    ERL_NIF_TERM mfa[4], message[3], extra[2];
};

static struct terms
make_terms(void)
{
    return (struct terms){
        .mfa = {3 << ARITY_SHIFT, enif_make_atom(NULL, "worker"), enif_make_atom(NULL, "loop"), small(1)},
        .message = {2 << ARITY_SHIFT, enif_make_atom(NULL, "token"), small(7)},
        .extra = {1 << ARITY_SHIFT}};
}

static ERL_NIF_TERM
pid(ERL_NIF_TERM number)
{
    return number << 4 | PID;
}

static inline void
make_events(struct terms *t, const struct event *e, ERL_NIF_TERM tag, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        t->extra[1] = e->term == MESSAGE_TO ? pid(100 + (i / 4 + 1) % 2) : 0;
        ERL_NIF_TERM arg[] = {tag, 0, pid(100 + i / 4 % 2), boxed(e->term == FUNCTION ? t->mfa : t->message),
                              boxed(t->extra)};
        e->enabled(NULL, 3, arg);
        e->trace(NULL, 5, arg);
    }
}

static __attribute__((noinline)) void
measured(struct terms *t, const struct event *e, ERL_NIF_TERM tag, unsigned n)
{
    make_events(t, e, tag, n);
}

/* A process whose heap has room: the VM's own look-up is not counted. */
static void *
roomy(void *self, uint32_t held, ERL_NIF_TERM pid, uint32_t wanted, int flags)
{
    static const uint64_t word[] = {0, 1000 * sizeof(uint64_t)};
    return (void *)word;
}

static bool
begin(unsigned rings, uint32_t chunk)
{
    const struct ring_sizes sizes = {.n_large = rings,
                                     .n_small = 1,
                                     .large_bytes = 256 * chunk,
                                     .small_bytes = 1 << 16,
                                     .chunk_large = chunk,
                                     .chunk_small = 1 << 12,
                                     .dict_bytes = 1 << 20};
    if (capture_open("", &sizes))
        return false;
    /* as learned from the terms of OTP 25, and with a measured clock */
    capture.layout = (struct layout){.tags_known = true, .tuple_tag = LAYOUT_BOXED, .map_tag = LAYOUT_NEVER};
    capture.layout.pid.tag = PID;
    capture.layout.room = (struct room){.careful = true, .find = roomy, .top = 0, .stop = 1};
    layout_set_id(&capture.layout.pid, 28, 32, 0, 0);
    atomic_store(&capture.clock.ns_per_cycle, 1);
    atomic_store(&capture.clock.anchor_cycles, UINT64_MAX);
    struct terms t = make_terms();
    only_add(&(struct only_entry){t.mfa[1], t.mfa[2], 1});
    capture_begin();
    rest_begin(&capture.rest, false);
    atomic_store(&capture.rest.state, REST_STATES); /* the rest has ended */
    enabled_load(NULL);
    return events_load(NULL);
}

static uint64_t
recorded(unsigned ring)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < SB_KINDS_MAX; k++)
        n += sb_rings_at(capture.rings, ring)->kinds[k];
    return n;
}

static int
count(const struct event *e, unsigned n)
{
    struct terms t = make_terms();
    if (!begin(1, 1 << 16))
        return 1;
    ERL_NIF_TERM tag = enif_make_atom(NULL, e->name);
    make_events(&t, e, tag, WARM); /* fills the caches of names */
    measured(&t, e, tag, n);
    return recorded(0) == n + WARM ? 0 : 1;
}

/* ---- threads */

static volatile uint64_t
    marker[THREADS + 1]; /* stored to before the events of each thread; the last: after them */

struct thread {
    unsigned number, n;
    sem_t done, end;
};

/* Each thread lives until all are done: otherwise the next one would get its stack. */
static void *
thread(void *arg)
{
    struct thread *at = arg;
    struct terms t = make_terms();
    ERL_NIF_TERM tag[KINDS];
    for (unsigned k = 0; k < KINDS; k++) {
        tag[k] = enif_make_atom(NULL, events[k].name);
        make_events(&t, &events[k], tag[k], at->n);
    }
    marker[at->number] = 1;
    for (unsigned k = 0; k < KINDS; k++)
        make_events(&t, &events[k], tag[k], at->n);
    marker[THREADS] = 1;
    sem_post(&at->done);
    sem_wait(&at->end);
    return NULL;
}

static int
threads(unsigned n)
{
    pthread_t id[THREADS];
    struct thread of[THREADS];
    if (!begin(THREADS, 1 << 12))
        return 1;
    printf("begin");
    for (unsigned i = 0; i < THREADS; i++)
        printf(" %llx", (unsigned long long)(uintptr_t)&marker[i]);
    printf("\nend %llx\n", (unsigned long long)(uintptr_t)&marker[THREADS]);
    fflush(stdout);
    for (unsigned i = 0; i < THREADS; i++) {
        of[i] = (struct thread){.number = i, .n = n};
        sem_init(&of[i].done, 0, 0);
        sem_init(&of[i].end, 0, 0);
        if (pthread_create(&id[i], NULL, thread, &of[i]) != 0)
            return 1;
        sem_wait(&of[i].done);
    }
    bool all = true;
    for (unsigned i = 0; i < THREADS; i++) {
        sem_post(&of[i].end);
        pthread_join(id[i], NULL);
        all &= recorded(i) == 2 * KINDS * n;
    }
    return all ? 0 : 1;
}

/* ---- layouts */

enum { NUMBERS = 20 };

/* The word of a pid: the low bits of its number rotated left. */
static ERL_NIF_TERM
word_of(uint64_t number, uint64_t serial, unsigned bits, unsigned turn)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, low = number & mask;
    uint64_t index = turn ? (low << turn | low >> (bits - turn)) & mask : low;
    return serial << 32 | (number & ~mask) << 4 | index << 4 | PID;
}

/* Learns from the pids of a table of 2^bits processes, and returns whether all numbers and serials are right then. */
static bool
learns(unsigned bits, unsigned turn)
{
    static ERL_NIF_TERM tuple[NUMBERS][4], cell[NUMBERS][2], probe[3];
    static const struct layout_widths widths = {32, 10, 32, 13};
    struct layout_id id = {0};
    ERL_NIF_TERM list = NIL;
    for (unsigned i = 0; i < NUMBERS; i++) {
        uint64_t number = i < bits ? UINT64_C(1) << i : 12345u * i % (1u << 28), serial = i % 3 * 1001;
        memcpy(tuple[i],
               (ERL_NIF_TERM[]){3 << ARITY_SHIFT, word_of(number, serial, bits, turn), small(number),
                                small(serial)},
               sizeof tuple[i]);
        list = cons(cell[i], boxed(tuple[i]), list);
    }
    memcpy(probe, (ERL_NIF_TERM[]){2 << ARITY_SHIFT, small(UINT64_C(1) << bits), list}, sizeof probe);
    bool right = layout_learn_id(NULL, boxed(probe), &widths, &id) && id.number_mask;
    for (uint64_t number = 1; number < 1u << 28; number = number * 3 + 1) {
        ERL_NIF_TERM t = word_of(number, number % 8000, bits, turn);
        right &= layout_number(&id, t) == number && layout_serial(&id, t) == number % 8000;
    }
    tuple[0][2] = small(4711); /* a number that is elsewhere: nothing fits */
    return right && layout_learn_id(NULL, boxed(probe), &widths, &id) && !id.number_mask;
}

static int
layouts(void)
{
    bool all = true;
    for (unsigned bits = 10; bits <= NUMBERS; bits += 2)
        for (unsigned turn = 0; turn <= 4; turn++)
            if (!learns(bits, turn)) {
                printf("a table of 2^%u processes, rotated by %u\n", bits, turn);
                all = false;
            }
    return all ? 0 : 1;
}

int
main(int argc, char **argv)
{
    unsigned n = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
    for (unsigned i = 0; n > 0 && i < KINDS; i++)
        if (strcmp(argv[1], events[i].name) == 0)
            return count(&events[i], n);
    if (n > 0 && strcmp(argv[1], "threads") == 0)
        return threads(n);
    if (argc == 2 && strcmp(argv[1], "layouts") == 0)
        return layouts();
    fprintf(stderr, "usage: tracer KIND EVENTS | tracer threads EVENTS | tracer layouts\n");
    return 2;
}
