#include "glassrank/data/io/svmlight/svmlight_writer.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/data/io/compress.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/side_files.h"
#include "glassrank/data/io/svmlight/svmlight_line.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

void append_number(std::string& out, float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

void append_value(std::string& out, float value) {
  if (std::isnan(value)) {
    out += "nan";
  } else if (std::isinf(value)) {
    fail(ErrorKind::kInput, "a value is infinite; SVMlight text holds finite numbers and nan");
  } else {
    append_number(out, value);
  }
}

// Ids must read back as they are.
void check_qid(const std::string& qid) {
  const bool has_blank = std::ranges::any_of(
      qid, [](char c) { return is_blank(c) || c == '\n' || c == '#' || c == '\0'; });
  if (has_blank || !is_valid_qid(qid)) {
    fail(ErrorKind::kInput,
         "query id {} cannot be written as a qid; it must have no blanks and no '#', and fit in 64 "
         "bits if it is a number",
         quote_text(qid));
  }
}

void check_document(std::string_view id) {
  if (document_of_comment(id) != id || id.find('\n') != id.npos) {
    fail(ErrorKind::kInput,
         "document id {} cannot be written as a comment; it must be one line without blanks at its "
         "ends",
         quote_text(id));
  }
}

class RowFormatter {
 public:
  RowFormatter(const DatasetView& data, bool sparse, bool is_first)
      : data_(data), sparse_(sparse), is_first_(is_first) {
    for (std::size_t i = 0; i < data.num_features(); ++i) {
      id_texts_.push_back(fmt::format(" {}:", i + 1));
    }
    for (const std::string& id : data.queries().ids()) check_qid(id);
  }

  std::string format(std::size_t begin, std::size_t end) const {
    std::string out;
    const auto offsets = data_.queries().offsets();
    auto next_query = std::upper_bound(offsets.begin(), offsets.end(), begin);
    for (std::size_t i = begin; i < end; ++i) {
      while (*next_query <= i) ++next_query;
      const auto query = static_cast<std::size_t>(next_query - offsets.begin()) - 1;
      append_row(out, i, data_.queries().id(query));
    }
    return out;
  }

 private:
  void append_row(std::string& out, std::size_t i, const std::string& qid) const {
    const float grade = data_.grade(i);
    if (!std::isfinite(grade) || grade < 0) {
      fail(ErrorKind::kInput, "grade {} cannot be written; grades are finite and 0 or more", grade);
    }
    if (data_.base().table().has_grades) {
      append_number(out, grade);
      out += ' ';
    }
    out += "qid:";
    out += qid;
    const auto row = data_.row(i);
    for (std::size_t column = 0; column < row.size(); ++column) {
      // The last feature of the first row stays, so that reading finds all columns; -0 is no 0.
      const bool keep = is_first_ && i == 0 && column + 1 == row.size();
      if (sparse_ && !keep && std::bit_cast<std::uint32_t>(row[column]) == 0) continue;
      out += id_texts_[column];
      append_value(out, row[column]);
    }
    const StringColumn& documents = data_.base().document_ids();
    if (!documents.empty() && !documents[data_.rows()[i]].empty()) {
      const std::string_view id = documents[data_.rows()[i]];
      check_document(id);
      out += " # ";
      out += id;
    }
    out += '\n';
  }

  const DatasetView& data_;
  bool sparse_;
  bool is_first_;  // the block that the file begins with
  std::vector<std::string> id_texts_;
};

bool has_usual_names(std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != std::to_string(i + 1)) return false;
  }
  return true;
}

std::string names_text(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) {
    if (name.empty() || trim_blanks(name) != name || name.find('\n') != name.npos) {
      fail(ErrorKind::kInput,
           "feature name {} cannot be written; it must be one line without blanks at its ends",
           quote_text(name));
    }
    text += name + "\n";
  }
  return text;
}

std::string weights_text(const DatasetView& data) {
  std::string text;
  for (const std::uint32_t row : data.rows()) {
    append_number(text, data.base().weights()[row]);
    text += '\n';
  }
  return text;
}

}  // namespace

SvmlightWriter::SvmlightWriter(std::string path, const WriteParams& params)
    : path_(std::move(path)), params_(params), file_(path_) {}

void SvmlightWriter::check_fits(const DatasetView& data) {
  const auto names = data.base().feature_names();
  if (!feature_names_) {
    feature_names_.emplace(names.begin(), names.end());
  } else if (!std::ranges::equal(*feature_names_, names)) {
    fail(ErrorKind::kUsage, "{}: data with other features cannot be appended", path_);
  }
  if (num_rows_ > 0 && weights_text_.empty() != data.base().weights().empty()) {
    fail(ErrorKind::kUsage, "{}: some rows have weights and some have none", path_);
  }
}

void SvmlightWriter::append(const DatasetView& data, const Context& context) {
  constexpr std::size_t kValuesPerBlock = std::size_t{1} << 17;
  check_fits(data);
  const std::size_t block =
      std::max<std::size_t>(kValuesPerBlock / std::max<std::size_t>(data.num_features(), 1), 1);
  const std::size_t num_blocks = (data.num_rows() + block - 1) / block;
  // Blocks are made several at once and written in order; a wave bounds the memory.
  const auto wave = static_cast<std::size_t>(4 * context.threads->count());
  const Compression compression = compression_by_name(path_);
  const RowFormatter formatter(data, params_.sparse, num_rows_ == 0);
  Progress progress(context, "writing", "rows", data.num_rows());
  for (std::size_t first = 0; first < num_blocks; first += wave) {
    context.check_stop();
    std::vector<std::string> texts(std::min(wave, num_blocks - first));
    context.threads->run(texts.size(), [&](std::size_t i) {
      const std::size_t begin = (first + i) * block;
      const std::size_t end = std::min(begin + block, data.num_rows());
      texts[i] = compress(formatter.format(begin, end), compression);
    });
    for (const std::string& text : texts) file_.write(text);
    progress.add(std::min(texts.size() * block, data.num_rows() - first * block));
    progress.report();
  }
  if (!data.base().weights().empty()) weights_text_ += weights_text(data);
  num_rows_ += data.num_rows();
}

void SvmlightWriter::make_side_file(std::optional<AtomicFile>& file, std::string_view suffix,
                                    const std::string& text) const {
  if (text.empty()) {
    SideFiles{path_}.refuse_foreign(suffix);
    return;
  }
  file.emplace(fmt::format("{}{}", path_, suffix));
  file->write(text);
  file->finish();
}

void SvmlightWriter::finish() {
  if (std::exchange(finished_, true)) return;
  if (num_rows_ == 0) file_.write(compress("", compression_by_name(path_)));
  const bool unusual_names = feature_names_ && !has_usual_names(*feature_names_);
  make_side_file(names_file_, ".names", unusual_names ? names_text(*feature_names_) : "");
  make_side_file(weights_file_, ".weight", std::exchange(weights_text_, {}));
  file_.finish();
}

void SvmlightWriter::commit() {
  finish();
  file_.commit();
  if (names_file_) names_file_->commit();
  if (weights_file_) weights_file_->commit();
}

void SvmlightFiles::add(const std::string& path, const DatasetView& data, const WriteParams& params,
                        const Context& context) {
  auto writer = std::make_unique<SvmlightWriter>(path, params);
  writer->append(data, context);
  writer->finish();
  writers_.push_back(std::move(writer));
}

void SvmlightFiles::commit() {
  for (const auto& writer : writers_) writer->commit();
}

void write_svmlight(const std::string& path, const DatasetView& data, const WriteParams& params,
                    const Context& context) {
  SvmlightWriter writer(path, params);
  writer.append(data, context);
  writer.commit();
}

}  // namespace glassrank
