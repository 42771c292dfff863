/* The names of some processes, for lanes and tooltips. */
#include "serve/people.h"
#include "serve/route.h"

bool
sb_route_people(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_people people = {0};
    int64_t *id;
    size_t n;
    SB_TRY(sb_request_ids(rq, "ids", &id, &n, e));
    for (size_t i = 0; i < n; i++)
        sb_people_add(&people, id[i]);
    sb_people_write(&people, rq->served, r);
    return true;
}
