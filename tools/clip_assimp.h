/* What the two halves of reading a clip agree on: a child process in which Assimp may crash, and the parent
 * that listens. */
#ifndef CLIP_ASSIMP_H
#define CLIP_ASSIMP_H

#include <stdio.h>

/* First thing on the pipe. */
enum { CLIP_FAILED = 1, CLIP_READ = 2 };
/* Last thing, so that the parent can tell a whole answer from one that broke off. */
enum { CLIP_END = 0x51534d44 };

/* Child: imports the file and writes to the pipe either CLIP_FAILED and a text, or CLIP_READ, the number of
 * animations and for each its name, ticks per second and number of tracks; for each track its node's name,
 * number of keys, the keys as floats x, y, z, w and the times in ticks. Numbers are unsigned int and double,
 * texts are a length and that many bytes, all as they are in memory. */
void clip_import_to(FILE *pipe, const char *path);

#endif
