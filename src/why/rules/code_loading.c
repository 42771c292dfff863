#include "why/finding.h"
#include "why/service.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_code_loading = {
    .name = "code_loading",
    .looks_for = "modules loaded one by one while the program runs",
    .erlang = "start the release in embedded mode, or load the modules before (code:ensure_modules_loaded/1)",
    .elixir = "use a release (embedded mode), or load the modules before (Code.ensure_all_loaded/1)",
    .find = find,
};

static void
find(struct sb_why *w)
{
    sb_service_put(w, SB_SERVICE_CODE, "code server");
}
