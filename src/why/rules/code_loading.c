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

/* A script, or what Mix or rebar3 run, loads each module once: nothing cures that. */
static void
find(struct sb_why *w)
{
    if (sb_program_of(w->x.profile)->is_by_tool)
        return;
    sb_service_put(w, SB_SERVICE_CODE, "code server");
}
