/* A question of the page: its parameters, read with bounds, and the profile that answers it. */
#pragma once
#include "base/err.h"
#include "base/map.h"
#include "profile/range.h"
#include "profile/sql/sql.h"
#include "serve/profiles.h"

#define SB_PARAMS 24
#define SB_MOST_IDS 2000

struct sb_param {
    struct sb_str key, value;
};

struct sb_request {
    struct sb_arena *arena; /* of this request */
    struct sb_str rest;     /* of the path after the route's name: "17" in "/api/process/17" */
    struct sb_param param[SB_PARAMS];
    size_t n_params;
    struct sb_str body;
    const struct sb_profiles *profiles;
    struct sb_served *served; /* the profile; NULL during its analysis */
    struct sb_sql *sql;       /* on that profile, of this thread; NULL for routes that need none */
    struct {
        struct sb_served *served;
        struct sb_sql *sql;
    } with;                        /* the same of the profile that parameter `with` names; NULL: none */
    int64_t deadline_ns;           /* on sb_clock_ns; 0: no limit */
    const _Atomic bool *cancelled; /* set to cancel the request; NULL: it cannot be cancelled */
};

/* "a=1&b=x%20y" into param; too many or malformed ones are an error */
bool sb_request_params(struct sb_request *r, struct sb_str query, struct sb_err *e);
struct sb_str sb_request_text(const struct sb_request *r, const char *key); /* {NULL, 0} if absent */
struct sb_request_limits {
    int64_t min, max;
    int64_t otherwise; /* the value if the parameter is absent */
};
bool sb_request_int(const struct sb_request *r, const char *key, struct sb_request_limits limits,
                    int64_t *out, struct sb_err *e);
/* "1,2,3"; absent: none */
bool sb_request_ids(const struct sb_request *r, const char *key, int64_t **ids, size_t *n, struct sb_err *e);
bool sb_request_id_set(const struct sb_request *r, const char *key, struct sb_map *set, struct sb_err *e);
/* t0, t1: the range, clamped to the run, an error outside of it; the whole run if absent */
bool sb_request_window(const struct sb_request *r, int64_t *t0, int64_t *t1, struct sb_err *e);
bool sb_request_range(const struct sb_request *r, struct sb_range *range,
                      struct sb_err *e); /* the same as a range */
/* the index in a list separated by '|'; the first if absent */
bool sb_request_choice(const struct sb_request *r, const char *key, const char *choices, unsigned *out,
                       struct sb_err *e);
/* Called now and then by long reads; false: the time limit is reached, or the server is shutting down. */
bool sb_request_in_time(const struct sb_request *r, struct sb_err *e);
