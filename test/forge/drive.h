/*
 * Everything that reads a profile or a trace, in this process: the commands of the program, and the routes of
 * the server. One reader an input, chosen by its first four bytes, so that inputs stay fast and each is tried.
 */
#ifndef SB_TEST_DRIVE_H
#define SB_TEST_DRIVE_H
#include <stddef.h>
#include <stdint.h>

enum { DRIVE_BYTES = 4 };

void drive_quietly(void); /* sends the standard streams to /dev/null */
/* Runs one command of the program. */
#define DRIVE(...) drive_command((const char *[]){"strobe", __VA_ARGS__, NULL})
void drive_command(const char *const *args);
/* Runs the reader that `how` chooses. */
void drive(const char *path, const char *scratch, const uint8_t how[DRIVE_BYTES]);

#endif
