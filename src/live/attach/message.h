/*
 * Messages of a node, as encoded terms. Decoding by ei trusts the lengths in a message. So a message is checked before:
 * it is one whole term after a version byte. Zeros follow it then, and since no term begins with zero, a decoder that
 * expects more finds nothing.
 */
#pragma once
#include "base/str.h"
#include <ei.h>

bool sb_message_seal(ei_x_buff *message); /* its `index` is its size; false: it is no whole term */
/* Steps over a term of a message that is sealed; ei_skip_term would overflow the stack on deep nesting. */
bool sb_message_skip(const ei_x_buff *message, int *at);

/* A term to be encoded, or the arguments of a call, which have no version byte. Freed where the block ends. */
#define SB_TERM(name) SB_ENCODED(name, ei_x_new_with_version)
#define SB_ARGUMENTS(name) SB_ENCODED(name, ei_x_new)
#define SB_ENCODED(name, begin) \
    ei_x_buff name __attribute__((cleanup(ei_x_free))); \
    begin(&name)

/* Decoding: false, and nothing changed, if something else comes next. */
bool sb_message_atom(const ei_x_buff *message, int *at, const char *wanted);
bool sb_message_tuple(const ei_x_buff *message, int *at, int arity);
/* empty: none; valid until the next message */
struct sb_str sb_message_binary(const ei_x_buff *message, int *at);
