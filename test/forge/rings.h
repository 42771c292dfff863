/* The rings of a node that has made events of every kind, as copies that it sends to another machine. */
#pragma once
#include "trace/sbt/ring_image.h"

/* Makes copies one after the other: the first before any event, each other after one more event of each kind. */
void forge_ring_copies(struct sb_ring_parts *copy, unsigned n);
