/*
 * The text form of events: one line per event, for people and tests.
 *
 *     # comment
 *     @meta node=a@host schedulers=2
 *     1.5ms  <0.85.0>  s1  send  to=<0.90.0> words=5 ext=12 hash=9af3
 *     2ms    <0.85.0>  s1  out   mfa=gen_server:loop/7
 *     2ms    #Port<0.5>  -  in   mfa=command
 *
 * Columns: time (ns, when read also with a unit), who, lane (s1, d1 dirty CPU, i1 dirty IO, 3 a bare OTP number,
 * - none), tag, then slots as name=value in the order of event.def. Flags follow as bare words (timeout, at_least, cp,
 * alias, cpu).
 */
#pragma once
#include "base/file.h"
#include "trace/kind.h"
#include "trace/names.h"

void sb_text_write(struct sb_out *o, const struct sb_names *names, const struct sb_event *ev);
bool sb_text_read(struct sb_str line, struct sb_names *names, struct sb_event *ev, struct sb_err *e);

/* Parse the text form used in a profile: <0.N.S> or #Port<0.N> of a node; a name as the value of a slot of
 * that type. */
bool sb_text_actor(struct sb_str s, struct sb_names *names, unsigned node, sb_actor *out);
uint32_t sb_text_name(struct sb_str s, enum sb_slot_type type, struct sb_names *names);
