#include "live/attach/fetch.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/signals.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

/* The node ends a recording at its limit of time. One that has not done so after this time is asked to. */
static const int64_t GRACE_NS = 5000000000;

static bool
write_all(int fd, struct sb_str s, const char *path, struct sb_err *e)
{
    while (s.n > 0) {
        ssize_t n = write(fd, s.p, s.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            sb_err_set(e, SB_ERR_SYSTEM, "the trace could not be written to its end");
            sb_err_advise(e, "see that its file system has room");
            return sb_err_in(e, path, SB_NO_BYTE);
        }
        s = sb_str_sub(s, (size_t)n, s.n);
    }
    return true;
}

static bool
fetch_all(struct sb_fetch *f, int fd, struct sb_err *e)
{
    int64_t start = sb_clock_ns();
    bool last = false, halted = false;
    while (!last) {
        struct sb_str piece;
        bool late = f->max_ns && sb_clock_ns() - start > f->max_ns + GRACE_NS;
        if (!halted && (sb_signals_ask_to_stop(f->signals) || late)) {
            SB_TRY(sb_peer_tell(f->node, "halt", e));
            halted = true;
        }
        SB_TRY(sb_peer_fetch(f->node, f->at, &piece, &last, e) && write_all(fd, piece, f->trace, e));
        f->at += piece.n;
    }
    return true;
}

bool
sb_fetch(struct sb_fetch *f, struct sb_err *e)
{
    SB_SCOPED_FD int fd = open(f->trace, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return sb_err_errno(e, "create the trace") || sb_err_in(e, f->trace, SB_NO_BYTE);
    flock(fd,
          LOCK_EX); /* readers know by the lock that the file grows; without one they take it at its end */
    return fetch_all(f, fd, e);
}
