/* Shared by printing and reading of JSON. */
#ifndef JSON_H
#define JSON_H

#include <cJSON.h>
#include <stdbool.h>

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

/* A member that is a text, cleaned (to be freed), or a number; "" and 0 if it is none. */
char *json_text(const cJSON *object, const char *key);
double json_number(const cJSON *object, const char *key);

#endif
