// A C++ program that is compiled with the floating-point flags of games: -Ofast and fused operations. It is
// linked with -ffast-math, so it flushes denormals from the start. The library's results must still have the
// hashes in goldens.txt.
#include <quatsimd/quatsimd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/hash.h"

enum { COUNT = 65539 }; // SWEEP_COUNT
extern "C" void fp_sweep(float *quats, unsigned char *words, size_t size);

static unsigned long long hash_of(std::vector<float> floats) {
  put_floats(floats.data(), floats.data(), floats.size());
  return XXH64(floats.data(), floats.size() * sizeof(float), 0);
}

int main(int argc, char **argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: test_fp_consumer goldens.txt\n"), 2;
  std::vector<float> quats(4 * COUNT), back(4 * COUNT);
  std::vector<unsigned char> words(16 * COUNT), packed(16 * COUNT);
  fp_sweep(quats.data(), words.data(), words.size());
  std::ifstream goldens(argv[1]);
  std::string line, name;
  int formats = 0, wrong = 0;
  while (std::getline(goldens, line)) {
    unsigned long long pack, unpack, unpack_words;
    std::istringstream in(line);
    quatsimd_format format;
    if (!(in >> name >> std::hex >> pack >> unpack >> unpack_words) ||
        quatsimd_format_from_name(&format, name.c_str()) != QUATSIMD_OK)
      continue;
    const size_t size = quatsimd_packed_size(format, COUNT);
    const bool done =
        quatsimd_pack(format, packed.data(), size, quatsimd_aos(quats.data()), COUNT) >= 0 &&
        quatsimd_unpack(format, quatsimd_aos_out(back.data()), packed.data(), size, 0, COUNT) >= 0;
    bool good = done && XXH64(packed.data(), size, 0) == pack && hash_of(back) == unpack;
    good = good &&
           quatsimd_unpack(format, quatsimd_aos_out(back.data()), words.data(), size, 0, COUNT) >= 0 &&
           hash_of(back) == unpack_words;
    if (!good) std::printf("%s is not as in goldens.txt\n", name.c_str());
    formats++, wrong += !good;
  }
  std::printf("%d formats, %d wrong, with %s kernels\n", formats, wrong, quatsimd_isa());
  return formats < 20 || wrong ? 1 : 0;
}
