#ifndef SB_CLI_COMMANDS_H
#define SB_CLI_COMMANDS_H

int sb_cli_main(int argc, char **argv); /* the whole program; returns the exit code */

#endif
