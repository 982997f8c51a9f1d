#include "glassrank/data/io/formats.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/cache/cache_rows.h"
#include "glassrank/data/io/categories.h"
#include "glassrank/data/io/csv/csv.h"
#include "glassrank/data/io/csv/csv_separator.h"
#include "glassrank/data/io/foreign_files.h"
#include "glassrank/data/io/missing_as_zero.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/io/svmlight/svmlight.h"

namespace glassrank {
namespace {

constexpr std::array<std::pair<std::string_view, DataFormat>, 5> kFormats = {{
    {"automatic", DataFormat::kAutomatic},
    {"svmlight", DataFormat::kSvmlight},
    {"csv", DataFormat::kCsv},
    {"tsv", DataFormat::kTsv},
    {"cache", DataFormat::kCache},
}};

constexpr std::array<std::pair<std::string_view, AbsentValue>, 2> kAbsentValues = {{
    {"zero", AbsentValue::kZero},
    {"missing", AbsentValue::kMissing},
}};

constexpr std::array<std::pair<std::string_view, MissingValue>, 2> kMissingValues = {{
    {"keep", MissingValue::kKeep},
    {"zero", MissingValue::kZero},
}};

constexpr std::array<std::pair<std::string_view, TextColumnUse>, 2> kTextColumns = {{
    {"error", TextColumnUse::kError},
    {"ignore", TextColumnUse::kIgnore},
}};

constexpr std::array<std::pair<std::string_view, FirstFeature>, 3> kFirstFeatures = {{
    {"automatic", FirstFeature::kAutomatic},
    {"0", FirstFeature::kZero},
    {"1", FirstFeature::kOne},
}};

std::string_view name_of(DataFormat format) {
  return std::ranges::find(kFormats, format, &decltype(kFormats)::value_type::second)->first;
}

}  // namespace

DataFormat data_format_by_name(std::string_view path) {
  for (const std::string_view packing : {".gz", ".zst"}) {
    if (path.ends_with(packing)) path.remove_suffix(packing.size());
  }
  if (path.ends_with(".csv")) return DataFormat::kCsv;
  if (path.ends_with(".tsv")) return DataFormat::kTsv;
  return DataFormat::kSvmlight;
}

DataFormat data_format(const std::string& path, const ReadParams& params) {
  if (params.format != DataFormat::kAutomatic) return params.format;
  return is_cache_file(path) ? DataFormat::kCache : data_format_by_name(path);
}

std::span<const std::pair<std::string_view, DataFormat>> EnumNames<DataFormat>::table() {
  return kFormats;
}

std::span<const std::pair<std::string_view, AbsentValue>> EnumNames<AbsentValue>::table() {
  return kAbsentValues;
}

std::span<const std::pair<std::string_view, MissingValue>> EnumNames<MissingValue>::table() {
  return kMissingValues;
}

std::span<const std::pair<std::string_view, FirstFeature>> EnumNames<FirstFeature>::table() {
  return kFirstFeatures;
}

std::span<const std::pair<std::string_view, TextColumnUse>> EnumNames<TextColumnUse>::table() {
  return kTextColumns;
}

float absent_value(AbsentValue absent) {
  return absent == AbsentValue::kZero ? 0.0F : std::numeric_limits<float>::quiet_NaN();
}

void ReadParams::visit(ParamVisitor& visitor) {
  visitor.field("format", format, "format of the data; automatic decides by name and content");
  visitor.field("absent", absent, "meaning of a feature that a sparse row leaves out");
  visitor.field("missing", missing,
                "how missing values (nan) are read: as missing, or as 0 like RankLib");
  visitor.field("num_features", num_features, "number of features; 0 is as many as the file has",
                Range{.low = 0, .high = 1'000'001});
  visitor.section("data");
  visitor.field("grade_column", grade_column,
                "column of grades (csv, tsv); automatic takes the usual names: grade, label, "
                "relevance, ...; empty: there is none",
                {.alias = "label"});
  visitor.field("query_column", query_column,
                "column of query ids (csv, tsv); automatic: query_id, qid, query, ...",
                {.alias = "qid"});
  visitor.section("advanced");
  visitor.field("document_column", document_column,
                "column of document ids (csv, tsv); automatic: document, docid, id, ...; empty: "
                "there is none");
  visitor.field("weight_column", weight_column,
                "column of weights (csv, tsv); automatic: weight; empty: there is none");
  visitor.field("ignore_columns", ignore_columns, "columns that are not read (csv, tsv)",
                {.value_name = "NAME,..."});
  visitor.field("text_columns", text_columns,
                "what becomes of columns of text that have no part (csv, tsv)");
  visitor.field("na_values", na_values,
                "texts or numbers that mean missing, beside NA, NaN, None, null, - and the like "
                "(csv, tsv)",
                {.value_name = "TEXT,..."});
  visitor.field(
      "delimiter", delimiter,
      "what separates the columns: a character, tab, comma, semicolon or pipe (csv, tsv); "
      "automatic tells by the header");
  visitor.section("data");
  visitor.field("categorical", categorical,
                "features whose values are categories: texts (csv, tsv) or whole numbers",
                {.value_name = "NAME,..."});
  visitor.section("advanced");
}

void ReadParams::visit_matching(ParamVisitor& visitor) {
  visitor.field("match", match,
                "how columns are matched: by name where both sides have names, or by position");
  visitor.field("first_feature", first_feature,
                "id of the first column in LETOR text; 0 for models that LightGBM or XGBoost "
                "trained from such text");
}

void refuse_unused(const ReadParams& params, std::string_view prefix,
                   std::span<const std::string> given, std::span<const std::string> files) {
  static constexpr std::array<std::string_view, 2> kTables = {"csv", "tsv"};
  static constexpr std::array<std::string_view, 3> kTexts = {"svmlight", "csv", "tsv"};
  using Use = std::pair<std::string_view, std::span<const std::string_view>>;
  static constexpr std::array<Use, 10> kUses = {{{"grade_column", kTables},
                                                 {"query_column", kTables},
                                                 {"document_column", kTables},
                                                 {"weight_column", kTables},
                                                 {"ignore_columns", kTables},
                                                 {"text_columns", kTables},
                                                 {"na_values", kTables},
                                                 {"delimiter", kTables},
                                                 {"absent", kTexts},
                                                 {"num_features", kTexts}}};
  for (const auto& [name, formats] : kUses) {
    const std::string full = fmt::format("{}{}", prefix, name);
    if (std::ranges::find(given, full) == given.end()) continue;
    const bool is_used = std::ranges::any_of(files, [&](const std::string& file) {
      return std::ranges::find(formats, name_of(data_format(file, params))) != formats.end();
    });
    if (is_used) continue;
    fail(ErrorKind::kUsage,
         "{} is for data read as {}, and here is none; {} says how files are read", flag_of(full),
         or_list(formats), flag_of(fmt::format("{}format", prefix)));
  }
}

MatchRules match_rules(const std::string& path, const ReadParams& params) {
  return {.file = path == "-" ? "standard input" : path,
          .match = params.match,
          .is_first_given = params.first_feature != FirstFeature::kAutomatic};
}

namespace {

// kAnySeparator: the header tells.
char separator_by_format(DataFormat format, const ReadParams& params) {
  const bool is_open = params.delimiter == kFound && format != DataFormat::kTsv;
  return is_open ? kAnySeparator : named_separator(params.delimiter, '\t');
}

// What is absent cannot be missing where nothing is.
ReadParams settled(ReadParams params) {
  if (params.missing == MissingValue::kZero) params.absent = AbsentValue::kZero;
  return params;
}

DataFormat checked_format(const std::string& path, const ReadParams& params) {
  const DataFormat format = data_format(path, params);
  if (format != DataFormat::kCache) refuse_foreign_file(path);
  return format;
}

// To add a format: 1. its name and value in DataFormat and kFormats; 2. how `automatic` knows it,
// in data_format(); 3. its reader here, and below if it can be read as a stream.
Dataset read_as_it_is(const std::string& path, const ReadParams& params, const Context& context) {
  const DataFormat format = checked_format(path, params);
  switch (format) {
    case DataFormat::kSvmlight:
      return read_svmlight(path, params, context);
    case DataFormat::kCsv:
    case DataFormat::kTsv:
      return read_csv(path, separator_by_format(format, params), params, context);
    default:
      return open_cache(path, context);
  }
}

std::unique_ptr<RowSource> open_as_it_is(const std::string& path, const ReadParams& params,
                                         const Context& context, Unpack unpack) {
  const DataFormat format = checked_format(path, params);
  if (format == DataFormat::kCache) return open_cache_rows(path, context);
  const InputText input(path, context, unpack);
  if (format == DataFormat::kSvmlight) return open_svmlight(input, params, context);
  return open_csv_rows(input, separator_by_format(format, params), params, context);
}

}  // namespace

bool is_table_file(const std::string& path, const ReadParams& params) {
  if (path.empty()) return false;
  const DataFormat format = data_format(path, params);
  return format == DataFormat::kCsv || format == DataFormat::kTsv;
}

Dataset load_dataset(const std::string& path, const ReadParams& params, const Context& context) {
  Dataset data = with_categories(read_as_it_is(path, settled(params), context), params, path);
  return params.missing == MissingValue::kZero ? missing_as_zero(data, context) : data;
}

std::unique_ptr<RowSource> open_row_source(const std::string& path, const ReadParams& params,
                                           const Context& context, Unpack unpack) {
  if (path == "-") {
    fail(ErrorKind::kUsage, "standard input cannot be passed over twice; give a file");
  }
  std::unique_ptr<RowSource> source =
      with_categories(open_as_it_is(path, settled(params), context, unpack), params, path);
  return params.missing == MissingValue::kZero ? missing_as_zero(std::move(source))
                                               : std::move(source);
}

}  // namespace glassrank
