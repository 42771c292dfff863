#pragma once

int sb_cli_main(int argc, char **argv); /* the whole program; returns the exit code */
