/* Shared by printing and reading of JSON. */
#ifndef JSON_H
#define JSON_H

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Prints the tree on standard output and frees it. */
void json_print(cJSON *tree);

/* Appends an object to a list. */
cJSON *json_append(cJSON *list);

/* Adds a text from outside, cleaned (text_clean): JSON is UTF-8. Null is null. */
void json_add_text(cJSON *object, const char *key, const char *text);

/* Adds a finite number in so many digits that the same double is read. */
void json_add_exact(cJSON *object, const char *key, double number);

/* Adds a number, null if it is infinite or none (NaN), which JSON cannot say; or if it is not known. */
void json_add_number(cJSON *object, const char *key, double number);
void json_add_figure(cJSON *object, const char *key, double figure, bool known);

/* A member of an object; null: it has none of that name. */
cJSON *json_member(const cJSON *object, const char *name);

/* Takes a whole number from 0 to below `end`. False if the item is none. */
bool json_whole(const cJSON *item, double end, size_t *number);

/* A member that is a text, cleaned (to be freed), or a number; "" and 0 if it is none. */
char *json_text(const cJSON *object, const char *key);
double json_number(const cJSON *object, const char *key);

#endif
