// CSV as people have it: columns of every kind, under every usual name, however separated.

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/compress.h"
#include "glassrank/data/io/csv/csv.h"
#include "glassrank/data/io/csv/csv_roles.h"
#include "glassrank/data/io/csv/csv_separator.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

struct Told : LogSink {
  void log(LogLevel, std::string_view message) override { messages.emplace_back(message); }
  std::vector<std::string> messages;
};

Dataset parse_any(std::string_view text, const ReadParams& params = {},
                  const std::shared_ptr<Told>& told = nullptr) {
  Context context;
  context.log_sink = told;
  return parse_csv(text, "t.csv", kAnySeparator, params, context);
}

std::string told_of(std::string_view text, const ReadParams& params = {}) {
  const auto told = std::make_shared<Told>();
  parse_any(text, params, told);
  return told->messages.empty() ? "" : told->messages[0];
}

std::string refusal(std::string_view text, const ReadParams& params = {}) {
  return message_of([&] { parse_any(text, params); });
}

TEST(CsvRoles, TakesTheUsualNamesInAnyCaseAndSaysSo) {
  const Dataset data = parse_any("QID,Label,docid,bm25,sample_weight\nq,2,d,0.5,3\n");
  EXPECT_EQ(data.grades()[0], 2.0F);
  EXPECT_EQ(data.queries().id(0), "q");
  EXPECT_EQ(data.document_ids()[0], "d");
  EXPECT_EQ(data.weights()[0], 3.0F);
  EXPECT_EQ(data.num_features(), 1U);
  EXPECT_EQ(told_of("QID,Label,docid,bm25\nq,2,d,0.5\n"),
            "t.csv: grades 'Label', queries 'QID', documents 'docid', 1 feature");
}

TEST(CsvRoles, TakesClicksForGrades) {
  const Dataset data = parse_any("qid,clicked,x\nq,True,1\nq,no,2\nq,1,3\n", [] {
    ReadParams params;
    params.grade_column = "clicked";
    return params;
  }());
  EXPECT_EQ(std::vector<float>(data.grades().begin(), data.grades().end()),
            (std::vector<float>{1, 0, 1}));
}

TEST(CsvRoles, SaysNothingOfOurOwnNames) {
  EXPECT_EQ(told_of("query,grade,document,weight,x\nq,2,d,1,0.5\n"), "");
}

TEST(CsvRoles, LeavesASecondNameOfAPartOut) {
  const Dataset data = parse_any("query,query_id,label,target,x\nred shoes,7,1,1,2\n");
  EXPECT_EQ(data.queries().id(0), "7");
  ASSERT_EQ(data.num_features(), 1U);
  EXPECT_EQ(told_of("query,query_id,label,target,x\nred shoes,7,1,1,2\n"),
            "t.csv: grades 'label', queries 'query_id', 1 feature; not read: 'target' (another "
            "name of grades), 'query' (another name of queries)");
}

TEST(CsvRoles, NamesThatMayMeanSomethingElseStayFeatures) {
  const Dataset data = parse_any("qid,label,y,group,item,docid\nq,1,2,3,4,d\n");
  EXPECT_EQ(data.num_features(), 3U);
  EXPECT_EQ(parse_any("qid,x,y\nq,1,2\n").grades()[0], 2.0F);  // the only name of grades
}

TEST(CsvRoles, LeavesTheOtherNamesOfANamedPartOut) {
  ReadParams params;
  params.grade_column = "clicks";
  params.query_column = "topic";
  params.document_column = "asin";
  const std::string text = "topic,clicks,Label,asin,rel,qid,id,x\nq,1,2,a,3,4,5,6\n";
  const Dataset data = parse_any(text, params);
  EXPECT_EQ(std::vector(data.feature_names().begin(), data.feature_names().end()),
            (std::vector<std::string>{"rel", "x"}));
  EXPECT_EQ(told_of(text, params),
            "t.csv: grades 'clicks', queries 'topic', documents 'asin', 2 features; not read: "
            "'Label' (another name of grades), 'qid' (another name of queries), 'id' (another name "
            "of documents)");
}

TEST(CsvRoles, LeavesOtherNamesThanOurOwnOut) {
  EXPECT_EQ(parse_any("query,grade,label,session_id,x\nq,1,2,3,4\n").num_features(), 1U);
}

TEST(CsvRoles, AnotherNameIsAFeatureIfItsCategoriesAreAskedFor) {
  ReadParams params;
  params.grade_column = "clicks";
  params.categorical = {"label"};
  const Dataset data = parse_any("qid,clicks,label,x\nq,1,new,2\nq,0,old,2\n", params);
  ASSERT_EQ(data.num_features(), 2U);
  EXPECT_TRUE(data.schema().is_category(0));
}

TEST(CsvRoles, ANamedColumnIsNotLeftOutForTheNameItHas) {
  ReadParams params;
  params.document_column = "query";  // a usual name of another part
  const Dataset data = parse_any("qid,grade,query,x\n7,1,red,4\n", params);
  EXPECT_EQ(data.queries().id(0), "7");
  EXPECT_EQ(data.document_ids()[0], "red");
  EXPECT_EQ(data.num_features(), 1U);
}

TEST(CsvRoles, SaysWhichNamesWereLookedFor) {
  EXPECT_EQ(refusal("grades,query,x\n1,q,1\n"),
            "t.csv:1:1: no column of grades in the header: none is named grade, label, relevance, "
            "target, rel or y; grade_column (--label) names it, is it 'grades'?");
  EXPECT_EQ(refusal("grade,topic,x\n1,q,1\n"),
            "t.csv:1:1: no column of queries in the header: none is named query_id, qid, queryid, "
            "query, search_id, session_id, group_id or group; query_column (--qid) names it");
}

TEST(TableRoles, AreThoseOfACsvFileWithTheseColumns) {
  using enum ColumnRole;
  const auto roles = [](const std::vector<std::string>& names, const ReadParams& params = {}) {
    return table_roles("t.parquet", names, params);
  };
  const TableRoles usual = roles({"label", "qid", "bm25", "target", "y"});
  EXPECT_EQ(usual.roles, (std::vector<ColumnRole>{kGrade, kQuery, kFeature, kIgnored, kFeature}));
  EXPECT_EQ(usual.notice,
            "t.parquet: grades 'label', queries 'qid', 2 features; not read: 'target' (another "
            "name of grades)");
  EXPECT_EQ(roles({"grade", "query", "bm25"}).notice, "");
  EXPECT_EQ(roles({"query", "bm25"}, {.may_lack_grades = true}).notice,
            "t.parquet: no grades, queries 'query', 1 feature");
  EXPECT_EQ(message_of([&] { roles({"query", "bm25"}); }),
            "t.parquet: no column of grades in the header: none is named grade, label, relevance, "
            "target, rel or y; grade_column (--label) names it");
  EXPECT_EQ(message_of([&] { roles({"grade", "bm25"}, {.query_column = "quary"}); }).substr(0, 60),
            "t.parquet: no column 'quary' (query_column) in the header; s");
  EXPECT_EQ(roles({"grade", "query", "bm25", "day"}, {.ignore_columns = {"day"}}).roles[3],
            kIgnored);
}

TEST(CsvRoles, RowsWithoutGradesAreReadWhereThatIsAllowed) {
  ReadParams params;
  params.may_lack_grades = true;
  const Dataset data = parse_any("qid,x\nq,1\nq,2\n", params);
  EXPECT_EQ(data.num_rows(), 2U);
  EXPECT_FALSE(data.table().has_grades);
  EXPECT_EQ(data.grades()[1], 0.0F);
  EXPECT_EQ(told_of("qid,x\nq,1\n", params), "t.csv: no grades, queries 'qid', 1 feature");
  EXPECT_TRUE(parse_any("qid,grade,x\nq,1,2\n", params).table().has_grades);
}

TEST(CsvColumns, RowNumbersOfPandasAreNotRead) {
  const Dataset data = parse_any(",grade,query,x\n0,1,q,5\n1,0,q,6\n");
  ASSERT_EQ(data.num_features(), 1U);
  EXPECT_EQ(data.row(1)[0], 6.0F);
  EXPECT_EQ(told_of(",grade,query,x\n0,1,q,5\n"),
            "t.csv: grades 'grade', queries 'query', 1 feature; not read: the first column, which "
            "has no name");
  EXPECT_EQ(parse_any("Unnamed: 0,grade,query,x\n0,1,q,5\n").num_features(), 1U);
}

TEST(CsvColumns, ColumnsAreIgnoredByName) {
  ReadParams params;
  params.ignore_columns = {"title", "label"};
  const Dataset data = parse_any("grade,query,label,title,x\n1,q,9,\"a, b\",5\n", params);
  ASSERT_EQ(data.num_features(), 1U);
  EXPECT_EQ(data.row(0)[0], 5.0F);
  EXPECT_EQ(refusal("grade,query,titel\n1,q,a\n", params),
            "t.csv:1:1: no column 'title' (ignore_columns) in the header; did you mean 'titel'?");
}

TEST(CsvColumns, TextIsAnErrorWithTheWaysOut) {
  EXPECT_EQ(refusal("grade,query,x,brand\n1,q,2,NA\n0,q,3,acme\n"),
            "t.csv:3:7: column 'brand': 'acme' is not a number; a feature is a number, true or "
            "false, a date, or missing (empty, NA, null, ...); --categorical brand takes its texts "
            "as categories, --ignore-columns brand leaves the "
            "column out, --text-columns ignore all columns of text");
}

TEST(CsvColumns, TextIsIgnoredOnRequest) {
  ReadParams params;
  params.text_columns = TextColumnUse::kIgnore;
  const std::string text = "grade,query,size,x,brand\n1,q,10,2,acme\n0,q,XL,3,NA\n";
  const Dataset data = parse_any(text, params);
  ASSERT_EQ(data.num_features(), 1U);
  EXPECT_EQ(data.feature_names()[0], "x");
  EXPECT_EQ(told_of(text, params),
            "t.csv: grades 'grade', queries 'query', 1 feature; not read: text in 'size', "
            "'brand'");
}

TEST(CsvColumns, TrueAndFalseAreOneAndZero) {
  const std::string text = "grade,query,sale,x\n1,q,True,2\n0,q,false,3\n0,q,,3\n2,q,no,3\n";
  const Dataset data = parse_any(text);
  EXPECT_EQ(data.row(0)[0], 1.0F);
  EXPECT_EQ(data.row(1)[0], 0.0F);
  EXPECT_TRUE(std::isnan(data.row(2)[0]));
  EXPECT_EQ(data.row(3)[0], 0.0F);
  EXPECT_EQ(data.row(3)[1], 3.0F);
  EXPECT_EQ(told_of(text),
            "t.csv: grades 'grade', queries 'query', 2 features; true and false are 1 and 0 in "
            "'sale'");
}

TEST(CsvColumns, DatesAreDays) {
  const std::string text =
      "grade,query,day,x\n1,q,1970-01-03,2\n0,q,1970-01-03 12:00,3\n0,q,NA,3\n";
  const Dataset data = parse_any(text);
  EXPECT_EQ(data.row(0)[0], 2.0F);
  EXPECT_EQ(data.row(1)[0], 2.5F);
  EXPECT_TRUE(std::isnan(data.row(2)[0]));
  EXPECT_EQ(told_of(text),
            "t.csv: grades 'grade', queries 'query', 2 features; dates are days since 1970 in "
            "'day'");
}

// Norway's code is a word of a boolean; Sweden's is not.
TEST(CsvColumns, AColumnHoldsOneKindOfValue) {
  EXPECT_EQ(refusal("grade,query,country\n1,q,NO\n1,q,SE\n"),
            "t.csv:3:5: column 'country': 'SE' is not true or false as above; --na-values SE takes "
            "it as missing, --categorical country takes its texts as categories, --ignore-columns "
            "country leaves the column out, --text-columns ignore all columns of text");
  std::string text = "grade,query,sale,day\n";
  for (int i = 0; i < 100000; ++i) text += "1,q,true,2024-05-31\n";
  EXPECT_EQ(refusal(text + "1,q,maybe,2024-05-31\n"),
            "t.csv:100002:5: column 'sale': 'maybe' is not true or false as above; --na-values "
            "maybe takes it as missing, --categorical sale takes its texts as categories, "
            "--ignore-columns sale leaves the column out, --text-columns ignore all columns of "
            "text");
  EXPECT_TRUE(refusal(text + "1,q,true,20240531\n")
                  .starts_with("t.csv:100002:10: column 'day': '20240531' is not a date "
                               "(2024-05-31) as above; "));
}

TEST(CsvColumns, TheFirstCellOfAnotherKindIsTheOneThatIsWrong) {
  const auto place = [](std::string_view cells) {
    const std::string message = refusal(fmt::format("grade,query,x\n{}", cells));
    return message.substr(0, message.find(" is "));
  };
  EXPECT_EQ(place("1,q,2024-05-31\n1,q,NaT\n1,q,soon\n"), "t.csv:4:5: column 'x': 'soon'");
  EXPECT_EQ(place("1,q,5\n1,q,true\n"), "t.csv:3:5: column 'x': 'true'");
  EXPECT_EQ(place("1,q,true\n1,q,1\n1,q,2\n"), "t.csv:4:5: column 'x': '2'");
  EXPECT_EQ(place("1,q,0\n1,q,2024-05-31\n"), "t.csv:3:5: column 'x': '2024-05-31'");
}

TEST(CsvColumns, ZeroAndOneAreBooleansBesideTrueAndFalse) {
  for (const char* cells : {"1,q,0\n1,q,true\n1,q,1.0\n", "1,q,false\n1,q,1\n1,q,1\n"}) {
    const Dataset data = parse_any(fmt::format("grade,query,x\n{}", cells));
    EXPECT_EQ(data.row(0)[0], 0.0F);
    EXPECT_EQ(data.row(1)[0], 1.0F);
    EXPECT_EQ(data.row(2)[0], 1.0F);
  }
  EXPECT_EQ(parse_any("grade,query,x\n1,q,1\n1,q,7\n").row(1)[0], 7.0F);
}

TEST(CsvColumns, AllColumnsOfTextAreNamedAtOnce) {
  ReadParams params;
  params.categorical = {"city"};
  EXPECT_EQ(
      refusal("grade,query,x,brand,size,city\n1,q,2,acme,10,rome\n0,q,3,NA,XL,oslo\n", params),
      "t.csv:2:7: column 'brand': 'acme' is not a number; a feature is a number, true or "
      "false, a date, or missing (empty, NA, null, ...); 2 columns hold texts: --categorical "
      "brand,size takes them as categories, --ignore-columns brand,size leaves the columns "
      "out, as --text-columns ignore does");
}

TEST(CsvColumns, MoreTextsAndNumbersCanMeanMissing) {
  ReadParams params;
  params.na_values = {"?", "-999"};
  const Dataset data =
      parse_any("grade,query,a,b,c,d\n1,q,?,-999,-999.0,\"-999\"\n1,q,1,2,3,999\n", params);
  for (const float value : data.row(0)) EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(data.row(1)[3], 999.0F);
}

TEST(CsvSeparator, IsTheOneThatCutsTheHeaderIntoMostColumns) {
  EXPECT_EQ(find_separator("a,b,c\n"), ',');
  EXPECT_EQ(find_separator("\n\na;b;\"c,d,e,f\"\n1,2,3,4,5,6\n"), ';');
  EXPECT_EQ(find_separator("a\tb, c\td\n"), '\t');
  EXPECT_EQ(find_separator("a|b|c"), '|');
  EXPECT_EQ(find_separator("a;b,c\n"), ',');
  EXPECT_EQ(find_separator("a\n1,2\n"), ',');
  EXPECT_EQ(find_separator(""), ',');
}

TEST(CsvSeparator, IsFoundOrGiven) {
  EXPECT_EQ(parse_any("grade;query;x\n1;q,r;5.5\n").queries().id(0), "q,r");
  EXPECT_EQ(parse_any("grade|query|x\n1|q|5.5\n").row(0)[0], 5.5F);
  EXPECT_EQ(named_separator("semicolon", ','), ';');
  EXPECT_EQ(named_separator("\\t", ','), '\t');
  EXPECT_EQ(named_separator("^", ','), '^');
  EXPECT_EQ(named_separator("automatic", '\t'), '\t');
  for (const char* bad : {"", ";;", "\"", "\n", "a", "1", ".", "-"}) {
    EXPECT_NE(message_of([&] { named_separator(bad, ','); }), "") << bad;
  }
  EXPECT_EQ(message_of([] { named_separator(";;", ','); }),
            "delimiter ';;' cannot separate columns; it is tab, comma, semicolon, pipe or one "
            "character that is no letter, digit, quote, point or sign");
}

TEST(CsvSeparator, ADecimalCommaIsAnErrorOfItsOwn) {
  ReadParams ignores;
  ignores.text_columns = TextColumnUse::kIgnore;
  for (const ReadParams& params : {ReadParams{}, ignores}) {
    EXPECT_EQ(refusal("grade;query;x\n1;q;3,5\n", params),
              "t.csv:2:5: column 'x': '3,5' has a decimal comma; numbers are written with a point: "
              "3.5");
  }
}

class CsvFiles : public testing::Test {
 protected:
  void TearDown() override {
    for (const std::string& path : made_) std::filesystem::remove(path);
  }
  std::string file(const std::string& name, std::string_view text) {
    made_.push_back(testing::TempDir() + "csv_files_" + name);
    write_text_file(made_.back(), text);
    return made_.back();
  }

 private:
  std::vector<std::string> made_;
};

// The kinds of columns are told by the same rows of a packed file, also where it goes on.
TEST_F(CsvFiles, PackedFilesHoldTheSameColumns) {
  std::string text = "label;qid;sale;day;x;late\n";
  for (int i = 0; i < 60000; ++i) text += fmt::format("1;q;yes;2024-05-31;{};\n", i);
  for (int i = 0; i < 10; ++i) text += "1;q;no;2024-05-31;7;7\n";
  const std::string plain = file("a.csv", text);
  const std::string packed = file("a.csv.gz", compress(text, Compression::kGzip));
  const Dataset data = load_dataset(plain, {}, {});
  for (const std::string& path : {plain, packed}) {
    const auto source = open_row_source(path, {}, {});
    ASSERT_EQ(source->table().num_rows(), data.num_rows());
    EXPECT_TRUE(std::ranges::equal(source->table().schema.columns(), data.schema().columns()));
  }
  EXPECT_EQ(data.row(0)[0], 1.0F);
  EXPECT_EQ(data.row(60000)[0], 0.0F);
  EXPECT_EQ(data.row(60000)[3], 7.0F);
}

TEST_F(CsvFiles, DelimiterAndFormatMayBeGiven) {
  ReadParams params;
  params.format = DataFormat::kCsv;
  params.delimiter = "^";
  EXPECT_EQ(load_dataset(file("b.txt", "label^qid^x\n1^q^5\n"), params, {}).row(0)[0], 5.0F);
  params = {};
  EXPECT_EQ(load_dataset(file("c.tsv", "label\tqid\tx;y;z;a\n1\tq\t5\n"), params, {}).row(0)[0],
            5.0F);
}

TEST_F(CsvFiles, GroupFilesOfXgboostGiveTheQueries) {
  const std::string path = file("d.csv", "label,x\n1,5\n0,6\n2,7\n");
  file("d.csv.group", "1\n2\n");
  const Dataset data = load_dataset(path, {}, {});
  EXPECT_EQ(data.num_queries(), 2U);
  file("d.csv.query", "3\n");  // LightGBM's comes first
  EXPECT_EQ(load_dataset(path, {}, {}).num_queries(), 1U);
}

TEST_F(CsvFiles, TablesThatAreNoTextAreRefusedWithTheWayToCsv) {
  const std::string parquet = file("e.csv", "PAR1....");
  EXPECT_EQ(message_of([&] { load_dataset(parquet, {}, {}); }),
            fmt::format("{0} is a Parquet file; text is expected: python3 -c \"import pandas; "
                        "pandas.read_parquet('{0}').to_csv('{1}', index=False)\" makes CSV of it; "
                        "the Python package reads it as it is (glassrank.read)",
                        parquet, parquet.substr(0, parquet.size() - 4) + ".new.csv"));
  const std::vector<std::pair<std::string_view, std::string_view>> kinds = {
      {"ARROW1", "an Arrow (Feather) file"},
      {"PK\x03\x04", "a spreadsheet or another zip archive"},
      {"\x89HDF\r\n\x1a\n", "an HDF5 file"},
      {"\x93NUMPY\x01", "a NumPy array"},
      {"\xff\xfeg", "text in UTF-16"},
      {std::string_view("\xfe\xff\0g", 4), "text in UTF-16"},
      {"[\n {\"qid\": 1}\n]\n", "JSON"},
      {"{\"qid\": {\"0\": 1}}\n", "JSON"},
      {"\n{\"qid\": 1}\n{\"qid\": 2}\n", "JSON lines"}};
  for (const auto& [begin, what] : kinds) {
    const std::string path = file("f.txt", begin);
    EXPECT_TRUE(message_of([&] {
                  load_dataset(path, {}, {});
                }).starts_with(fmt::format("{} is {}; text is expected: ", path, what)))
        << what;
  }
}

TEST_F(CsvFiles, AFileThatIsNotWhatItsNameSaysIsToldFromItsFirstLine) {
  const std::string csv = file("g.txt", "qid,grade,b\nq,1,2\n");
  EXPECT_EQ(message_of([&] { load_dataset(csv, {}, {}); }),
            csv +
                ":1:1: grade 'qid,grade,b' is not a number; a line is 'grade qid:Q feature:value "
                "...'; columns under a header are CSV: --read.format csv reads them");
  const std::string tsv = file("h.txt", "qid\tgrade\tb\nq\t1\t2\n");
  EXPECT_TRUE(message_of([&] { load_dataset(tsv, {}, {}); }).ends_with("csv reads them"));
  const std::string json = file("i.txt.gz", compress("{\"qid\": 1}\n", Compression::kGzip));
  EXPECT_NE(message_of([&] { load_dataset(json, {}, {}); }).find("JSON is not read"),
            std::string::npos);
  for (const char* line : {"1 qid:7 1:3\n", "qid:7 1:3\n"}) {
    const std::string letor = file("j.csv", line);
    EXPECT_EQ(message_of([&] { load_dataset(letor, {}, {}); }),
              letor +
                  ":1:1: this is LETOR text, not columns under a header; --read.format svmlight "
                  "reads it");
  }
}

TEST_F(CsvFiles, CachesKeepThatThereAreNoGrades) {
  ReadParams read{.grade_column = "", .may_lack_grades = true};
  const Dataset data = load_dataset(file("k.csv", "qid,label,x\nq,2,5\n"), read, {});
  EXPECT_FALSE(data.table().has_grades);
  const std::string cache = file("k.cache", "");
  write_cache(cache, data, {});
  EXPECT_FALSE(load_dataset(cache, read, {}).table().has_grades);
  EXPECT_EQ(message_of([&] { load_dataset(cache, {}, {}); }),
            cache + ": the data have no grades, and this command needs grades");
  EXPECT_EQ(message_of([&] { open_row_source(cache, {}, {}); }),
            cache + ": the data have no grades, and this command needs grades");
}

}  // namespace
}  // namespace glassrank
