/*
 * Terms as Erlang's ~tp prints them (OTP 25, +pc latin1): flat when there is room on the line, else broken
 * and indented as io_lib_pretty does. Columns count from 1.
 */
#ifndef SB_TRACE_TERM_PRINT_H
#define SB_TRACE_TERM_PRINT_H
#include "base/file.h"
#include "trace/etf.h"

enum sb_term_style {
    SB_TERM_PLAIN,   /* pids, ports, references and funs as they print */
    SB_TERM_PARSIFY, /* as strings, so that file:consult can read the result: what fprof writes */
};

/* Terms nested deeper than this print "..." in place of what lies below. */
#define SB_TERM_PRINT_DEPTH 4000

/* Pretty, beginning at `column`; lines end before column 80. */
void sb_term_print(struct sb_out *o, const struct sb_etf *t, unsigned column, enum sb_term_style style);
/* All on one line (~0tp). */
void sb_term_print_flat(struct sb_out *o, const struct sb_etf *t, enum sb_term_style style);

/* A copy in which every process, port, reference and fun is the string that it prints as. */
struct sb_etf sb_term_parsify(struct sb_arena *a, const struct sb_etf *t);

void sb_term_put_atom(struct sb_out *o, struct sb_str utf8); /* quoted where it must be */
void sb_term_put_float(struct sb_out *o, double f);          /* shortest text that reads back the same */
size_t sb_utf8_length(const char *p, size_t n); /* characters; bytes that are not UTF-8 count one each */

/* The text of what has no parts: everything but tuples, non-empty lists and maps, and binaries that are not
 * text. */
void sb_term_put_atomic(struct sb_out *o, const struct sb_etf *t);
bool sb_term_is_text(const struct sb_etf *t); /* a list that prints as "..." */
void sb_term_put_text(struct sb_out *o, const struct sb_etf *list);
enum sb_bits_text { SB_BITS_NUMBERS, SB_BITS_LATIN1, SB_BITS_UTF8 }; /* <<1,2>>, <<"a">>, <<"å"/utf8>> */
enum sb_bits_text sb_term_bits_text(const struct sb_etf *t);
void sb_term_put_bits_text(struct sb_out *o, const struct sb_etf *t, enum sb_bits_text how);

#endif
