#include "glassrank/data/io/csv/csv.h"

#include <atomic>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

struct Notices : LogSink {
  void log(LogLevel, std::string_view message) override { messages.emplace_back(message); }
  std::vector<std::string> messages;
};

Dataset parse(std::string_view text, const ReadParams& params = {}, char separator = ',') {
  return parse_csv(text, "t.csv", separator, params, Context{});
}

std::string message_for(std::string_view text, const ReadParams& params = {}) {
  return message_of([&] { parse(text, params); });
}

// A file in the tests' own folder, gone at the end.
struct TemporaryFile {
  TemporaryFile(std::string name, std::string_view text)
      : path(testing::TempDir() + "glassrank_csv_" + std::move(name)) {
    write_text_file(path, text);
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path;
};

TEST(Csv, SortsColumnsByTheirNames) {
  const Dataset data = parse(
      "price,query,grade,document,bm25,weight\n"
      "9.5,q1,2,a,1.25,1\n"
      "3,q1,0,b,-0.5,2\n"
      "4,q2,1,c,1e-3,0.5\n");
  EXPECT_EQ(data.num_rows(), 3U);
  ASSERT_EQ(data.num_features(), 2U);
  EXPECT_EQ(data.feature_names()[0], "price");
  EXPECT_EQ(data.feature_names()[1], "bm25");
  EXPECT_EQ(data.row(1)[0], 3.0F);
  EXPECT_EQ(data.row(1)[1], -0.5F);
  EXPECT_EQ(data.row(2)[1], 1e-3F);
  EXPECT_EQ(data.grades()[0], 2.0F);
  EXPECT_EQ(data.weights()[2], 0.5F);
  EXPECT_EQ(data.document_ids()[2], "c");
  ASSERT_EQ(data.num_queries(), 2U);
  EXPECT_EQ(data.queries().id(0), "q1");
  EXPECT_EQ(data.queries().rows(0).size(), 2U);
}

TEST(Csv, DocumentAndWeightMayBeAbsent) {
  const Dataset data = parse("grade,query,x\n1,q,2\n");
  EXPECT_TRUE(data.document_ids().empty());
  EXPECT_TRUE(data.weights().empty());
  EXPECT_EQ(data.num_features(), 1U);
}

TEST(Csv, ReadsColumnsUnderOtherNames) {
  ReadParams params;
  params.grade_column = "label";
  params.query_column = "qid";
  params.weight_column = "";
  const Dataset data = parse("label,qid,weight\n1,q,2\n", params);
  EXPECT_TRUE(data.weights().empty());
  ASSERT_EQ(data.num_features(), 1U);  // not the weight: that part was switched off
  EXPECT_EQ(data.feature_names()[0], "weight");
}

TEST(Csv, ReadsTabSeparatedText) {
  const Dataset data = parse("grade\tquery\ta\tb\n1\tq 1,x\t\t2.5\n", {}, '\t');
  EXPECT_EQ(data.queries().id(0), "q 1,x");
  EXPECT_TRUE(std::isnan(data.row(0)[0]));
  EXPECT_EQ(data.row(0)[1], 2.5F);
}

TEST(Csv, MissingIsEmptyBlankNanNaOrNullInAnyCase) {
  const Dataset data = parse("grade,query,a,b,c,d,e,f,g,h\n1,q,,nan,NaN,NA,null,NULL,\"\",  \n");
  ASSERT_EQ(data.num_features(), 8U);
  for (const float value : data.row(0)) EXPECT_TRUE(std::isnan(value));
}

TEST(Csv, ReadsQuotedCellsWithSeparatorsQuotesAndLineEnds) {
  const Dataset data = parse(
      "grade,\"query\",document,\"a,b\"\n"
      "\"1\",\"q \"\"1\"\"\",\"two\r\nlines, and \"\"more\"\"\",\"0.5\"\n"
      "0,\"q \"\"1\"\"\",5\" disk,2\n");
  ASSERT_EQ(data.num_queries(), 1U);
  EXPECT_EQ(data.queries().id(0), "q \"1\"");
  EXPECT_EQ(data.document_ids()[0], "two\r\nlines, and \"more\"");
  EXPECT_EQ(data.document_ids()[1], "5\" disk");  // a quote inside a plain cell is itself
  EXPECT_EQ(data.feature_names()[0], "a,b");
  EXPECT_EQ(data.row(0)[0], 0.5F);
  EXPECT_EQ(data.grades()[0], 1.0F);
}

TEST(Csv, QuotedAndPlainIdsAreTheSameQuery) {
  EXPECT_EQ(parse("grade,query\n1,\"q\"\n0,q\n2, q \n").num_queries(), 1U);
}

TEST(Csv, SkipsByteOrderMarkEmptyLinesAndCarriageReturns) {
  const Dataset data =
      parse("\xEF\xBB\xBF\r\ngrade,query,x\r\n\r\n\n1,q,1\r\n\r\n2,q,2\n\n3,q,3\r");
  ASSERT_EQ(data.num_rows(), 3U);
  EXPECT_EQ(data.row(1)[0], 2.0F);
  EXPECT_EQ(data.row(2)[0], 3.0F);
  EXPECT_EQ(data.grades()[2], 3.0F);
}

TEST(Csv, NumbersMayHaveBlanksAroundThemOrAPlusSign) {
  const Dataset data = parse("grade,query,a,b\n +1 ,q, +0.5\t,\" 7 \"\n");
  EXPECT_EQ(data.grades()[0], 1.0F);
  EXPECT_EQ(data.row(0)[0], 0.5F);
  EXPECT_EQ(data.row(0)[1], 7.0F);
}

TEST(Csv, GroupsQueriesThatAreNotTogetherWithANotice) {
  const auto notices = std::make_shared<Notices>();
  Context context;
  context.log_sink = notices;
  const Dataset data = parse_csv("grade,query,document,x\n1,b,d1,1\n2,a,d2,2\n3,b,d3,3\n", "t.csv",
                                 ',', {}, context);
  EXPECT_EQ(data.queries().id(0), "b");
  EXPECT_EQ(data.queries().rows(0).size(), 2U);
  EXPECT_EQ(data.grades()[1], 3.0F);
  EXPECT_EQ(data.row(1)[0], 3.0F);
  EXPECT_EQ(data.document_ids()[1], "d3");
  ASSERT_EQ(notices->messages.size(), 1U);
  EXPECT_EQ(notices->messages[0],
            "t.csv: 1 of 2 queries have rows in more than one place (first: query 'b', again in "
            "row 3); their rows were put together, in the order of the file");
}

TEST(Csv, PadsToTheNumberOfFeaturesAskedFor) {
  ReadParams params;
  params.num_features = 3;
  const Dataset zeros = parse("grade,query,x\n1,q,5\n2,q,6\n", params);
  ASSERT_EQ(zeros.num_features(), 3U);
  EXPECT_EQ(zeros.feature_names()[2], "3");
  EXPECT_EQ(zeros.row(1)[0], 6.0F);
  EXPECT_EQ(zeros.row(1)[2], 0.0F);
  params.absent = AbsentValue::kMissing;
  EXPECT_TRUE(std::isnan(parse("grade,query,x\n1,q,5\n", params).row(0)[1]));
}

TEST(Csv, RefusesAFeatureCountItCannotGive) {
  ReadParams params;
  params.num_features = 1;
  EXPECT_EQ(message_for("grade,query,x,y\n1,q,5,6\n", params),
            "t.csv: the header names 2 features, but num_features is 1");
  params.num_features = 2;
  EXPECT_EQ(message_for("grade,query,2\n1,q,5\n", params),
            "t.csv: feature 2, added for num_features = 2, has the name of a column");
}

TEST(Csv, SaysWhatIsWrongWithTheHeader) {
  EXPECT_EQ(message_for(""), "t.csv: the file is empty; its first line must name the columns");
  EXPECT_EQ(message_for("\n\r\n"), message_for(""));
  EXPECT_EQ(message_for("grade,query,x\n\n"), "t.csv: no rows after the header");
  EXPECT_EQ(message_for(std::string_view("gr\0de,query\n1,2\n", 16)),
            "t.csv:1:3: a zero byte; this is not a text file, CSV and TSV are UTF-8 text");
  EXPECT_EQ(message_for("1,2,0.5\n1,2,0.5\n"),
            "t.csv:1:1: the first line holds numbers; it must name the columns");
  EXPECT_EQ(message_for("grade,query,,x\n"),
            "t.csv:1:13: column 3 has no name; every column needs one");
  EXPECT_EQ(message_for("grade,query,x,y,x\n"),
            "t.csv:1:17: column 5 is named 'x' like column 3; names must differ");
  EXPECT_EQ(message_for("grade,\"query\n1,2\n"),
            "t.csv:1:7: the quote that opens here is not closed");
  EXPECT_EQ(message_for("grade,\"que\"ry\n1,2\n"),
            "t.csv:1:7: text after a closing quote; a quote inside is written \"\"");
}

TEST(Csv, SaysWhichColumnIsNotThere) {
  EXPECT_EQ(message_for("grades,query,x\n1,q,1\n"),
            "t.csv:1:1: no column of grades in the header: none is named grade, label, relevance, "
            "target, rel or y; grade_column (--label) names it, is it 'grades'?");
  ReadParams params;
  params.grade_column = "importance";
  EXPECT_EQ(message_for("grade,query,x\n1,q,1\n", params),
            "t.csv:1:1: no column 'importance' (grade_column) in the header; set grade_column to "
            "the column to use");
  params = {};
  params.document_column = "url_id";
  EXPECT_EQ(message_for("grade,query,url-id\n1,q,1\n", params),
            "t.csv:1:1: no column 'url_id' (document_column) in the header; did you mean "
            "'url-id'?");
  params = {};
  params.grade_column = "grade";
  params.query_column = "grade";
  EXPECT_EQ(message_for("grade,query\n1,q\n", params),
            "t.csv: query_column names column 'grade', which already has another part");
  params.query_column = "";
  EXPECT_EQ(message_for("grade,query\n1,q\n", params),
            "t.csv: query_column is empty; it must name a column");
}

TEST(Csv, SaysWhatIsWrongWithACell) {
  const std::string header = "grade,query,x,weight\n1,\"q\n\",0,1\n";  // a record of two lines
  EXPECT_EQ(message_for(header + "1,q,abc,1\n"),
            "t.csv:4:5: column 'x': 'abc' is not a number; a feature is a number, true or false, a "
            "date, or missing (empty, NA, null, ...); --categorical x takes its texts as "
            "categories, --ignore-columns x leaves the column out, "
            "--text-columns ignore all columns of text");
  EXPECT_EQ(
      message_for(header + "1,q,1.5x,1\n"),
      "t.csv:4:5: column 'x': '1.5x' is not a number; a feature is a number, true or false, a "
      "date, or missing (empty, NA, null, ...); --categorical x takes its texts as categories, "
      "--ignore-columns x leaves the column out, "
      "--text-columns ignore all columns of text");
  EXPECT_EQ(message_for(header + "1,q,1e39,1\n"),
            "t.csv:4:5: column 'x': '1e39' is too large; a feature is a finite number below "
            "3.4e38");
  EXPECT_EQ(message_for(header + "1,,1,1\n"),
            "t.csv:4:3: column 'query': is empty; every row needs a query id");
  EXPECT_EQ(message_for(header + "good,q,1,1\n"),
            "t.csv:4:1: column 'grade': 'good' is not a number; a grade is a finite number >= 0");
  EXPECT_EQ(message_for(header + ",q,1,1\n"),
            "t.csv:4:1: column 'grade': is empty; a grade is a finite number >= 0");
  EXPECT_EQ(message_for(header + "-1,q,1,1\n"),
            "t.csv:4:1: column 'grade': '-1' cannot be a grade; it must be a finite number >= 0");
  EXPECT_EQ(message_for(header + "nan,q,1,1\n"),
            "t.csv:4:1: column 'grade': 'nan' cannot be a grade; it must be a finite number >= 0");
  EXPECT_EQ(message_for(header + "1,q,1,inf\n"),
            "t.csv:4:7: column 'weight': 'inf' cannot be a weight; it must be a finite number >= "
            "0");
}

TEST(Csv, SaysWhatIsWrongWithARecord) {
  const std::string header = "grade,query,x\n";
  EXPECT_EQ(message_for(header + "1,q\n"), "t.csv:2:1: 2 cells, but the header names 3 columns");
  EXPECT_EQ(message_for(header + "1,q,1,2,3"),
            "t.csv:2:1: 5 cells, but the header names 3 columns");
  // Shifted cells are wrong as numbers too; the count says more.
  EXPECT_EQ(message_for(header + "1,q,red,2\n"),
            "t.csv:2:1: 4 cells, but the header names 3 columns");
  EXPECT_EQ(message_for(header + "1,q,1\n1,\"q,1\n1,q,1\n"),
            "t.csv:3:3: the quote that opens here is not closed");
  EXPECT_EQ(message_for(header + "1,\"q\"1,1\n"),
            "t.csv:2:3: text after a closing quote; a quote inside is written \"\"");
}

TEST(Csv, ShowsLongAndUnprintableCellsWithCare) {
  EXPECT_EQ(message_for("grade,query,x\n1,q,\x1b[31m" + std::string(50, 'z') + "\n"),
            "t.csv:2:5: column 'x': '\\x1b[31m" + std::string(35, 'z') +
                "...' is not a number; a feature is a number, true or false, a date, or missing "
                "(empty, NA, null, ...); --categorical x takes its texts as categories, "
                "--ignore-columns x leaves the column out, --text-columns "
                "ignore all columns of text");
}

TEST(Csv, ReadsFilesAndTheirSideFiles) {
  const TemporaryFile file("sides.csv", "grade,x\n1,5\n0,6\n2,7\n");
  const TemporaryFile queries("sides.csv.query", "1\n2\n");
  const TemporaryFile weights("sides.csv.weight", "0.5\n1\n2\n");
  const Dataset data = read_csv(file.path, ',', {}, Context{});
  ASSERT_EQ(data.num_queries(), 2U);
  EXPECT_EQ(data.queries().id(1), "2");
  EXPECT_EQ(data.queries().rows(1).size(), 2U);
  EXPECT_EQ(data.weights()[2], 2.0F);
  EXPECT_EQ(data.row(2)[0], 7.0F);
}

TEST(Csv, ColumnsWinOverSideFiles) {
  const TemporaryFile file("columns.csv", "grade,query,weight\n1,q,5\n");
  const TemporaryFile queries("columns.csv.query", "7\n");
  const TemporaryFile weights("columns.csv.weight", "9\n9\n");
  const Dataset data = read_csv(file.path, ',', {}, Context{});
  EXPECT_EQ(data.queries().id(0), "q");
  EXPECT_EQ(data.weights()[0], 5.0F);
}

TEST(Csv, IsKnownByTheFilesName) {
  const TemporaryFile commas("named.csv", "grade,query,x\n1,q,5\n");
  const TemporaryFile tabs("named.tsv", "grade\tquery\tx\n1\tq,r\t6\n");
  EXPECT_EQ(load_dataset(commas.path, {}, Context{}).row(0)[0], 5.0F);
  EXPECT_EQ(load_dataset(tabs.path, {}, Context{}).row(0)[0], 6.0F);
  EXPECT_EQ(open_row_source(commas.path, {}, Context{})->table().queries.id(0), "q");
  EXPECT_EQ(open_row_source(tabs.path, {}, Context{})->table().queries.id(0), "q,r");
}

TEST(Csv, NeedsAQueryColumnWhenThereIsNoSideFile) {
  const TemporaryFile file("alone.csv", "grade,x\n1,5\n");
  EXPECT_THROW(read_csv(file.path, ',', {}, Context{}), Error);
}

class CollectingSink : public RowSink {
 public:
  CollectingSink(std::size_t num_rows, std::size_t width)
      : width_(width), values(num_rows * width) {}
  float* begin_block(std::size_t first_row, std::size_t) override {
    return values.data() + first_row * width_;
  }
  void end_block(std::size_t, std::size_t num_rows, float*) override { rows_ended += num_rows; }

 private:
  std::size_t width_;

 public:
  std::vector<float> values;
  std::atomic<std::size_t> rows_ended = 0;
};

TEST(CsvRowSource, DeliversTheRowsTwice) {
  const TemporaryFile file("rows.csv",
                           "grade,query,document,x,y\n1,a,d,5,6\n0,a,e,7,8\n2,b,f,9,\n");
  const auto source = open_row_source(file.path, {}, Context{});
  const RowTable& table = source->table();
  EXPECT_EQ(table.num_rows(), 3U);
  ASSERT_EQ(table.num_features(), 2U);
  EXPECT_EQ(table.feature_names()[1], "y");
  EXPECT_EQ(table.grades[2], 2.0F);
  EXPECT_EQ(table.queries.num_queries(), 2U);
  EXPECT_EQ(table.document_ids[1], "e");
  for (int turn = 0; turn < 2; ++turn) {
    CollectingSink sink(table.num_rows(), table.num_features());
    source->pass(Context{}, sink);
    EXPECT_EQ(sink.rows_ended, 3U);
    EXPECT_EQ(sink.values[2], 7.0F);
    EXPECT_EQ(sink.values[4], 9.0F);
    EXPECT_TRUE(std::isnan(sink.values[5]));
  }
}

TEST(CsvRowSource, RefusesStandardInput) {
  EXPECT_EQ(message_of([] { open_row_source("-", {}, Context{}); }),
            "standard input cannot be passed over twice; give a file");
}

TEST(CsvRowSource, NumbersRowsAsTheTableDoesOnceQueriesAreGrouped) {
  const TemporaryFile file("scattered.csv", "grade,query,x\n1,a,5\n2,b,6\n3,a,7\n4,a,8\n");
  const auto source = open_row_source(file.path, {}, Context{});
  const RowTable& table = source->table();
  EXPECT_EQ(table.grades, (std::vector<float>{1, 3, 4, 2}));
  EXPECT_EQ(table.source_rows, (std::vector<std::uint32_t>{0, 2, 3, 1}));
  CollectingSink sink(4, 1);
  source->pass(Context{}, sink);
  EXPECT_EQ(sink.rows_ended, 4U);
  EXPECT_EQ(sink.values, (std::vector<float>{5, 7, 8, 6}));
}

}  // namespace
}  // namespace glassrank
