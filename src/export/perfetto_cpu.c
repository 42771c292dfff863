#include "export/perfetto_cpu.h"
#include "base/map.h"
#include "export/label.h"
#include "export/protobuf.h"
#include "profile/cpu.h"

/* field numbers, as in perfetto.c */
enum { TRACE_PACKET = 1 };
enum { P_TIMESTAMP = 8, P_SEQUENCE = 10, P_INTERNED = 12, P_FLAGS = 13, P_SAMPLE = 66 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2, SEQUENCE = 2 };
enum { I_FUNCTIONS = 5, I_FRAMES, I_STACKS, I_PATHS = 17, I_MAPPINGS = 19 };
enum { IID = 1, IID_TEXT };
enum { FRAME_FUNCTION = 2, FRAME_MAPPING };
enum { STACK_FRAMES = 2, MAPPING_PATHS = 7, MAPPING = 1 };
enum { S_PID = 2, S_TID, S_STACK };

struct writer {
    const struct sb_profile *profile;
    const struct sb_cpu_samples *all;
    struct sb_out *out;
    struct sb_pb pb;
    struct sb_map functions, stacks; /* text id, stack -> written */
};

static void
begin_packet(struct writer *w, unsigned flags)
{
    sb_pb_begin(&w->pb, TRACE_PACKET);
    sb_pb_u64(&w->pb, P_SEQUENCE, SEQUENCE);
    sb_pb_u64(&w->pb, P_FLAGS, flags);
}

static void
end_packet(struct writer *w)
{
    sb_pb_end(&w->pb);
    sb_out_bytes(w->out, w->pb.at, w->pb.n);
    w->pb.n = 0;
}

static void
begin_interned(struct writer *w, unsigned what, uint64_t iid)
{
    sb_pb_begin(&w->pb, what);
    sb_pb_u64(&w->pb, IID, iid);
}

/* Readers want the file of each function. */
static void
write_head(struct writer *w)
{
    begin_packet(w, FLAG_CLEARED);
    sb_pb_begin(&w->pb, P_INTERNED);
    begin_interned(w, I_PATHS, MAPPING);
    sb_pb_str(&w->pb, IID_TEXT, SB_STR("node"));
    sb_pb_end(&w->pb);
    begin_interned(w, I_MAPPINGS, MAPPING);
    sb_pb_u64(&w->pb, MAPPING_PATHS, MAPPING);
    sb_pb_end(&w->pb);
    sb_pb_end(&w->pb);
    end_packet(w);
}

static void
put_function(struct writer *w, int64_t text)
{
    struct sb_label l;
    bool is_new;
    sb_map_put(&w->functions, (uint64_t)text, &is_new);
    if (!is_new)
        return;
    begin_interned(w, I_FUNCTIONS, (uint64_t)text + 1);
    sb_pb_str(&w->pb, IID_TEXT, sb_label_function(w->profile, text, &l));
    sb_pb_end(&w->pb);
    begin_interned(w, I_FRAMES, (uint64_t)text + 1);
    sb_pb_u64(&w->pb, FRAME_FUNCTION, (uint64_t)text + 1);
    sb_pb_u64(&w->pb, FRAME_MAPPING, MAPPING);
    sb_pb_end(&w->pb);
}

static void
put_frames(struct writer *w, uint32_t stack) /* outermost first */
{
    if (stack == 0)
        return;
    put_frames(w, w->all->frame[stack].caller);
    sb_pb_u64(&w->pb, STACK_FRAMES, (uint64_t)w->all->frame[stack].function + 1);
}

static void
write_stack(struct writer *w, uint32_t stack)
{
    bool is_new;
    sb_map_put(&w->stacks, stack, &is_new);
    if (!is_new)
        return;
    begin_packet(w, FLAG_NEEDS_STATE);
    sb_pb_begin(&w->pb, P_INTERNED);
    for (uint32_t f = stack; f; f = w->all->frame[f].caller)
        put_function(w, w->all->frame[f].function);
    begin_interned(w, I_STACKS, stack);
    put_frames(w, stack);
    sb_pb_end(&w->pb);
    sb_pb_end(&w->pb);
    end_packet(w);
}

void
sb_perfetto_cpu(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out)
{
    struct writer w = {.profile = p, .all = sb_cpu_samples_of(p), .out = out};
    const struct sb_cpu_choice choice = {sb_range_of(p, o->since_ns, o->until_ns), o->process, o->n_process};
    write_head(&w);
    for (size_t i = 0; i < w.all->n_samples; i++) {
        const struct sb_cpu_sample *s = &w.all->sample[i];
        if (!s->stack || !sb_cpu_is_chosen(&choice, s))
            continue;
        write_stack(&w, s->stack);
        begin_packet(&w, FLAG_NEEDS_STATE);
        sb_pb_u64(&w.pb, P_TIMESTAMP, (uint64_t)s->at);
        sb_pb_begin(&w.pb, P_SAMPLE);
        sb_pb_u64(&w.pb, S_PID, s->node);
        sb_pb_u64(&w.pb, S_TID, s->scheduler ? SB_PERFETTO_TID + s->scheduler : s->node);
        sb_pb_u64(&w.pb, S_STACK, s->stack);
        sb_pb_end(&w.pb);
        end_packet(&w);
    }
    sb_pb_close(&w.pb);
    sb_map_close(&w.functions);
    sb_map_close(&w.stacks);
}
