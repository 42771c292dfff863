/*
 * Why a run took as long as it did: tables that are computed from an open profile, each once, and shared by all
 * its connections. Any kind of profile will do, since only its tables are read.
 */
#pragma once
#include "profile/sql/computed.h"
#include "profile/sql/sql.h"

/* For sb_sql_open: the tables of tables.def, NULL at their end. */
extern const struct sb_computed *const sb_why_tables[];
/* True for a table that a statement can ask: stored or computed. */
bool sb_why_is_table(struct sb_str name);
