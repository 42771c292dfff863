#include "base/file.h"
#include "cli/program.h"

int
main(int argc, char **argv)
{
    sb_file_survive_shrinking();
    return sb_cli_main(argc, argv);
}
