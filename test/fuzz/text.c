/* A line of any bytes: refused with a reason, or read as an event whose line reads back as the same event. */
#include "trace/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
write_line(struct sb_out *o, const struct sb_names *names, const struct sb_event *ev)
{
    o->n = 0;
    sb_text_write(o, names, ev);
    SB_ASSERT(o->n > 0 && memchr(o->buf, '\n', o->n) == o->buf + o->n - 1);
}

static void
try_line(struct sb_str line)
{
    struct sb_names *names = sb_names_open();
    struct sb_event ev, again;
    struct sb_err e = {0};
    struct sb_out once, twice;
    sb_out_to_memory(&once);
    sb_out_to_memory(&twice);
    if (sb_text_read(line, names, &ev, &e)) {
        write_line(&once, names, &ev);
        SB_ASSERT(sb_text_read((struct sb_str){once.buf, once.n - 1}, names, &again, &e));
        write_line(&twice, names, &again);
        SB_ASSERT(once.n == twice.n && memcmp(once.buf, twice.buf, once.n) == 0);
    } else {
        SB_ASSERT(e.code == SB_ERR_INPUT && e.what[0] && e.advice[0]);
    }
    sb_out_abandon(&once);
    sb_out_abandon(&twice);
    sb_names_close(names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sb_str rest = {(const char *)data, size};
    for (int lines = 0; rest.n > 0 && lines < 8; lines++)
        try_line(sb_str_cut(&rest, '\n'));
    return 0;
}
