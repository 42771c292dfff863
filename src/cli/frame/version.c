/* strobe version: the version, the revision that it was built from, and the libraries in use. */
#include "cli/frame/cli.h"
#include "revision.h"
#include <microhttpd.h>
#include <ncurses.h>
#include <sqlite3.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

extern const char sb_notice[]; /* the file NOTICE */

static const struct sb_option options[] = {
    {"--licenses", SB_OPT_FLAG, 0, NULL, "print the licences of the works of others that strobe contains"},
    {0}};

SB_COMMAND(version) = {
    .name = "version",
    .summary = "print the version, the revision and the libraries in use",
    .operands = "",
    .doc = "Prints the version of strobe, the revision that it was built from, and the versions of the "
           "libraries that it runs with. The same as strobe --version and strobe -V.",
    .example = "strobe version --licenses",
    .option = options,
    .run = run,
};

#ifdef SB_HAVE_OTF2
#define OTF2_TEXT "loaded when asked for"
#else
#define OTF2_TEXT "no"
#endif

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    unsigned xxh = XXH_versionNumber();
    bool licenses = false;
    if (!sb_cli_options(&sb_command_version, &licenses, &argc, argv, &e))
        return sb_cli_usage("version", "%s", e.what);
    if (argc > 0)
        return sb_cli_usage("version", "version takes no operand");
    if (licenses) {
        fputs(sb_notice, stdout);
        return 0;
    }
    printf("strobe %s\n", SB_VERSION);
    if (SB_REVISION[0])
        printf("revision       %s\n", SB_REVISION);
    printf("zstd           %s\n", ZSTD_versionString());
    printf("xxhash         %u.%u.%u\n", xxh / 10000, xxh / 100 % 100, xxh % 100);
    printf("sqlite         %s\n", sqlite3_libversion());
    printf("libmicrohttpd  %s\n", MHD_get_version());
    printf("zlib           %s\n", zlibVersion());
    printf("ncurses        %s\n", NCURSES_VERSION);
    printf("otf2           %s\n", OTF2_TEXT);
    return 0;
}
