/*
 * The connections that nobody works for, in two lists. Any program of the machine can open a connection and send
 * nothing; one that has the token can send a body byte by byte, or read no answer. So both lists are limited: their
 * oldest makes room for the next. Only the daemon's thread uses them.
 *
 *     strangers: have not shown the token, in the order of their arrival
 *     guests:    have shown it, in the order of the last step: bytes of a request that came, or an answer that began
 *     (none):    a worker makes the answer, and nothing closes the connection
 *
 *     list.oldest -> visitor -> visitor -> list.newest
 */
#pragma once
#include <microhttpd.h>

#define SB_STRANGERS 128
#define SB_GUESTS 256

struct sb_visitor;
struct sb_visitor_list {
    struct sb_visitor *oldest, *newest;
    unsigned n;
};
struct sb_visitors {
    struct sb_visitor_list strangers, guests;
};

/* The library's callback at the start and the end of each connection; `visitors` is a struct sb_visitors. */
void sb_visitor_notify(void *visitors, struct MHD_Connection *c, void **visitor,
                       enum MHD_ConnectionNotificationCode what);
void sb_visitor_let_in(struct sb_visitors *all, struct MHD_Connection *c); /* it showed the token */
void sb_visitor_steps(struct sb_visitors *all, struct MHD_Connection *c);
void sb_visitor_waits(struct MHD_Connection *c); /* for a worker, until the next step */
