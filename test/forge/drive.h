/*
 * Everything that reads a profile or a trace, in this process: the commands of the program, and the routes of
 * the server. One reader an input, chosen by its first four bytes, so that inputs stay fast and each is tried.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { DRIVE_BYTES = 4 };

void
drive_quietly(void); /* sends the standard streams to /dev/null; counts go to standard error at the end */
const char *
drive_scratch(void); /* a folder that is removed at the end; a profile good.sbp there is merged with others */
/* Runs one command of the program. */
#define DRIVE(...) drive_command((const char *[]){"strobe", __VA_ARGS__, NULL})
void drive_command(const char *const *args);
/* Runs the reader that `how` chooses. */
void drive(const char *path, const uint8_t how[DRIVE_BYTES]);
/* And some more, which makes the most of a file that took long to make. */
void drive_several(const char *path, const uint8_t how[DRIVE_BYTES]);
