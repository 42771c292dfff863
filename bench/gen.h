/* What the simulated world tells its writer: one record at a time, in the order in which a trace port would
 * get them. */
#pragma once
#include "base/file.h"
#include "trace/event.h"

enum gen_kind {
    GEN_SEND,
    GEN_RECEIVE,
    GEN_IN,
    GEN_OUT,
    GEN_ACTIVE,
    GEN_INACTIVE,
    GEN_GC_MINOR_START,
    GEN_GC_MINOR_END,
    GEN_GC_MAJOR_START,
    GEN_GC_MAJOR_END,
    GEN_SPAWN,
    GEN_SPAWNED,
    GEN_EXIT,
    GEN_CALL,
    GEN_RETURN_TO,
};

struct gen_record {
    enum gen_kind kind;
    int64_t at_ns;
    sb_actor who;
    uint32_t scheduler; /* 0: not told */
    sb_actor peer;
    uint32_t function, caller; /* an index below modules * functions */
    uint32_t seq, payload;     /* a message {m, Seq, <<Payload bytes>>} */
    uint64_t heap;             /* words */
};

struct gen_facts {                           /* of the world, before its first record */
    uint32_t modules, functions, schedulers; /* so many functions in each module */
    int64_t at_ns;
    bool calls;
};

/* One row a format; an open writer is the format's own. */
struct gen_format {
    const char *name;
    /* NULL: it failed */
    void *(*open)(const char *path, const struct gen_facts *facts, struct sb_err *e);
    bool (*write)(void *w, const struct gen_record *r); /* false: the format has no such record */
    void (*lose)(void *w, const struct gen_record *r);  /* says that it is missing */
    uint64_t (*written)(const void *w);                 /* bytes */
    bool (*close)(void *w, int64_t at_ns, struct sb_err *e);
};
extern const struct gen_format gen_otp, gen_sbt;
