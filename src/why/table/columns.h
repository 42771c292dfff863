/* What tables share whose columns, with what fills them, stand in a .def file: a row's cells come in the same order. */
#pragma once

/* the member of union sb_cell that holds a type */
#define SB_CELL_INT i
#define SB_CELL_TEXT s
#define SB_CELL_REAL f

/* the rest of the descriptor of a table of struct sb_findings */
#define SB_OF_FINDINGS(columns, next_row) \
    .column = columns, .n_columns = sizeof columns / sizeof columns[0], .open = sb_findings_rows, \
    .next = next_row
