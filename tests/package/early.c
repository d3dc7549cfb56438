/* Tests that a program's constructor finds the tables that a small library makes. */
extern unsigned char quatsimd_clip_bytes[256];

static unsigned found;
__attribute__((constructor)) static void look(void) { found = quatsimd_clip_bytes[255]; }

int main(void) { return found == 0; }
