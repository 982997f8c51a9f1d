// Writes a data file as plain arrays that numpy.fromfile reads, for peers whose own text readers
// would take longer than their training.
// Usage: dump_program DATA PREFIX
//   PREFIX.features: float32, row by row; PREFIX.grades: float32; PREFIX.sizes: int32 per query.

#include <cstdint>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/data/io/formats.h"

namespace {

template <typename T>
void write(const std::string& path, const T* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size * sizeof(T)));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: dump_program DATA PREFIX\n");
    return 2;
  }
  try {
    const glassrank::Dataset data = glassrank::load_dataset(argv[1], {}, {});
    const std::string prefix = argv[2];
    std::vector<std::int32_t> sizes;
    for (std::size_t q = 0; q < data.num_queries(); ++q) {
      sizes.push_back(static_cast<std::int32_t>(data.queries().rows(q).size()));
    }
    write(prefix + ".features", data.row(0).data(), data.num_rows() * data.num_features());
    write(prefix + ".grades", data.grades().data(), data.num_rows());
    write(prefix + ".sizes", sizes.data(), sizes.size());
  } catch (const std::exception& error) {
    fmt::print(stderr, "dump_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
