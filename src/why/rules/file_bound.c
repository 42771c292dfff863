#include "why/find/finding.h"
#include "why/find/service.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_file_bound = {
    .name = "file_bound",
    .looks_for = "processes that wait for the process of a file with each small write or read",
    .erlang =
        "write an iolist at a time, or open the file with [raw, {delayed_write, 65536, 1000}]; calls of "
        "file with the option raw do not pass file_server_2",
    .elixir =
        "write iodata at a time (IO.binwrite with a list), or open the file with [:raw, :delayed_write]; "
        "calls of :file with the option :raw do not pass file_server_2",
    .find = find,
};

static void
find(struct sb_why *w)
{
    sb_service_put(w, SB_SERVICE_FILE, "file service");
}
