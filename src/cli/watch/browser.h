/*
 * Opens an address in the user's browser. The address holds a token, and every user of the machine sees the arguments
 * of a program. So the desktop's command gets the name of a file that only this user can read and that leads to the
 * address.
 */
#pragma once

struct sb_browser {
    char page[4096]; /* empty: no browser was opened */
};

void sb_browser_open(struct sb_browser *b, const char *url); /* does nothing without a desktop */
void sb_browser_close(struct sb_browser *b);                 /* removes the file */
