#include "live/drain/drain_options.h"

static bool
set_option(struct sb_drain_options *o, const char *name, const char *value)
{
    struct sb_flight_options *f = &o->flight;
    uint64_t v;
    if (strcmp(name, "--when") == 0) {
        if (f->n_when < SB_FLIGHT_WHENS)
            f->when[f->n_when++] = value;
        return true;
    }
    if (!sb_str_to_u64(sb_str_of(value), &v))
        return false;
    if (strcmp(name, "--level") == 0)
        o->level = (int)(v < 19 ? v : 19);
    else if (strcmp(name, "--max-events") == 0)
        o->max_events = v;
    else if (strcmp(name, "--max-bytes") == 0)
        o->max_bytes = v;
    else if (strcmp(name, "--max-ns") == 0)
        o->max_ns = (int64_t)(v & INT64_MAX);
    else if (strcmp(name, "--cpu") == 0)
        o->cpu_hz = (unsigned)(v < 10000 ? v : 10000);
    else if (strcmp(name, "--cpu-told") == 0)
        o->cpu_told = v > 0;
    else if (strcmp(name, "--keep-map") == 0)
        o->keeps_map = v > 0;
    else if (strcmp(name, "--summary") == 0)
        o->summary = v > 0;
    else if (strcmp(name, "--flight") == 0)
        f->window_ns = (int64_t)(v & INT64_MAX);
    else if (strcmp(name, "--window-bytes") == 0)
        f->max_bytes = v;
    else if (strcmp(name, "--keep") == 0)
        f->keep = (unsigned)(v > 0 && v < 1000 ? v : 1);
    else
        return false;
    return true;
}

bool
sb_drain_options_read(struct sb_drain_options *o, int n, const char *const *arg)
{
    int i = 0;
    *o = (struct sb_drain_options){.level = 1,
                                   .flight = {.max_bytes = SB_FLIGHT_BYTES, .keep = SB_FLIGHT_KEEP}};
    for (; i + 1 < n && strncmp(arg[i], "--", 2) == 0; i += 2)
        if (!set_option(o, arg[i], arg[i + 1]))
            return false;
    if (n - i != 2)
        return false;
    o->rings = arg[i];
    o->trace = arg[i + 1];
    return true;
}
