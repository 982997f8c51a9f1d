// Compressed files read as a stream: the same rows as the plain file, and never more of the text in
// memory than a block for each thread.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/bin_stream.h"
#include "glassrank/data/io/compress.h"
#include "glassrank/data/io/csv/csv_chunks.h"
#include "glassrank/data/io/matrix_sink.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/io/text_chunks.h"

namespace glassrank {
namespace {

Context with_threads(int count) {
  Context context;
  context.threads = std::make_shared<const Threads>(count);
  return context;
}

constexpr std::size_t kNumRows = 30000;

std::string svmlight_text() {
  std::string text = "# made here\n";
  for (std::size_t r = 0; r < kNumRows; ++r) {
    text += fmt::format("{} qid:{} 1:{} 2:{:.3f} 4:{} # doc {}\n", r % 3, r / 7, r * 37 % 1000,
                        static_cast<double>(r % 977) / 9, r % 11, r);
  }
  return text;
}

std::string csv_text() {
  std::string text = "\xEF\xBB\xBF\n\"grade\",query,document,\"a\nb\",x\r\n";
  for (std::size_t r = 0; r < kNumRows; ++r) {
    text += fmt::format("{},q{},\"d,\"\"{}\n\",{},{}\n", r % 3, r / 7, r, r * 37 % 1000,
                        r % 5 == 0 ? "" : "0.5");
    if (r % 100 == 0) text += "\r\n";
  }
  return text;
}

class PackedStream : public ::testing::Test {
 protected:
  PackedStream() {
    folder_ = std::filesystem::path(::testing::TempDir()) / fmt::format("packed_{}", ::getpid());
    std::filesystem::create_directories(folder_);
  }
  ~PackedStream() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // The plain file and, by their names, the packed ones.
  std::vector<std::string> write_all(const std::string& name, const std::string& text) const {
    write_text_file(path(name), text);
    const std::vector<std::string> names = {name, fmt::format("{}.gz", name),
                                            fmt::format("{}.zst", name)};
    write_text_file(path(names[1]), compress(text, Compression::kGzip));
    write_text_file(path(names[2]), compress(text, Compression::kZstd));
    return names;
  }
  // The error of streaming a file, with its name taken out.
  std::string error_of(const std::string& name) const {
    try {
      const auto source = open_row_source(path(name), {}, with_threads(2));
      std::vector<float> matrix(source->table().num_rows() * source->table().num_features());
      MatrixSink sink(matrix.data(), source->table().num_features());
      source->pass(with_threads(2), sink);
    } catch (const Error& error) {
      const std::string message = error.message();
      return message.starts_with(path(name)) ? message.substr(path(name).size()) : message;
    }
    return "no error";
  }
  std::filesystem::path folder_;
};

void expect_equal(const RowTable& a, const RowTable& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  EXPECT_TRUE(std::ranges::equal(a.schema.columns(), b.schema.columns()));
  EXPECT_EQ(a.grades, b.grades);
  EXPECT_TRUE(std::ranges::equal(a.queries.ids(), b.queries.ids()));
  EXPECT_TRUE(std::ranges::equal(a.queries.offsets(), b.queries.offsets()));
  EXPECT_EQ(a.document_ids.blob(), b.document_ids.blob());
}

TEST_F(PackedStream, GivesTheRowsOfThePlainFileForAnyThreads) {
  for (const auto& [file, text] :
       std::map<std::string, std::string>{{"d.txt", svmlight_text()}, {"d.csv", csv_text()}}) {
    const std::vector<std::string> names = write_all(file, text);
    const auto plain = open_row_source(path(file), {}, with_threads(1));
    const RowTable& table = plain->table();
    ASSERT_EQ(table.num_rows(), kNumRows);
    std::vector<float> expected(table.num_rows() * table.num_features());
    MatrixSink expected_sink(expected.data(), table.num_features());
    plain->pass(with_threads(1), expected_sink);
    for (const int threads : {1, 2, 4}) {
      for (const std::string& name : names) {
        const auto source = open_row_source(path(name), {}, with_threads(threads));
        expect_equal(source->table(), table);
        for (int pass = 0; pass < (threads == 2 ? 2 : 1); ++pass) {
          std::vector<float> matrix(expected.size(), -1.0F);
          MatrixSink sink(matrix.data(), table.num_features());
          source->pass(with_threads(threads), sink);
          EXPECT_EQ(std::memcmp(matrix.data(), expected.data(), expected.size() * sizeof(float)), 0)
              << name << ", " << threads << " threads, pass " << pass;
        }
      }
    }
  }
}

TEST_F(PackedStream, GivesTheBinsOfThePlainFile) {
  const std::vector<std::string> names = write_all("d.txt", svmlight_text());
  BinParams params;
  params.sample_rows = 5000;
  const auto bins_of = [&](const std::string& name, int threads) {
    const Context context = with_threads(threads);
    return bin_stream(*open_row_source(path(name), {}, context), params, context);
  };
  const BinnedDataset plain = bins_of("d.txt", 1);
  for (const std::string& name : names) {
    const BinnedDataset binned = bins_of(name, 2);
    ASSERT_EQ(binned.num_features(), plain.num_features());
    EXPECT_TRUE(std::ranges::equal(binned.codes(), plain.codes())) << name;
  }
}

TEST_F(PackedStream, TellsTheSamePlaceAsThePlainFile) {
  std::string text = svmlight_text();
  text[text.rfind("qid:4000 1:") + 11] = 'x';
  std::string mixed = svmlight_text();
  mixed.erase(mixed.rfind("qid:3000 "), 9);
  std::string csv = csv_text();
  csv.erase(csv.rfind(",q4000,") + 1, 5);
  for (const auto& [file, bad] :
       std::map<std::string, std::string>{{"b.txt", text}, {"m.txt", mixed}, {"b.csv", csv}}) {
    const std::vector<std::string> names = write_all(file, bad);
    const std::string expected = error_of(file);
    EXPECT_NE(expected, "no error") << file;
    EXPECT_EQ(expected[0], ':') << expected;
    EXPECT_EQ(error_of(names[1]), expected);
    EXPECT_EQ(error_of(names[2]), expected);
  }
}

TEST_F(PackedStream, FindsTruncatedData) {
  for (const auto& [file, text] :
       std::map<std::string, std::string>{{"d.txt", svmlight_text()}, {"d.csv", csv_text()}}) {
    const std::vector<std::string> names = write_all(file, text);
    for (const auto& [name, kind] : {std::pair{names[1], "gzip"}, {names[2], "zstd"}}) {
      const std::string bytes = read_text_file(path(name));
      for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{20}}) {
        write_text_file(path(name), bytes.substr(0, size));
        EXPECT_EQ(error_of(name),
                  fmt::format(": the {} data ends too early; the file is truncated", kind))
            << size;
      }
    }
  }
}

TEST_F(PackedStream, SaysThatAnEmptyTextIsEmpty) {
  for (const std::string& name : write_all("e.txt", "")) {
    EXPECT_EQ(error_of(name),
              ": the file is empty; lines 'grade qid:Q feature:value ...' are expected");
  }
  for (const std::string& name : write_all("e.csv", "")) {
    EXPECT_EQ(error_of(name), ": the file is empty; its first line must name the columns");
  }
  for (const std::string& name : write_all("h.csv", "grade,query,x\n")) {
    EXPECT_EQ(error_of(name), ": no rows after the header");
  }
}

// The chunks of a text in their order, and the largest number and size in work at once.
struct Passed {
  std::map<std::size_t, std::string> chunks;
  int most_at_once = 0;
  std::size_t most_bytes = 0;
  std::string joined() const {
    std::string all;
    for (const auto& [i, chunk] : chunks) all += chunk;
    return all;
  }
};

Passed pass_over(const TextChunks& chunks, int threads, std::size_t count = TextChunks::kAll) {
  Passed passed;
  std::mutex mutex;
  std::map<const char*, std::size_t> alive;
  chunks.run(with_threads(threads), count, [&](std::size_t i, TextChunk chunk) {
    {
      const std::lock_guard lock(mutex);
      passed.chunks[i] = {chunk.begin, chunk.end};
      alive[chunk.begin] = static_cast<std::size_t>(chunk.end - chunk.begin);
      passed.most_at_once = std::max(passed.most_at_once, static_cast<int>(alive.size()));
      std::size_t bytes = 0;
      for (const auto& [place, size] : alive) bytes += size;
      passed.most_bytes = std::max(passed.most_bytes, bytes);
    }
    EXPECT_EQ(chunk.end[-1], '\n');
    const std::lock_guard lock(mutex);
    alive.erase(chunk.begin);
  });
  return passed;
}

TEST_F(PackedStream, HoldsABlockForEachThreadHoweverLongTheText) {
  const std::string text = svmlight_text();
  write_all("d", text);
  constexpr std::size_t kChunk = 4096;
  constexpr std::size_t kLongestLine = 64;
  for (const int threads : {1, 2, 4}) {
    const TextChunks chunks(InputText(path("d.zst"), Context{}, Unpack::kLater), kChunk);
    const Passed passed = pass_over(chunks, threads);
    EXPECT_EQ(passed.joined(), text);
    EXPECT_GT(passed.chunks.size(), 200U);
    EXPECT_LE(passed.most_at_once, threads);
    EXPECT_LE(passed.most_bytes, static_cast<std::size_t>(threads) * (kChunk + kLongestLine));
  }
}

TEST_F(PackedStream, CutsLinesOfAnyLengthAtAnyChunkSize) {
  const std::string line(9000, 'x');
  for (const std::string& text :
       {fmt::format("a\n\nb\n"), fmt::format("a\nb"), fmt::format("\n"),
        fmt::format("\xEF\xBB\xBF{}\na\n{}", line, line), fmt::format("{}\n{}", line, line),
        fmt::format("a\n{}{}{}\nb\nc\n", line, line, line)}) {
    write_all("t", text);
    std::string expected = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
    if (expected.back() != '\n') expected.push_back('\n');
    for (const std::size_t size : {1, 2, 100, 5000, 100000}) {
      for (const char* name : {"t", "t.gz", "t.zst"}) {
        const TextChunks chunks(InputText(path(name), Context{}, Unpack::kLater), size);
        const Passed passed = pass_over(chunks, 2);
        EXPECT_EQ(passed.joined(), expected) << name << size;
        EXPECT_EQ(pass_over(chunks, 3).chunks, passed.chunks);
        EXPECT_EQ(pass_over(chunks, 2, 1).chunks.size(), 1U);
      }
    }
  }
}

TEST_F(PackedStream, CutsCsvRecordsOfAnyLengthAtAnyChunkSize) {
  const std::string text =
      fmt::format("{}\n\"{}\",1", csv_text().substr(0, 20000), std::string(9000, '\n'));
  write_all("t.csv", text);
  for (const std::size_t size : {1, 100, 5000, 100000}) {
    for (const char* name : {"t.csv", "t.csv.gz", "t.csv.zst"}) {
      CsvChunks chunks(InputText(path(name), Context{}, Unpack::kLater), ',', size);
      chunks.set_body(read_csv_header(chunks.head(), {}, false).body);
      std::map<std::size_t, std::string> pieces;
      std::size_t num_rows = 0;
      std::mutex mutex;
      chunks.run(with_threads(3), [&](std::size_t i, const CsvPiece& piece) {
        const std::lock_guard lock(mutex);
        pieces[i] = {piece.chunk.begin, piece.chunk.end};
        num_rows += piece.chunk.num_rows;
      });
      std::string joined;
      for (const auto& [i, piece] : pieces) joined += piece;
      EXPECT_EQ(joined, text.substr(text.size() - joined.size())) << name << size;
      EXPECT_EQ(text.size() - joined.size(), text.find("\r\n") + 2);
      EXPECT_GT(num_rows, 500U);
    }
  }
}

}  // namespace
}  // namespace glassrank
