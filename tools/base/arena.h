/* Memory for JSON: trees have a great many small pieces, which are given back all at once. */
#ifndef ARENA_H
#define ARENA_H

/* From here on cJSON takes its memory from the arena, in this process. */
void arena_use(void);

/* Gives back all that cJSON has taken since; no tree and no text of it may be in use. */
void arena_empty(void);

#endif
