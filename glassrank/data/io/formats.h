#pragma once
// Reading and writing ranking data, whatever the format: the door every command goes through.
//
// The format is taken from ReadParams::format or, with `automatic`, from the file: a cache by its
// first bytes, .csv/.tsv by name (a .gz or .zst ending is looked through), everything else is
// SVMlight/LETOR text. Side files of LightGBM (FILE.query, FILE.weight) and XGBoost (FILE.group)
// are read when they are there and the format has no such column itself. Parquet and other files
// that hold tables but are no text are refused by their first bytes, with the way to CSV.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/match_columns.h"

namespace glassrank {

enum class DataFormat { kAutomatic, kSvmlight, kCsv, kTsv, kCache };
template <>
struct EnumNames<DataFormat> {
  static std::span<const std::pair<std::string_view, DataFormat>> table();
};

// What a feature that is not written in a sparse row means.
enum class AbsentValue { kZero, kMissing };
float absent_value(AbsentValue absent);  // 0 or NaN
template <>
struct EnumNames<AbsentValue> {
  static std::span<const std::pair<std::string_view, AbsentValue>> table();
};

// What a missing value (NaN) is. RankLib has none: it takes them as 0.
enum class MissingValue { kKeep, kZero };
template <>
struct EnumNames<MissingValue> {
  static std::span<const std::pair<std::string_view, MissingValue>> table();
};

// What id the first feature of SVMlight text has. By itself: 0 if some row uses it, else 1.
// LightGBM and XGBoost always count from 0 when they read such text themselves, so their models
// have one column more: column 0, which is never used.
enum class FirstFeature { kAutomatic, kZero, kOne };
template <>
struct EnumNames<FirstFeature> {
  static std::span<const std::pair<std::string_view, FirstFeature>> table();
};

// What becomes of columns of text that have no part (csv, tsv).
enum class TextColumnUse { kError, kIgnore };
template <>
struct EnumNames<TextColumnUse> {
  static std::span<const std::pair<std::string_view, TextColumnUse>> table();
};

// In place of a column's name, a delimiter: found from the file.
inline constexpr std::string_view kFound = "automatic";

struct ReadParams {
  DataFormat format = DataFormat::kAutomatic;
  AbsentValue absent = AbsentValue::kZero;
  MissingValue missing = MissingValue::kKeep;
  int num_features = 0;  // 0: as many as the file has; more: padded with absent; fewer: an error
  // Of CSV and TSV files. Names of columns: kFound takes the usual ones (csv_roles.h), empty: there
  // is none.
  std::string grade_column{kFound};
  std::string query_column{kFound};
  std::string document_column{kFound};
  std::string weight_column{kFound};
  std::vector<std::string> ignore_columns{};
  TextColumnUse text_columns = TextColumnUse::kError;
  std::vector<std::string> na_values{};  // missing, beside the usual words
  std::string delimiter{kFound};
  // Data without grades is accepted: RowTable::has_grades. Set by commands that do without.
  bool may_lack_grades = false;
  // Features whose values are categories: names, or numbers from 1.
  std::vector<std::string> categorical;
  // The same for those that a model knows as such; what the data does not have is passed over.
  std::vector<std::string> categorical_if_there;
  // How columns meet the features of a model or of training data (match_columns.h).
  MatchColumns match = MatchColumns::kName;
  FirstFeature first_feature = FirstFeature::kAutomatic;

  void visit(ParamVisitor& visitor);
  // match and first_feature: of commands that bring data and a model, or two data files, together.
  void visit_matching(ParamVisitor& visitor);
};

// Throws Error{kUsage} for a given parameter that none of these files' formats looks at. Names are
// given with `prefix` ("read.delimiter"). Files that are no data do no harm: they count as text.
void refuse_unused(const ReadParams& params, std::string_view prefix,
                   std::span<const std::string> given, std::span<const std::string> files);

// How columns of this file are to be matched.
MatchRules match_rules(const std::string& path, const ReadParams& params);

// The format a file has, never kAutomatic; and what `automatic` makes of a name alone.
DataFormat data_format(const std::string& path, const ReadParams& params);
DataFormat data_format_by_name(std::string_view path);
// Whether it is CSV or TSV; no file (an empty path) is not.
bool is_table_file(const std::string& path, const ReadParams& params);

// Throws Error{kIo} when the file cannot be read, Error{kInput} "file:line:col: ..." when its
// content is wrong. Rows of a query that are not contiguous are grouped, with a notice.
Dataset load_dataset(const std::string& path, const ReadParams& params, const Context& context);

// LETOR text: "grade qid:Q 1:v 2:v ... # document". Values are written with the fewest digits that
// read back to the same float32; values equal to 0 are left out if `sparse`. Missing is "nan".
struct WriteParams {
  bool sparse = false;
};
// `path` ending in .gz or .zst is compressed. Written whole or not at all.
void write_svmlight(const std::string& path, const DatasetView& data, const WriteParams& params,
                    const Context& context);

}  // namespace glassrank
