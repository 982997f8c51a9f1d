#include "glassrank/data/io/svmlight_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/io/compress.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerPiece = 256;
constexpr std::size_t kPiecesAtOnce = 64;  // bounds the text in memory
constexpr std::size_t kLongestFloat = 16;  // "-1.17549435e-38" and room

void add_float(std::string& text, float value) {
  char digits[kLongestFloat];
  if (std::isnan(value)) {
    text += "nan";  // to_chars would keep the sign of a NaN
    return;
  }
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

struct RowText {
  const DatasetView& data;
  const std::vector<std::uint32_t>& query_of;
  const std::vector<std::string>& labels;  // "1:", "2:", ...
  bool sparse;
  bool is_first_block;

  void add_row(std::string& text, std::size_t i) const {
    add_float(text, data.grade(i));
    text += " qid:";
    text += data.queries().id(query_of[i]);
    const auto row = data.row(i);
    for (std::size_t f = 0; f < row.size(); ++f) {
      const bool tells_width = is_first_block && i == 0 && f + 1 == row.size();
      if (sparse && row[f] == 0 && !tells_width) continue;
      text += ' ';
      text += labels[f];
      add_float(text, row[f]);
    }
    const auto& documents = data.base().document_ids();
    if (!documents.empty() && !documents[data.rows()[i]].empty()) {
      text += " # ";
      text += documents[data.rows()[i]];
    }
    text += '\n';
  }
};

std::string pack(std::string text, const std::string& path) {
  if (path.ends_with(".gz")) return gzip_compress(text);
  if (path.ends_with(".zst")) return zstd_compress(text);
  return text;
}

bool are_numbers(const std::vector<std::string>& names) {
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (names[f] != fmt::format("{}", f + 1)) return false;
  }
  return true;
}

}  // namespace

SvmlightWriter::SvmlightWriter(std::string path, const WriteParams& params)
    : path_(std::move(path)), params_(params), file_(path_) {}

void SvmlightWriter::check_fits(const Dataset& data) {
  const auto names = data.feature_names();
  if (num_rows_ == 0) feature_names_.assign(names.begin(), names.end());
  if (!std::ranges::equal(feature_names_, names)) {
    fail(ErrorKind::kUsage, "{}: data with other features cannot be appended", path_);
  }
  if (num_rows_ > 0 && weights_.empty() != data.weights().empty()) {
    fail(ErrorKind::kUsage, "{}: some rows have weights and some have none", path_);
  }
}

void SvmlightWriter::append(const DatasetView& data, const Context& context) {
  check_fits(data.base());
  const auto query_of = data.queries().query_of_rows();
  std::vector<std::string> labels;
  for (std::size_t f = 1; f <= data.num_features(); ++f) labels.push_back(fmt::format("{}:", f));
  const RowText rows{.data = data,
                     .query_of = query_of,
                     .labels = labels,
                     .sparse = params_.sparse,
                     .is_first_block = num_rows_ == 0};
  constexpr std::size_t kWave = kRowsPerPiece * kPiecesAtOnce;
  for (std::size_t first = 0; first < data.num_rows(); first += kWave) {
    context.check_stop();
    const std::size_t count = std::min(kWave, data.num_rows() - first);
    std::vector<std::string> pieces((count + kRowsPerPiece - 1) / kRowsPerPiece);
    parallel_for(context, count, kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
      std::string text;
      for (std::size_t i = begin; i < end; ++i) rows.add_row(text, first + i);
      pieces[begin / kRowsPerPiece] = pack(std::move(text), path_);
    });
    for (const std::string& piece : pieces) file_.write(piece);
  }
  if (!data.base().weights().empty()) {
    for (const std::uint32_t row : data.rows()) weights_.push_back(data.base().weights()[row]);
  }
  num_rows_ += data.num_rows();
}

void SvmlightWriter::commit() {
  if (!are_numbers(feature_names_)) {
    std::string text;
    for (const std::string& name : feature_names_) text += name + "\n";
    write_text_file(path_ + ".names", text);
  }
  if (!weights_.empty()) {
    std::string text;
    for (const float weight : weights_) {
      add_float(text, weight);
      text += '\n';
    }
    write_text_file(path_ + ".weight", text);
  }
  file_.commit();
}

}  // namespace glassrank
