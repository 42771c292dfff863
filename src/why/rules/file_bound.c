#include "why/find/finding.h"

SB_RULE(file_bound) = {
    .name = "file_bound",
    .looks_for = "processes that wait for the file server with each file that they open or look up, or for "
                 "the process of a file with each small write or read",
    .erlang =
        "keep what is read often, and ask file_server_2 less: file:read_file_info/2 and file:open/2 with "
        "the option raw do not pass it. Write to the process of a file an iolist at a time, or open the "
        "file with [raw, {delayed_write, 65536, 1000}]",
    .elixir =
        "keep what is read often, and ask file_server_2 less: File.stat/2 passes it, "
        ":file.read_file_info/2 and :file.open/2 with the option :raw do not. Write to the process of a "
        "file iodata at a time (IO.binwrite with a list), or open the file with [:raw, :delayed_write]",
    .of_requests = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    sb_service_put(w, SB_SERVICE_FILE, 0, NULL);
}
