// Times reading one data file in this process and prints the result as JSON, for bench/peers.
// Usage: read_program FILE load|bin|stream|cache THREADS
//   load: text or cache to a Dataset;  bin: the same and binned;  stream: binned without the
//   matrix, with the digest; cache: opens a cache FILE (checksums verified).

#include <any>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <utility>

#include <fmt/format.h>

#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/read_bins.h"

namespace {

using glassrank::Context;

struct Shape {
  std::size_t num_rows;
  std::size_t num_features;
};

// Shape and what was read, which is not taken apart while the clock runs.
struct Reading {
  Shape shape;
  std::any data;
};

Reading read(const std::string& path, const std::string& mode, const Context& context) {
  if (mode == "stream") {
    auto binned = glassrank::read_bins(path, {}, {}, context).data;
    return {{binned.num_rows(), binned.num_features()}, std::move(binned)};
  }
  auto data = glassrank::load_dataset(path, {}, context);
  const Shape shape{data.num_rows(), data.num_features()};
  if (mode == "bin") return {shape, glassrank::bin_dataset(data, {}, context)};
  return {shape, std::move(data)};
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
    const Reading reading = read(argv[1], argv[2], context);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{{\"seconds\": {}, \"peak_mb\": {}, \"rows\": {}, \"features\": {}}}\n",
               elapsed.count(), static_cast<double>(usage.ru_maxrss) / 1024, reading.shape.num_rows,
               reading.shape.num_features);
  } catch (const std::exception& error) {
    fmt::print(stderr, "read_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
