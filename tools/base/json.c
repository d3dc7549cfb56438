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

char *json_text(const cJSON *object, const char *key) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
  return text_clean(text ? text : "");
}

double json_number(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsNumber(item) ? item->valuedouble : 0;
}
