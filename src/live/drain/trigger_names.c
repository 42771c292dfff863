#include "live/drain/trigger_names.h"
#include <stdlib.h>

static void
take_atom(struct sb_trigger_names *n, struct sb_str text)
{
    const struct {
        const char *name;
        uint32_t *id;
    } wanted[] = {{"run_queue", &n->run_queue},
                  {"memory", &n->memory},
                  {"mailbox", &n->mailbox},
                  {"gen", &n->gen},
                  {"do_call", &n->do_call_atom}};
    n->atoms++;
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (sb_str_eq(text, sb_str_of(wanted[i].name)))
            *wanted[i].id = n->atoms;
    for (unsigned i = 0; i < SB_TRIGGERS_MAX; i++)
        if (n->name[i].n && sb_str_eq(text, n->name[i]))
            n->server[i] = n->atoms;
}

static void
take_function(struct sb_trigger_names *n, const struct sb_dict_entry *e)
{
    n->functions++;
    if (e->kind == SB_DICT_MFA && n->gen && n->do_call_atom && e->a == n->gen && e->b == n->do_call_atom &&
        e->arity == 4)
        n->do_call = n->functions;
}

void
sb_trigger_names_read(struct sb_trigger_names *n, const struct sb_layout *l)
{
    uint64_t used = atomic_load_explicit(&l->rings->dict_used, memory_order_acquire), from = n->read;
    struct sb_dict_entry e;
    if (used > l->dict_bytes || used <= from)
        return;
    uint8_t *names = sb_layout_copy_names(l, from, used - from);
    while (used - n->read >= sizeof e) {
        const uint8_t *p = names + (n->read - from);
        memcpy(&e, p, sizeof e);
        if (sb_dict_entry_bytes(e.n) > used - n->read)
            break;
        struct sb_str text = {(const char *)p + sizeof e, e.n};
        if (e.kind == SB_DICT_ATOM)
            take_atom(n, text);
        if (e.kind == SB_DICT_MFA || e.kind == SB_DICT_FUN)
            take_function(n, &e);
        n->read += sb_dict_entry_bytes(e.n);
    }
    free(names);
}
