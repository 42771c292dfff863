/* What the files of a dataset have in common, which FORMAT.md describes. */
#ifndef SB_EXPORT_DATASET_SCHEMA_H
#define SB_EXPORT_DATASET_SCHEMA_H
#include <string.h>

/* A column that goes or that means something else raises it; a new one does not. */
#define SB_DATASET_SCHEMA "1"

/* What a column is called: `node`, an id, is not the name of the partition's node. */
static inline const char *
sb_dataset_column(const char *name)
{
    return strcmp(name, "node") == 0 ? "node_id" : name;
}

#endif
