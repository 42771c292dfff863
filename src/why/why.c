#include "why/why.h"

#define COMPUTED(name) extern const struct sb_computed sb_why_##name;
#include "why/tables.def"
#undef COMPUTED

const struct sb_computed *const sb_why_tables[] = {
#define COMPUTED(name) &sb_why_##name,
#include "why/tables.def"
#undef COMPUTED
    NULL,
};
