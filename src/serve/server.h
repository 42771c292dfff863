/* The inside of the server: the state that all requests share, and a single request. */
#pragma once
#include "base/pool.h"
#include "serve/first_page.h"
#include "serve/guard.h"
#include "serve/answer_cache.h"
#include "serve/route.h"
#include "serve/serve.h"
#include "serve/visitor.h"
#include <microhttpd.h>

#define SB_MOST_ASKED 32
#define SB_STATEMENTS (SB_WORKERS - 1) /* running at a time: a worker stays for the page */
#define SB_BODY_BYTES (64 * 1024)
#define SB_HEADER_BYTES (32 * 1024)
#define SB_CLOSING 64 /* connections that were turned away and are still there */
#define SB_CONNECTIONS (SB_STRANGERS + SB_GUESTS + SB_MOST_ASKED + SB_CLOSING)
#define SB_IDLE_SECONDS 15

struct sb_server {
    struct sb_profiles profiles;
    struct sb_guard guard;
    struct MHD_Daemon *daemon;
    struct sb_pool *pool;
    struct sb_answer_cache *kept;
    struct sb_first_page front;
    _Atomic unsigned asked, asked_statements;
    struct sb_visitors visitors;
    /* running statements; only the daemon's thread uses the list */
    struct sb_exchange *statements;
    uint16_t port; /* requested; 0: any */
    int64_t built; /* build time of the program: part of the ETags */
    char url[128];
};

/* One request: created when its headers are read, suspended while a worker answers it, freed at its end. */
struct sb_exchange {
    struct sb_server *server;
    struct MHD_Connection *connection;
    struct sb_arena arena;
    struct sb_request request;
    const struct sb_route *route;
    size_t listed, listed_with; /* index of the file that is asked about, and of that of parameter `with` */
    enum sb_verdict verdict;
    bool json, post, too_long, working, answered;
    struct sb_out body;   /* received */
    struct sb_out answer; /* sent */
    unsigned status;
    char etag[80];
    struct sb_str question; /* key of its answer in the cache; empty: not cached */
    int64_t statement;      /* the page's number of the statement, to cancel it; 0: none */
    _Atomic bool cancelled;
    struct sb_exchange *next; /* in the list of running statements */
};

/* exchange.c: the callbacks of the library */
enum MHD_Result sb_exchange_step(void *server, struct MHD_Connection *c, const char *url, const char *method,
                                 const char *version, const char *upload, size_t *n_upload, void **exchange);
void sb_exchange_over(void *server, struct MHD_Connection *c, void **exchange,
                      enum MHD_RequestTerminationCode why);
/* work.c: answers an exchange's question; runs in a worker */
void sb_exchange_work(void *exchange, unsigned worker);
/* lets a worker answer the first questions of the page for every ready profile, before a page asks */
void sb_server_warm(struct sb_server *s);
struct sb_str sb_exchange_question(struct sb_exchange *x); /* key of its answer in the cache */
void sb_exchange_refuse(struct sb_exchange *x, unsigned status,
                        const struct sb_err *e); /* the answer is this error */
/* page.c: responses that are not data */
enum MHD_Result sb_page_send(struct sb_exchange *x, struct sb_str path);
enum MHD_Result sb_events_send(struct sb_exchange *x);
enum MHD_Result sb_link_send(struct sb_exchange *x);   /* the address of the page, with its token */
enum MHD_Result sb_page_refuse(struct sb_exchange *x); /* a page for visitors without the token */
enum MHD_Result sb_send(struct sb_exchange *x, struct MHD_Response *r,
                        unsigned status); /* with the safe headers */
