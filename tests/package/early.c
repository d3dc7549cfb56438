/* A constructor of a program finds the tables that the player makes. */
extern unsigned char quatsimd_clip_bytes[256];

static unsigned found;
__attribute__((constructor)) static void look(void) { found = quatsimd_clip_bytes[255]; }

int main(void) { return found == 0; }
