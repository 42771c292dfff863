/* The mailbox of a process: messages that were sent to it, in the order of their stamps. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct sb_sent { /* a message on its way */
    int64_t at;
    uint64_t words, ext;
    uint32_t sender;      /* process.id; 0: none */
    uint32_t hash, alias; /* 0: unknown */
    uint16_t scheduler;   /* scheduler.id of the sender; 0: unknown */
    bool at_least : 1, stale : 1, taken : 1;
    bool abroad : 1;   /* from another node */
    bool doubtful : 1; /* an equal one was received, and it may have been this one */
    uint8_t
        late_bits; /* 0, or bits of the time by which it was stamped after a receive that may be its own */
};

enum { SB_UNSENT = 4 };
struct sb_unsent { /* a message that was received and whose send is unknown; hash 0: none */
    int64_t at;
    uint64_t ext;
    uint32_t hash;
};

struct sb_mail {
    struct sb_sent *at; /* a ring */
    uint32_t head, n, cap, fresh, max_fresh;
    uint32_t fresh_abroad;    /* of `fresh`: may still be on their way */
    uint32_t passed;          /* number of messages at its head that are taken or stale */
    uint32_t answered;        /* alias of the last answer */
    struct sb_unsent *unsent; /* SB_UNSENT, the last first; NULL: none, or there is one trace */
    uint64_t sends, send_words, send_ext, receives, receive_words, receive_ext, timeouts, timeout_ext;
    /* messages whose size is only a lower bound */
    uint64_t send_at_least, receive_at_least;
};
