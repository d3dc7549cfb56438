/* Shared by the two halves of reading through Assimp: a child process in which Assimp may crash, and
 * the parent that listens. */
#ifndef ASSIMP_PIPE_H
#define ASSIMP_PIPE_H

#include <stdbool.h>
#include <stdio.h>

struct aiNode;
struct aiScene;

/* First thing on the pipe. */
enum { PIPE_FAILED = 1, PIPE_READ = 2 };
/* Last thing, so that the parent can tell a whole answer from one that broke off. */
enum { PIPE_END = 0x51534d44 };
/* No such node. */
#define PIPE_NONE 0xffffffffu

/* Child: imports the file and writes to the pipe either PIPE_FAILED and a text, or PIPE_READ, and
 *   how many metres a unit of lengths is outside all nodes, a double, 0 if the file does not say;
 *   how many nodes FBX shears, how many parts of the file Assimp could not read, and the first reason;
 *   the number of nodes, for each its name, its parent's number (always a smaller one) or PIPE_NONE, the
 *   ten floats of its rotation, translation and scale at rest, 1 if it is a joint of a skin or else 0, and of
 *   a joint the 12 floats of its inverse bind matrix by rows;
 *   the number of animations, for each its name, ticks per second and number of channels;
 *     for each channel its node's name and number, and for rotation, translation and scale
 *       the number of keys, the keys as floats and the times in ticks. Keys that Assimp makes up are not
 *       among them.
 * Numbers are unsigned int, ticks are doubles, texts are a length and that many bytes, all as they are in
 * memory. */
void assimp_import_to(FILE *pipe, const char *path);

/* Child: imports the file, replaces keys and writes either PIPE_FAILED and a text, or PIPE_READ, the size
 * of the .glb as uint64_t, its bytes, and in both cases PIPE_END. */
struct replacement;
void assimp_export_to(FILE *pipe, const struct replacement *r);

/* Child: what Assimp reads, null if it does not. meshes: also for files that hold a skeleton alone. */
struct assimp_remarks {
  unsigned sheared, unread;
  char reason[200]; /* for the first that is unread */
};
const struct aiScene *assimp_import(const char *path, bool meshes, struct assimp_remarks *remarks);
void assimp_import_failed(FILE *pipe);

/* Child: of a node and all below it. */
unsigned assimp_count_nodes(const struct aiNode *node);

#endif
