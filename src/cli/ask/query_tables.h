/* `strobe query --tables`: what can be asked with SQL, and how much a profile has of it. */
#pragma once
#include "profile/profile.h"

/* Prints the tables and columns, or those of one table. */
bool sb_query_tables(const char *table, enum sb_format format, struct sb_err *e);
/* Prints the tables with their numbers of rows in this profile. */
bool sb_query_tables_of(const struct sb_profile *p, enum sb_format format, struct sb_err *e);
