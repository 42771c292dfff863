#include "serve/page_question.h"

#define FIRST_ERLANG SB_ASKED_FIRST_ERLANG
#define FIRST_ELIXIR SB_ASKED_FIRST_ELIXIR
#define FIRST SB_ASKED_FIRST
#define SAVED SB_ASKED_SAVED
#define EACH_PROCESS SB_ASKED_PROCESS
#define EACH_FUNCTION SB_ASKED_FUNCTION
#define SAVED_CPU SB_ASKED_SAVED_CPU
#define EACH_CPU_FUNCTION SB_ASKED_CPU_FUNCTION
#define EACH_CALLED SB_ASKED_CALLED
#define EACH_SAMPLED SB_ASKED_SAMPLED
#define EACH_SCHEDULER SB_ASKED_SCHEDULER
#define EACH_SERVER SB_ASKED_SERVER
#define SAVED_OTHER SB_ASKED_OTHER
const struct sb_page_question sb_page_questions[] = {
#define ROUTE(...)
#define ASK(...)
#define ANSWERED(...)
#define PAGE(route, rest, when, detail) {#route rest, detail, when},
#include "serve/routes/route.def"
#include "serve/routes/ask.def"
#undef PAGE
#undef ANSWERED
#undef ASK
#undef ROUTE
};
const size_t sb_n_page_questions = sizeof sb_page_questions / sizeof *sb_page_questions;
