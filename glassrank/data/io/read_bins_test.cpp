#include "glassrank/data/io/read_bins.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/cache/cache.h"
#include "testing/message_of.h"
#include "testing/random_data_file.h"

namespace glassrank {
namespace {

Context with_threads(int count, std::uint64_t seed = 0) {
  return {.threads = std::make_shared<const Threads>(count), .seed = seed};
}

void expect_same(const BinnedDataset& a, const BinnedDataset& b) {
  EXPECT_EQ(a.edges(), b.edges());
  EXPECT_TRUE(std::ranges::equal(a.codes(), b.codes()));
  EXPECT_TRUE(std::ranges::equal(a.missing_counts(), b.missing_counts()));
  const RowTable& x = a.table();
  const RowTable& y = b.table();
  EXPECT_TRUE(std::ranges::equal(x.schema.columns(), y.schema.columns()));
  EXPECT_EQ(x.grades, y.grades);
  EXPECT_EQ(x.weights, y.weights);
  EXPECT_EQ(x.source_rows, y.source_rows);
  EXPECT_EQ(x.document_ids.blob(), y.document_ids.blob());
  EXPECT_TRUE(std::ranges::equal(x.document_ids.offsets(), y.document_ids.offsets()));
  EXPECT_TRUE(std::ranges::equal(x.queries.ids(), y.queries.ids()));
  EXPECT_TRUE(std::ranges::equal(x.queries.offsets(), y.queries.offsets()));
}

// The slow way: through the matrix.
void expect_as_through_values(const std::string& path, const ReadParams& read,
                              const BinParams& bins, std::uint64_t seed) {
  const Dataset data = load_dataset(path, read, with_threads(1, seed));
  const BinnedDataset expected = bin_dataset(data, bins, with_threads(1, seed));
  const std::string digest = dataset_digest(data, with_threads(1, seed));
  for (const int threads : {1, 2, 4}) {
    const BinnedFile file = read_bins(path, read, bins, with_threads(threads, seed));
    expect_same(file.data, expected);
    EXPECT_EQ(file.digest, digest);
  }
}

TEST(ReadBins, GivesTheBinsAndTheDigestOfTheLoadedValues) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const RandomFileOptions options = random_file_options(seed);
    const RandomDataFile file(options, seed);
    RandomSequence random(CounterRandom(seed, "read bins"));
    ReadParams read;
    if (random.below(2) == 0) read.absent = AbsentValue::kMissing;
    if (random.below(3) == 0) read.num_features = static_cast<int>(options.num_features) + 5;
    const std::int64_t samples[] = {0, 1, 40, static_cast<std::int64_t>(options.num_rows), 200'000};
    const BinParams bins{.max_bins = random.below(2) == 0 ? 255 : 300,
                         .sample_rows = samples[random.below(5)],
                         .min_bin_rows = 1 + static_cast<int>(random.below(3))};
    expect_as_through_values(file.path(), read, bins, seed);
  }
}

// Many chunks of text and several blocks of the digest, none of which ends where a chunk does.
TEST(ReadBins, GivesTheSameForFilesOfManyBlocks) {
  for (const std::string_view ending : {"", ".gz"}) {
    for (const bool is_csv : {false, true}) {
      for (const bool is_scattered : {false, true}) {
        const RandomDataFile file({.num_rows = 21'001,
                                   .num_features = 37,
                                   .is_csv = is_csv,
                                   .is_scattered = is_scattered,
                                   .ending = ending},
                                  5);
        for (const std::int64_t sample_rows : {3000, 200'000}) {
          expect_as_through_values(file.path(), {}, {.sample_rows = sample_rows}, 3);
        }
      }
    }
  }
}

TEST(ReadBins, ReadsACacheOfValues) {
  const RandomDataFile file({.num_rows = 5000, .has_documents = true, .has_weights = true}, 2);
  const std::string cache = file.path() + ".cache";
  write_cache(cache, load_dataset(file.path(), {}, Context{}), Context{});
  expect_as_through_values(cache, {}, {.sample_rows = 1000}, 4);
  EXPECT_EQ(read_bins(cache, {}, {}, Context{}).digest,
            read_bins(file.path(), {}, {}, Context{}).digest);
}

TEST(ReadBins, ReadsAPipeOnce) {
  const RandomDataFile file({.num_rows = 3000}, 3);
  const std::string pipe = file.path() + ".pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << read_text_file(file.path()); });
  const BinnedFile piped = read_bins(pipe, {}, {.sample_rows = 100}, Context{});
  writer.join();
  const BinnedFile expected = read_bins(file.path(), {}, {.sample_rows = 100}, Context{});
  expect_same(piped.data, expected.data);
  EXPECT_EQ(piped.digest, expected.digest);
}

TEST(ReadBins, TellsTheFirstErrorOfTheFileAsLoadingDoes) {
  for (const bool is_csv : {false, true}) {
    const RandomDataFile file({.num_rows = 4000, .is_csv = is_csv}, 6);
    const std::string text = read_text_file(file.path());
    RandomSequence random(CounterRandom(6, "errors"));
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      std::string wrong = text;
      for (int i = 0; i < 3; ++i) {
        const std::size_t place = wrong.find(is_csv ? "," : ":", random.below(text.size() - 500));
        wrong.insert(place + 1, "x");
      }
      write_text_file(file.path(), wrong);
      const Context context = with_threads(2, seed);
      const std::string expected = message_of([&] { load_dataset(file.path(), {}, context); });
      EXPECT_EQ(message_of([&] { read_bins(file.path(), {}, {.sample_rows = 50}, context); }),
                expected);
    }
  }
}

class Notices final : public LogSink {
 public:
  void log(LogLevel /*level*/, std::string_view message) override { texts.emplace_back(message); }
  std::vector<std::string> texts;
};

TEST(ReadBins, TellsOfGroupedQueriesOnce) {
  for (const bool is_csv : {false, true}) {
    const RandomDataFile file({.is_csv = is_csv, .is_scattered = true}, 7);
    const auto sink = std::make_shared<Notices>();
    std::vector<std::string>& notices = sink->texts;
    Context context;
    context.log_sink = sink;
    load_dataset(file.path(), {}, context);
    ASSERT_EQ(notices.size(), 1U);
    read_bins(file.path(), {}, {}, context);
    ASSERT_EQ(notices.size(), 2U);
    EXPECT_EQ(notices[0], notices[1]);
  }
}

TEST(ReadBins, RefusesWhatLoadingRefuses) {
  EXPECT_EQ(message_of([] { read_bins("no such file", {}, {}, Context{}); }),
            message_of([] { load_dataset("no such file", {}, Context{}); }));
  const RandomDataFile file({}, 8);
  EXPECT_EQ(message_of([&] { read_bins(file.path(), {}, {.max_bins = 1}, Context{}); }),
            "max_bins = 1 is out of range; it must be 2 <= x <= 65535");
}

TEST(ReadBins, StopsWhenAsked) {
  const RandomDataFile file({}, 9);
  const std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_EQ(message_of([&] { read_bins(file.path(), {}, {}, context); }),
            "stopped at the user's request");
}

}  // namespace
}  // namespace glassrank
