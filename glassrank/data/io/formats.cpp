#include "glassrank/data/io/formats.h"

#include <array>
#include <limits>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/cache/cache_rows.h"
#include "glassrank/data/io/csv/csv.h"
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

constexpr std::array<std::pair<std::string_view, FirstFeature>, 3> kFirstFeatures = {{
    {"automatic", FirstFeature::kAutomatic},
    {"0", FirstFeature::kZero},
    {"1", FirstFeature::kOne},
}};

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

float absent_value(AbsentValue absent) {
  return absent == AbsentValue::kZero ? 0.0F : std::numeric_limits<float>::quiet_NaN();
}

void ReadParams::visit(ParamVisitor& visitor) {
  visitor.field("format", format, "how the data is written; automatic tells by name and content");
  visitor.field("absent", absent, "what a feature that a sparse row does not name is");
  visitor.field("missing", missing,
                "what a missing value (nan) is: kept as such, or 0, as RankLib takes it");
  visitor.field("num_features", num_features, "number of features; 0 is as many as the file has",
                Range{.low = 0, .high = 1'000'001});
  visitor.field("grade_column", grade_column, "name of the column of grades (csv, tsv)");
  visitor.field("query_column", query_column, "name of the column of query ids (csv, tsv)");
  visitor.field("document_column", document_column,
                "name of the column of document ids (csv, tsv)");
  visitor.field("weight_column", weight_column, "name of the column of weights (csv, tsv)");
}

void ReadParams::visit_matching(ParamVisitor& visitor) {
  visitor.field("match", match,
                "how columns are matched: by name where both sides have names, or by position");
  visitor.field("first_feature", first_feature,
                "id of the first column in LETOR text; 0 for models that LightGBM or XGBoost "
                "trained from such text");
}

MatchRules match_rules(const std::string& path, const ReadParams& params) {
  return {.file = path == "-" ? "standard input" : path,
          .match = params.match,
          .is_first_given = params.first_feature != FirstFeature::kAutomatic};
}

namespace {

// What is absent cannot be missing where nothing is.
ReadParams settled(ReadParams params) {
  if (params.missing == MissingValue::kZero) params.absent = AbsentValue::kZero;
  return params;
}

// To add a format: 1. its name and value in DataFormat and kFormats; 2. how `automatic` knows it,
// in data_format(); 3. its reader here, and below if it can be read as a stream.
Dataset read_as_it_is(const std::string& path, const ReadParams& params, const Context& context) {
  const DataFormat format = data_format(path, params);
  switch (format) {
    case DataFormat::kSvmlight:
      return read_svmlight(path, params, context);
    case DataFormat::kCsv:
      return read_csv(path, ',', params, context);
    case DataFormat::kTsv:
      return read_csv(path, '\t', params, context);
    default:
      return open_cache(path, context);
  }
}

std::unique_ptr<RowSource> open_as_it_is(const std::string& path, const ReadParams& params,
                                         const Context& context, Unpack unpack) {
  const DataFormat format = data_format(path, params);
  if (format == DataFormat::kCache) return open_cache_rows(path, context);
  const InputText input(path, context, unpack);
  if (format == DataFormat::kSvmlight) return open_svmlight(input, params, context);
  return open_csv_rows(input, format == DataFormat::kTsv ? '\t' : ',', params, context);
}

}  // namespace

Dataset load_dataset(const std::string& path, const ReadParams& params, const Context& context) {
  Dataset data = read_as_it_is(path, settled(params), context);
  return params.missing == MissingValue::kZero ? missing_as_zero(data, context) : data;
}

std::unique_ptr<RowSource> open_row_source(const std::string& path, const ReadParams& params,
                                           const Context& context, Unpack unpack) {
  if (path == "-") {
    fail(ErrorKind::kUsage, "standard input cannot be passed over twice; give a file");
  }
  std::unique_ptr<RowSource> source = open_as_it_is(path, settled(params), context, unpack);
  return params.missing == MissingValue::kZero ? missing_as_zero(std::move(source))
                                               : std::move(source);
}

}  // namespace glassrank
