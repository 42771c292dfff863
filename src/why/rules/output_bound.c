#include "why/find/finding.h"

SB_RULE(output_bound) = {
    .name = "output_bound",
    .looks_for = "processes that wait for the output device with each line",
    .erlang = "write an iolist at a time, or to a file; write less",
    .elixir = "write iodata at a time (IO.write with a list), or to a file; write less",
    .of_requests = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    sb_service_put(w, SB_SERVICE_OUTPUT, 0, NULL);
}
