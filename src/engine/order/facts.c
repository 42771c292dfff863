#include "engine/order/facts.h"
#include "engine/merge/profile_source.h"
#include "trace/kind.h"

void
sb_facts_plan(struct sb_run *r)
{
    struct sb_trace_facts *f = &r->facts;
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct sb_source_info *info = sb_source_info(r->inputs.at[i].source);
        f->file_order |= info->cpu_time || info->untimed;
        f->untimed |= info->untimed;
        f->loses |= sb_source_loses(info);
        f->keep_hash |= info->node_name.n > 0 && !sb_str_eq(info->node_name, SB_STR("nonode@nohost"));
    }
    for (size_t i = 0; i < r->plan.n; i++)
        f->seen_kinds |= r->plan.at[i].b.kinds;
}

void
sb_facts_read(struct sb_trace_facts *f, const struct sb_routed *routed, uint64_t events)
{
    const uint64_t of_schedulers = UINT64_C(1) << SB_EV_scheduler_active | UINT64_C(1)
                                                                               << SB_EV_scheduler_inactive;
    f->n_events = events;
    f->seen_kinds |= routed->kinds;
    f->has_lanes |= (routed->laned & ~of_schedulers) != 0;
}

void
sb_facts_window(struct sb_run *r)
{
    struct sb_trace_facts *f = &r->facts;
    f->recorded = 0;
    for (size_t i = 0; i < r->inputs.n; i++)
        f->recorded |= sb_source_info(r->inputs.at[i].source)->recorded;
    for (unsigned k = 0, routed = f->recorded != 0; k < SB_EVENT_KINDS && !routed; k++)
        f->recorded |= (f->seen_kinds >> k & 1) << sb_kinds[k].class;
    f->vm_truth = f->seen_kinds >> SB_EV_active & 1 || f->seen_kinds >> SB_EV_inactive & 1;
    for (size_t i = 0; i < r->inputs.n && r->merges; i++)
        f->vm_truth |=
            sb_str_eq(sb_profile_source_meta(r->inputs.at[i].source, "runnable"), SB_STR("system_profile"));
}

void
sb_facts_parts(struct sb_run *r)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        r->facts.has_ports |= r->part[i].facts.ports;
        r->facts.has_words |= r->part[i].facts.words;
        r->facts.has_ext |= r->part[i].facts.ext;
        r->facts.odd_mail |= r->part[i].facts.odd_mail;
    }
}

void
sb_facts_lost(struct sb_trace_facts *f)
{
    f->loses = true;
}

bool
sb_facts_lost_any(const struct sb_run *r)
{
    bool any = r->facts.seen_kinds >> SB_EV_drop & 1;
    for (size_t i = 0; i < r->inputs.n; i++)
        any |= sb_source_loses(sb_source_info(r->inputs.at[i].source));
    return any;
}
