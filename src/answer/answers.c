/* The table of all answers. */
#include "answer/answer.h"

#define ANSWER(name) extern const struct sb_answer sb_answer_##name;
#include "answer/answers.def"
#undef ANSWER

const struct sb_answer *const sb_answers[] = {
#define ANSWER(name) &sb_answer_##name,
#include "answer/answers.def"
#undef ANSWER
};
const size_t sb_n_answers = sizeof sb_answers / sizeof sb_answers[0];

const struct sb_answer *
sb_answer_find(struct sb_str name)
{
    for (size_t i = 0; i < sb_n_answers; i++)
        if (sb_str_eq(name, sb_str_of(sb_answers[i]->name)))
            return sb_answers[i];
    return NULL;
}
