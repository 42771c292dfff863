/* The dictionary of a .sbt file: names, nodes and notes about the capture. */
#include "trace/sbt/sbt_read.h"

static uint32_t
id_at(const struct sb_sbt_ids *ids, uint32_t id)
{
    return id < ids->n ? ids->at[id] : 0;
}

static void
read_note(struct sb_source *s, struct sb_str note)
{
    struct sb_source_info *info = &s->info;
    struct sb_str value = note, key = sb_str_cut(&value, '\0');
    const struct {
        const char *key;
        uint32_t *into;
    } numbers[] = {{"schedulers", &info->vm.schedulers}, {"schedulers_online", &info->vm.schedulers_online},
                   {"cores", &info->vm.cores},           {"dirty_cpu", &info->vm.dirty_cpu},
                   {"dirty_io", &info->vm.dirty_io},     {"os_pid", &info->os_pid}};
    uint64_t v;
    enum sb_class cls;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sb_str_eq(key, sb_str_of(numbers[i].key)) && sb_str_to_u64(value, &v))
            *numbers[i].into = (uint32_t)v;
    if (sb_str_starts(key, SB_STR("cost_ns_x100_")) && sb_class_find(sb_str_sub(key, 13, SIZE_MAX), &cls) &&
        sb_str_to_u64(value, &v))
        info->cost_ns_x100[cls] = v;
    if (sb_str_eq(key, SB_STR("cost_ns_per_event_x100")) && sb_str_to_u64(value, &v))
        info->cost_ns_per_event_x100 = v;
    else if (sb_str_eq(key, SB_STR("otp")))
        info->otp = sb_arena_str(&s->arena, value);
    else if (sb_str_eq(key, SB_STR("node")))
        info->node_name = sb_arena_str(&s->arena, value);
    else if (sb_str_eq(key, SB_STR("boot")))
        info->clock.boot = sb_arena_str(&s->arena, value);
    else if (sb_str_eq(key, SB_STR("boot_minus_at_ns")))
        sb_str_to_i64(value, &info->clock.boot_ns);
    else if (sb_str_eq(key, SB_STR("recorded")) && sb_class_find(value, &cls))
        info->recorded |= UINT64_C(1) << cls;
    else if (!sb_str_eq(key, SB_STR("recorded")) && !sb_str_eq(key, SB_STR("code_path")))
        *SB_PUSH(&info->notes) =
            (struct sb_note){sb_arena_str(&s->arena, key), sb_arena_str(&s->arena, value)};
}

static void
read_entry(struct sb_sbt_reader *r, const struct sb_dict_entry *e, struct sb_str bytes)
{
    struct sb_names *names = r->source->names;
    switch (e->kind) {
    case SB_DICT_ATOM:
        *SB_PUSH(&r->atom) = sb_names_atom(names, bytes);
        break;
    case SB_DICT_MFA:
        *SB_PUSH(&r->mfa) =
            sb_names_mfa(names, (struct sb_mfa){id_at(&r->atom, e->a), id_at(&r->atom, e->b), e->arity});
        break;
    case SB_DICT_FUN: { /* a placeholder until SB_DICT_FUN_NAME follows */
        struct sb_str text = sb_arena_printf(&r->source->arena, "fun %u", e->b);
        *SB_PUSH(&r->mfa) =
            sb_names_mfa(names, (struct sb_mfa){id_at(&r->atom, e->a), sb_names_atom(names, text), 0});
        break;
    }
    case SB_DICT_FUN_NAME:
        if (e->a < r->mfa.n) {
            r->growing.misled |= e->a <= r->growing.given;
            r->mfa.at[e->a] = sb_names_mfa(
                names, (struct sb_mfa){id_at(&r->atom, e->b), sb_names_atom(names, bytes), e->arity});
        }
        break;
    case SB_DICT_STATED:
        r->growing.stated = e->a;
        break;
    case SB_DICT_NODE:
        *SB_PUSH(&r->nodes) = (struct sb_sbt_node){id_at(&r->atom, e->a), e->b};
        break;
    case SB_DICT_NOTE:
        read_note(r->source, bytes);
        break;
    default:
        break;
    }
}

bool
sb_sbt_read_dict(struct sb_sbt_reader *r, const uint8_t *p, uint64_t n)
{
    for (uint64_t at = 0; at < n;) {
        struct sb_dict_entry e;
        if (n - at < sizeof e)
            return false;
        memcpy(&e, p + at, sizeof e);
        if (sb_dict_entry_bytes(e.n) > n - at)
            return false;
        read_entry(r, &e, (struct sb_str){(const char *)p + at + sizeof e, e.n});
        at += sb_dict_entry_bytes(e.n);
    }
    return true;
}

/* Returns the index of a node. The receiver of a send to {Name, Node} has no creation, so its node is
 * compared with the traced node by name, including the name before distribution was started. */
static unsigned
node_of(const struct sb_sbt_reader *r, struct sb_sbt_node node)
{
    struct sb_names *names = r->source->names;
    struct sb_str name = sb_names_str(names, node.atom), traced = r->source->info.node_name;
    bool called = traced.n && (sb_str_eq(name, traced) || sb_str_eq(name, SB_STR("nonode@nohost")));
    return called && node.creation == 0 ? 0 : sb_names_node(names, node.atom, node.creation);
}

void
sb_sbt_number_nodes(struct sb_sbt_reader *r)
{
    for (size_t i = 0; i < r->nodes.n; i++)
        *SB_PUSH(&r->node) = node_of(r, r->nodes.at[i]);
    SB_VEC_FREE(&r->nodes);
}
