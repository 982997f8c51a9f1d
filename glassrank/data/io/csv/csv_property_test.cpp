// What must hold for any CSV: what is written is read back, whatever the threads and chunks.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/data/io/csv/csv.h"
#include "glassrank/data/io/csv/csv_rows.h"

namespace glassrank {
namespace {

std::vector<CsvChunk> cut_chunks(std::string_view text, char separator, std::size_t chunk_bytes) {
  std::vector<CsvChunk> chunks;
  CsvCutter cutter(text, separator);
  while (!cutter.at_end()) chunks.push_back(cutter.next(chunk_bytes));
  return chunks;
}

enum class Holds { kNumbers, kBooleans, kDates };

struct Table {
  std::vector<std::string> feature_names;
  std::vector<Holds> holds;          // of the features
  std::vector<std::string> queries;  // one per row, contiguous
  std::vector<std::string> documents;
  std::vector<float> grades;
  std::vector<float> values;
};

std::string random_text(RandomSequence& random, std::size_t longest) {
  static constexpr std::string_view kLetters = "ab,\"\n\r\t 7.'\xc3\xa9";
  std::string text;
  for (std::uint64_t n = random.below(longest + 1); n > 0; --n) {
    text += kLetters[random.below(kLetters.size())];
  }
  return text;
}

float random_float(RandomSequence& random) {
  if (random.below(8) == 0) return std::nanf("");
  float value = 0;
  do {
    const auto bits = static_cast<std::uint32_t>(random());
    std::memcpy(&value, &bits, sizeof(value));
  } while (!std::isfinite(value));
  return value;
}

float random_value(RandomSequence& random, Holds holds) {
  if (holds == Holds::kNumbers) return random_float(random);
  if (random.below(8) == 0) return std::nanf("");
  return static_cast<float>(random.below(holds == Holds::kBooleans ? 2 : 40000));
}

// A value as its column has it.
std::string cell_text(float value, Holds holds) {
  if (std::isnan(value)) return "";
  if (holds == Holds::kBooleans) return value == 1 ? "True" : "no";
  if (holds == Holds::kNumbers) return fmt::format("{}", value);
  const std::chrono::year_month_day day{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(value)))};
  return fmt::format("{}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

Table random_table(std::uint64_t seed, std::size_t num_rows) {
  RandomSequence random(CounterRandom(seed, "csv"));
  Table table;
  for (std::uint64_t f = random.below(5); f > 0; --f) {
    table.feature_names.push_back(fmt::format("f{}{}", f, random_text(random, 3)));
    table.holds.push_back(random.below(2) == 0 ? Holds::kNumbers
                                               : static_cast<Holds>(random.below(3)));
  }
  for (std::size_t r = 0; r < num_rows; ++r) {
    const bool goes_on = r > 0 && random.below(3) > 0;
    table.queries.push_back(goes_on ? table.queries.back()
                                    : fmt::format("{}:{}", r, random_text(random, 4)));
    table.documents.push_back(random_text(random, 6));
    table.grades.push_back(static_cast<float>(random.below(5)));
    for (std::size_t f = 0; f < table.feature_names.size(); ++f) {
      table.values.push_back(random_value(random, table.holds[f]));
    }
  }
  return table;
}

std::string quoted(const std::string& text) {
  std::string doubled;
  for (const char c : text) {
    doubled += c;
    if (c == '"') doubled += c;
  }
  return fmt::format("\"{}\"", doubled);
}

std::string written(const Table& table, std::string_view line_end) {
  const std::size_t width = table.feature_names.size();
  std::string text = "query";
  for (const std::string& name : table.feature_names) text += fmt::format(",{}", quoted(name));
  text += ",grade,document";
  for (std::size_t r = 0; r < table.grades.size(); ++r) {
    text += fmt::format("{}{}", line_end, quoted(table.queries[r]));
    for (std::size_t f = 0; f < width; ++f) {
      text += fmt::format(",{}", cell_text(table.values[r * width + f], table.holds[f]));
    }
    text += fmt::format(",{},{}", table.grades[r], quoted(table.documents[r]));
  }
  return text;
}

Context with_threads(int count) {
  Context context;
  context.threads = std::make_shared<const Threads>(count);
  return context;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(CsvProperty, WhatIsWrittenIsReadBack) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed, bool crlf) {
    const Table table = random_table(seed, 1 + seed % 20);
    const std::string text = written(table, crlf ? "\r\n" : "\n");
    const Dataset data = parse_csv(text, "t.csv", ',', {}, Context{});
    RC_ASSERT(data.num_rows() == table.grades.size());
    const std::size_t width = table.feature_names.size();
    RC_ASSERT(std::ranges::equal(data.feature_names(), table.feature_names));
    const auto query = data.queries().query_of_rows();
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      RC_ASSERT(data.queries().id(query[r]) == table.queries[r]);
      RC_ASSERT(data.document_ids()[r] == table.documents[r]);
      RC_ASSERT(data.grades()[r] == table.grades[r]);
      RC_ASSERT(same_bits(data.row(r), std::span(table.values).subspan(r * width, width)));
    }
  }));
}

// Big enough for several chunks.
TEST(CsvProperty, ThreadsDoNotChangeTheResult) {
  const std::string text = written(random_table(5, 30000), "\n");
  ASSERT_GT(text.size(), std::size_t{3} << 18);
  const Dataset one = parse_csv(text, "t.csv", ',', {}, with_threads(1));
  for (const int count : {2, 4}) {
    const Dataset other = parse_csv(text, "t.csv", ',', {}, with_threads(count));
    EXPECT_TRUE(same_bits({one.features().data(), one.num_rows() * one.num_features()},
                          {other.features().data(), other.num_rows() * other.num_features()}));
    EXPECT_TRUE(same_bits(one.grades(), other.grades()));
    EXPECT_TRUE(std::ranges::equal(one.queries().ids(), other.queries().ids()));
    EXPECT_TRUE(std::ranges::equal(one.queries().offsets(), other.queries().offsets()));
    EXPECT_EQ(one.document_ids().blob(), other.document_ids().blob());
  }
}

TEST(CsvProperty, TheFirstErrorOfTheFileIsReportedWhateverTheThreads) {
  std::string text = "grade,query,x\n";
  for (int r = 0; r < 200000; ++r) {
    text += r == 150000 || r == 170001 || r == 199999 ? "1,q,bad\n" : "1,q,0.25\n";
  }
  for (const int count : {1, 2, 4}) {
    try {
      parse_csv(text, "t.csv", ',', {}, with_threads(count));
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_TRUE(error.message().starts_with("t.csv:150002:5: column 'x'")) << error.message();
    }
  }
}

TEST(CsvProperty, ChunksAreWholeRecordsWhateverTheirSize) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Table table = random_table(seed, 1 + seed % 20);
    const std::string text = written(table, "\n\n") + "\n";
    const auto whole = cut_chunks(text, ',', text.size());
    RC_ASSERT(whole.size() == 1U);
    RC_ASSERT(whole[0].num_rows == table.grades.size() + 1);  // and the header
    for (const std::size_t chunk_bytes : {1U, 7U, 40U}) {
      const char* next = text.data();
      std::size_t num_rows = 0;
      for (const CsvChunk& chunk : cut_chunks(text, ',', chunk_bytes)) {
        RC_ASSERT(chunk.begin == next);
        RC_ASSERT(chunk.first_row == num_rows);
        RC_ASSERT(chunk.end > chunk.begin);
        next = chunk.end;
        num_rows += chunk.num_rows;
      }
      RC_ASSERT(next == text.data() + text.size());
      RC_ASSERT(num_rows == whole[0].num_rows);
    }
  }));
}

}  // namespace
}  // namespace glassrank
