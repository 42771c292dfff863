/* What a profile leaves unknown of a forecast. */
#ifndef SB_WHY_DOUBT_H
#define SB_WHY_DOUBT_H
#include "why/account.h"
#include "why/ops.h"

enum sb_exposure { SB_EXPOSURE_UNKNOWN, SB_EXPOSURE_LOW, SB_EXPOSURE_SOME, SB_EXPOSURE_HIGH };
struct sb_str sb_exposure_name(enum sb_exposure x); /* NULL for unknown */

/* What limits a forecast, with the sentence that says so. The first ones leave ns unknown. */
#define SB_DOUBTS(X)                                                                                         \
    X(LOST, "events are lost, so the order of work is unknown; record again with a larger --buffer")         \
    X(SILENT, "which messages were received is not in the trace; record with --trace all")                   \
    X(NODES, "the trace has several nodes; predict each alone")                                              \
    X(POLLS, "processes poll with `receive after 0`; how long they would do so on other cores is unknown")   \
    X(LOCKS, "the schedulers spun on a lock of the VM, and more of them may spin more")                      \
    X(WRITES,                                                                                                \
      "processes often wrote to ETS tables; those that write to one table wait for each other on other "     \
      "cores, for how long is unknown: record a second trace at 2 schedulers (+S 2)")                        \
    X(BOUND, "message-bound: record a second trace at 2 schedulers (+S 2)")                                  \
    X(FEWER, "messages cost less on fewer schedulers than on those of the recording; record with +S 1 to "   \
             "predict fewer")                                                                                \
    X(FLOODED, "a mailbox held more than 5,000 messages, and tracing may have made it grow")                 \
    X(HEAVY, "a fifth of the recorded work or more was tracing, and its cost is an estimate")                \
    X(TRACED, "the cost of tracing is not in the trace, so times include it")                                \
    X(BUSY, "other programs used the cores during the recording; record again on an idle machine")           \
    X(TYPICAL, "costs of messages between cores are typical values; strobe calibrate measures them")         \
    X(HIDDEN, "waits for locks of the VM (ETS, counters) do not show in a trace of one scheduler")
enum sb_doubt {
#define DOUBT(name, text) SB_DOUBT_##name,
    SB_DOUBTS(DOUBT)
#undef DOUBT
        SB_N_DOUBTS
};
extern const char *const sb_doubt_texts[SB_N_DOUBTS];

struct sb_doubts {
    uint32_t bits;
    int64_t schedulers; /* of the recording; SB_NULL: unknown */
    double tracing;     /* the part of the work that was tracing; 0: unknown */
    int64_t polling_ns; /* work of processes that poll */
    enum sb_exposure exposure;
};
struct sb_doubts sb_doubts_of(const struct sb_profile *p, const struct sb_ops *o,
                              const struct sb_accounts *x);

#endif
