#include "live/drain/cpu.h"
#include "base/progress.h"
#include "base/file.h"
#include "base/order.h"
#include "live/drain/cpu_callers.h"
#include "live/drain/cpu_nifs.h"
#include "trace/sbt/wire_event.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 32, SCAN_NS = 200000000 };
enum {
    SELDOM_NS = 1000000000, /* while no thread works */
    UNTOLD_NS = 600000000   /* readers of a trace that grows take a drain to be at most so late */
};
enum { STACK_WORDS = 1024, FEW_WORDS = 256 /* where code keeps frame pointers: they reach further */ };
#ifdef __x86_64__
enum {
    WITH_STACK = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
    REGS = 1 << 6 | 1 << 7 | 1 << 8 /* bp, sp, ip */
};
#else
enum { WITH_STACK = 0, REGS = 0 };
#endif

struct thread {
    uint32_t tid;
    int fd;
    struct perf_event_mmap_page *page; /* NULL: it has no buffer */
    size_t pages;                      /* of data: a power of two */
    bool is_here;                      /* in the last list of the threads */
};
/* A sample that is not written yet. Its addresses are in `chain`, innermost first: those of functions of files, of
 * the Erlang function that called the outermost of these, if it is known, and what the kernel found by frame
 * pointers. */
struct taken {
    uint64_t at_ns;
    uint32_t tid, chain, depth;
    struct sb_cpu_found found;
    bool in_kernel;
};

struct sb_cpu {
    uint32_t pid, frames;
    unsigned hz, stack_words;
    bool user_only; /* the kernel does not show when it runs for a thread */
    bool stirs;     /* there were samples since the last list of the threads */
    int poll_fd;    /* readable when a buffer is half full */
    size_t page_bytes;
    int64_t scanned_ns, ahead_ns; /* the clock of the node is ahead of the kernel's */
    SB_VEC(struct thread) thread;
    SB_VEC(struct taken) taken;
    sb_cpu_addresses chain;
    struct sb_cpu_code code;
    struct sb_map frame; /* caller's number << 32 | name and kind -> number */
    uint64_t samples, lost;
    struct sb_made made;
};

/* ---- threads */

static int
open_event(const struct sb_cpu *c, uint32_t tid)
{
    struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
                                .size = sizeof a,
                                .config = PERF_COUNT_SW_CPU_CLOCK,
                                .sample_period = 1000000000 / c->hz,
                                .sample_type =
                                    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | WITH_STACK,
                                .sample_regs_user = REGS,
                                .sample_stack_user = REGS ? c->stack_words * 8 : 0,
                                .exclude_kernel = c->user_only,
                                .exclude_hv = 1,
                                .exclude_callchain_kernel = 1,
                                .use_clockid = 1,
                                .clockid = CLOCK_MONOTONIC,
                                .sample_max_stack = SB_CPU_DEPTH,
                                .watermark = 1,
                                .wakeup_watermark = (uint32_t)(PAGES * c->page_bytes / 2)};
    return (int)syscall(SYS_perf_event_open, &a, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Users may lock so much memory: where it is short, buffers are smaller. */
static void
map_buffer(const struct sb_cpu *c, struct thread *t)
{
    for (t->pages = PAGES; t->pages > 0; t->pages /= 2) {
        void *p = mmap(NULL, (t->pages + 1) * c->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
        if (p != MAP_FAILED) {
            t->page = p;
            return;
        }
    }
}

static void
close_thread(const struct sb_cpu *c, struct thread *t)
{
    if (t->page)
        munmap(t->page, (t->pages + 1) * c->page_bytes);
    sb_close(t->fd);
}

static struct thread *
known(struct sb_cpu *c, uint32_t tid)
{
    for (size_t i = 0; i < c->thread.n; i++)
        if (c->thread.at[i].tid == tid)
            return &c->thread.at[i];
    return NULL;
}

static void
add_thread(struct sb_cpu *c, uint32_t tid)
{
    struct thread t = {.tid = tid, .fd = open_event(c, tid), .is_here = true};
    if (t.fd >= 0)
        map_buffer(c, &t);
    if (t.page)
        epoll_ctl(c->poll_fd, EPOLL_CTL_ADD, t.fd, &(struct epoll_event){.events = EPOLLIN});
    *SB_PUSH(&c->thread) = t;
}

static void
scan_threads(struct sb_cpu *c)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%u/task", c->pid);
    SB_SCOPED_DIR DIR *d = opendir(path);
    if (!d)
        return;
    for (size_t i = 0; i < c->thread.n; i++)
        c->thread.at[i].is_here = false;
    for (struct dirent *f; (f = readdir(d));) {
        uint32_t tid = (uint32_t)strtoul(f->d_name, NULL, 10);
        struct thread *t = tid ? known(c, tid) : NULL;
        if (t)
            t->is_here = true;
        else if (tid)
            add_thread(c, tid);
    }
}

static void
forget_threads(struct sb_cpu *c)
{
    for (size_t i = 0; i < c->thread.n;)
        if (c->thread.at[i].is_here)
            i++;
        else {
            close_thread(c, &c->thread.at[i]);
            c->thread.at[i] = c->thread.at[--c->thread.n];
        }
}

/* ---- taking samples out of the kernel's buffers */

struct reader { /* of a buffer, whose end is followed by its beginning */
    const uint8_t *data;
    uint64_t at, mask;
};

static uint64_t
next_u64(struct reader *r)
{
    uint64_t v; /* records are aligned to 8 bytes, so none is cut */
    memcpy(&v, r->data + (r->at & r->mask), sizeof v);
    r->at += sizeof v;
    return v;
}

/* What follows the addresses of a sample. False: the thread was not in a program of 64 bits. */
static bool
take_stack(struct reader *r, uint64_t end, struct sb_cpu_regs *regs, uint64_t word[STACK_WORDS],
           struct sb_cpu_stack *s)
{
    if (r->at + 6 * sizeof *word > end || next_u64(r) != PERF_SAMPLE_REGS_ABI_64)
        return false;
    regs->bp = next_u64(r);
    regs->sp = next_u64(r);
    regs->ip = next_u64(r);
    *s = (struct sb_cpu_stack){word, regs->sp, next_u64(r) / sizeof *word};
    if (s->n == 0 || s->n > STACK_WORDS || r->at + (s->n + 1) * sizeof *word > end)
        return false;
    for (size_t i = 0; i < s->n; i++)
        word[i] = next_u64(r);
    uint64_t copied = next_u64(r) / sizeof *word;
    s->n = copied < s->n ? copied : s->n;
    return true;
}

static void
take_sample(struct sb_cpu *c, struct reader r, uint64_t end, bool in_kernel)
{
    uint64_t ids = next_u64(&r), at_ns = next_u64(&r), n = next_u64(&r), word[STACK_WORDS];
    struct taken t = {.at_ns = at_ns + (uint64_t)c->ahead_ns,
                      .tid = (uint32_t)(ids >> 32),
                      .chain = (uint32_t)c->chain.n,
                      .in_kernel = in_kernel};
    struct reader chain = r;
    struct sb_cpu_regs regs;
    struct sb_cpu_stack stack;
    if (n > (end - r.at) / sizeof n)
        return;
    r.at += n * sizeof n;
    for (bool first = true; n > 0; n--) {
        uint64_t address = next_u64(&chain);
        if (address >= (uint64_t)PERF_CONTEXT_MAX || c->chain.n - t.chain == 2 * SB_CPU_DEPTH)
            continue;
        *SB_PUSH(&c->chain) = first ? address : address - 1;
        if (first && WITH_STACK != 0 && take_stack(&r, end, &regs, word, &stack) && regs.ip == address)
            t.found = sb_cpu_add_callers(&c->code, &c->chain, &stack, regs);
        first = false;
        if (!c->code.has_frames)
            break; /* there are no frame pointers to follow */
    }
    t.depth = (uint32_t)c->chain.n - t.chain;
    c->stirs = true;
    *SB_PUSH(&c->taken) = t;
}

static void
read_buffer(struct sb_cpu *c, struct thread *t)
{
    if (!t->page)
        return;
    uint64_t head = __atomic_load_n(&t->page->data_head, __ATOMIC_ACQUIRE), size = t->pages * c->page_bytes;
    struct reader r = {(const uint8_t *)t->page + c->page_bytes, t->page->data_tail, size - 1};
    while (head - r.at >= sizeof(struct perf_event_header)) {
        uint64_t word = next_u64(&r);
        struct perf_event_header h;
        memcpy(&h, &word, sizeof h);
        uint64_t end = r.at - sizeof word + h.size;
        if (h.size < sizeof h || end > head)
            break;
        if (h.type == PERF_RECORD_SAMPLE && h.size >= 4 * sizeof word)
            take_sample(c, r, end, (h.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL);
        else if (h.type == PERF_RECORD_LOST && h.size >= 3 * sizeof word) {
            next_u64(&r); /* id */
            c->lost += next_u64(&r);
        }
        r.at = end;
    }
    __atomic_store_n(&t->page->data_tail, head, __ATOMIC_RELEASE);
}

/* ---- stacks */

/* The number of a frame below its caller. A frame that is new becomes a record. */
static uint32_t
frame(struct sb_cpu *c, uint32_t caller, struct sb_cpu_code_place place, int64_t at_ns)
{
    bool is_new;
    uint32_t *number = sb_map_put(&c->frame, (uint64_t)caller << 32 | place.name << 2 | place.kind, &is_new);
    if (!is_new)
        return *number;
    struct sb_str name = sb_intern_text(&c->code.names, place.name);
    *number = ++c->frames;
    uint32_t mine = *number;
    if (place.kind == SB_CPU_CODE_ERLANG)
        sb_cpu_code_list(&c->code, place.name, mine);
    struct sb_wire_cpu_frame slots = {.name = {name.p, name.n < SB_WIRE_TEXT_MAX ? name.n : SB_WIRE_TEXT_MAX},
                                      .number = mine,
                                      .caller = caller,
                                      .kind = place.kind};
    uint8_t *p = sb_made_begin(&c->made, SB_EV_cpu_frame, at_ns);
    sb_made_end(&c->made, sb_wire_put_cpu_frame(p, NULL, slots));
    return mine;
}

/*
 * Of what the kernel found by frame pointers the innermost address is certain. Behind it stand return addresses: those
 * of Erlang functions are believed, and others are not, since the VM's own code keeps no frame pointers. If another
 * function was found to be the innermost of Erlang, the pointers were not. A function that calls itself is one frame.
 * A NIF is a function of Erlang that the VM calls for one.
 */
static uint32_t
stack_of(struct sb_cpu *c, const struct taken *t)
{
    const uint64_t *chain = c->chain.at + t->chain;
    struct sb_cpu_code_place place[4 * SB_CPU_DEPTH + 2], at;
    uint32_t n = 0, number = 0, sure = t->found.files + t->found.has_caller;
    bool is_believed = !t->found.has_caller;
    sure = sure ? sure : 1;
    for (uint32_t i = 0; i < t->depth; i++) {
        if (i < sure)
            at = sb_cpu_code_at(&c->code, chain[i]);
        else if (!sb_cpu_code_is_jit(&c->code, chain[i], &at) || at.kind != SB_CPU_CODE_ERLANG)
            continue;
        if (i >= sure && !is_believed && at.name != place[n - 1].name)
            break;
        is_believed = is_believed || i >= sure;
        if (n == 0 || at.name != place[n - 1].name)
            place[n++] = at;
        if (i > 0 && i < t->found.files && (i == t->found.nif || sb_cpu_nif_calls(&c->code, at)) &&
            sb_cpu_nif_at(&c->code, chain[i - 1], &at))
            place[n++] = at;
    }
    while (n > 0) {
        n--;
        struct sb_cpu_code_place p = place[n];
        p.kind = p.kind == SB_CPU_CODE_SHARED ? SB_CPU_CODE_NATIVE : p.kind;
        number = frame(c, number, p, (int64_t)t->at_ns);
    }
    if (t->in_kernel)
        number = frame(
            c, number,
            (struct sb_cpu_code_place){sb_intern_put(&c->code.names, SB_STR("kernel")), SB_CPU_CODE_KERNEL},
            (int64_t)t->at_ns);
    return number;
}

static void
write_sample(struct sb_cpu *c, const struct taken *t)
{
    uint32_t stack = stack_of(c, t);
    uint8_t *p = sb_made_begin(&c->made, SB_EV_cpu_sample, (int64_t)t->at_ns);
    sb_made_end(&c->made,
                sb_wire_put_cpu_sample(p, NULL, (struct sb_wire_cpu_sample){.tid = t->tid, .stack = stack}));
    c->samples++;
}

SB_ORDER(by_time, struct taken, SB_UP(at_ns) ?: SB_UP(tid))

/* ---- the whole */

struct sb_cpu *
sb_cpu_open(uint32_t pid, const char *rings, unsigned hz)
{
    struct sb_cpu *c = sb_realloc_or_die(NULL, sizeof *c);
    *c = (struct sb_cpu){
        .pid = pid, .hz = hz, .ahead_ns = sb_clock_ahead_ns(), .page_bytes = (size_t)sysconf(_SC_PAGESIZE)};
    sb_cpu_code_open(&c->code, pid, rings);
    c->stack_words = c->code.has_frames ? FEW_WORDS : STACK_WORDS;
    c->poll_fd = epoll_create1(EPOLL_CLOEXEC);
    int fd = open_event(c, pid);
    if ((c->user_only = fd < 0))
        fd = open_event(c, pid);
    if (fd < 0) {
        sb_cpu_close(c, true);
        return NULL;
    }
    close(fd);
    return c;
}

bool
sb_cpu_has_stacks(void)
{
    return WITH_STACK != 0;
}

bool
sb_cpu_is_allowed(struct sb_err *e)
{
    const struct sb_cpu here = {.hz = 1, .user_only = true, .stack_words = FEW_WORDS};
    int fd = open_event(&here, 0), level = 0;
    if (fd >= 0) {
        close(fd);
        return true;
    }
    int why = errno;
    SB_SCOPED_FILE FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    bool has_level = f && fscanf(f, "%d", &level) == 1;
    if (has_level && level > 2 && (why == EACCES || why == EPERM))
        return sb_err_set(e, SB_ERR_SYSTEM,
                          "the kernel allows them to root alone: sysctl kernel.perf_event_paranoid=2");
    return sb_err_set(
        e, SB_ERR_SYSTEM,
        why == EPERM || why == EACCES || why == ENOSYS
            ? "perf_event_open is not allowed here, as in most containers: allow it there (seccomp)"
            : "the kernel cannot take them here");
}

bool
sb_cpu_has_map(uint32_t pid)
{
    struct sb_cpu_code code;
    sb_cpu_code_open(&code, pid, NULL);
    bool has = code.map_read > 0;
    sb_cpu_code_close(&code, false);
    return has;
}

void
sb_cpu_close(struct sb_cpu *c, bool keeps_map)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->thread.n; i++)
        close_thread(c, &c->thread.at[i]);
    sb_close(c->poll_fd);
    SB_VEC_FREE(&c->thread);
    SB_VEC_FREE(&c->taken);
    SB_VEC_FREE(&c->chain);
    sb_map_close(&c->frame);
    sb_made_close(&c->made);
    sb_cpu_code_close(&c->code, !keeps_map);
    free(c);
}

/* Code that runs is told within the next half second, so a sample of it waits so long for its name. */
static bool
waits(const struct sb_cpu *c, const struct taken *t, int64_t now_ns)
{
    if ((int64_t)t->at_ns < now_ns - UNTOLD_NS)
        return false;
    for (uint32_t i = 0; i < t->depth; i++)
        if (sb_cpu_code_is_untold(&c->code, c->chain.at[t->chain + i]))
            return true;
    return false;
}

static void
forget_taken(struct sb_cpu *c, size_t n)
{
    uint32_t first = (uint32_t)c->chain.n;
    c->taken.n -= n;
    if (n > 0)
        memmove(c->taken.at, c->taken.at + n, c->taken.n * sizeof *c->taken.at);
    for (size_t i = 0; i < c->taken.n; i++)
        first = c->taken.at[i].chain < first ? c->taken.at[i].chain : first;
    for (size_t i = 0; i < c->taken.n; i++)
        c->taken.at[i].chain -= first;
    c->chain.n -= first;
    if (first > 0)
        memmove(c->chain.at, c->chain.at + first, c->chain.n * sizeof *c->chain.at);
}

/* Samples of the time of this look itself stay for the next one: those of other threads may be older. */
void
sb_cpu_read(struct sb_cpu *c, int64_t now_ns, bool last)
{
    if (!c)
        return;
    bool scans = now_ns - c->scanned_ns >= (c->stirs ? SCAN_NS : SELDOM_NS);
    c->code.is_mapped = false;
    if (scans) {
        scan_threads(c);
        sb_cpu_code_grow(&c->code);
        c->scanned_ns = now_ns;
        c->stirs = false;
    }
    /* the VM writes its map before the code runs, and the node ours later, for some milliseconds */
    if (scans || c->code.has_map || c->code.is_growing)
        sb_cpu_code_read_map(&c->code);
    for (size_t i = 0; i < c->thread.n; i++)
        read_buffer(c, &c->thread.at[i]);
    if (scans)
        forget_threads(c);
    SB_SORT(&c->taken, by_time);
    size_t n = 0;
    for (; n < c->taken.n && (int64_t)c->taken.at[n].at_ns < now_ns; n++) {
        if (!last && waits(c, &c->taken.at[n], now_ns))
            break;
        write_sample(c, &c->taken.at[n]);
    }
    forget_taken(c, n);
}

bool
sb_cpu_holds(const struct sb_cpu *c)
{
    return c && c->taken.n > 0;
}

int
sb_cpu_fd(const struct sb_cpu *c)
{
    return c ? c->poll_fd : -1;
}

const struct sb_cpu_code *
sb_cpu_code_of(const struct sb_cpu *c)
{
    return &c->code;
}

struct sb_made *
sb_cpu_made(struct sb_cpu *c)
{
    return &c->made;
}

void
sb_cpu_count(const struct sb_cpu *c, struct sb_sbt_trailer *t)
{
    if (!c)
        return;
    t->kinds[SB_EV_cpu_frame] += c->frames;
    t->kinds[SB_EV_cpu_sample] += c->samples;
    t->dropped[SB_CPU] += c->lost;
}
