/*
 * The trace as one row of records, whether it lies in one file or in the files of a wrap set. A record is
 *     op 0: u8 0, u32 size, size bytes of term      op 1: u8 1, u32 messages dropped
 * and is named by the byte it begins at, counted through all files. Reading is by pread, a piece at a time:
 * the trace never has to fit into memory, nor does a file that shrinks do harm.
 */
#ifndef SB_ENGINE_FPROF_INPUT_H
#define SB_ENGINE_FPROF_INPUT_H
#include "base/bytes.h"
#include "base/err.h"
#include "base/vec.h"

struct fp_input_file {
    const char *path;
    int fd;
    uint64_t at, size; /* where it begins in the row */
};

struct fp_input {
    SB_VEC(struct fp_input_file) file;
    uint64_t size;
    uint64_t next; /* what is not read yet */
};

struct fp_piece { /* whole records */
    uint8_t *bytes;
    size_t n, cap;
    uint64_t at;
};

enum fp_record { FP_RECORD_TERM = 0, FP_RECORD_DROP = 1 };
enum { FP_RECORD_HEAD = 5 };

static inline size_t
fp_record_bytes(const uint8_t *record)
{
    return FP_RECORD_HEAD + (record[0] == FP_RECORD_TERM ? sb_get_be32(record + 1) : 0);
}

enum fp_end {
    FP_MORE,
    FP_END,        /* of the last file, behind a whole record */
    FP_CUT,        /* in a header or in a term */
    FP_CUT_BEHIND, /* right behind a header */
    FP_BAD_RECORD, /* neither a term nor a drop */
};

bool fp_input_open(struct fp_input *in, const char *const *paths, size_t n, struct sb_err *e);
void fp_input_close(struct fp_input *in);
/* The next piece: at least a record, unless what is told is not FP_MORE: then the records before that end, if
 * any; in->next is where it is. Bytes read are the same however long the pieces are. */
bool fp_input_next(struct fp_input *in, struct fp_piece *piece, enum fp_end *end, struct sb_err *e);
/* Behind damage: moves to the next bytes that look like a record, at the end of the file at the latest; the
 * bytes left out. */
uint64_t fp_input_resync(struct fp_input *in);
/* A single record, payload behind its head; n == 0 when it can't be read (again). */
void fp_input_record(const struct fp_input *in, uint64_t at, struct fp_piece *piece);
size_t fp_input_bytes(const struct fp_input *in, uint64_t at, uint8_t *into,
                      size_t n); /* what is there of them */
const struct fp_input_file *fp_input_file_at(const struct fp_input *in, uint64_t at);

#endif
