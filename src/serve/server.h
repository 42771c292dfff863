/* Inside the server: what all its requests share, and one request on its way. */
#ifndef SB_SERVE_SERVER_H
#define SB_SERVE_SERVER_H
#include "base/pool.h"
#include "serve/first_page.h"
#include "serve/guard.h"
#include "serve/answer_cache.h"
#include "serve/route.h"
#include "serve/serve.h"
#include <microhttpd.h>

#define SB_WORKERS 4
#define SB_MOST_ASKED 32
#define SB_BODY_BYTES (64 * 1024)
#define SB_HEADER_BYTES (32 * 1024)
#define SB_CONNECTIONS 128
#define SB_IDLE_SECONDS 15

struct sb_server {
    struct sb_profiles profiles;
    struct sb_guard guard;
    struct MHD_Daemon *daemon;
    struct sb_pool *pool;
    struct sb_answer_cache *kept;
    struct sb_first_page front;
    struct sb_sql *_Atomic *sql; /* a connection for each worker and profile, opened when first needed */
    _Atomic unsigned asked;
    /* those under way; only the daemon's thread reads and changes the list */
    struct sb_exchange *statements;
    uint16_t port; /* wanted; 0: any */
    int64_t built; /* when the program was: part of the ETags */
    char url[128];
};

/* One request: made when its head is read, suspended while a worker answers it, freed when it is over. */
struct sb_exchange {
    struct sb_server *server;
    struct MHD_Connection *connection;
    struct sb_arena arena;
    struct sb_request request;
    const struct sb_route *route;
    enum sb_verdict verdict;
    bool json, post, too_long, working, answered;
    struct sb_out body;   /* what was sent to us */
    struct sb_out answer; /* what we send */
    unsigned status;
    char etag[80];
    struct sb_str question; /* what its answer is kept by; empty: it is not */
    int64_t statement;      /* the number the page gave a statement, to cancel it by; 0: none */
    _Atomic bool cancelled;
    struct sb_exchange *next; /* of the statements under way */
};

/* exchange.c: the callbacks of the library */
enum MHD_Result sb_exchange_step(void *server, struct MHD_Connection *c, const char *url, const char *method,
                                 const char *version, const char *upload, size_t *n_upload, void **exchange);
void sb_exchange_over(void *server, struct MHD_Connection *c, void **exchange,
                      enum MHD_RequestTerminationCode why);
/* work.c: answers an exchange's question; runs in a worker */
void sb_exchange_work(void *exchange, unsigned worker);
/* has a worker answer what the page asks first, before it asks: of every profile that is ready */
void sb_server_warm(struct sb_server *s);
struct sb_str sb_exchange_question(struct sb_exchange *x); /* what its answer may be kept by */
void sb_exchange_refuse(struct sb_exchange *x, unsigned status,
                        const struct sb_err *e); /* the answer is this error */
/* page.c: whatever is not data */
enum MHD_Result sb_page_send(struct sb_exchange *x, struct sb_str path);
enum MHD_Result sb_events_send(struct sb_exchange *x);
enum MHD_Result sb_link_send(struct sb_exchange *x);   /* the address of the page, with its token */
enum MHD_Result sb_page_refuse(struct sb_exchange *x); /* a page for people who come without the token */
enum MHD_Result sb_send(struct sb_exchange *x, struct MHD_Response *r,
                        unsigned status); /* with the safe headers */

#endif
