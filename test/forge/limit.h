/* The limits of time and memory of an input (limit.c). */
#pragma once

void limit_from_now(void); /* the time begins again, where an input has several readers */
