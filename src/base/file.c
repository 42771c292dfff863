#include "base/file.h"
#include "base/arena.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, PAGE = 4096 };

static bool
map(struct sb_file *f, struct sb_err *e)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return sb_err_errno(e, "look at it");
    if (!S_ISREG(st.st_mode)) {
        sb_err_set(e, SB_ERR_INPUT, S_ISDIR(st.st_mode) ? "is a directory" : "is not a regular file");
        return sb_err_advise(e, "name a file");
    }
    f->n = f->mapped = (uint64_t)st.st_size;
    if (f->n == 0)
        return true;
    void *p = mmap(NULL, f->n, PROT_READ, MAP_PRIVATE, f->fd, 0);
    if (p == MAP_FAILED)
        return sb_err_errno(e, "map it");
    f->p = p;
    return true;
}

static void
advise_open(struct sb_err *e, int errnum)
{
    if (errnum == ENOENT)
        sb_err_advise(e, "check the name");
    else if (errnum == EACCES)
        sb_err_advise(e, "check its permissions");
}

bool
sb_file_open(struct sb_file *f, const char *path, struct sb_err *e)
{
    *f = (struct sb_file){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (f->fd < 0) {
        int errnum = errno;
        sb_err_errno(e, "open it");
        advise_open(e, errnum);
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    if (!map(f, e)) {
        sb_file_close(f);
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    return true;
}

bool
sb_file_grow(struct sb_file *f, struct sb_err *e)
{
    struct sb_file now = {.fd = f->fd};
    struct stat st;
    if (fstat(f->fd, &st) == 0 && (uint64_t)st.st_size == f->n)
        return true;
    SB_TRY(map(&now, e));
    if (f->p)
        munmap((void *)f->p, f->mapped);
    *f = now;
    return true;
}

void
sb_file_close(struct sb_file *f)
{
    if (f->p)
        munmap((void *)f->p, f->mapped);
    sb_close(f->fd);
    *f = (struct sb_file){.fd = -1};
}

void
sb_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

void
sb_scoped_fd_close(const int *fd)
{
    sb_close(*fd);
}

void
sb_scoped_file_close(FILE **f)
{
    if (*f)
        fclose(*f);
}

void
sb_scoped_dir_close(DIR **d)
{
    if (*d)
        closedir(*d);
}

bool
sb_file_line(const char *path, char *line, int room)
{
    SB_SCOPED_FILE FILE *f = fopen(path, "re");
    if (!f || !fgets(line, room, f))
        return false;
    line[strcspn(line, "\n")] = 0;
    return true;
}

/* Replaces a page that the file no longer has by zeros. SIGBUS for any other reason ends the program. The system call
 * itself, since ThreadSanitizer takes mmap() for a write that races with other readers of the page. */
static void
on_sigbus(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1);
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, may = PROT_READ | PROT_WRITE, no_file = -1,
         from = 0;
    if (info->si_code != BUS_ADRERR || syscall(SYS_mmap, page, (long)PAGE, may, flags, no_file, from) == -1)
        signal(signal_number, SIG_DFL);
}

void
sb_file_survive_shrinking(void)
{
    struct sigaction a = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};
    sigemptyset(&a.sa_mask);
    sigaction(SIGBUS, &a, NULL);
}

bool
sb_file_recheck(struct sb_file *f)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0 || (uint64_t)st.st_size >= f->n)
        return true;
    f->n = (uint64_t)st.st_size;
    return false;
}

static bool
out_init(struct sb_out *o, const char *path, int fd, bool atomic)
{
    memset(o, 0, offsetof(struct sb_out, path)); /* the names are long, and most outputs have none */
    o->tmp[0] = '\0';
    o->fd = fd;
    o->cap = BUFFER;
    o->atomic = atomic;
    o->buf = sb_realloc_or_die(NULL, o->cap);
    snprintf(o->path, sizeof o->path, "%s", path ? path : "");
    return true;
}

/* A rename cannot replace a pipe or a device, so those are written in place. */
static bool
replaceable(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

static bool
open_in_place(struct sb_out *o, const char *path, int flags, struct sb_err *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (fd >= 0)
        return out_init(o, path, fd, false);
    sb_err_errno(e, "write it");
    return sb_err_in(e, path, SB_NO_BYTE);
}

/* Opens a file that has no name until it is complete, so nothing is left if the program is interrupted; -1 if the file
 * system has no such files. */
static int
open_nameless(const char *path)
{
    char folder[sizeof((struct sb_out *)NULL)->path];
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n >= sizeof folder || access("/proc/self/fd", X_OK) != 0)
        return -1;
    memcpy(folder, n ? path : ".", n ? n : 1);
    folder[n ? n : 1] = '\0';
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

static bool
temporary_name(char tmp[sizeof((struct sb_out *)NULL)->tmp], const char *path, long pid)
{
    size_t size = sizeof((struct sb_out *)NULL)->tmp;
    return (size_t)snprintf(tmp, size, "%s.%ld.tmp", path, pid) < size;
}

void
sb_out_remove_unfinished(const char *path, long pid)
{
    char tmp[sizeof((struct sb_out *)NULL)->tmp];
    if (temporary_name(tmp, path, pid))
        unlink(tmp);
}

bool
sb_out_open(struct sb_out *o, const char *path, struct sb_err *e)
{
    if (!path)
        return out_init(o, NULL, STDOUT_FILENO, false);
    if (!replaceable(path))
        return open_in_place(o, path, 0, e);
    char tmp[sizeof o->tmp];
    bool fits = temporary_name(tmp, path, (long)getpid());
    int fd = fits ? open_nameless(path) : -1;
    bool nameless = fd >= 0;
    if (!fits)
        errno = ENAMETOOLONG;
    else if (!nameless)
        fd = open(tmp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) {
        sb_err_errno(e, "write it");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    out_init(o, path, fd, true);
    o->nameless = nameless;
    memcpy(o->tmp, tmp, sizeof tmp);
    return true;
}

bool
sb_out_open_append(struct sb_out *o, const char *path, struct sb_err *e)
{
    return path ? open_in_place(o, path, O_APPEND, e) : sb_out_open(o, NULL, e);
}

void
sb_out_private_as(struct sb_out *o, const char *path)
{
    struct stat from, to;
    if (o->atomic && stat(path, &from) == 0 && fstat(o->fd, &to) == 0)
        (void)!fchmod(o->fd, to.st_mode & (from.st_mode | S_IRWXU) & 0777);
}

void
sb_out_to_memory(struct sb_out *o)
{
    out_init(o, NULL, -1, false);
}

static void
drain(struct sb_out *o, const char *p, size_t n)
{
    while (n > 0 && !o->failed) {
        ssize_t done = write(o->fd, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            o->failed = true;
            o->errnum = done < 0 ? errno : EIO;
            return;
        }
        p += done;
        n -= (size_t)done;
        o->written += (uint64_t)done;
    }
}

void
sb_out_bytes(struct sb_out *o, const void *p, size_t n)
{
    if (n > o->cap - o->n) {
        if (o->fd >= 0) {
            drain(o, o->buf, o->n);
            o->n = 0;
            if (n >= o->cap) {
                drain(o, p, n);
                return;
            }
        } else {
            size_t need = o->n + n;
            o->cap = need > o->cap * 2 ? need : o->cap * 2;
            o->buf = sb_realloc_or_die(o->buf, o->cap);
        }
    }
    if (n)
        memcpy(o->buf + o->n, p, n);
    o->n += n;
}

/* Where the file system can, both files share the blocks. */
static bool
copy_written(struct sb_out *to, const struct sb_out *from)
{
    enum { PIECE = 1 << 20 };
    loff_t at = 0, end = (loff_t)from->written;
    while (at < end && copy_file_range(from->fd, &at, to->fd, NULL, (size_t)(end - at), 0) > 0)
        ;
    char *piece = sb_realloc_or_die(NULL, PIECE);
    to->written = (uint64_t)at;
    for (ssize_t n; at < end && !to->failed && (n = pread(from->fd, piece, PIECE, at)) > 0; at += n)
        drain(to, piece, (size_t)(n < end - at ? n : end - at));
    free(piece);
    return at >= end && !to->failed;
}

bool
sb_out_go_on(struct sb_out *o, const struct sb_out *from, const char *path, struct sb_err *e)
{
    SB_TRY(sb_out_open(o, path, e));
    if (!o->atomic || from->failed || !copy_written(o, from)) {
        sb_out_abandon(o);
        sb_err_set(e, SB_ERR_SYSTEM, "the part that was written before could not be copied");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    sb_out_bytes(o, from->buf, from->n);
    return true;
}

void
sb_out_str(struct sb_out *o, struct sb_str s)
{
    sb_out_bytes(o, s.p, s.n);
}

void
sb_out_z(struct sb_out *o, const char *z)
{
    sb_out_bytes(o, z, strlen(z));
}

void
sb_out_char(struct sb_out *o, char c)
{
    if (o->n < o->cap)
        o->buf[o->n++] = c;
    else
        sb_out_bytes(o, &c, 1);
}

void
sb_out_pad(struct sb_out *o, char c, size_t n)
{
    if (n <= o->cap - o->n) {
        memset(o->buf + o->n, c, n);
        o->n += n;
        return;
    }
    while (n-- > 0)
        sb_out_char(o, c);
}

void
sb_out_u64(struct sb_out *o, uint64_t v)
{
    char digits[20], *p = digits + sizeof digits;
    do
        *--p = (char)('0' + v % 10);
    while (v /= 10);
    sb_out_bytes(o, p, (size_t)(digits + sizeof digits - p));
}

void
sb_out_i64(struct sb_out *o, int64_t v)
{
    if (v < 0)
        sb_out_char(o, '-');
    sb_out_u64(o, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void
sb_out_printf(struct sb_out *o, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    if ((size_t)n < sizeof text) {
        sb_out_bytes(o, text, (size_t)n);
        return;
    }
    SB_ARENA(a);
    va_start(ap, fmt);
    sb_out_str(o, sb_arena_vprintf(&a, fmt, ap));
    va_end(ap);
}

bool
sb_out_flush(struct sb_out *o, struct sb_err *e)
{
    if (o->fd >= 0) {
        drain(o, o->buf, o->n);
        o->n = 0;
    }
    if (!o->failed)
        return true;
    errno = o->errnum;
    sb_err_errno(e, "write it");
    if (o->errnum == ENOSPC)
        sb_err_advise(e, "free some space or write elsewhere");
    return sb_err_in(e, o->path[0] ? o->path : "standard output", SB_NO_BYTE);
}

static void
release(struct sb_out *o)
{
    if (o->fd > STDERR_FILENO)
        close(o->fd);
    free(o->buf);
    memset(o, 0, offsetof(struct sb_out, path));
    o->fd = -1;
}

static bool
give_name(const struct sb_out *o)
{
    char from[40];
    snprintf(from, sizeof from, "/proc/self/fd/%d", o->fd);
    if (o->nameless && linkat(AT_FDCWD, from, AT_FDCWD, o->tmp, AT_SYMLINK_FOLLOW) != 0)
        return false;
    return rename(o->tmp, o->path) == 0;
}

bool
sb_out_close(struct sb_out *o, struct sb_err *e)
{
    bool ok = sb_out_flush(o, e);
    if (o->atomic && !ok)
        unlink(o->tmp);
    else if (o->atomic && !give_name(o)) {
        ok = sb_err_errno(e, "give it its name");
        sb_err_in(e, o->path, SB_NO_BYTE);
        unlink(o->tmp);
    }
    release(o);
    return ok;
}

void
sb_out_abandon(struct sb_out *o)
{
    if (o->atomic)
        unlink(o->tmp);
    release(o);
}
