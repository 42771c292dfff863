#include "why/find/finding.h"

SB_RULE(code_loading) = {
    .name = "code_loading",
    .looks_for = "modules loaded one by one while the program runs",
    .erlang =
        "a service loads its modules before they are needed (code:ensure_modules_loaded/1, or a release in "
        "embedded mode); a tool or a suite, which loads each module once, gains by fewer modules alone",
    .elixir = "a service loads its modules before they are needed (Code.ensure_all_loaded/1, or a release); "
              "mix, a script or a suite, which loads each module once, gains by fewer modules alone",
    .find = find,
};

static void
find(struct sb_why *w)
{
    sb_service_put(w, SB_SERVICE_CODE, "code server");
}
