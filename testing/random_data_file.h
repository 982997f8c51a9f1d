#pragma once
// Random data files of every kind the readers know, for tests that compare two ways of reading.

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/random.h"
#include "glassrank/data/io/compress.h"

namespace glassrank {

struct RandomFileOptions {
  std::size_t num_rows = 300;
  std::size_t num_features = 9;
  bool is_csv = false;
  bool is_sparse = false;      // SVMlight: absent values
  bool is_zero_based = false;  // SVMlight
  bool is_scattered = false;   // queries have rows in several places
  bool has_documents = false;
  bool has_weights = false;     // a column, or FILE.weight
  bool has_query_file = false;  // FILE.query in place of ids in the rows
  bool has_names = false;       // SVMlight: FILE.names
  std::string_view ending;      // "", ".gz" or ".zst"
};

// In a folder of its own that goes with it.
class RandomDataFile {
 public:
  RandomDataFile(RandomFileOptions options, std::uint64_t seed)
      : options_(options), random_(CounterRandom(seed, "data file")) {
    const std::string name = fmt::format("random_file_{}_{}", ::getpid(), seed);
    folder_ = std::filesystem::path(::testing::TempDir()) / name;
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / fmt::format("d.{}{}", options.is_csv ? "csv" : "txt", options.ending));
    write();
  }
  ~RandomDataFile() { std::filesystem::remove_all(folder_); }
  RandomDataFile(const RandomDataFile&) = delete;
  RandomDataFile& operator=(const RandomDataFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  // Columns differ: counts, few values, a wide range, any real number.
  std::string value(std::size_t feature) {
    const std::uint64_t kind = random_.below(20);
    if (kind == 0) return options_.is_csv ? "" : "nan";
    if (kind < 6) return kind == 1 ? "-0" : "0";
    switch (feature % 4) {
      case 0:
        return fmt::format("{}", random_.below(2000));
      case 1:
        return fmt::format("{}", static_cast<double>(random_.below(5)) / 4);
      case 2:
        return fmt::format("{:.6g}", std::exp(6 * random_.normal()));
      default:
        return fmt::format("{}", static_cast<float>(random_.normal()));
    }
  }
  std::size_t query_of(std::size_t row) {
    return options_.is_scattered ? random_.below(1 + options_.num_rows / 20) : row / 7;
  }
  std::string csv_text() {
    std::string text = "grade";
    if (!options_.has_query_file) text += ",query";
    for (std::size_t f = 0; f < options_.num_features; ++f) text += fmt::format(",f{}", f);
    if (options_.has_documents) text += ",document";
    if (options_.has_weights) text += ",weight";
    text += "\n";
    for (std::size_t r = 0; r < options_.num_rows; ++r) {
      text += fmt::format("{}", r % 5);
      if (!options_.has_query_file) text += fmt::format(",\"q,\n{}\"", query_of(r));
      for (std::size_t f = 0; f < options_.num_features; ++f) text += "," + value(f);
      if (options_.has_documents) text += fmt::format(",\"d \"\"{}\"\"\"", r);
      if (options_.has_weights) text += fmt::format(",{}", 1 + r % 3);
      text += r % 50 == 0 ? "\r\n\r\n" : "\n";
    }
    return text;
  }
  std::string svmlight_text() {
    std::string text = "# head\n";
    for (std::size_t r = 0; r < options_.num_rows; ++r) {
      text += fmt::format("{}", r % 5);
      if (!options_.has_query_file) text += fmt::format(" qid:{}", query_of(r));
      for (std::size_t f = 0; f < options_.num_features; ++f) {
        if (options_.is_sparse && random_.below(3) > 0) continue;
        text += fmt::format(" {}:{}", f + (options_.is_zero_based ? 0 : 1), value(f));
      }
      if (options_.has_documents) text += fmt::format(" # d {}", r);
      text += r % 50 == 0 ? "\r\n# between\n" : "\n";
    }
    return text;
  }
  void write() {
    const std::string text = options_.is_csv ? csv_text() : svmlight_text();
    write_text_file(path_, compress(text, compression_by_name(path_)));
    std::string weights;
    for (std::size_t r = 0; r < options_.num_rows; ++r) weights += fmt::format("{}\n", 1 + r % 4);
    if (options_.has_weights && !options_.is_csv) write_text_file(path_ + ".weight", weights);
    std::string counts;
    for (std::size_t rest = options_.num_rows; rest > 0;) {
      const std::size_t size = std::min<std::size_t>(1 + random_.below(30), rest);
      counts += fmt::format("{}\n", size);
      rest -= size;
    }
    if (options_.has_query_file) write_text_file(path_ + ".query", counts);
    std::string names;
    for (std::size_t f = 0; f < options_.num_features; ++f) names += fmt::format("name {}\n", f);
    if (options_.has_names && !options_.is_csv) write_text_file(path_ + ".names", names);
  }

  RandomFileOptions options_;
  RandomSequence random_;
  std::filesystem::path folder_;
  std::string path_;
};

// Any mixture of the options.
inline RandomFileOptions random_file_options(std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "file options"));
  const auto one_in = [&](std::uint64_t n) { return random.below(n) == 0; };
  RandomFileOptions options{.num_rows = 1 + random.below(600),
                            .num_features = 1 + random.below(40),
                            .is_csv = one_in(2),
                            .is_sparse = one_in(2),
                            .is_zero_based = one_in(4),
                            .has_documents = one_in(2),
                            .has_weights = one_in(2),
                            .has_query_file = one_in(4),
                            .has_names = one_in(3)};
  options.is_scattered = !options.has_query_file && one_in(3);
  constexpr std::string_view kEndings[] = {"", ".gz", ".zst"};
  options.ending = kEndings[random.below(3)];
  return options;
}

}  // namespace glassrank
