#include "glassrank/data/io/svmlight/svmlight.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "testing/message_of.h"
#include "testing/svmlight_reference.h"

namespace glassrank {
namespace {

class Messages final : public LogSink {
 public:
  void log(LogLevel, std::string_view message) override { text += std::string(message) + "\n"; }
  std::string text;
};

Context with_threads(int count) {
  Context context;
  context.threads = std::make_shared<const Threads>(count);
  return context;
}

// Everything of a dataset, values as bits.
std::string to_text(const Dataset& data) {
  std::string out = fmt::format("names {}\n", fmt::join(data.feature_names(), ","));
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    out += fmt::format("query {}\n", data.queries().id(q));
    for (std::size_t r = data.queries().rows(q).begin; r < data.queries().rows(q).end; ++r) {
      out += fmt::format("{}", data.grades()[r]);
      for (const float v : data.row(r))
        out += fmt::format(" {:x}", std::bit_cast<std::uint32_t>(v));
      if (!data.weights().empty()) out += fmt::format(" w{}", data.weights()[r]);
      if (!data.document_ids().empty()) out += fmt::format(" [{}]", data.document_ids()[r]);
      out += "\n";
    }
  }
  return out;
}

// Values as numbers, for examples by hand.
std::string show(const Dataset& data) {
  std::string out;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    out += data.queries().id(q) + ":";
    for (std::size_t r = data.queries().rows(q).begin; r < data.queries().rows(q).end; ++r) {
      out += fmt::format(" {}({})", data.grades()[r], fmt::join(data.row(r), ","));
    }
    out += ";";
  }
  return out;
}

std::string read(std::string_view text, const ReadParams& params = {}) {
  return show(parse_svmlight(text, "f", params, Context{}));
}

// The error of the fast reader, after checking that chunks and threads do not change it.
std::string error_of(std::string_view text, const ReadParams& params = {}) {
  std::string message = "no error";
  try {
    parse_svmlight(text, "f", params, Context{});
  } catch (const Error& error) {
    message = error.message();
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
  }
  for (const int threads : {1, 2, 4}) {
    for (const std::size_t chunk : {1, 20, 100}) {
      std::string again = "no error";
      try {
        parse_svmlight(text, "f", params, with_threads(threads), chunk);
      } catch (const Error& error) {
        again = error.message();
      }
      EXPECT_EQ(again, message) << threads << " threads, chunks of " << chunk;
    }
  }
  return message;
}

TEST(Svmlight, ReadsDenseRows) {
  const Dataset data = parse_svmlight("2 qid:10 1:0.5 2:3\n0 qid:10 1:-1 2:1e3\n1 qid:7 1:0 2:4\n",
                                      "f", {}, Context{});
  EXPECT_EQ(show(data), "10: 2(0.5,3) 0(-1,1000);7: 1(0,4);");
  EXPECT_EQ(data.feature_names()[1], "2");
  EXPECT_TRUE(data.document_ids().empty());
  EXPECT_TRUE(data.weights().empty());
}

TEST(Svmlight, TellsAbsentFromMissing) {
  const std::string text = "1 qid:1 2:5\n0 qid:1 1:nan 3:1\n";
  EXPECT_EQ(read(text), "1: 1(0,5,0) 0(nan,0,1);");
  EXPECT_EQ(read(text, {.absent = AbsentValue::kMissing}), "1: 1(nan,5,nan) 0(nan,nan,1);");
  EXPECT_EQ(read(text, {.num_features = 4}), "1: 1(0,5,0,0) 0(nan,0,1,0);");
}

TEST(Svmlight, IsLenientAboutBlanksLineEndsAndComments) {
  EXPECT_EQ(read("\r\n# head\n \t2\tqid:a  1:1 \t 2:2 \r\n\n0 qid:a 1:3 2:4#x\n  # end"),
            "a: 2(1,2) 0(3,4);");
  EXPECT_EQ(read("+1.5 qid:1\n0 qid:1 1:+2 2:.5"), "1: 1.5(0,0) 0(2,0.5);");
  EXPECT_EQ(read("1 qid:1"), "1: 1();");
}

TEST(Svmlight, SkipsAByteOrderMark) {
  const std::string text =
      "\xEF\xBB\xBF"
      "1 qid:1 1:2 # a document with a long name\n0 qid:1 1:3\n";
  EXPECT_EQ(read(text), "1: 1(2) 0(3);");
  EXPECT_EQ(show(parse_svmlight(text, "f", {}, Context{}, 1)), "1: 1(2) 0(3);");
  EXPECT_EQ(show(parse_svmlight_plainly(text, "f", {})), "1: 1(2) 0(3);");
  EXPECT_EQ(error_of("\xEF\xBB\xBFx qid:1 1:2\n"), error_of("x qid:1 1:2\n"));
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), error_of(""));
}

TEST(Svmlight, KeepsDocumentIds) {
  const Dataset data = parse_svmlight(
      "2 qid:1 1:1 #docid = GX000-00-0000000 inc = 1 prob = 0.02\n"
      "1 qid:1 1:1 #docid=B\n0 qid:1 1:1 # my own name \r\n0 qid:1 1:1\n0 qid:1 1:1 # docids # 2\n",
      "f", {}, Context{});
  ASSERT_EQ(data.document_ids().size(), 5U);
  EXPECT_EQ(data.document_ids()[0], "GX000-00-0000000");
  EXPECT_EQ(data.document_ids()[1], "B");
  EXPECT_EQ(data.document_ids()[2], "my own name");
  EXPECT_EQ(data.document_ids()[3], "");
  EXPECT_EQ(data.document_ids()[4], "docids # 2");
}

TEST(Svmlight, ShiftsFilesThatCountFromZero) {
  const Dataset data = parse_svmlight("1 qid:1 1:5\n0 qid:1 0:3 2:4\n", "f", {}, Context{});
  EXPECT_EQ(show(data), "1: 1(0,5,0) 0(3,0,4);");
  EXPECT_EQ(data.feature_names()[0], "0");
  EXPECT_EQ(data.feature_names()[2], "2");
}

TEST(Svmlight, TakesTextAndLongQids) {
  EXPECT_EQ(read("1 qid:18446744073709551615 1:1\n1 qid:-9223372036854775808 1:1\n1 qid:red:x 1:1"),
            "18446744073709551615: 1(1);-9223372036854775808: 1(1);red:x: 1(1);");
}

TEST(Svmlight, GroupsScatteredQueriesWithANotice) {
  const std::string text =
      "1 qid:a 1:1 # d1\n2 qid:b 1:2 # d2\n3 qid:a 1:3 # d3\n0 qid:c 1:4 # d4\n4 qid:b 1:5 # d5\n";
  auto messages = std::make_shared<Messages>();
  Context context;
  context.log_sink = messages;
  const Dataset data = parse_svmlight(text, "f", {}, context);
  EXPECT_EQ(show(data), "a: 1(1) 3(3);b: 2(2) 4(5);c: 0(4);");
  EXPECT_EQ(data.document_ids()[1], "d3");
  EXPECT_EQ(
      messages->text,
      "f: 2 of 3 queries have rows in more than one place (first: query 'a', again in row 3); "
      "their rows were put together, in the order of the file\n");
  messages->text.clear();
  parse_svmlight("1 qid:a 1:1\n1 qid:a 1:1\n1 qid:b 1:1\n", "f", {}, context);
  EXPECT_EQ(messages->text, "");
}

TEST(Svmlight, SaysWhatIsWrongWithAGrade) {
  EXPECT_EQ(error_of("1 qid:1 1:1\n  x qid:1 1:1\n"),
            "f:2:3: grade 'x' is not a number; a line is 'grade qid:Q feature:value ...'");
  EXPECT_EQ(error_of("nan qid:1 1:1\n"),
            "f:1:1: the grade is NaN; a grade is a finite number of 0 or more");
  EXPECT_EQ(error_of("-1 qid:1 1:1\n"), "f:1:1: grade '-1' is negative; grades are 0 or more");
  EXPECT_EQ(error_of("inf qid:1 1:1\n"),
            "f:1:1: grade inf is infinite; a grade is a finite number of 0 or more");
  EXPECT_EQ(error_of("1e99 qid:1 1:1\n"),
            "f:1:1: grade 1e99 is infinite; a grade is a finite number of 0 or more");
}

TEST(Svmlight, SaysWhatIsWrongWithAQid) {
  EXPECT_EQ(error_of("1 qid: 1:1\n"), "f:1:7: the qid is empty; write qid:Q, a number or a name");
  EXPECT_EQ(error_of("1 qid:18446744073709551616 1:1\n"),
            "f:1:7: qid overflow: '18446744073709551616' does not fit in 64 bits; use a smaller "
            "number");
  EXPECT_EQ(error_of("1 qid:-9223372036854775809 1:1\n"),
            "f:1:7: qid overflow: '-9223372036854775809' does not fit in 64 bits; use a smaller "
            "number");
  EXPECT_EQ(error_of("# c\n1 qid:1 1:1\n1 1:1\n"),
            "f:3:1: no qid, but line 2 has one; all rows need a qid, or none");
  EXPECT_EQ(error_of("1 1:1\n1 1:1\n1 qid:1 1:1\n"),
            "f:3:1: a qid, but line 1 has none; all rows need a qid, or none");
  EXPECT_EQ(error_of("1 1:1 qid:1\n"),
            "f:1:7: 'qid:1' is out of place; the qid comes once, right after the grade");
  EXPECT_EQ(error_of("1 1:1\n0 1:2\n"),
            "f: no row has a qid and there is no file f.query; write 'grade qid:Q feature:value "
            "...', or the number of rows of each query, one a line, in that file");
}

TEST(Svmlight, SaysWhatIsWrongWithAFeatureId) {
  EXPECT_EQ(error_of("1 qid:1 1:1 2\n"),
            "f:1:13: '2' is not feature:value; the line may be cut short");
  EXPECT_EQ(error_of("1 qid:1 a:1\n"),
            "f:1:9: feature id 'a' is not a whole number; a line is 'grade qid:Q feature:value "
            "...'");
  EXPECT_EQ(error_of("1 qid:1 :1\n"),
            "f:1:9: feature id '' is not a whole number; a line is 'grade qid:Q feature:value "
            "...'");
  EXPECT_EQ(error_of("1 qid:1 -3:1\n"),
            "f:1:9: feature id '-3' is negative; ids are whole numbers from 1 (or 0)");
  EXPECT_EQ(error_of("1 qid:1 1000001:1\n"),
            "f:1:9: huge feature id '1000001'; ids go up to 1000000");
  EXPECT_EQ(error_of("1 qid:1 1:1 99999999999999999999:1 3:1\n"),
            "f:1:13: huge feature id '99999999999999999999'; ids go up to 1000000");
  EXPECT_EQ(error_of("1 qid:1 1:1 3:1 3:2\n"),
            "f:1:17: feature 3 is repeated; each may be given once a line");
  EXPECT_EQ(error_of("1 qid:1 1:1 140:1 139:2 141:1\n"),
            "f:1:19: feature 139 after feature 140; features must ascend");
  EXPECT_EQ(error_of("1 qid:1 1:1 3:1\n", {.num_features = 2}),
            "f: feature 3 is beyond the 2 features asked for (num_features); ids go from 1 to 2");
}

TEST(Svmlight, SaysWhatIsWrongWithAValue) {
  EXPECT_EQ(error_of("1 qid:1 1:1 2:\n"),
            "f:1:15: feature 2 has no value; the line may be cut short");
  EXPECT_EQ(error_of("1 qid:1 1:1 2:1.5x\n"), "f:1:15: value '1.5x' of feature 2 is not a number");
  EXPECT_EQ(error_of("1 qid:1 1:-inf\n"),
            "f:1:11: value '-inf' of feature 1 is infinite; use a finite number, or nan for "
            "missing");
  EXPECT_EQ(error_of("1 qid:1 1:1e39\n"),
            "f:1:11: value '1e39' of feature 1 is too large; values are 32-bit floats, up to "
            "3.4e38");
  EXPECT_EQ(error_of("1 qid:1 1:" + std::string(60, 'y') + "\n"),
            "f:1:11: value '" + std::string(40, 'y') + "...' of feature 1 is not a number");
}

TEST(Svmlight, RefusesFilesThatHoldNoText) {
  EXPECT_EQ(error_of(""),
            "f: the file is empty; lines 'grade qid:Q feature:value ...' are expected");
  EXPECT_EQ(error_of("\n# only\n\n"),
            "f: no rows, only blank lines and comments; lines 'grade qid:Q feature:value ...' are "
            "expected");
  using std::string_literals::operator""s;
  EXPECT_EQ(error_of("1 qid:1 1:1\n\x7f"
                     "ELF\0\1\2"s),
            "f:2:5: a NUL byte: this is binary data; SVMlight text is expected");
  EXPECT_EQ(error_of("1 qid:1\0 1:1\n"s),
            "f:1:8: a NUL byte: this is binary data; SVMlight text is expected");
  EXPECT_EQ(error_of("\x01\x02 qid:1\n"),
            "f:1:1: grade '\\x01\\x02' is not a number; a line is 'grade qid:Q feature:value ...'");
}

TEST(Svmlight, ThrowsTheFirstErrorOfTheFile) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "1 qid:1 1:1 2:2\n";
  // An error that only the values' pass finds, before ones that the scan finds.
  const std::string tail = "1 qid:1 1:1 2:z 3:3\nx qid:1 1:1\n1 1:1\n";
  EXPECT_EQ(error_of(text + tail + text), "f:201:15: value 'z' of feature 2 is not a number");
  EXPECT_EQ(error_of(text + "y\n" + tail + text),
            "f:201:1: grade 'y' is not a number; a line is 'grade qid:Q feature:value ...'");
  // What is wrong with a line comes before what is wrong with the whole file.
  EXPECT_EQ(error_of("1 1:1\n1 1:z 2:1\n"), "f:2:5: value 'z' of feature 1 is not a number");
  EXPECT_EQ(error_of("1 qid:1 1:1 5:5\n1 qid:1 1:z 2:1\n", {.num_features = 2}),
            "f:2:11: value 'z' of feature 1 is not a number");
  EXPECT_EQ(error_of(text + "1 qid:1 1:q 2:1\n" + text + "1 qid:1 1:r 2:1\n"),
            "f:201:11: value 'q' of feature 1 is not a number");
}

// A file with all that is allowed, in random mixture.
std::string random_text(RandomSequence& random) {
  std::string text;
  const bool zero_based = random.below(4) == 0;
  const std::uint64_t num_rows = 1 + random.below(40);
  for (std::uint64_t r = 0; r < num_rows; ++r) {
    if (random.below(10) == 0) text += random.below(2) == 0 ? "\n" : " # note\r\n";
    text += fmt::format("{}{} qid:{}", random.below(9) == 0 ? " " : "", random.below(5),
                        random.below(20) == 0 ? random.below(6) : r / 8);
    for (std::uint64_t id = zero_based ? 0 : 1; id < 12; ++id) {
      if (random.below(5) == 0) continue;
      text += random.below(30) == 0 ? "\t " : " ";
      const double value =
          random.normal() * std::pow(10.0, static_cast<double>(random.below(9)) - 4);
      switch (random.below(6)) {
        case 0:
          text += fmt::format("{}:{}", id, random.below(100));
          break;
        case 1:
          text += fmt::format("{}:{:.6f}", id, value);
          break;
        case 2:
          text += fmt::format("{}:{}", id, static_cast<float>(value));
          break;
        case 3:
          text += fmt::format("{}:{:.9g}", id, value);
          break;
        case 4:
          text += fmt::format("{}:{}", id, value);
          break;
        default:
          text += fmt::format("{}:{}", id, random.below(2) == 0 ? "nan" : "0");
          break;
      }
    }
    if (random.below(4) == 0) text += " ";
    if (random.below(4) == 0) text += "# doc" + std::to_string(random.below(99));
    if (random.below(4) == 0) text += "\r";
    if (r + 1 < num_rows || random.below(2) == 0) text += "\n";
  }
  return text;
}

TEST(Svmlight, EqualsThePlainReaderForAnyChunksAndThreads) {
  RandomSequence random(CounterRandom(5, "test"));
  const std::vector<Context> contexts = {with_threads(1), with_threads(2), with_threads(4)};
  for (int i = 0; i < 150; ++i) {
    const std::string text = random_text(random);
    const ReadParams params{
        .absent = random.below(2) == 0 ? AbsentValue::kZero : AbsentValue::kMissing,
        .num_features = random.below(3) == 0 ? 15 : 0};
    const std::string expected = to_text(parse_svmlight_plainly(text, "f", params));
    for (const Context& context : contexts) {
      for (const std::size_t chunk : {std::size_t{1}, std::size_t{64}, std::size_t{1} << 20}) {
        ASSERT_EQ(to_text(parse_svmlight(text, "f", params, context, chunk)), expected) << text;
      }
    }
  }
}

// The rows without what stands before the qid.
std::string without_grades(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    const std::size_t qid = line.find("qid:");
    out += qid == std::string::npos ? line : line.substr(qid);
    begin = end;
  }
  return out;
}

TEST(Svmlight, RowsMayLackGradesWhereThatIsAllowed) {
  ReadParams params;
  params.may_lack_grades = true;
  const std::string text = "qid:1 1:2 # d\n\n# note\nqid:2 2:1\n";
  const Dataset data = parse_svmlight(text, "f", params, Context{});
  EXPECT_FALSE(data.table().has_grades);
  EXPECT_EQ(data.grades()[1], 0.0F);
  EXPECT_EQ(data.document_ids()[0], "d");
  EXPECT_EQ(data.row(1)[1], 1.0F);
  EXPECT_TRUE(parse_svmlight("1 qid:1 1:2\n", "f", params, Context{}).table().has_grades);
  EXPECT_EQ(error_of(text),
            "f:1:1: the row has no grade; a line is 'grade qid:Q feature:value ...' (rows without "
            "grades can be scored, explained and split)");
  EXPECT_EQ(message_of([&] { parse_svmlight(text + "1 qid:2 1:1\n", "f", params, Context{}); }),
            "f:5:1: a grade, but line 1 has none; all rows need a grade, or none");
  EXPECT_EQ(message_of([&] { parse_svmlight("qid:1 qid:2 1:1\n", "f", params, Context{}); }),
            "f:1:7: 'qid:2' is out of place; the qid comes once, right after the grade");
}

TEST(Svmlight, FindsTheSameFirstErrorAsThePlainReader) {
  RandomSequence random(CounterRandom(6, "test"));
  const std::string odd = "x:-#\t 0.e\nqn1";
  int failures = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text = random_text(random);
    ReadParams params;
    params.may_lack_grades = random.below(2) == 0;
    if (random.below(3) == 0) text = without_grades(text);
    for (std::uint64_t k = 0; k <= random.below(3); ++k) {
      text[random.below(text.size())] = odd[random.below(odd.size())];
    }
    std::string expected;
    try {
      expected = to_text(parse_svmlight_plainly(text, "f", params));
    } catch (const Error& error) {
      expected = error.message();
      ++failures;
    }
    std::string found;
    try {
      found = to_text(parse_svmlight(text, "f", params, Context{}, 1 + random.below(500)));
    } catch (const Error& error) {
      found = error.message();
    }
    if (expected == "f: no rows with a qid") continue;
    ASSERT_EQ(found, expected) << text;
  }
  EXPECT_GT(failures, 300);
}

}  // namespace
}  // namespace glassrank
