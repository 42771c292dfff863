/* Requests of the node to its flight recorder: see trace/sbt/ring_ask.h. */
#pragma once
#include "nif.h"

nif_function nif_ask, nif_answer, nif_wanted, nif_forgot;
