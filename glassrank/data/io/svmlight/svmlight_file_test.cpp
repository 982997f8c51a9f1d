// SVMlight files: side files, streams, writing and reading back.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/data/bin_stream.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {
namespace {

class SvmlightFile : public ::testing::Test {
 protected:
  SvmlightFile() {
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ("svmlight_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~SvmlightFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    write_text_file(path(name), text);
    return path(name);
  }
  // The error of a call, with the folder's name taken out.
  template <typename Call>
  std::string error_of(Call&& call) const {
    try {
      call();
    } catch (const Error& error) {
      std::string message = error.message();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at = 0; (at = message.find(prefix)) != message.npos;) {
        message.erase(at, prefix.size());
      }
      return message;
    }
    return "no error";
  }
  std::string load_error(const std::string& name, const ReadParams& params = {}) const {
    return error_of([&] { load_dataset(path(name), params, Context{}); });
  }

  std::filesystem::path folder_;
};

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  ASSERT_EQ(a.num_features(), b.num_features());
  EXPECT_TRUE(std::ranges::equal(a.feature_names(), b.feature_names()));
  EXPECT_TRUE(std::ranges::equal(a.queries().ids(), b.queries().ids()));
  EXPECT_TRUE(std::ranges::equal(a.queries().offsets(), b.queries().offsets()));
  EXPECT_TRUE(std::ranges::equal(a.grades(), b.grades()));
  EXPECT_TRUE(std::ranges::equal(a.weights(), b.weights()));
  ASSERT_EQ(a.document_ids().size(), b.document_ids().size());
  for (std::size_t r = 0; r < a.num_rows(); ++r) {
    if (!a.document_ids().empty()) {
      ASSERT_EQ(a.document_ids()[r], b.document_ids()[r]);
    }
    for (std::size_t c = 0; c < a.num_features(); ++c) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(a.row(r)[c]),
                std::bit_cast<std::uint32_t>(b.row(r)[c]))
          << r << ", " << c;
    }
  }
}

// Any finite float or NaN, subnormals too, and many zeros.
float random_value(RandomSequence& random) {
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.below(1ULL << 32)));
  if (random.below(3) == 0) return random.below(4) == 0 ? -0.0F : 0.0F;
  return std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN();
}

Dataset random_dataset(std::uint64_t seed, bool with_extras) {
  RandomSequence random(CounterRandom(seed, "test"));
  DatasetParts parts;
  const std::size_t width = 1 + random.below(20);
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  StringColumnBuilder documents;
  for (std::size_t q = 0; q < 1 + random.below(30); ++q) {
    ids.push_back(random.below(2) == 0 ? fmt::format("q-{}", q) : std::to_string(q));
    sizes.push_back(1 + random.below(40));
    for (std::size_t i = 0; i < sizes.back(); ++i) {
      parts.grades.push_back(random.below(2) == 0 ? static_cast<float>(random.below(5))
                                                  : std::abs(static_cast<float>(random.normal())));
      if (with_extras) parts.weights.push_back(std::abs(static_cast<float>(random.normal())));
      documents.add(random.below(3) == 0 ? "" : fmt::format("doc {} # {}", q, i));
    }
  }
  parts.features = Buffer<float>(parts.grades.size() * width);
  for (float& value : parts.features.span()) value = random_value(random);
  parts.queries = QueryGroups(std::move(ids), sizes);
  for (std::size_t c = 0; c < width; ++c) {
    parts.schema.add_feature(with_extras ? fmt::format("feature {}", c) : std::to_string(c + 1));
  }
  if (with_extras) parts.document_ids = documents.finish();
  return Dataset(std::move(parts));
}

TEST_F(SvmlightFile, ReadsBackWhatWasWrittenBitForBit) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Dataset data = random_dataset(seed, seed % 2 == 0);
    const char* ending = std::array{".txt", ".txt.gz", ".txt.zst"}[seed % 3];
    const std::string file = path(fmt::format("d{}{}", seed, ending));
    write_svmlight(file, DatasetView(data), {.sparse = seed % 4 < 2}, Context{});
    expect_same(load_dataset(file, {}, Context{}), data);
  }
}

// Validation files often lack the last features, and their readers ask for more.
TEST_F(SvmlightFile, NamesCountFeaturesThatNoRowHas) {
  write("d", "1 qid:a 1:1\n0 qid:a 2:5\n");
  write("d.names", "bm25\nprice\nage\n");
  const Dataset named = load_dataset(path("d"), {}, Context{});
  EXPECT_TRUE(std::ranges::equal(named.feature_names(), std::array{"bm25", "price", "age"}));
  EXPECT_TRUE(std::ranges::equal(named.row(1), std::array{0.0F, 5.0F, 0.0F}));
  const Dataset padded = load_dataset(path("d"), {.num_features = 4}, Context{});
  EXPECT_TRUE(std::ranges::equal(padded.feature_names(), std::array{"bm25", "price", "age", "4"}));
  EXPECT_EQ(load_error("d", {.num_features = 2}),
            "d.names: 3 names are more than the 2 features asked for (num_features)");
  write("d.names", "bm25\n");
  EXPECT_EQ(load_error("d"),
            "d.names: 1 names, but the data file has 2 features; there is one a feature");
}

TEST_F(SvmlightFile, WritesTheSameBytesWithAnyThreads) {
  RandomSequence random(CounterRandom(3, "test"));
  DatasetParts parts;
  parts.grades.assign(3000, 1.0F);
  parts.features = Buffer<float>(3000 * 400);
  for (float& value : parts.features.span()) value = static_cast<float>(random.below(100));
  parts.queries = QueryGroups({"1", "2"}, std::array<std::size_t, 2>{2999, 1});
  for (int c = 1; c <= 400; ++c) parts.schema.add_feature(std::to_string(c));
  const Dataset data(std::move(parts));
  std::string first;
  for (const int threads : {1, 2, 4}) {
    Context context;
    context.threads = std::make_shared<const Threads>(threads);
    write_svmlight(path("t.zst"), DatasetView(data), {}, context);
    const std::string bytes = read_text_file(path("t.zst"));
    if (first.empty()) first = bytes;
    EXPECT_TRUE(bytes == first) << threads;
  }
  expect_same(load_dataset(path("t.zst"), {}, Context{}), data);
}

TEST_F(SvmlightFile, WritesReadableText) {
  const std::string in = write("in", "2 qid:q 1:0.1 2:0 3:nan # d\n0 qid:q 1:0 2:0 3:0\n");
  const Dataset data = load_dataset(in, {}, Context{});
  write_svmlight(path("dense"), DatasetView(data), {}, Context{});
  EXPECT_EQ(read_text_file(path("dense")), "2 qid:q 1:0.1 2:0 3:nan # d\n0 qid:q 1:0 2:0 3:0\n");
  write_svmlight(path("sparse"), DatasetView(data), {.sparse = true}, Context{});
  EXPECT_EQ(read_text_file(path("sparse")), "2 qid:q 1:0.1 3:nan # d\n0 qid:q\n");
  EXPECT_FALSE(std::filesystem::exists(path("dense.names")));
  // A view writes its own rows.
  write_svmlight(path("part"), DatasetView(data, {1}), {.sparse = true}, Context{});
  EXPECT_EQ(read_text_file(path("part")), "0 qid:q 3:0\n");
}

TEST_F(SvmlightFile, RefusesSideFilesOfOtherData) {
  const Dataset named = random_dataset(2, true);
  const Dataset plain = random_dataset(1, false);
  write_svmlight(path("d"), DatasetView(named), {}, Context{});
  EXPECT_TRUE(std::filesystem::exists(path("d.names")));
  EXPECT_TRUE(std::filesystem::exists(path("d.weight")));
  const std::string weights = read_text_file(path("d.weight"));
  const auto write_plain = [&] {
    return error_of([&] { write_svmlight(path("d"), DatasetView(plain), {}, Context{}); });
  };
  EXPECT_EQ(write_plain(),
            "d.names is there and would be read with d, but is not of the data "
            "written; move it away or give another name");
  std::filesystem::remove(path("d.names"));
  EXPECT_EQ(write_plain(),
            "d.weight is there and would be read with d, but is not of the data "
            "written; move it away or give another name");
  EXPECT_EQ(read_text_file(path("d.weight")), weights);
  std::filesystem::remove(path("d.weight"));
  EXPECT_EQ(write_plain(), "no error");
  expect_same(load_dataset(path("d"), {}, Context{}), plain);
}

TEST_F(SvmlightFile, RefusesToWriteWhatWouldNotReadBack) {
  const auto write_error = [&](const std::string& qid, const std::string& document, float value,
                               const std::string& feature, float grade) {
    DatasetParts parts;
    parts.features = Buffer<float>(1);
    parts.features[0] = value;
    parts.grades = {grade};
    parts.queries = QueryGroups({qid}, std::array<std::size_t, 1>{1});
    parts.schema = Schema::of_features({feature});
    StringColumnBuilder documents;
    documents.add(document);
    parts.document_ids = documents.finish();
    const Dataset data(std::move(parts));
    return error_of([&] { write_svmlight(path("o"), DatasetView(data), {}, Context{}); });
  };
  for (const char* qid : {"a b", "a#", "", "99999999999999999999"}) {
    EXPECT_EQ(write_error(qid, "d", 1, "1", 0),
              fmt::format("query id '{}' cannot be written as a qid; it must have no blanks and no "
                          "'#', and fit in 64 bits if it is a number",
                          qid));
  }
  for (const char* document : {" d", "docid = x"}) {
    EXPECT_EQ(write_error("q", document, 1, "1", 0),
              fmt::format("document id '{}' cannot be written as a comment; it must be one line "
                          "without blanks at its ends",
                          document));
  }
  EXPECT_EQ(write_error("q", "d", INFINITY, "1", 0),
            "a value is infinite; SVMlight text holds finite numbers and nan");
  EXPECT_EQ(write_error("q", "d", 1, "a ", 0),
            "feature name 'a ' cannot be written; it must be one line without blanks at its ends");
  EXPECT_EQ(write_error("q", "d", 1, "1", -1),
            "grade -1 cannot be written; grades are finite and 0 or more");
  EXPECT_FALSE(std::filesystem::exists(path("o")));
  EXPECT_EQ(write_error("q", "d", 1, "1", 0), "no error");
}

TEST_F(SvmlightFile, TakesQueriesFromASideFile) {
  write("d", "1 1:1\n0 1:2\n2 1:3\n");
  write("d.query", "2\n1\r\n\n");
  const Dataset data = load_dataset(path("d"), {}, Context{});
  EXPECT_EQ(data.num_queries(), 2U);
  EXPECT_EQ(data.queries().id(1), "2");
  EXPECT_EQ(data.queries().rows(1).begin, 2U);
  write("d.query", "2\nx\n");
  EXPECT_EQ(load_error("d"),
            "d.query:2:1: 'x' is not the number of rows of a query; it is a whole number from 1 to "
            "3");
  write("d.query", "3\n0\n");
  EXPECT_EQ(load_error("d"),
            "d.query:2:1: '0' is not the number of rows of a query; it is a whole number from 1 to "
            "3");
  write("d.query", "1\n1\n");
  EXPECT_EQ(load_error("d"),
            "d.query: 2 rows in all, but the data file has 3; the counts must add up");
  // A qid in the file itself wins.
  write("d", "1 qid:7 1:1\n");
  EXPECT_EQ(load_dataset(path("d"), {}, Context{}).queries().id(0), "7");
}

TEST_F(SvmlightFile, TakesWeightsFromASideFileAndMovesThemWithTheRows) {
  write("d", "1 qid:a 1:1\n0 qid:b 1:2\n2 qid:a 1:3\n");
  write("d.weight", "1\n0.5\n3\n");
  const Dataset data = load_dataset(path("d"), {}, Context{});
  EXPECT_EQ(data.weights()[1], 3.0F);
  EXPECT_EQ(data.weights()[2], 0.5F);
  write("d.weight", "1\n-2\n3\n");
  EXPECT_EQ(load_error("d"),
            "d.weight:2:1: '-2' is not a weight; it is a finite number of 0 or more");
  write("d.weight", "1\n2\n");
  EXPECT_EQ(load_error("d"),
            "d.weight: 2 weights, but the data file has 3 rows; there is one a row");
}

TEST_F(SvmlightFile, TakesNamesFromASideFile) {
  write("d", "1 qid:a 1:1 2:1\n");
  write("d.names", "bm25 title\nprice\n");
  EXPECT_EQ(load_dataset(path("d"), {}, Context{}).feature_names()[0], "bm25 title");
  write("d.names", "bm25\n");
  EXPECT_EQ(load_error("d"),
            "d.names: 1 names, but the data file has 2 features; there is one a feature");
  write("d.names", "\nprice\n");
  EXPECT_EQ(load_error("d"), "d.names:1:1: the name of a feature is empty");
}

TEST_F(SvmlightFile, TellsTruncatedCompressedFiles) {
  write_svmlight(path("d.gz"), DatasetView(random_dataset(1, false)), {}, Context{});
  const std::string bytes = read_text_file(path("d.gz"));
  write("d.gz", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(load_error("d.gz"), "d.gz: the gzip data ends too early; the file is truncated");
  EXPECT_EQ(load_error("none"), "cannot open 'none': No such file or directory");
}

// Collects a pass, and checks that blocks cover the rows once.
class CollectingSink final : public RowSink {
 public:
  CollectingSink(std::size_t num_rows, std::size_t width)
      : matrix(num_rows * width), seen(num_rows, 0), width_(width) {}
  float* begin_block(std::size_t first_row, std::size_t) override {
    return matrix.data() + first_row * width_;
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(rows, matrix.data() + first_row * width_);
    for (std::size_t r = first_row; r < first_row + num_rows; ++r) ++seen[r];
  }
  std::vector<float> matrix;
  std::vector<int> seen;

 private:
  std::size_t width_;
  std::mutex mutex_;
};

TEST_F(SvmlightFile, IsPassedOverAsAStreamAnyNumberOfTimes) {
  const Dataset data = random_dataset(4, true);
  write_svmlight(path("d"), DatasetView(data), {}, Context{});
  const auto source = open_row_source(path("d"), {}, Context{});
  EXPECT_EQ(source->table().num_rows(), data.num_rows());
  EXPECT_TRUE(std::ranges::equal(source->table().grades, data.grades()));
  EXPECT_TRUE(std::ranges::equal(source->table().weights, data.weights()));
  for (int pass = 0; pass < 2; ++pass) {
    CollectingSink sink(data.num_rows(), data.num_features());
    source->pass(Context{}, sink);
    EXPECT_TRUE(std::ranges::all_of(sink.seen, [](int count) { return count == 1; }));
    EXPECT_EQ(std::memcmp(sink.matrix.data(), data.features().data(), sink.matrix.size() * 4), 0);
  }
}

TEST_F(SvmlightFile, BoundsTheBlocksOfWideSparseRows) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += "1 qid:1 1000000:" + std::to_string(i) + "\n";
  write("d", text);
  class CountingSink final : public RowSink {
   public:
    float* begin_block(std::size_t, std::size_t num_rows) override {
      largest = std::max(largest, num_rows);
      block_.resize(num_rows * 1'000'000);
      return block_.data();
    }
    void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
      EXPECT_EQ(rows[num_rows * 1'000'000 - 1], static_cast<float>(first_row + num_rows - 1));
    }
    std::size_t largest = 0;

   private:
    std::vector<float> block_;
  } sink;
  Context context;
  context.threads = std::make_shared<const Threads>(1);
  open_row_source(path("d"), {}, context)->pass(context, sink);
  EXPECT_EQ(sink.largest, 1U);
}

// Blank lines and comments between the rows must not shift what is left out.
TEST_F(SvmlightFile, LeavesOutTheRowsAPassDoesNotWant) {
  write("d", "# head\n1 qid:a 1:1\n\n  0 qid:a 1:2 # d\n# between\n2 qid:b 1:3\n0 qid:b 1:4\n");
  class OddSink final : public RowSink {
   public:
    float* begin_block(std::size_t first_row, std::size_t) override {
      return values.data() + first_row;
    }
    void end_block(std::size_t, std::size_t, float*) override {}
    bool wants(std::size_t row) const override { return row % 2 == 1; }
    std::array<float, 4> values = {-1, -1, -1, -1};
  } sink;
  open_row_source(path("d"), {}, Context{})->pass(Context{}, sink);
  EXPECT_EQ(sink.values, (std::array<float, 4>{-1, 2, -1, 4}));
}

// The sampled row may be the third or the fifth: the error is the first of the file all the same.
TEST_F(SvmlightFile, TellsTheFirstErrorWhateverIsSampled) {
  write("d", "1 qid:a 1:1\n0 qid:a 1:2\n  0 qid:a 1:x 2:3\n2 qid:b 1:3\n0 qid:b 1:y 2:3\n");
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Context context;
    context.seed = seed;
    EXPECT_EQ(error_of([&] {
                bin_stream(*open_row_source(path("d"), {}, context), {.sample_rows = 1}, context);
              }),
              "d:3:13: value 'x' of feature 1 is not a number");
  }
}

TEST_F(SvmlightFile, CannotBeStreamedFromStandardInput) {
  EXPECT_EQ(error_of([&] { open_row_source("-", {}, Context{}); }),
            "standard input cannot be passed over twice; give a file");
}

TEST_F(SvmlightFile, StopsWhenAsked) {
  write("d", "1 qid:a 1:1\n");
  const std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_EQ(error_of([&] { load_dataset(path("d"), {}, context); }),
            "stopped at the user's request");
}

}  // namespace
}  // namespace glassrank
