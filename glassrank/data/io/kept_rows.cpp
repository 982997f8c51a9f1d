#include "glassrank/data/io/kept_rows.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/compress.h"
#include "glassrank/data/io/csv/csv_cells.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/side_files.h"
#include "glassrank/data/io/text_rows.h"

namespace glassrank {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// One flag per row of the file.
std::vector<bool> flags_in_file_order(const Dataset& data, std::span<const std::uint32_t> rows) {
  std::vector<bool> flags(data.num_rows());
  const auto source_rows = data.source_rows();
  for (const std::uint32_t row : rows) flags[source_rows.empty() ? row : source_rows[row]] = true;
  return flags;
}

// Whether the kept lines read as the same features.
bool name_the_same_features(std::string_view text, const std::vector<bool>& is_kept) {
  std::array<bool, 2> names_zero = {};
  std::array<std::size_t, 2> largest = {};
  for_each_text_row({.text = text}, [&](const TextRow& row) {
    const FeatureIds ids = feature_ids_of(row.text);
    for (const bool kept_only : {false, true}) {
      if (kept_only && !is_kept[row.row]) continue;
      largest[kept_only] = std::max(largest[kept_only], ids.last);
      names_zero[kept_only] = names_zero[kept_only] || ids.first == 0;
    }
  });
  return largest[0] == largest[1] && names_zero[0] == names_zero[1];
}

std::string kept_weights(const Dataset& data, const std::vector<bool>& is_kept) {
  std::vector<double> weights(data.weights().begin(), data.weights().end());
  weights = data.to_file_order(weights);
  std::string text;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (is_kept[row]) text += fmt::format("{}\n", static_cast<float>(weights[row]));
  }
  return text;
}

bool has_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// The `number`th cell of a record of CSV.
std::string_view cell_of(std::string_view record, std::size_t number, char separator) {
  const char* const end = record.data() + record.size();
  const char* p = record.data();
  for (; number > 0; --number) p = read_csv_cell(p, end, separator).after + 1;
  return {p, static_cast<std::size_t>(read_csv_cell(p, end, separator).after - p)};
}

}  // namespace

// Named, for CopiedRows::Files has them for members.
namespace row_copies {

// A text that is written anew but for some parts, packed by the name of the file.
class TextCopy {
 public:
  explicit TextCopy(const std::string& to) : file_(to), compression_(compression_by_name(to)) {}

  // Everything but the rows left out.
  void write_kept(const TextOfRows& rows, const std::vector<bool>& is_kept) {
    begin(rows.text);
    for_each_text_row(rows, [&](const TextRow& row) {
      if (!is_kept[row.row]) replace(row.text, "");
    });
    finish();
  }
  void begin(std::string_view text) {
    copied_ = text.data();
    end_ = text.data() + text.size();
  }
  // `old` is a part of the text behind those replaced before.
  void replace(std::string_view old, std::string_view by) {
    add({copied_, static_cast<std::size_t>(old.data() - copied_)});
    add(by);
    copied_ = old.data() + old.size();
  }
  void finish() {
    add({copied_, static_cast<std::size_t>(end_ - copied_)});
    flush();
    file_.finish();
  }
  void commit() { file_.commit(); }

 private:
  void add(std::string_view text) {
    while (!text.empty()) {
      const std::string_view part = text.substr(0, kPieceBytes - piece_.size());
      piece_ += part;
      text.remove_prefix(part.size());
      if (piece_.size() == kPieceBytes) flush();
    }
  }
  void flush() {
    file_.write(compress(piece_, compression_));
    piece_.clear();
  }

  AtomicFile file_;
  Compression compression_;
  std::string piece_;
  const char* copied_ = nullptr;
  const char* end_ = nullptr;
};

// The new file beside `to`, if there is something to write.
class SideCopy {
 public:
  SideCopy(const std::string& to, std::string_view suffix, const std::optional<std::string>& text) {
    if (!text) {
      SideFiles{to}.refuse_foreign(suffix);
      return;
    }
    file_.emplace(fmt::format("{}{}", to, suffix));
    file_->write(*text);
    file_->finish();
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

}  // namespace row_copies

// The copy of a text and of the small files beside it.
struct CopiedRows::Files {
  row_copies::TextCopy text;
  row_copies::SideCopy weights;
  row_copies::SideCopy names;

  void commit() {
    text.commit();
    weights.commit();
    names.commit();
  }
};

CopiedRows::CopiedRows(const KeptRows& kept, const std::string& to, const Context& context) {
  const InputText input(kept.from, context);
  const std::vector<bool> is_kept = flags_in_file_order(kept.data, kept.rows);
  std::optional<std::string> weights;
  if (has_file(fmt::format("{}.weight", kept.from)) && !kept.data.weights().empty()) {
    weights = kept_weights(kept.data, is_kept);
  }
  const std::string names = fmt::format("{}.names", kept.from);
  files_.reset(new Files{
      .text = row_copies::TextCopy(to),
      .weights = row_copies::SideCopy(to, ".weight", weights),
      .names = row_copies::SideCopy(
          to, ".names", has_file(names) ? std::optional(read_text_file(names)) : std::nullopt)});
  const DataFormat format = data_format(kept.from, kept.read);
  files_->text.write_kept(text_of_rows(input.text(), format, kept.read), is_kept);
}

CopiedRows::CopiedRows(CopiedRows&& other) noexcept = default;
CopiedRows::~CopiedRows() = default;
void CopiedRows::commit() { files_->commit(); }

void write_regraded(const std::string& from, const ReadParams& read, const Dataset& data,
                    std::span<const float> grades, const std::string& to, const Context& context) {
  check_kept_rows(from, read, to);
  const auto columns = data.schema().columns();
  const auto column = static_cast<std::size_t>(
      std::ranges::find(columns, ColumnRole::kGrade, &SchemaColumn::role) - columns.begin());
  // Grades in the order of the file.
  std::vector<float> wanted(grades.begin(), grades.end());
  std::vector<float> given(data.grades().begin(), data.grades().end());
  const auto source_rows = data.source_rows();
  for (std::size_t row = 0; row < source_rows.size(); ++row) {
    wanted[source_rows[row]] = grades[row];
    given[source_rows[row]] = data.grades()[row];
  }
  const InputText input(from, context);
  const TextOfRows rows = text_of_rows(input.text(), data_format(from, read), read);
  row_copies::TextCopy copy(to);
  copy.begin(rows.text);
  for_each_text_row(rows, [&](const TextRow& row) {
    if (wanted[row.row] == given[row.row]) return;
    copy.replace(cell_of(row.text, column, rows.separator), fmt::format("{}", wanted[row.row]));
  });
  copy.finish();
  copy.commit();
}

void check_kept_rows(const std::string& from, const ReadParams& read, const std::string& to) {
  const DataFormat format = data_format(from, read);
  const auto fits = [&] {
    if (format == DataFormat::kCache) return true;
    const DataFormat wanted = data_format_by_name(to);
    return wanted == format || read.format != DataFormat::kAutomatic;
  };
  const auto name = [](DataFormat wanted) {
    const auto table = EnumNames<DataFormat>::table();
    return std::ranges::find(table, wanted, [](const auto& entry) { return entry.second; })->first;
  };
  if (from == "-" && format != DataFormat::kCache && format != DataFormat::kSvmlight) {
    fail(ErrorKind::kUsage, "CSV from standard input cannot be copied; give a file");
  }
  if (!SideFiles{from}.has(".weight")) SideFiles{to}.refuse_foreign(".weight");
  if (!fits()) {
    fail(ErrorKind::kUsage,
         "{} is {} and stays so; {} would be read as {}: give it the ending of the input", from,
         name(format), to, name(data_format_by_name(to)));
  }
  const bool is_text_table = format == DataFormat::kCsv || format == DataFormat::kTsv;
  if (is_text_table && SideFiles{from}.has_queries()) {
    fail(ErrorKind::kUsage,
         "{} has its queries in {}{}; rows of such a file cannot be left out: add a query column",
         from, from, SideFiles{from}.query_suffix());
  }
}

void write_kept_rows(const KeptRows& kept, const std::string& to, const Context& context) {
  check_kept_rows(kept.from, kept.read, to);
  const DataFormat format = data_format(kept.from, kept.read);
  const DatasetView view(kept.data, kept.rows);
  if (format == DataFormat::kCache) {
    write_cache(to, view.materialise(), context);
    return;
  }
  if (kept.from != "-" && !SideFiles{kept.from}.has_queries()) {
    const bool is_table = format != DataFormat::kSvmlight;
    if (is_table || name_the_same_features(InputText(kept.from, context).text(),
                                           flags_in_file_order(kept.data, kept.rows))) {
      CopiedRows(kept, to, context).commit();
      return;
    }
  }
  if (format != DataFormat::kSvmlight) {
    fail(ErrorKind::kUsage, "CSV from standard input cannot be copied; give a file");
  }
  write_svmlight(to, view, {}, context);
}

std::vector<std::size_t> lines_of_rows(const std::string& from, const ReadParams& read,
                                       const Dataset& data, std::span<const std::uint32_t> rows,
                                       const Context& context) {
  const auto source_rows = data.source_rows();
  std::vector<std::size_t> lines;
  for (const std::uint32_t row : rows) {
    lines.push_back((source_rows.empty() ? row : source_rows[row]) + std::size_t{1});
  }
  const DataFormat format = data_format(from, read);
  if (format == DataFormat::kCache || from == "-") return lines;
  const InputText input(from, context);
  std::vector<std::size_t> line_of_row;
  line_of_row.reserve(data.num_rows());
  for_each_text_row(text_of_rows(input.text(), format, read),
                    [&](const TextRow& row) { line_of_row.push_back(row.line); });
  for (std::size_t& line : lines) line = line_of_row[line - 1];
  return lines;
}

}  // namespace glassrank
