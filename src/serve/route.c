#include "serve/route.h"

#define GET false
#define POST true
#define EARLY true
#define LATE false
const struct sb_route sb_routes[] = {
#define ROUTE(name, method, when, doc) {#name, doc, method, when, sb_route_##name},
#define PAGE(...)
#include "serve/routes/route.def"
#undef PAGE
#undef ROUTE
};
const size_t sb_n_routes = sizeof sb_routes / sizeof *sb_routes;

const struct sb_route *
sb_route_find(struct sb_str path, struct sb_str *rest)
{
    *rest = path;
    struct sb_str name = sb_str_cut(rest, '/');
    for (size_t i = 0; i < sb_n_routes; i++)
        if (sb_str_eq(name, sb_str_of(sb_routes[i].name)))
            return &sb_routes[i];
    return NULL;
}
