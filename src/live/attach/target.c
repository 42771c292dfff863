#include "live/attach/target.h"
#include "base/file.h"
#include "live/attach/epmd.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <unistd.h>

enum { EPMD_PORT = 4369, COOKIE_MAX = 512 };

/* ---- the cookie */

static struct sb_str
cookie_file(struct sb_str folder, const char *rest, struct sb_arena *a)
{
    char text[COOKIE_MAX];
    const char *path = sb_arena_printf(a, "%.*s/%s", SB_STR_ARG(folder), rest).p;
    SB_SCOPED_FD int fd = folder.n ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : 0;
    return sb_arena_str(a, sb_str_trim((struct sb_str){text, n > 0 ? (size_t)n : 0}));
}

/* As Erlang finds it: in the home of the node's user, then in the folder for configurations. */
static struct sb_str
cookie_of_home(struct sb_str home, struct sb_str config, struct sb_arena *a)
{
    struct sb_str c = cookie_file(home, ".erlang.cookie", a);
    if (!c.n && config.n)
        c = cookie_file(config, "erlang/.erlang.cookie", a);
    return c.n ? c : cookie_file(home, ".config/erlang/.erlang.cookie", a);
}

static void
take_cookie(struct sb_target *t, struct sb_str cookie, const char *from)
{
    if (t->cookie.n || !cookie.n)
        return;
    t->cookie = cookie;
    t->cookie_from = from;
}

/* ---- the node */

static bool
resolve(struct sb_target *t, struct sb_arena *a)
{
    struct addrinfo want = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
    const char *host = sb_arena_str(a, t->host).p;
    if (t->host.n == 0 || getaddrinfo(host, NULL, &want, &found) != 0) {
        t->address.s_addr = htonl(INADDR_LOOPBACK);
        return t->host.n == 0;
    }
    t->address = ((struct sockaddr_in *)(void *)found->ai_addr)->sin_addr;
    freeaddrinfo(found);
    return true;
}

static struct sb_epmd
epmd_of(const struct sb_target *t)
{
    uint64_t port;
    struct sb_str given = t->beam.epmd.n ? t->beam.epmd : sb_str_of(getenv("ERL_EPMD_PORT"));
    bool is_port = sb_str_to_u64(given, &port) && port > 0 && port <= UINT16_MAX;
    return (struct sb_epmd){t->address, is_port ? (uint16_t)port : EPMD_PORT};
}

static bool
no_such_node(const struct sb_target *t, struct sb_str alive, struct sb_str lines, struct sb_err *e)
{
    char known[160] = "none";
    size_t n = 0;
    struct sb_str name;
    uint16_t port;
    while (sb_epmd_next(&lines, &name, &port) && n + name.n + 3 < sizeof known)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%.*s", n ? ", " : "", SB_STR_ARG(name));
    sb_err_set(e, SB_ERR_INPUT, "no node %.*s runs on %.*s", SB_STR_ARG(alive),
               SB_STR_ARG(t->host.n ? t->host : SB_STR("this machine")));
    return sb_err_advise(e, "epmd knows: %s", known);
}

static bool
find_port(struct sb_target *t, struct sb_str alive, struct sb_arena *a, struct sb_err *e)
{
    struct sb_epmd epmd = epmd_of(t);
    struct sb_str lines, name, rest;
    SB_TRY(sb_epmd_names(&epmd, a, &lines, e));
    rest = lines;
    while (sb_epmd_next(&rest, &name, &t->port))
        if (sb_str_eq(name, alive))
            return true;
    return no_such_node(t, alive, lines, e);
}

static bool
find_cookie(struct sb_target *t, struct sb_arena *a, struct sb_err *e)
{
    struct sb_str home = sb_str_of(getenv("HOME")), config = sb_str_of(getenv("XDG_CONFIG_HOME"));
    take_cookie(t, sb_str_of(getenv("RELEASE_COOKIE")), "RELEASE_COOKIE");
    take_cookie(t, t->beam.cookie, "the command line of the node");
    take_cookie(t, cookie_of_home(t->beam.home, (struct sb_str){0}, a), "the home folder of the node's user");
    take_cookie(t, cookie_of_home(home, config, a), "your home folder");
    if (t->cookie.n)
        return true;
    SB_TRY(find_port(t, sb_str_sub(t->node, 0, sb_str_find(t->node, '@')), a, e)); /* it may have ended */
    sb_err_set(e, SB_ERR_INPUT, "no cookie was found for %.*s", SB_STR_ARG(t->node));
    return sb_err_advise(e, "put it into ~/.erlang.cookie, or into the environment variable RELEASE_COOKIE");
}

static struct sb_str
this_host(struct sb_arena *a)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    struct sb_str whole = sb_str_of(host);
    return sb_arena_str(a, sb_str_sub(whole, 0, sb_str_find(whole, '.')));
}

/* "shop@here", or "shop" with the short name of this machine. */
static struct sb_str
set_node(struct sb_target *t, struct sb_str name, struct sb_arena *a)
{
    size_t at = sb_str_find(name, '@');
    struct sb_str alive = sb_str_sub(name, 0, at);
    t->host = at < name.n ? sb_str_sub(name, at + 1, name.n) : this_host(a);
    t->node = sb_arena_printf(a, "%.*s@%.*s", SB_STR_ARG(alive), SB_STR_ARG(t->host));
    return alive;
}

static bool
by_name(struct sb_target *t, const char *given, struct sb_arena *a, struct sb_err *e)
{
    struct sb_err ignored;
    struct sb_str alive = set_node(t, sb_arena_str(a, sb_str_of(given)), a);
    if (!resolve(t, a)) {
        sb_err_set(e, SB_ERR_INPUT, "the host %.*s is not known here", SB_STR_ARG(t->host));
        return sb_err_advise(e, "write the node's name as node() returns it");
    }
    SB_TRY(find_port(t, alive, a, e));
    uint32_t os_pid = sb_beam_of_port(t->port);
    if (!os_pid || !sb_beam_read(&t->beam, os_pid, a, &ignored))
        return true;
    if (!strchr(given, '@') && sb_str_find(t->beam.name, '@') < t->beam.name.n)
        set_node(t, t->beam.name, a);
    return true;
}

/* A node that got its name after its start shows it to epmd alone. */
static bool
name_from_epmd(struct sb_target *t, struct sb_arena *a, struct sb_err *e)
{
    struct sb_epmd epmd = epmd_of(t);
    struct sb_str lines, name;
    struct sb_err ignored;
    uint16_t port;
    if (sb_epmd_names(&epmd, a, &lines, &ignored))
        while (sb_epmd_next(&lines, &name, &port))
            if (sb_beam_listens(t->beam.os_pid, port)) {
                t->beam.name = name;
                return true;
            }
    sb_err_set(e, SB_ERR_INPUT, "process %u is a node without distribution, so it cannot be reached",
               t->beam.os_pid);
    return sb_err_advise(
        e, "start it with -sname NAME, or run net_kernel:start([NAME, shortnames]) in its shell");
}

static bool
by_os_pid(struct sb_target *t, uint32_t os_pid, struct sb_arena *a, struct sb_err *e)
{
    SB_TRY(sb_beam_read(&t->beam, os_pid, a, e));
    t->address.s_addr = htonl(INADDR_LOOPBACK);
    if (!t->beam.name.n || sb_str_eq(t->beam.name, SB_STR("undefined")))
        SB_TRY(name_from_epmd(t, a, e));
    struct sb_str alive = set_node(t, t->beam.name, a);
    resolve(t, a);
    return find_port(t, alive, a, e);
}

bool
sb_target_find(struct sb_target *t, const char *given, struct sb_arena *a, struct sb_err *e)
{
    uint64_t os_pid;
    *t = (struct sb_target){0};
    bool is_number = sb_str_to_u64(sb_str_of(given), &os_pid) && os_pid <= INT32_MAX;
    SB_TRY(is_number ? by_os_pid(t, (uint32_t)os_pid, a, e) : by_name(t, given, a, e));
    return find_cookie(t, a, e);
}

bool
sb_target_os_pid(const char *given, uint32_t *os_pid, struct sb_arena *a, struct sb_err *e)
{
    struct sb_target t = {0};
    uint64_t number;
    bool is_number = sb_str_to_u64(sb_str_of(given), &number) && number <= INT32_MAX;
    *os_pid = is_number ? (uint32_t)number : 0;
    if (is_number)
        return sb_beam_read(&t.beam, *os_pid, a, e);
    SB_TRY(by_name(&t, given, a, e));
    *os_pid = t.beam.os_pid;
    return *os_pid || sb_err_set(e, SB_ERR_INPUT, "the process of %s is not visible here", given);
}
