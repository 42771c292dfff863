#include "live/attach/line.h"

#define LINE(name, meant) extern const struct sb_line_type sb_line_##name;
#include "live/attach/lines.def"
#undef LINE

static const struct sb_line_type *
type_for(const char *via)
{
#define LINE(name, meant)                                                                                    \
    if (meant)                                                                                               \
        return &sb_line_##name;
#include "live/attach/lines.def"
#undef LINE
}

bool
sb_line_find(struct sb_line *l, const char *given, const char *via, struct sb_arena *a, struct sb_err *e)
{
    *l = (struct sb_line){.type = type_for(via), .a = a};
    ei_init();
    ei_x_new(&l->message);
    return l->type->find(l, given, via, e);
}

void
sb_line_close(struct sb_line *l)
{
    if (l->state)
        l->type->close(l);
    ei_x_free(&l->message);
}
