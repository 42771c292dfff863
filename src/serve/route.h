/*
 * The questions the page can ask. A route is a row of route.def: a name, what it answers, a function from the
 * request to a reply. It knows nothing of HTTP: the server and the one-file report ask through the same
 * table.
 */
#pragma once
#include "serve/reply.h"
#include "serve/request.h"

struct sb_route {
    const char *name, *doc;
    bool post;  /* takes a body */
    bool early; /* also answers during the analysis */
    bool (*answer)(const struct sb_request *rq, struct sb_reply *reply, struct sb_err *e);
};

#define ROUTE(name, ...) \
    bool sb_route_##name(const struct sb_request *rq, struct sb_reply *reply, struct sb_err *e);
#define PAGE(...)
#include "serve/routes/route.def"
#undef PAGE
#undef ROUTE

extern const struct sb_route sb_routes[];
extern const size_t sb_n_routes;
/* "process/17": the route "process", and "17" in *rest */
const struct sb_route *sb_route_find(struct sb_str path, struct sb_str *rest);

/* The limits of statements. */
#define SB_QUERY_TIME_NS INT64_C(10000000000)
#define SB_QUERY_ROWS 10000
