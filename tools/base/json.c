#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "terminal/print.h"

void json_print(cJSON *tree) {
  char *text = cJSON_Print(tree);
  if (text) print("%s\n", text);
  cJSON_free(text);
  cJSON_Delete(tree);
}

cJSON *json_append(cJSON *list) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToArray(list, object);
  return object;
}

void json_add_text(cJSON *object, const char *key, const char *text) {
  char *clean = text ? text_clean(text) : NULL;
  cJSON_AddItemToObject(object, key, clean ? cJSON_CreateString(clean) : cJSON_CreateNull());
  free(clean);
}

void json_add_number(cJSON *object, const char *key, double number) {
  json_add_figure(object, key, number, true);
}

void json_add_exact(cJSON *object, const char *key, double number) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", number);
  cJSON_AddRawToObject(object, key, text);
}

void json_add_figure(cJSON *object, const char *key, double figure, bool known) {
  if (known && isfinite(figure)) cJSON_AddNumberToObject(object, key, figure);
  else cJSON_AddNullToObject(object, key);
}

cJSON *json_member(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

bool json_whole(const cJSON *item, double end, size_t *number) {
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < end)) return false;
  *number = (size_t)item->valuedouble;
  return (double)*number == item->valuedouble;
}

char *json_text(const cJSON *object, const char *key) {
  const char *text = cJSON_GetStringValue(json_member(object, key));
  return text_clean(text ? text : "");
}

double json_number(const cJSON *object, const char *key) {
  const cJSON *item = json_member(object, key);
  return cJSON_IsNumber(item) ? item->valuedouble : 0;
}
