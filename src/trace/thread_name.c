#include "trace/thread_name.h"

/*
 * The kernel stores 15 bytes of a thread's name. The VM has used three forms:
 *
 *     1_scheduler      1_dirty_cpu_sch   10_dirty_io_sch     up to OTP 25
 *     erts_sched_1     erts_dcpus_1      erts_dios_10        from OTP 26
 *     sched_1          dcpus_1           dios_10             later releases
 */
static const struct {
    struct sb_str word;
    enum sb_lane_kind kind;
    bool number_first;
} words[] = {
    {SB_STR("scheduler"), SB_LANE_NORMAL, true},      {SB_STR("dirty_cpu_sch"), SB_LANE_DIRTY_CPU, true},
    {SB_STR("dirty_io_sch"), SB_LANE_DIRTY_IO, true}, {SB_STR("sched"), SB_LANE_NORMAL, false},
    {SB_STR("dcpus"), SB_LANE_DIRTY_CPU, false},      {SB_STR("dios"), SB_LANE_DIRTY_IO, false},
};

static struct sb_str
without(struct sb_str s, struct sb_str prefix)
{
    return sb_str_starts(s, prefix) ? sb_str_sub(s, prefix.n, SIZE_MAX) : s;
}

/* A truncated name is a prefix of the whole one: "1024_dirty_io_s". */
static bool
is_cut_from(struct sb_str cut, struct sb_str word)
{
    enum { WHOLE = 15, LEAST = 9 };
    return sb_str_starts(cut, word) || (cut.n >= LEAST && cut.n < WHOLE && sb_str_starts(word, cut));
}

sb_lane
sb_thread_lane(struct sb_str name)
{
    struct sb_str rest = without(name, SB_STR("erts_")), first = sb_str_cut(&rest, '_');
    uint64_t number;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool leads = words[i].number_first;
        bool fits = leads ? is_cut_from(rest, words[i].word) : sb_str_eq(first, words[i].word);
        if (fits && sb_str_to_u64(leads ? first : rest, &number) && number > 0 && number < 0xffe)
            return sb_lane_make(words[i].kind, (unsigned)number);
    }
    return SB_LANE_NONE;
}
