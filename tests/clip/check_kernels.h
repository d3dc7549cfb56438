/* Tests of test_clip_kernels that need no clips. A test's state is a table of kernels, or NULL. */
#ifndef CHECK_KERNELS_H
#define CHECK_KERNELS_H

void unpacking(void **state);
void reference_unpacks(void **state);
void profiles(void **state);
void knots(void **state);
void quanta(void **state);
void bases(void **state);
void tangents(void **state);
void rotations(void **state);
void samples(void **state);
void vectors(void **state);
void curves(void **state);
void decodes(void **state);
void searches(void **state);
void format_tables(void **state);
void own_code(void **state);

#endif
