/*
 * Prints terms as Erlang's ~tp does (OTP 25, +pc latin1): flat if they fit on the line, otherwise broken and
 * indented as in io_lib_pretty. Columns count from 1.
 */
#pragma once
#include "base/file.h"
#include "trace/term/etf.h"

enum sb_term_style {
    SB_TERM_PLAIN, /* pids, ports, references and funs are printed as they are */
    /* the same as strings, so that file:consult can read them: the form that fprof writes */
    SB_TERM_PARSIFY,
};

/* Terms nested deeper than this are printed as "...". */
#define SB_TERM_PRINT_DEPTH 4000

/* Prints a term over several lines, starting at `column`; lines end before column 80. */
void sb_term_print(struct sb_out *o, const struct sb_etf *t, unsigned column, enum sb_term_style style);
/* Prints a term on one line (~0tp). */
void sb_term_print_flat(struct sb_out *o, const struct sb_etf *t, enum sb_term_style style);

/* Returns a copy with every process, port, reference and fun replaced by its text as a string. */
struct sb_etf sb_term_parsify(struct sb_arena *a, const struct sb_etf *t);

void sb_term_put_atom(struct sb_out *o, struct sb_str utf8); /* quoted if needed */
/* shortest text that reads back as the same value */
void sb_term_put_float(struct sb_out *o, double f);
size_t sb_utf8_length(const char *p, size_t n); /* characters; each byte that is not UTF-8 counts as one */

/* Prints a term without parts: anything but tuples, non-empty lists, maps and binaries that are not text. */
void sb_term_put_atomic(struct sb_out *o, const struct sb_etf *t);
bool sb_term_is_text(const struct sb_etf *t); /* true for a list that is printed as "..." */
void sb_term_put_text(struct sb_out *o, const struct sb_etf *list);
enum sb_bits_text { SB_BITS_NUMBERS, SB_BITS_LATIN1, SB_BITS_UTF8 }; /* <<1,2>>, <<"a">>, <<"å"/utf8>> */
enum sb_bits_text sb_term_bits_text(const struct sb_etf *t);
void sb_term_put_bits_text(struct sb_out *o, const struct sb_etf *t, enum sb_bits_text how);
