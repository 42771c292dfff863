#include "live/attach/line.h"
#include <pthread.h>

static pthread_once_t ei_once = PTHREAD_ONCE_INIT;

#define LINE(name, meant) extern const struct sb_line_type sb_line_##name;
#include "live/attach/lines.def"
#undef LINE

static const struct sb_line_type *
type_for(const char *via)
{
#define LINE(name, meant) \
    if (meant) \
        return &sb_line_##name;
#include "live/attach/lines.def"
#undef LINE
}

/* It may be called by one thread alone. */
static void
init_ei(void)
{
    ei_init();
}

bool
sb_line_find(struct sb_line *l, const char *given, const char *via, struct sb_arena *a, struct sb_err *e)
{
    *l = (struct sb_line){.type = type_for(via), .a = a};
    pthread_once(&ei_once, init_ei);
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
