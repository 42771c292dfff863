/*
 * Access control. Three checks on the headers of every request, as pure functions of their texts: Host is the
 * server's (so that a foreign name that resolves to 127.0.0.1 is refused), Origin and Sec-Fetch-Site are
 * those of the page, and the token of this run is present as a cookie, a header, or once in the address.
 */
#pragma once
#include "base/err.h"
#include "base/str.h"

#define SB_TOKEN_CHARS 32

struct sb_guard {
    uint16_t port;
    char token[SB_TOKEN_CHARS + 1];
    char cookie[32]; /* its name includes the port, because all ports of a host share cookies */
};

struct sb_caller { /* headers of a request; absent ones are empty */
    struct sb_str host, origin, fetch_site;
    struct sb_str cookie, header_token, query_token;
    bool for_data; /* requests data, not the page */
    bool
        repeats; /* one of the first three headers is there twice: whoever else reads the request may take the other */
};

enum sb_verdict { SB_LET_IN, SB_LET_IN_AND_REMEMBER, SB_FOREIGN, SB_NO_TOKEN, SB_WRONG_TOKEN };

bool sb_guard_init(struct sb_guard *g,
                   struct sb_err *e); /* creates a random token; the port is set once it is known */
void sb_guard_port(struct sb_guard *g, uint16_t port);
enum sb_verdict sb_guard_judge(const struct sb_guard *g, const struct sb_caller *c);
