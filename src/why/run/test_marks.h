/* Marks that name tests: "test MODULE-NAME", with " at FILE:LINE" from Strobe.Formatter, and at its end with " passed"
 * or another outcome. */
#ifndef SB_WHY_TEST_MARKS_H
#define SB_WHY_TEST_MARKS_H
#include "why/run/tests.h"

/* Gives tests the names, places and outcomes of their marks. A mark is of the test in whose process it was set, or of
 * the case of Common Test that waits for it; those of a formatter are of the tests of one module in their order, if
 * there are as many. */
void sb_test_marks_join(const struct sb_evidence *x, struct sb_tests *tests);

#endif
