/* The limits of time and memory of an input (limit.c). */
#ifndef SB_TEST_LIMIT_H
#define SB_TEST_LIMIT_H

void limit_from_now(void); /* the time begins again, where an input has several readers */

#endif
