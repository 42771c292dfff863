/*
 * What a command of --via gets and prints, as text. The command gets an Erlang expression, in Erlang or within Elixir,
 * and quoted once more for a shell behind ssh: a form. Answers come back in base64 between two marks, since commands
 * print values in their own ways: what is not in the alphabet of base64 is ignored.
 */
#pragma once
#include "base/arena.h"
#include "live/attach/shell.h"
#include <ei.h>

enum { SB_VIA_FORMS = 4 };
enum sb_via_how { SB_VIA_PRINTED, SB_VIA_VALUE }; /* the evaluating process prints an answer, or returns it */

struct sb_str sb_via_in_form(unsigned form, struct sb_str text, struct sb_arena *a);
/* These write expressions: the value of A between marks, which contain the token; its printing, where a command can see
 * it; a term. */
void sb_via_write_answer(struct sb_out *o, uint64_t token, enum sb_via_how how);
void sb_via_write_print(struct sb_out *o, uint64_t token);
void sb_via_write_term(struct sb_out *o, const ei_x_buff *x, struct sb_arena *a);
/* Finds an answer in what a command printed: a term that is sealed (message.h). */
bool sb_via_read_answer(const struct sb_out *printed, uint64_t token, enum sb_via_how *how,
                        ei_x_buff *answer);
bool sb_via_no_answer(const struct sb_shell *r, struct sb_err *e); /* the error: its first words say why */
