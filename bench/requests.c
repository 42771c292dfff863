/*
 * Load of a service, for bench/attach.py: requests at random times, at a rate that does not depend on the answers (an
 * open loop). A request that finds no free connection waits for one, and its latency counts from the time at which it
 * was due, so a service that stalls cannot hide it.
 *
 *     requests PORT CONNECTIONS RATE MS       prints the latency of each request of so many ms, in ns
 *
 * A request is forty numbers with commas; each message has its size before it, in four bytes.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 512, NUMBERS = 40, HEAD = 4 };

struct connection {
    int64_t due_ns; /* of the request under way; 0: free */
    size_t got;     /* bytes of its answer */
    uint8_t head[HEAD];
};

struct load {
    struct pollfd fd[CONNECTIONS_MAX];
    struct connection of[CONNECTIONS_MAX];
    unsigned n;
    double rate;
    int64_t next_ns; /* when the next request is due */
};

static int64_t
now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
fail(const char *what)
{
    fprintf(stderr, "requests: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void
open_all(struct load *l, uint16_t port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (unsigned i = 0; i < l->n; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
        if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
            fail("connect");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        l->fd[i] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
}

static void
ask(struct load *l, unsigned i, int64_t due_ns)
{
    char text[HEAD + NUMBERS * 7];
    size_t n = HEAD;
    for (int k = 0; k < NUMBERS; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%ld", k ? "," : "", 1 + random() % 99999);
    uint32_t bytes = htonl((uint32_t)(n - HEAD));
    memcpy(text, &bytes, HEAD);
    if (write(l->fd[i].fd, text, n) != (ssize_t)n)
        fail("send");
    l->of[i] = (struct connection){.due_ns = due_ns};
}

/* Times between requests are distributed exponentially. */
static int64_t
later(const struct load *l, int64_t at_ns)
{
    return at_ns + (int64_t)(-log(1 - drand48()) / l->rate * 1e9);
}

/* Returns false where no connection is free. */
static bool
ask_next(struct load *l)
{
    for (unsigned i = 0; i < l->n; i++)
        if (!l->of[i].due_ns) {
            ask(l, i, l->next_ns);
            l->next_ns = later(l, l->next_ns);
            return true;
        }
    return false;
}

static void
take(struct load *l, unsigned i)
{
    struct connection *c = &l->of[i];
    uint8_t bytes[1 << 16];
    ssize_t n = read(l->fd[i].fd, bytes, sizeof bytes);
    if (n <= 0)
        fail("receive");
    for (ssize_t k = 0; k < n && c->got + (size_t)k < HEAD; k++)
        c->head[c->got + (size_t)k] = bytes[k];
    c->got += (size_t)n;
    uint32_t size;
    memcpy(&size, c->head, HEAD);
    if (c->got < HEAD || c->got < HEAD + ntohl(size))
        return;
    printf("%lld ", (long long)(now_ns() - c->due_ns));
    c->due_ns = 0;
}

/* Waits for an answer, until the next request is due if a connection is free for it. */
static void
wait_for(struct load *l, bool is_free)
{
    int64_t ns = l->next_ns - now_ns();
    struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    if (is_free && ns <= 0)
        return;
    ppoll(l->fd, l->n, is_free ? &t : NULL, NULL);
    for (unsigned i = 0; i < l->n; i++)
        if (l->fd[i].revents)
            take(l, i);
}

static bool
is_busy(const struct load *l)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->of[i].due_ns)
            return true;
    return false;
}

int
main(int argc, char **argv)
{
    static struct load l;
    if (argc != 5 || (l.n = (unsigned)atoi(argv[2])) > CONNECTIONS_MAX)
        return 2;
    l.rate = atof(argv[3]);
    prctl(PR_SET_TIMERSLACK, 1);
    srandom((unsigned)now_ns());
    srand48(random());
    open_all(&l, (uint16_t)atoi(argv[1]));
    int64_t end = now_ns() + atoll(argv[4]) * 1000000;
    l.next_ns = later(&l, now_ns());
    while (l.next_ns < end) {
        bool is_free = true;
        while (is_free && l.next_ns <= now_ns() && l.next_ns < end)
            is_free = ask_next(&l);
        wait_for(&l, is_free);
    }
    l.next_ns = INT64_MAX;
    while (is_busy(&l))
        wait_for(&l, false);
    putchar('\n');
    return 0;
}
