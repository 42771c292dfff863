#include "base/file.h"
#include "cli/frame/commands.h"
#include <signal.h>

int
main(int argc, char **argv)
{
    sb_file_survive_shrinking();
    signal(SIGXFSZ, SIG_IGN); /* a write beyond ulimit -f is an error instead */
    return sb_cli_main(argc, argv);
}
