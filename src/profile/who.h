/* What a process is called: the same in sentences, tables, SQL, exports and the page. */
#pragma once
#include "profile/profile.h"

/* As Erlang writes it, the first that is known: its registered name, its label, the function that it was spawned with,
 * its pid. For a function of OTP what the process runs of the program, as far as samples of the CPU and the ends of its
 * slices tell; that is found out once for a profile, by a scan of the slices. Empty: there is no such process. */
struct sb_str sb_who(const struct sb_profile *p, int64_t process);
