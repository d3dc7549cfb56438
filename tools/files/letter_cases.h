/* Capital and small letters, which some file systems take for the same. */
#ifndef LETTER_CASES_H
#define LETTER_CASES_H

/* As strcmp of the capitals of both, which are valid UTF-8. A character has the one that Unicode maps it to:
 * names that NTFS takes for the same are the same here, and so are a few more. */
int letter_cases_compare(const char *a, const char *b);

#endif
