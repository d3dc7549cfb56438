/* A new .glb of joints and animations. */
#ifndef WRITER_GLB_H
#define WRITER_GLB_H

#include "scene/scene.h"

/* Writes the nodes, as the joints of a skin and with lines between them, so that there is something to see,
 * and all animations. Lengths become metres where the scene knows its unit; then its translations change in
 * place. Returns false and complains if it cannot; then a former file is as it was. */
bool glb_write(struct scene *scene, const char *output);

#endif
