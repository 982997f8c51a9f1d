// Times reading one data file in this process and prints the result as JSON, for bench/peers.
// Usage: read_program FILE load|bin|stream|cache THREADS
//   load: text or cache to a Dataset;  bin: the same and binned;  stream: binned without the
//   matrix; cache: opens a cache FILE (checksums verified).

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <sys/resource.h>

#include <fmt/format.h>

#include "glassrank/data/bin_stream.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/row_source.h"

namespace {

using glassrank::Context;

struct Shape {
  std::size_t num_rows;
  std::size_t num_features;
};

Shape read(const std::string& path, const std::string& mode, const Context& context) {
  if (mode == "stream") {
    const auto source = glassrank::open_row_source(path, {}, context);
    const auto binned = glassrank::bin_stream(*source, {}, context);
    return {binned.num_rows(), binned.num_features()};
  }
  const auto data = glassrank::load_dataset(path, {}, context);
  if (mode == "bin") glassrank::bin_dataset(data, {}, context);
  return {data.num_rows(), data.num_features()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: read_program FILE load|bin|stream|cache THREADS\n");
    return 2;
  }
  try {
    Context context;
    context.threads = std::make_shared<glassrank::Threads>(std::atoi(argv[3]));
    const auto start = std::chrono::steady_clock::now();
    const Shape shape = read(argv[1], argv[2], context);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{{\"seconds\": {}, \"peak_mb\": {}, \"rows\": {}, \"features\": {}}}\n",
               elapsed.count(), static_cast<double>(usage.ru_maxrss) / 1024, shape.num_rows,
               shape.num_features);
  } catch (const std::exception& error) {
    fmt::print(stderr, "read_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
