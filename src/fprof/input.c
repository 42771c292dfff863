#include "fprof/input.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 256 << 10 };

static bool
open_file(struct fp_input *in, const char *path, struct sb_err *e)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        bool missing = errno == ENOENT;
        sb_err_errno(e, "open it");
        if (missing)
            sb_err_advise(e, "check the name");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    struct fp_input_file *f = SB_PUSH(&in->file);
    *f = (struct fp_input_file){.path = path, .fd = fd, .at = in->size, .size = (uint64_t)st.st_size};
    if (!S_ISREG(st.st_mode)) {
        sb_err_set(e, SB_ERR_INPUT, "is not a regular file");
        sb_err_advise(e, "name a trace file");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    in->size += f->size;
    return true;
}

bool
fp_input_open(struct fp_input *in, const char *const *paths, size_t n, struct sb_err *e)
{
    *in = (struct fp_input){0};
    for (size_t i = 0; i < n; i++)
        if (!open_file(in, paths[i], e)) {
            fp_input_close(in);
            return false;
        }
    return true;
}

void
fp_input_close(struct fp_input *in)
{
    for (size_t i = 0; i < in->file.n; i++)
        close(in->file.at[i].fd);
    SB_VEC_FREE(&in->file);
}

const struct fp_input_file *
fp_input_file_at(const struct fp_input *in, uint64_t at)
{
    size_t i = in->file.n - 1;
    while (i > 0 && in->file.at[i].at > at)
        i--;
    return &in->file.at[i];
}

/* Reads within one file; returns less than n at its end, or after an error (*errnum). */
static size_t
read_at(const struct fp_input_file *f, uint64_t at, uint8_t *into, size_t n, int *errnum)
{
    uint64_t left = f->size - (at - f->at);
    n = n < left ? n : (size_t)left;
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(f->fd, into + done, n - done, (off_t)(at - f->at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            *errnum = got < 0 ? errno : 0;
            break;
        }
        done += (size_t)got;
    }
    return done;
}

size_t
fp_input_bytes(const struct fp_input *in, uint64_t at, uint8_t *into, size_t n)
{
    int errnum = 0;
    return at < in->size ? read_at(fp_input_file_at(in, at), at, into, n, &errnum) : 0;
}

static void
make_room(struct fp_piece *piece, size_t n)
{
    if (piece->cap >= n)
        return;
    piece->bytes = sb_realloc_or_die(piece->bytes, n);
    piece->cap = n;
}

/* Returns the size of the whole records among n bytes at p; *need: size of the next record (0: not a
 * record). */
static size_t
whole_records(const uint8_t *p, size_t n, uint64_t *need)
{
    size_t at = 0;
    *need = FP_RECORD_HEAD;
    while (n - at >= FP_RECORD_HEAD) {
        uint64_t size =
            p[at] == FP_RECORD_TERM ? FP_RECORD_HEAD + (uint64_t)sb_get_be32(p + at + 1) : FP_RECORD_HEAD;
        *need = p[at] > FP_RECORD_DROP ? 0 : size;
        if (*need == 0 || size > n - at)
            return at;
        at += size;
        *need = FP_RECORD_HEAD;
    }
    return at;
}

bool
fp_input_next(struct fp_input *in, struct fp_piece *piece, enum fp_end *end, struct sb_err *e)
{
    piece->n = 0;
    piece->at = in->next;
    *end = FP_END;
    if (in->next >= in->size)
        return true;
    const struct fp_input_file *f = fp_input_file_at(in, in->next);
    uint64_t left = f->size - (in->next - f->at), need = PIECE;
    for (;;) {
        size_t want = (size_t)(need < PIECE ? PIECE : need), got;
        want = want < left ? want : (size_t)left;
        make_room(piece, want);
        int errnum = 0;
        got = read_at(f, in->next, piece->bytes, want, &errnum);
        if (errnum) {
            errno = errnum;
            sb_err_errno(e, "read it");
            return sb_err_in(e, f->path, in->next - f->at);
        }
        piece->n = whole_records(piece->bytes, got, &need);
        bool file_ends = got == left || got < want;
        *end = need == 0                          ? FP_BAD_RECORD
               : !file_ends || piece->n == got    ? FP_MORE
               : got - piece->n == FP_RECORD_HEAD ? FP_CUT_AFTER_HEAD
                                                  : FP_CUT;
        if (*end != FP_MORE || piece->n > 0)
            break;
        if (need > left) { /* the record claims to be longer than the file: there is no more to read */
            *end = FP_CUT;
            break;
        }
    }
    in->next += piece->n;
    return true;
}

void
fp_input_record(const struct fp_input *in, uint64_t at, struct fp_piece *piece)
{
    uint8_t head[FP_RECORD_HEAD];
    piece->n = 0;
    piece->at = at;
    if (fp_input_bytes(in, at, head, sizeof head) < sizeof head || head[0] != FP_RECORD_TERM)
        return;
    const struct fp_input_file *f = fp_input_file_at(in, at);
    uint64_t size = FP_RECORD_HEAD + (uint64_t)sb_get_be32(head + 1);
    if (size > f->size - (at - f->at))
        return;
    make_room(piece, size);
    size_t got = fp_input_bytes(in, at, piece->bytes, size);
    piece->n = got == size ? size : 0;
}

/* Returns whether the bytes are a tuple in a record that fits the file. */
static bool
looks_like_record(const uint8_t *p, uint64_t left)
{
    enum { VERSION = 131, TUPLE = 104 };
    uint64_t size = sb_get_be32(p + 1);
    return p[0] == FP_RECORD_TERM && p[5] == VERSION && p[6] == TUPLE && size > 2 &&
           FP_RECORD_HEAD + size <= left;
}

uint64_t
fp_input_resync(struct fp_input *in)
{
    enum { LOOKS = 7 };
    uint8_t window[4096];
    uint64_t start = in->next;
    const struct fp_input_file *f = fp_input_file_at(in, start);
    uint64_t end = f->at + f->size;
    for (uint64_t at = start + 1; at + LOOKS <= end;) {
        size_t n = fp_input_bytes(in, at, window, sizeof window);
        for (size_t i = 0; i + LOOKS <= n; i++)
            if (looks_like_record(window + i, end - at - i)) {
                in->next = at + i;
                return in->next - start;
            }
        if (n < sizeof window)
            break;
        at += n - LOOKS + 1;
    }
    in->next = end;
    return end - start;
}
