#include "why/find/finding.h"

SB_RULE(persistent_terms) = {
    .name = "persistent_terms",
    .looks_for =
        "persistent terms that are changed or erased while many processes live: each time the VM has every "
        "process looked through for the old term",
    .erlang = "keep in persistent terms what hardly ever changes, and in ETS what does; many terms that "
              "change together "
              "are better one of them, which is changed once",
    .of_work = true,
    .find = find,
};

enum { FEWEST = 1000 };

/* The process of the VM that asks all others to look for literals, and gets an answer of each of them. */
static bool
collects_literals(const struct sb_why *w, int64_t id)
{
    return sb_str_starts(sb_words_cell(w->x.profile, id, SB_C_process__entry),
                         SB_STR("erts_literal_area_collector"));
}

/* Time in which the process was woken and neither got nor sent a message: it was looked through then, at most. */
static int64_t
looked_through_ns(const struct sb_why *w, int64_t id)
{
    int64_t ns = 0;
    bool waited = false;
    uint32_t in = w->x.inbox[id], out = w->x.outbox[id];
    SB_EACH_STEP (&w->x, id, s) {
        int64_t to = s->start + s->dur;
        while (in < w->x.inbox[id + 1] && sb_evidence_receipt(&w->x.letter[in]) < s->start)
            in++;
        while (out < w->x.outbox[id + 1] && w->x.letter[w->x.by_sender[out]].sent < s->start)
            out++;
        bool got = in < w->x.inbox[id + 1] && sb_evidence_receipt(&w->x.letter[in]) <= to,
             sent = out < w->x.outbox[id + 1] && w->x.letter[w->x.by_sender[out]].sent <= to;
        ns += waited && !got && !sent ? s->dur : 0;
        waited = s->wait != SB_WAIT_NONE;
    }
    return ns;
}

static void
put(struct sb_why *w, int64_t collector)
{
    int64_t answers = w->x.inbox[collector + 1] - w->x.inbox[collector], ns = w->x.actor[collector].work_ns,
            n = 0;
    SB_EACH_PRESENT (&w->x, id) {
        int64_t looked = id == collector ? 0 : looked_through_ns(w, id);
        ns += looked;
        n += looked > 0;
    }
    struct sb_vm_caller c = sb_vm_caller_of(&w->vm, SB_VM_PERSISTENT, 0);
    struct sb_finding f = {
        .process = collector,
        .subject = "persistent_term",
        .gain = {SB_NULL, SB_NULL, ns},
        .confidence = "medium",
        .evidence = "SELECT who(id), receives, run_ns FROM process WHERE id = {process}",
    };
    sb_why_put(
        w, f,
        "processes were looked through %s times for terms that were replaced: a persistent term was changed "
        "or "
        "erased, or code purged, while %s processes lived; the process of the VM that does it worked %s, the "
        "others at most %s%s",
        sb_words_count(w->arena, answers), sb_words_count(w->arena, n),
        sb_words_ns(w->arena, w->x.actor[collector].work_ns),
        sb_words_ns(w->arena, ns - w->x.actor[collector].work_ns), c.samples > 0 ? sb_why_caller(w, &c) : "");
}

static void
find(struct sb_why *w)
{
    SB_EACH_PRESENT (&w->x, id)
        if (w->x.inbox[id + 1] - w->x.inbox[id] >= (uint32_t)sb_why_fewest(w, FEWEST) &&
            collects_literals(w, id))
            put(w, id);
}
