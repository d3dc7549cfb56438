/* The page of `quatsimd compress --report`: one HTML file that needs nothing else. */
#ifndef PAGE_H
#define PAGE_H

#include "report/clip_report.h"

/* Returns true if the name ends as those of pages. */
bool page_has_name(const char *path);
/* Returns false and complains if it is known beforehand that there can be no such file. */
bool page_may_be_written(const char *path);

/* Writes page.html (beside, then renamed) with the report's JSON in it, and in that the details of some
 * clips. The report has what made it. Returns false after a complaint if the page cannot be written, then
 * nothing is; or if a clip or its input cannot be read again, then the page says so. */
bool page_write(const char *path, const struct clip_report *report);

#endif
