#include "serve/server.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t PATIENCE_NS = 500000000;

static int
listen_on_loopback(uint16_t port, uint16_t *got, struct sb_err *e)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, SOMAXCONN) == 0 &&
        getsockname(fd, (struct sockaddr *)&at, &n) == 0) {
        *got = ntohs(at.sin_port);
        return fd;
    }
    bool taken = errno == EADDRINUSE;
    sb_err_errno(e, "listen on 127.0.0.1");
    if (taken)
        sb_err_advise(e, "port %u is taken: leave --port out to get any free one", port);
    if (fd >= 0)
        close(fd);
    return -1;
}

static int64_t
program_built(void)
{
    struct stat st;
    return stat("/proc/self/exe", &st) == 0 ? (int64_t)st.st_mtime : 0;
}

static bool
listen_and_answer(struct sb_server *s, uint16_t wanted, struct sb_err *e)
{
    uint16_t port;
    int fd = listen_on_loopback(wanted, &port, e);
    if (fd < 0)
        return false;
    sb_guard_port(&s->guard, port);
    snprintf(s->url, sizeof s->url, "http://127.0.0.1:%u/?token=%s", port, s->guard.token);
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, sb_exchange_step, s,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SB_CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)SB_HEADER_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SB_IDLE_SECONDS, MHD_OPTION_NOTIFY_COMPLETED, sb_exchange_over, s,
        MHD_OPTION_NOTIFY_CONNECTION, sb_visitor_notify, &s->visitors, MHD_OPTION_END);
    if (s->daemon)
        return true;
    close(fd);
    return sb_err_set(e, SB_ERR_SYSTEM, "cannot start the web server");
}

bool
sb_server_open(struct sb_server **out, const struct sb_serve_options *o, struct sb_err *e)
{
    struct sb_server *s = *out = SB_HEAP(struct sb_server, .built = program_built());
    sb_heap_for_a_server();
    s->profiles.source_dir = o->source_dir;
    s->profiles.n_source_dirs = o->n_source_dirs;
    s->kept = sb_answer_cache_open();
    s->port = o->port;
    sb_first_page_init(&s->front);
    if (sb_guard_init(&s->guard, e) &&
        (o->folder ? sb_profiles_open_folder(&s->profiles, o->folder, e)
                   : sb_profiles_open(&s->profiles, o->paths, o->n_paths, o->coming, e)))
        return true;
    sb_server_close(s);
    return false;
}

bool
sb_server_start(struct sb_server *s, struct sb_err *e)
{
    s->pool = sb_pool_open(SB_WORKERS + 1); /* and the submitting thread */
    SB_TRY(sb_profiles_start(&s->profiles, e));
    SB_TRY(listen_and_answer(s, s->port, e));
    sb_server_warm(s);
    return true;
}

const char *
sb_server_url(const struct sb_server *s)
{
    return s->url;
}

void
sb_server_recorded(struct sb_server *s, const char *path)
{
    for (size_t i = 0; i < s->profiles.n; i++)
        if (sb_str_eq(sb_str_of(s->profiles.listed[i].path), sb_str_of(path)) && s->profiles.listed[i].follow)
            sb_follow_recorded(s->profiles.listed[i].follow);
}

/* Stops requests, then running statements, then workers, and frees everything. What works out a critical path or the
 * like does not look whether it should stop: it only reads, so the end of the process may end it. */
bool
sb_server_close(struct sb_server *s)
{
    atomic_store(&s->profiles.stop, true);
    if (s->daemon)
        MHD_quiesce_daemon(s->daemon);
    for (size_t i = 0; i < s->profiles.n; i++)
        sb_editions_interrupt(&s->profiles.listed[i].editions);
    if (s->pool && !sb_pool_drain(s->pool, PATIENCE_NS)) {
        sb_profiles_leave(&s->profiles);
        return false;
    }
    if (s->daemon)
        MHD_stop_daemon(s->daemon);
    sb_pool_close(s->pool);
    sb_answer_cache_close(s->kept);
    sb_first_page_close(&s->front);
    sb_profiles_close(&s->profiles);
    free(s);
    return true;
}
