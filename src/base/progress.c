#include "base/progress.h"
#include "base/file.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { REDRAW_NS = 100 * 1000 * 1000 };

static int64_t
read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
sb_clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t
sb_clock_ahead_ns(void)
{
    long long seconds = 0, ns = 0;
    SB_SCOPED_FILE FILE *f = fopen("/proc/self/timens_offsets", "re");
    bool known = f && fscanf(f, "monotonic %lld %lld", &seconds, &ns) == 2;
    return known ? seconds * 1000000000 + ns : 0;
}

int64_t
sb_thread_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void
sb_progress_open(struct sb_progress *p, const char *what, const char *unit, double unit_size, uint64_t total)
{
    *p = (struct sb_progress){.what = what, .unit = unit, .unit_size = unit_size, .total = total};
    p->started_ns = p->drawn_ns = sb_clock_ns();
    p->on = isatty(STDERR_FILENO) == 1;
}

static void
draw(struct sb_progress *p, uint64_t done, int64_t now_ns)
{
    double seconds = (double)(now_ns - p->started_ns) / 1e9;
    double rate = seconds > 0 ? (double)done / seconds : 0;
    double percent = p->total > 0 ? 100.0 * (double)done / (double)p->total : 0;
    if (!p->unit)
        fprintf(stderr, "\r\033[K%s: %.0f %%", p->what, percent);
    else {
        fprintf(stderr, "\r\033[K%s %.0f %s", p->what, (double)done / p->unit_size, p->unit);
        if (p->total > 0)
            fprintf(stderr, " of %.0f (%.0f %%)", (double)p->total / p->unit_size, percent);
        fprintf(stderr, ", %.0f %s/s", rate / p->unit_size, p->unit);
    }
    if (p->total > done && rate > 0)
        fprintf(stderr, ", %.0f s left", (double)(p->total - done) / rate);
    fflush(stderr);
}

void
sb_progress_set(struct sb_progress *p, uint64_t done)
{
    if (!p->on)
        return;
    int64_t now_ns = sb_clock_ns();
    if (now_ns - p->drawn_ns < REDRAW_NS)
        return;
    p->drawn_ns = now_ns;
    draw(p, done, now_ns);
}

void
sb_progress_close(struct sb_progress *p)
{
    if (p->on)
        fputs("\r\033[K", stderr);
    p->on = false;
}
