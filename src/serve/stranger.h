/*
 * Connections that have not shown the token yet, oldest first. Any program of the machine can open them and
 * send nothing, so their number is limited: the oldest one makes room for the next. Only the daemon's thread
 * uses them.
 *
 *     server.oldest -> stranger -> stranger -> server.newest
 *                      |
 *                      an accepted connection; it leaves the list when it shows the token or ends
 */
#ifndef SB_SERVE_STRANGER_H
#define SB_SERVE_STRANGER_H
#include <microhttpd.h>

#define SB_STRANGERS 128

struct sb_stranger;
struct sb_strangers {
    struct sb_stranger *oldest, *newest;
    unsigned n;
};

/* The library's callback at the start and the end of each connection; `strangers` is a struct sb_strangers. */
void sb_stranger_notify(void *strangers, struct MHD_Connection *c, void **stranger,
                        enum MHD_ConnectionNotificationCode what);
/* The connection showed the token: nothing closes it any more. */
void sb_stranger_let_in(struct sb_strangers *all, struct MHD_Connection *c);

#endif
