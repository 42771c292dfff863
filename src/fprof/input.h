/*
 * The trace as one sequence of records, in one file or in the files of a wrap set. A record is
 *     op 0: u8 0, u32 size, size bytes of term      op 1: u8 1, u32 messages dropped
 * and is identified by the offset of its first byte, counted through all files. The trace is read with pread,
 * one piece at a time: it need not fit into memory, and a file that shrinks is harmless.
 */
#pragma once
#include "base/bytes.h"
#include "base/err.h"
#include "base/vec.h"

struct fp_input_file {
    const char *path;
    int fd;
    uint64_t at, size; /* offset of the file in the sequence */
};

struct fp_input {
    SB_VEC(struct fp_input_file) file;
    uint64_t size;
    uint64_t next; /* offset of the next byte to read */
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
    FP_END,            /* after the last record */
    FP_CUT,            /* in a header or in a term */
    FP_CUT_AFTER_HEAD, /* right after a header */
    FP_BAD_RECORD,     /* neither a term nor a drop */
};

bool fp_input_open(struct fp_input *in, const char *const *paths, size_t n, struct sb_err *e);
void fp_input_close(struct fp_input *in);
/* Reads the next piece, of at least one record. Unless *end is FP_MORE, the piece has the records before
 * that end, if any, and in->next is the place of the end. The bytes read do not depend on the size of the
 * pieces. */
bool fp_input_next(struct fp_input *in, struct fp_piece *piece, enum fp_end *end, struct sb_err *e);
/* After damage: moves to the next bytes that look like a record, or to the end of the file. Returns the
 * number of skipped bytes. */
uint64_t fp_input_resync(struct fp_input *in);
/* Reads a single record, with the payload after its head; n == 0 when it cannot be read (again). */
void fp_input_record(const struct fp_input *in, uint64_t at, struct fp_piece *piece);
size_t fp_input_bytes(const struct fp_input *in, uint64_t at, uint8_t *into,
                      size_t n); /* returns the number of bytes that exist */
const struct fp_input_file *fp_input_file_at(const struct fp_input *in, uint64_t at);
