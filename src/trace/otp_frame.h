/*
 * Frames of a file, cut into blocks (otp_frame.c), from the front by one thread, or ahead by many (otp_scan.c).
 */
#ifndef SB_TRACE_OTP_FRAME_H
#define SB_TRACE_OTP_FRAME_H
#include "trace/source_impl.h"

enum { OTP_HEADER = 5 };
enum otp_look { OTP_FRAME, OTP_DROP, OTP_END, OTP_CUT, OTP_BAD };

struct otp_block {
    struct sb_block b;
    uint64_t prev; /* where its last record begins; its end when that is none */
    uint64_t drops, lost;
    bool ends_with_record;
};

static inline struct otp_block
otp_block_at(uint32_t file, uint64_t at)
{
    return (struct otp_block){
        .b = {.file = file, .at_byte = at, .first_ns = INT64_MIN, .last_ns = INT64_MAX}, .prev = at};
}

enum otp_look otp_look(const struct sb_file *f, uint64_t at, uint64_t *next);
bool otp_is_head(const uint8_t *p, uint64_t left); /* the atom that a record begins with */
/* The next frame in [from, to) that is worth trying, or `to`: found by the two bytes a payload begins with. */
uint64_t otp_resynchronise(const struct sb_file *f, uint64_t from, uint64_t to);
/* Adds what follows the block until it is large enough or at `until`; what stands behind it then. */
enum otp_look otp_take(const struct sb_file *f, struct otp_block *k, uint64_t until);
bool otp_next(struct sb_source *s, struct sb_block *b, struct sb_err *e);

struct otp_scan;
void otp_scan(struct sb_source *s, struct sb_pool *pool);
void otp_scan_close(struct otp_scan *scan);
/* Makes the block, which only begins so far, the one that the scan found there, if it did; up to where it found none. */
uint64_t otp_scanned(struct sb_source *s, struct otp_block *k);
void otp_find_bounds(struct sb_source *s, struct sb_block *b);

#endif
