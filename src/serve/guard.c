#include "serve/guard.h"
#include <sys/random.h>

bool
sb_guard_init(struct sb_guard *g, struct sb_err *e)
{
    unsigned char drawn[SB_TOKEN_CHARS / 2];
    *g = (struct sb_guard){0};
    if (getrandom(drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn)
        return sb_err_errno(e, "draw a random token");
    for (size_t i = 0; i < sizeof drawn; i++)
        snprintf(g->token + 2 * i, 3, "%02x", drawn[i]);
    return true;
}

void
sb_guard_port(struct sb_guard *g, uint16_t port)
{
    g->port = port;
    snprintf(g->cookie, sizeof g->cookie, "strobe-%u", port);
}

/* Compares in a time that does not depend on the first difference. */
static bool
is_token(const struct sb_guard *g, struct sb_str s)
{
    if (s.n != SB_TOKEN_CHARS)
        return false;
    unsigned char differs = 0;
    for (size_t i = 0; i < SB_TOKEN_CHARS; i++)
        differs |= (unsigned char)(s.p[i] ^ g->token[i]);
    return differs == 0;
}

static bool
is_ours(const struct sb_guard *g, struct sb_str authority)
{
    char name[2][32];
    snprintf(name[0], sizeof name[0], "127.0.0.1:%u", g->port);
    snprintf(name[1], sizeof name[1], "localhost:%u", g->port);
    return sb_str_eq(authority, sb_str_of(name[0])) || sb_str_eq(authority, sb_str_of(name[1]));
}

static bool
is_foreign(const struct sb_guard *g, const struct sb_caller *c)
{
    if (c->repeats || !is_ours(g, c->host))
        return true;
    if (c->origin.n > 0) {
        if (!sb_str_starts(c->origin, SB_STR("http://")) ||
            !is_ours(g, sb_str_sub(c->origin, 7, c->origin.n)))
            return true;
    }
    /* a link in a chat or a mail may open the page, with the token; nothing of another site may ask for data
     */
    return c->for_data && c->fetch_site.n > 0 && !sb_str_eq(c->fetch_site, SB_STR("same-origin")) &&
           !sb_str_eq(c->fetch_site, SB_STR("none"));
}

/* The value of a cookie in a Cookie header; empty if absent. */
static struct sb_str
find_cookie(struct sb_str header, struct sb_str name)
{
    while (header.n > 0) {
        struct sb_str pair = sb_str_trim(sb_str_cut(&header, ';'));
        struct sb_str key = sb_str_cut(&pair, '=');
        if (sb_str_eq(key, name))
            return pair;
    }
    return (struct sb_str){0};
}

enum sb_verdict
sb_guard_judge(const struct sb_guard *g, const struct sb_caller *c)
{
    if (is_foreign(g, c))
        return SB_FOREIGN;
    struct sb_str kept = find_cookie(c->cookie, sb_str_of(g->cookie));
    if (is_token(g, kept) || is_token(g, c->header_token))
        return c->query_token.n > 0 ? SB_LET_IN_AND_REMEMBER : SB_LET_IN;
    if (is_token(g, c->query_token))
        return SB_LET_IN_AND_REMEMBER;
    return kept.n + c->header_token.n + c->query_token.n > 0 ? SB_WRONG_TOKEN : SB_NO_TOKEN;
}
