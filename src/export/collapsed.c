/*
 * Collapsed stacks, one per line: `type;outer;inner NUMBER`, where the number is own nanoseconds (or
 * samples). The format has no quoting: a semicolon in a name becomes the full-width U+FF1B.
 */
#include "export/label.h"
#include "export/stacks.h"

SB_EXPORTER(collapsed) = {
    .name = "collapsed",
    .suffix = ".collapsed",
    .doc = "one stack per line, with own nanoseconds: flamegraph.pl, speedscope, Firefox, Perfetto",
    .what = SB_STACKS_WHAT,
    .write = write_collapsed,
};

struct writer {
    struct sb_stacks stacks;
    struct sb_out *out;
};

static bool
write_stack(void *ctx, const struct sb_stack *st)
{
    struct writer *w = ctx;
    int64_t value = sb_stacks_value(&w->stacks, st);
    if (value == 0)
        return true;
    for (size_t i = 0; i < st->n; i++) {
        if (i > 0)
            sb_out_char(w->out, ';');
        sb_label_line(w->out, sb_intern_text(&w->stacks.names, st->frame[i]), ';');
    }
    sb_out_char(w->out, ' ');
    sb_out_i64(w->out, value);
    sb_out_char(w->out, '\n');
    return true;
}

static bool
write_collapsed(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                struct sb_err *e)
{
    struct writer w = {.out = out};
    SB_TRY(sb_stacks_open(&w.stacks, p, o, e));
    sb_stacks_note_folding(&w.stacks);
    sb_stacks_each(&w.stacks, write_stack, &w);
    sb_stacks_close(&w.stacks);
    return true;
}
