/* Reads the clip player's table of bytes in a constructor. The table must be ready when constructors run. */
extern unsigned char quatsimd_clip_bytes[256];

static unsigned found;
__attribute__((constructor)) static void look(void) { found = quatsimd_clip_bytes[255]; }

int main(void) { return found == 0; }
