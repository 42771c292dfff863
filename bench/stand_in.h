/*
 * Stand-ins for the functions of the VM that the tracer calls, and the terms they work on, with words as OTP lays them
 * out. So the code of beam/c_src runs in a program of its own (bench/tracer.c), where its instructions and its accesses
 * to memory can be counted.
 */
#pragma once
#include <erl_nif.h>

enum { PID = 3, SMALL = 0xf, LIST = 1, BOXED = 2, NIL = 0x3b, ARITY_SHIFT = 6 };

static inline ERL_NIF_TERM
small(ERL_NIF_TERM number)
{
    return number << 4 | SMALL;
}

static inline ERL_NIF_TERM
boxed(const ERL_NIF_TERM *word)
{
    return (ERL_NIF_TERM)word | BOXED;
}

/* A list of one cell more; `cell` has two words. */
static inline ERL_NIF_TERM
cons(ERL_NIF_TERM *cell, ERL_NIF_TERM head, ERL_NIF_TERM tail)
{
    cell[0] = head;
    cell[1] = tail;
    return (ERL_NIF_TERM)cell | LIST;
}
