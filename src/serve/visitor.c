#include "serve/visitor.h"
#include "base/arena.h"
#include <stdlib.h>
#include <sys/socket.h>

struct sb_visitor {
    struct MHD_Connection *connection;
    struct sb_visitor *older, *newer;
    struct sb_visitor_list *list; /* NULL: none */
    bool is_guest;
};

static void
append(struct sb_visitor_list *list, struct sb_visitor *v)
{
    v->older = list->newest;
    v->newer = NULL;
    *(list->newest ? &list->newest->newer : &list->oldest) = v;
    list->newest = v;
    list->n++;
    v->list = list;
}

static void
take_out(struct sb_visitor *v)
{
    struct sb_visitor_list *list = v->list;
    if (!list)
        return;
    *(v->older ? &v->older->newer : &list->oldest) = v->newer;
    *(v->newer ? &v->newer->older : &list->newest) = v->older;
    v->list = NULL;
    list->n--;
}

/* The library sees the end of the input and closes the connection. */
static void
turn_away(struct sb_visitor *v)
{
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(v->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    take_out(v);
    if (fd)
        shutdown(fd->connect_fd, SHUT_RDWR);
}

static void
put_newest(struct sb_visitor_list *list, struct sb_visitor *v, unsigned most)
{
    take_out(v);
    append(list, v);
    if (list->n > most)
        turn_away(list->oldest);
}

static struct sb_visitor *
find(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *context = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return context ? context->socket_context : NULL;
}

void
sb_visitor_notify(void *visitors, struct MHD_Connection *c, void **visitor,
                  enum MHD_ConnectionNotificationCode what)
{
    struct sb_visitors *all = visitors;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        struct sb_visitor *v = *visitor = SB_HEAP(struct sb_visitor, .connection = c);
        put_newest(&all->strangers, v, SB_STRANGERS);
    } else if (*visitor) {
        take_out(*visitor);
        free(*visitor);
        *visitor = NULL;
    }
}

void
sb_visitor_let_in(struct sb_visitors *all, struct MHD_Connection *c)
{
    struct sb_visitor *v = find(c);
    if (v) {
        v->is_guest = true;
        put_newest(&all->guests, v, SB_GUESTS);
    }
}

void
sb_visitor_steps(struct sb_visitors *all, struct MHD_Connection *c)
{
    struct sb_visitor *v = find(c);
    if (v && v->is_guest)
        put_newest(&all->guests, v, SB_GUESTS);
}

void
sb_visitor_waits(struct MHD_Connection *c)
{
    struct sb_visitor *v = find(c);
    if (v)
        take_out(v);
}
