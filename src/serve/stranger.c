#include "serve/stranger.h"
#include "base/err.h"
#include "base/arena.h"
#include <stdlib.h>
#include <sys/socket.h>

struct sb_stranger {
    struct MHD_Connection *connection;
    struct sb_stranger *older, *newer;
    bool listed;
};

static void
append(struct sb_strangers *all, struct sb_stranger *s)
{
    s->older = all->newest;
    *(all->newest ? &all->newest->newer : &all->oldest) = s;
    all->newest = s;
    s->listed = true;
    all->n++;
}

static void
take_out(struct sb_strangers *all, struct sb_stranger *s)
{
    if (!s->listed)
        return;
    *(s->older ? &s->older->newer : &all->oldest) = s->newer;
    *(s->newer ? &s->newer->older : &all->newest) = s->older;
    s->listed = false;
    all->n--;
}

/* The library sees the end of the input and closes the connection. */
static void
turn_away(struct sb_strangers *all, struct sb_stranger *s)
{
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(s->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    take_out(all, s);
    if (fd)
        shutdown(fd->connect_fd, SHUT_RDWR);
}

void
sb_stranger_notify(void *strangers, struct MHD_Connection *c, void **stranger,
                   enum MHD_ConnectionNotificationCode what)
{
    struct sb_strangers *all = strangers;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        struct sb_stranger *s = *stranger = sb_realloc_or_die(NULL, sizeof *s);
        *s = (struct sb_stranger){.connection = c};
        append(all, s);
        if (all->n > SB_STRANGERS)
            turn_away(all, all->oldest);
    } else if (*stranger) {
        take_out(all, *stranger);
        free(*stranger);
        *stranger = NULL;
    }
}

void
sb_stranger_let_in(struct sb_strangers *all, struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *context = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (context && context->socket_context)
        take_out(all, context->socket_context);
}
