#include "glassrank/data/io/kept_rows.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <unistd.h>
#include <utility>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/compress.h"
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
  for_each_text_row(text, DataFormat::kSvmlight, [&](const TextRow& row) {
    const FeatureIds ids = feature_ids_of(row.text);
    for (const bool kept_only : {false, true}) {
      if (kept_only && !is_kept[row.row]) continue;
      largest[kept_only] = std::max(largest[kept_only], ids.last);
      names_zero[kept_only] = names_zero[kept_only] || ids.first == 0;
    }
  });
  return largest[0] == largest[1] && names_zero[0] == names_zero[1];
}

// Everything but the rows left out.
class TextCopy {
 public:
  explicit TextCopy(const std::string& to) : file_(to), compression_(compression_by_name(to)) {}

  void write(std::string_view text, DataFormat format, const std::vector<bool>& is_kept) {
    const char* copied = text.data();
    for_each_text_row(text, format, [&](const TextRow& row) {
      if (is_kept[row.row]) return;
      add({copied, static_cast<std::size_t>(row.text.data() - copied)});
      copied = row.text.data() + row.text.size();
    });
    add({copied, static_cast<std::size_t>(text.data() + text.size() - copied)});
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
};

std::string kept_weights(const Dataset& data, const std::vector<bool>& is_kept) {
  std::vector<double> weights(data.weights().begin(), data.weights().end());
  weights = data.to_file_order(weights);
  std::string text;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (is_kept[row]) text += fmt::format("{}\n", static_cast<float>(weights[row]));
  }
  return text;
}

// The new file beside `to`, or the removal of one that older data left there.
class SideCopy {
 public:
  SideCopy(std::string path, std::optional<std::string> text) : path_(std::move(path)) {
    if (!text) return;
    file_.emplace(path_);
    file_->write(*text);
    file_->finish();
  }
  void commit() {
    if (file_) {
      file_->commit();
    } else if (::unlink(path_.c_str()) != 0 && errno != ENOENT) {
      fail_errno("remove", path_);
    }
  }

 private:
  std::string path_;
  std::optional<AtomicFile> file_;
};

bool has_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

void copy_text(const KeptRows& kept, DataFormat format, std::string_view text,
               const std::vector<bool>& is_kept, const std::string& to) {
  TextCopy copy(to);
  copy.write(text, format, is_kept);
  std::optional<std::string> weights;
  if (has_file(fmt::format("{}.weight", kept.from)) && !kept.data.weights().empty()) {
    weights = kept_weights(kept.data, is_kept);
  }
  SideCopy weight_file(fmt::format("{}.weight", to), weights);
  const std::string names = fmt::format("{}.names", kept.from);
  SideCopy name_file(fmt::format("{}.names", to),
                     has_file(names) ? std::optional(read_text_file(names)) : std::nullopt);
  copy.commit();
  weight_file.commit();
  name_file.commit();
}

}  // namespace

void check_kept_rows_format(const std::string& from, const ReadParams& read,
                            const std::string& to) {
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
  if (!fits()) {
    fail(ErrorKind::kUsage,
         "{} is {} and stays so; {} would be read as {}: give it the ending of the input", from,
         name(format), to, name(data_format_by_name(to)));
  }
  const bool is_text_table = format == DataFormat::kCsv || format == DataFormat::kTsv;
  if (is_text_table && SideFiles{from}.has_queries()) {
    fail(ErrorKind::kUsage,
         "{} has its queries in {}.query; rows of such a file cannot be left out: add a query "
         "column",
         from, from);
  }
}

void write_kept_rows(const KeptRows& kept, const std::string& to, const Context& context) {
  check_kept_rows_format(kept.from, kept.read, to);
  const DataFormat format = data_format(kept.from, kept.read);
  const DatasetView view(kept.data, kept.rows);
  if (format == DataFormat::kCache) {
    write_cache(to, view.materialise(), context);
    return;
  }
  if (kept.from != "-" && !SideFiles{kept.from}.has_queries()) {
    const InputText input(kept.from, context);
    const std::vector<bool> is_kept = flags_in_file_order(kept.data, kept.rows);
    if (format != DataFormat::kSvmlight || name_the_same_features(input.text(), is_kept)) {
      copy_text(kept, format, input.text(), is_kept, to);
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
  for_each_text_row(input.text(), format,
                    [&](const TextRow& row) { line_of_row.push_back(row.line); });
  for (std::size_t& line : lines) line = line_of_row[line - 1];
  return lines;
}

}  // namespace glassrank
