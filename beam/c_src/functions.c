#include "functions.h"
#include "capture.h"
#include <stdio.h>
#include <time.h>

extern __attribute__((weak)) const uint64_t beam_normal_exit; /* where a process returns to at last */
extern __attribute__((weak)) const uint32_t the_active_code_index;

enum { STEP = 64, PROBES = 10000, ROOM = 1 << 16, LONGEST = 2048 /* of a line */ };

struct pass {
    ErlNifBinary text;
    size_t used;
    unsigned probes;
};

static const struct room_function *
look(struct pass *p, uint64_t at)
{
    p->probes++;
    return capture.layout.room.find_function(at);
}

/* The first address behind `at`, at most `to`, that is of another function than `f`. NULL: of any function. A function
 * lies in one piece, and what lies between functions may be short. */
static uint64_t
end_of(struct pass *p, const struct room_function *f, uint64_t at, uint64_t to)
{
    uint64_t same = at, other = at + STEP;
    for (uint64_t step = STEP; other < to && look(p, other) == f && (f || p->probes < PROBES);
         other += step) {
        same = other;
        step += f ? step : 0;
    }
    if (!f && p->probes >= PROBES)
        return same + STEP < to ? same + STEP : to;
    other = other < to ? other : to;
    while (other - same > 1) {
        uint64_t middle = same + (other - same) / 2;
        if (look(p, middle) == f)
            same = middle;
        else
            other = middle;
    }
    return other;
}

static void
add_line(struct pass *p, uint64_t from, uint64_t to, const struct room_function *f)
{
    char *at = (char *)p->text.data + p->used;
    unsigned long start = from, size = to - from;
    int n = f ? enif_snprintf(at, LONGEST, "%lx %lx $%T:%T/%lu\n", start, size, f->module, f->function,
                              (unsigned long)f->arity)
              : enif_snprintf(at, LONGEST, "%lx %lx $global::%s\n", start, size,
                              from == beam_normal_exit ? "normal_exit" : "unknown");
    p->used += n > 0 && n < LONGEST ? (size_t)n : 0;
}

NIF(nif_loaded)
{
    bool knows = capture.layout.room.find_function && &beam_normal_exit && &the_active_code_index;
    struct timespec worked;
    if (!knows || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &worked) != 0)
        return enif_make_atom(env, "unknown");
    long ms = (long)worked.tv_sec * 1000 + worked.tv_nsec / 1000000;
    return enif_make_tuple2(env, enif_make_uint(env, *(const volatile uint32_t *)&the_active_code_index),
                            enif_make_long(env, ms));
}

/* The first memory with code of the JIT, which is that of no file, that goes on behind `at`. */
static bool
find_code(uint64_t at, uint64_t *from, uint64_t *to)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], rights[5], name[16];
    bool found = false;
    while (!found && maps && fgets(line, sizeof line, maps)) {
        unsigned long first, behind;
        int n = sscanf(line, "%lx-%lx %4s %*s %*s %*s %15s", &first, &behind, rights, name);
        found = n >= 3 && behind > at && rights[2] == 'x' && (n == 3 || strncmp(name, "/memfd:", 7) == 0);
        *from = first;
        *to = behind;
    }
    if (maps)
        fclose(maps);
    return found;
}

static void
add_functions(struct pass *p, uint64_t *at, uint64_t to)
{
    while (*at < to && p->probes < PROBES && ROOM - p->used > 2 * LONGEST) {
        const struct room_function *f = look(p, *at);
        uint64_t end = end_of(p, f, *at, to);
        add_line(p, *at, end, f);
        if (!f && beam_normal_exit >= *at && beam_normal_exit < end)
            add_line(p, beam_normal_exit, beam_normal_exit + 1, f);
        *at = end;
    }
}

NIF(nif_functions)
{
    ErlNifUInt64 next;
    uint64_t at, from, to;
    struct pass p = {0};
    if (argc != 1 || !enif_get_uint64(env, argv[0], &next) || !capture.layout.room.find_function ||
        !&beam_normal_exit || !enif_alloc_binary(ROOM, &p.text))
        return enif_make_badarg(env);
    at = next;
    bool any = find_code(at, &from, &to);
    if (any) {
        at = at > from ? at : from;
        add_functions(&p, &at, to);
        enif_consume_timeslice(env, 100);
    }
    enif_realloc_binary(&p.text, p.used);
    return enif_make_tuple2(env, enif_make_uint64(env, any ? at : 0), enif_make_binary(env, &p.text));
}
