#include "profile/state.h"

struct sb_str
sb_state_name(enum sb_state s)
{
    static const struct sb_str name[] = {
#define STATE(id, name, doc) SB_STR(name),
#include "profile/state.def"
#undef STATE
    };
    return name[s];
}
