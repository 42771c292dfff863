#include "why/predict/calibration.h"
#include <stdlib.h>

/* Medians over 18 programs on one machine with two cores. */
static const struct sb_calibration typical = {.cores = 1,
                                              .send = 250,
                                              .ready = 3000,
                                              .wake = 3000,
                                              .receive = 200,
                                              .change = 150,
                                              .dispatch = 400,
                                              .start = 3000,
                                              .spawn = 1500,
                                              .memory = 1};

struct sb_str
sb_calibration_path(struct sb_arena *a)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return sb_arena_printf(a, "%s/strobe/calibration", cache);
    return home && home[0] == '/' ? sb_arena_printf(a, "%s/.cache/strobe/calibration", home) : SB_STR("");
}

static bool
set_number(struct sb_calibration *c, struct sb_str name, double v)
{
#define NUMBER(of, doc) \
    if (sb_str_eq(name, SB_STR(#of))) { \
        c->of = v; \
        return true; \
    }
    SB_CALIBRATION_NUMBERS(NUMBER)
#undef NUMBER
    return false;
}

/* Sets the numbers from lines "name value"; false: one is missing, or none that a machine can have. */
static bool
parse(struct sb_str text, struct sb_calibration *c)
{
    unsigned n = 0, all = 0;
    *c = (struct sb_calibration){.is_measured = true};
#define NUMBER(name, doc) all++;
    SB_CALIBRATION_NUMBERS(NUMBER)
#undef NUMBER
    while (text.n > 0) {
        struct sb_str line = sb_str_trim(sb_str_cut(&text, '\n')), name = sb_str_cut(&line, ' ');
        char number[32] = "", *end;
        memcpy(number, line.p ? line.p : "", line.n < sizeof number ? line.n : 0);
        double v = strtod(number, &end);
        n += end > number && *end == '\0' && v >= 0 && v < 1e7 && set_number(c, name, v);
    }
    return n == all && c->cores >= 1 && c->memory >= 1 && c->memory < 100;
}

struct sb_calibration
sb_calibration_read(void)
{
    enum { MOST = 4096 };
    SB_ARENA(a);
    struct sb_calibration c;
    char text[MOST];
    struct sb_str path = sb_calibration_path(&a);
    SB_SCOPED_FILE FILE *f = path.n > 0 ? fopen(path.p, "re") : NULL;
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    return parse((struct sb_str){text, n}, &c) ? c : typical;
}

struct sb_replay_costs
sb_calibration_costs(const struct sb_calibration *c, double times)
{
    return (struct sb_replay_costs){c->change,       times * c->send,    times * c->ready,
                                    times * c->wake, times * c->receive, times * c->dispatch,
                                    times * c->start};
}
