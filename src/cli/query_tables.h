/* `strobe query --tables`: what can be asked with SQL. */
#ifndef SB_CLI_QUERY_TABLES_H
#define SB_CLI_QUERY_TABLES_H
#include "base/err.h"
#include "base/table.h"

/* Prints the tables and columns, or those of one table. */
bool sb_query_tables(const char *table, enum sb_format format, struct sb_err *e);

#endif
