#include "live/attach/epmd.h"
#include "base/file.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ANSWER_MAX = 1 << 16, PATIENCE_S = 5, HEAD = 4 };

static int
connected(const struct sb_epmd *at)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(at->port), .sin_addr = at->host};
    struct timeval patience = {.tv_sec = PATIENCE_S};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    close(fd);
    return -1;
}

/* NAMES_REQ: a length of two bytes and 'n'. The answer is epmd's own port in four bytes, then text. */
bool
sb_epmd_names(const struct sb_epmd *at, struct sb_arena *a, struct sb_str *lines, struct sb_err *e)
{
    static const char request[] = {0, 1, 'n'};
    char host[INET_ADDRSTRLEN], *answer = SB_NEW_N(a, char, ANSWER_MAX);
    size_t n = 0;
    SB_SCOPED_FD int fd = connected(at);
    if (fd >= 0 && send(fd, request, sizeof request, MSG_NOSIGNAL) == sizeof request)
        for (ssize_t got; n < ANSWER_MAX && (got = recv(fd, answer + n, ANSWER_MAX - n, 0)) > 0;)
            n += (size_t)got;
    *lines = (struct sb_str){answer + HEAD, n > HEAD ? n - HEAD : 0};
    if (n >= HEAD)
        return true;
    sb_err_set(e, SB_ERR_SYSTEM, "no epmd answers at %s, port %u",
               inet_ntop(AF_INET, &at->host, host, sizeof host), at->port);
    return sb_err_advise(e, "start the node with -sname or -name, which starts epmd, or run `epmd -daemon`");
}

bool
sb_epmd_next(struct sb_str *lines, struct sb_str *name, uint16_t *port)
{
    while (lines->n > 0) {
        struct sb_str line = sb_str_cut(lines, '\n'), word[5] = {{0}};
        for (unsigned i = 0; i < 5; i++)
            word[i] = sb_str_cut(&line, ' ');
        uint64_t number;
        if (sb_str_eq(word[0], SB_STR("name")) && sb_str_to_u64(word[4], &number) && number <= UINT16_MAX) {
            *name = word[1];
            *port = (uint16_t)number;
            return true;
        }
    }
    return false;
}
