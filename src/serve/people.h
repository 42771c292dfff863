/* The processes that a reply mentions, each once, as a table that gives their ids names. */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "serve/reply.h"
#include "serve/profiles.h"

struct sb_people {
    struct sb_map seen;
    SB_VEC(int64_t) id;
};

void sb_people_add(struct sb_people *w, int64_t process); /* SB_NULL and known processes are ignored */
/* the table "process": id, pid, name, label, entry, group_id, node, start, end, run_ns; frees the list */
void sb_people_write(struct sb_people *w, const struct sb_served *b, struct sb_reply *r);
