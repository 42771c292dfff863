#include "why/find/finding.h"

SB_RULE(timer_server) = {
    .name = "timer_server",
    .looks_for =
        "processes that wait for the timer server, which starts and cancels the timers of module timer",
    .erlang = "erlang:send_after/3, erlang:start_timer/3 and erlang:cancel_timer/1 pass no process; limit a "
              "call by its time-out or by `after` instead of timer:kill_after/1 or timer:exit_after/2",
    .elixir = "Process.send_after/3 and Process.cancel_timer/1 pass no process; limit a call by its time-out "
              "or by Task.yield/2 instead of :timer.kill_after/1 or :timer.exit_after/2",
    .of_requests = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    sb_service_put(w, SB_SERVICE_TIMER, 0, NULL);
}
