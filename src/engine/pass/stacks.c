/*
 * Sampled stacks: the frames of one moment, innermost first, form a stack; equal stacks of a process are
 * counted. A sample with a lost frame is ignored.
 */
#include "base/file.h"
#include "engine/pass/pass.h"
#include <stdlib.h>

static void on_frame(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void drop(struct sb_proc *p);
static void on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void finish(struct sb_part *x, struct sb_proc *p);

static const struct sb_on on[] = {{SB_EV_stack, SB_OWN, on_frame}, {SB_EV_exit, SB_OWN, on_ended}};

const struct sb_pass sb_pass_stacks = {"stacks", "sampled stacks", SB_ON_N(on), finish, drop};

enum { FRAMES_MAX = 1024 };

struct stack {
    uint32_t text; /* name id of the frames, outermost first */
    int64_t count;
};

struct sb_sampled {
    SB_VEC(uint32_t) frame; /* of the current sample */
    int64_t at;
    uint64_t frames;            /* number of its frames; 0: it is invalid */
    SB_VEC(struct stack) stack; /* in order of first occurrence */
    struct sb_map place;        /* text -> index in stack */
};

/* Returns the frames as one text: names of functions, separated by ';'. */
static uint32_t
join(struct sb_names *names, const uint32_t *frame, size_t n)
{
    SB_ARENA(a);
    SB_OUT_TO_MEMORY(out);
    for (size_t i = n; i-- > 0;) {
        struct sb_str mfa = sb_names_print(names, frame[i], &a);
        sb_out_printf(&out, "%.*s%s", SB_STR_ARG(mfa), i ? ";" : "");
    }
    return sb_names_text(names, (struct sb_str){out.buf, out.n});
}

static void
count(struct sb_part *x, struct sb_sampled *s)
{
    uint32_t text = join(x->run->names, s->frame.at, s->frame.n);
    SB_AT_KEY(&s->place, text, &s->stack, .text = text)->count++;
}

static struct sb_sampled *
sampled(struct sb_proc *p)
{
    if (!p->sampled) {
        p->sampled = sb_realloc_or_die(NULL, sizeof *p->sampled);
        *p->sampled = (struct sb_sampled){.at = SB_AT_UNKNOWN};
    }
    return p->sampled;
}

static void
on_frame(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_sampled *s = sampled(p);
    if (ev->stack.depth == 0) {
        s->frame.n = 0;
        s->at = ev->at_ns;
        s->frames = ev->stack.frames <= FRAMES_MAX ? ev->stack.frames : 0;
    }
    if (s->frames == 0 || ev->at_ns != s->at || ev->stack.frames != s->frames ||
        ev->stack.depth != s->frame.n) {
        s->frames = 0;
        return;
    }
    *SB_PUSH(&s->frame) = ev->stack.mfa;
    if (s->frame.n == s->frames)
        count(x, s);
}

static void
drop(struct sb_proc *p)
{
    if (!p->sampled)
        return;
    SB_VEC_FREE(&p->sampled->frame);
    SB_VEC_FREE(&p->sampled->stack);
    sb_map_close(&p->sampled->place);
    free(p->sampled);
    p->sampled = NULL;
}

static void
write_rows(struct sb_part *x, struct sb_proc *p, int64_t at)
{
    for (size_t i = 0; p->sampled && i < p->sampled->stack.n; i++) {
        struct sb_stack_row *row = sb_row_put(x, SB_T_stack, at, p);
        row->process = p->id;
        row->stack = p->sampled->stack.at[i].text;
        row->count = sb_cell(&x->rows[SB_T_stack], p->sampled->stack.at[i].count);
    }
    drop(p);
}

static void
on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    write_rows(x, p, ev->at_ns);
}

static void
finish(struct sb_part *x, struct sb_proc *p)
{
    write_rows(x, p, sb_node_end(x->run, sb_actor_node(p->actor)));
}
