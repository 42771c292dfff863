/* The ids that names have in a node's dictionary, which grows while the node runs. */
#pragma once
#include "base/str.h"
#include "trace/sbt/ring_layout.h"

enum { SB_TRIGGERS_MAX = 16 };
struct sb_trigger_names {
    uint64_t read; /* bytes of the dictionary */
    uint32_t atoms, functions;
    uint32_t run_queue, memory, mailbox; /* atoms; 0: not in the dictionary yet */
    uint32_t gen, do_call_atom, do_call; /* do_call: the function gen:do_call/4 */
    struct sb_str name[SB_TRIGGERS_MAX]; /* of servers, given */
    uint32_t server[SB_TRIGGERS_MAX];    /* their atoms */
};

void sb_trigger_names_read(struct sb_trigger_names *n, const struct sb_layout *l);
