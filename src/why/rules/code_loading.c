#include "why/find/finding.h"
#include "why/find/service.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_code_loading = {
    .name = "code_loading",
    .looks_for = "modules loaded one by one while the program runs",
    .erlang = "load the modules before they are needed (code:ensure_modules_loaded/1), as a release in "
              "embedded mode does",
    .elixir = "load the modules before they are needed (Code.ensure_all_loaded/1), as a release does; mix "
              "and scripts load them on demand",
    .find = find,
};

static void
find(struct sb_why *w)
{
    sb_service_put(w, SB_SERVICE_CODE, "code server");
}
