/* MinGW's sscanf rounds some doubles differently from its strtod, which rounds as other systems' do. cJSON
 * reads what it printed, to see whether 15 digits are enough, and would print other digits than on those. */
#include <stdio.h>
#include <stdlib.h>
#define sscanf(text, format, number) (*(number) = strtod(text, NULL), 1)
