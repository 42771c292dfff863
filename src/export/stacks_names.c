#include "export/label.h"
#include "export/stacks.h"

uint32_t
sb_stacks_name(struct sb_stacks *s, int64_t text_id)
{
    bool is_new;
    struct sb_label l;
    uint32_t *name = sb_map_put(&s->of_text, (uint64_t)text_id, &is_new);
    if (is_new) {
        *name = sb_intern_put(&s->names, sb_label_function(s->profile, text_id, &l));
        SB_REACH(&s->function, *name);
        s->function.at[*name] = text_id == SB_NULL ? 0 : text_id + 1;
    }
    return *name;
}

struct sb_source_place
sb_stacks_place(const struct sb_stacks *s, uint32_t name)
{
    int64_t function = name < s->function.n ? s->function.at[name] : 0;
    return sb_place_of(s->profile, function > 0 ? function - 1 : SB_NULL);
}

uint32_t
sb_stacks_type(struct sb_stacks *s, int64_t process)
{
    if (s->type_of != process) {
        struct sb_label l;
        s->type_of = process;
        s->type =
            sb_intern_put(&s->names, process == 0 ? SB_STR("port") : sb_label_type(s->profile, process, &l));
    }
    return s->type;
}
