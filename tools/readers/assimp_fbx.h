/* FBX places a node by more than translation, rotation and scale: by pivots, offsets, and rotations before
 * and after its own. Assimp 5.2 makes a chain of nodes of them, and channels that sometimes move the chain
 * and sometimes its last node as a whole; or, where chains are switched off, it drops the former channels,
 * and multiplies by PostRotation where its inverse belongs. So it does not get to see them: in the bytes
 * that it reads, these properties have other names, under which it hands them on as metadata of their
 * node. */
#ifndef ASSIMP_FBX_H
#define ASSIMP_FBX_H

#include <assimp/cfileio.h>
#include <stdbool.h>
#include <stddef.h>

struct aiScene;

/* Does Assimp take this file for FBX? True for some more. */
bool fbx_is_likely(const char *path);

/* FBX files, opened through io, that have these properties under their aliases. */
struct fbx_files {
  struct aiFileIO io;
  const char *const *properties;
  size_t count;
};
void fbx_files_init(struct fbx_files *files, const char *const *properties, size_t count);

enum { FBX_ALIAS_ROOM = 32 };
void fbx_alias(char alias[FBX_ALIAS_ROOM], const char *property);

/* The properties that fbx_place wants to be hidden. The last one is the rotation of the node itself: with
 * all of them hidden, a node is as Assimp has it translated and scaled. */
enum { FBX_ROTATION = 9, FBX_PROPERTIES };
extern const char *const fbx_properties[FBX_PROPERTIES];

/* Gives the nodes of a scene, and their channels, the transforms that FBX means. The file was imported with
 * all of fbx_properties hidden but the last one. `scaled` is the same file with all of them hidden; null
 * will do unless fbx_needs_scales says otherwise. With meshes, those that are not where their node is get a
 * node of their own below it. Returns how many nodes FBX shears, which have no such transform. */
bool fbx_needs_scales(const struct aiScene *scene);
unsigned fbx_place(const struct aiScene *scene, const struct aiScene *scaled, bool meshes);

#endif
