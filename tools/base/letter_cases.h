/* Capital and small letters, which some file systems take for the same. */
#ifndef LETTER_CASES_H
#define LETTER_CASES_H

/* As strcmp of the capitals of both, which are valid UTF-8, by Unicode's simple mapping of one character to
 * one: what NTFS takes for the same name is the same here. */
int letter_cases_compare(const char *a, const char *b);

#endif
