#include "why/find/finding.h"
#include "why/program/phases.h"

SB_RULE(code_loading) = {
    .name = "code_loading",
    .looks_for = "modules loaded one by one while the program runs",
    .erlang =
        "a service loads its modules before they are needed (code:ensure_modules_loaded/1, or a release in "
        "embedded mode)",
    .elixir = "a service loads its modules before they are needed (Code.ensure_all_loaded/1, or a release)",
    .of_requests = true,
    .find = find,
};

static const struct sb_cure asked_again = {
    .where = "the code server is asked thousands of times",
    .erlang =
        "ask once for each module and keep the answer: code:ensure_loaded/1, or a call of a module that is "
        "not there, looks through all folders of the code path each time; in embedded mode it does not",
    .elixir =
        "ask once for each module and keep the answer: Code.ensure_loaded?/1, or a call of a module that "
        "is not there, looks through all folders of the code path each time; in a release it does not",
};

enum { FLOOD = 1000 };

/* A script, or what Mix or rebar3 run, loads each module once: nothing cures that. */
static void
find(struct sb_why *w)
{
    size_t before = w->found.n;
    sb_service_put(w, SB_SERVICE_CODE, FLOOD, &asked_again);
    if (w->found.n == before && !sb_program_of(w->x.profile)->is_by_tool)
        sb_service_put(w, SB_SERVICE_CODE, 0, NULL);
}
