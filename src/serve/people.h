/* Who is meant by the ids in a reply: a table of the processes it mentions, each once. */
#ifndef SB_SERVE_PEOPLE_H
#define SB_SERVE_PEOPLE_H
#include "base/map.h"
#include "base/vec.h"
#include "serve/reply.h"
#include "serve/profiles.h"

struct sb_people {
    struct sb_map seen;
    SB_VEC(int64_t) id;
};

void sb_people_add(struct sb_people *w,
                   int64_t process); /* SB_NULL and what was added before are passed over */
/* the table "process": id, pid, name, label, entry, group_id, node, start, end, run_ns; frees the list */
void sb_people_write(struct sb_people *w, const struct sb_served *b, struct sb_reply *r);

#endif
