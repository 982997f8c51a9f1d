#include "glassrank/data/io/svmlight/svmlight_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

constexpr std::string_view kShape = "a line is 'grade qid:Q feature:value ...'";

// Of a line that may be of another format.
std::string_view way_out_of(std::string_view line) {
  const std::string_view text = trim_blanks(line);
  if (text.starts_with('{') || text.starts_with('[')) {
    return "; JSON is not read: pandas.read_json(...).to_csv(...) makes CSV of it";
  }
  if (line.find("qid:") != std::string_view::npos) return "";
  if (line.find_first_of(",;|\t") == std::string_view::npos) return "";
  return "; columns under a header are CSV: --read.format csv reads them";
}

class LineParser {
 public:
  LineParser(std::string_view line, const LinePlace& place) : line_(line), place_(place) {}

  void parse(SvmlightLine& out) {
    out.values.clear();
    const std::size_t hash = std::min(line_.find('#'), line_.size());
    content_ = line_.substr(0, hash);
    const std::size_t nul = content_.find('\0');
    if (nul != std::string_view::npos) {
      fail_at(nul, "a NUL byte: this is binary data; SVMlight text is expected");
    }
    std::string_view token = next_token();
    out.is_row = !token.empty();
    if (!out.is_row) return;
    out.has_grade = !token.starts_with("qid:");
    out.grade = 0;
    if (out.has_grade) {
      out.grade = parse_grade(token);
      token = next_token();
    }
    out.has_qid = token.starts_with("qid:");
    if (out.has_qid) {
      out.qid = token.substr(4);
      check_qid(out.qid);
      token = next_token();
    }
    for (; !token.empty(); token = next_token()) parse_feature(token, out);
    out.document = hash < line_.size() ? document_of_comment(line_.substr(hash + 1)) : "";
  }

 private:
  // Empty at the end of the content.
  std::string_view next_token() {
    while (at_ < content_.size() && is_blank(content_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < content_.size() && !is_blank(content_[at_])) ++at_;
    return content_.substr(begin, at_ - begin);
  }

  template <typename... Args>
  [[noreturn]] void fail_at(std::size_t offset, fmt::format_string<Args...> format,
                            Args&&... args) const {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}:{}: {}", place_.file, place_.line, offset + 1,
                                               fmt::format(format, std::forward<Args>(args)...)));
  }
  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - line_.data());
  }

  float parse_grade(std::string_view token) const {
    const std::size_t offset = offset_of(token);
    float grade = 0;
    switch (parse_float(token, grade)) {
      case NumberStatus::kNotANumber:
        fail_at(offset, "grade {} is not a number; {}{}", quote_text(token), kShape,
                way_out_of(content_));
      case NumberStatus::kInfinite:
      case NumberStatus::kTooLarge:
        fail_at(offset, "grade {} is infinite; a grade is a finite number of 0 or more", token);
      case NumberStatus::kOk:
        break;
    }
    if (std::isnan(grade)) {
      fail_at(offset, "the grade is NaN; a grade is a finite number of 0 or more");
    }
    if (grade < 0) fail_at(offset, "grade {} is negative; grades are 0 or more", quote_text(token));
    return grade;
  }

  void check_qid(std::string_view qid) const {
    if (qid.empty()) fail_at(offset_of(qid), "the qid is empty; write qid:Q, a number or a name");
    if (!is_valid_qid(qid)) {
      fail_at(offset_of(qid), "qid overflow: {} does not fit in 64 bits; use a smaller number",
              quote_text(qid));
    }
  }

  void parse_feature(std::string_view token, SvmlightLine& out) const {
    const std::size_t offset = offset_of(token);
    const std::size_t colon = token.find(':');
    if (token.starts_with("qid:")) {
      fail_at(offset, "{} is out of place; the qid comes once, right after the grade",
              quote_text(token));
    }
    if (colon == std::string_view::npos) {
      fail_at(offset, "{} is not feature:value; the line may be cut short", quote_text(token));
    }
    const std::uint32_t id = parse_id(token.substr(0, colon));
    if (!out.values.empty() && id <= out.values.back().first) {
      const std::uint32_t last = out.values.back().first;
      if (id == last) fail_at(offset, "feature {} is repeated; each may be given once a line", id);
      fail_at(offset, "feature {} after feature {}; features must ascend", id, last);
    }
    out.values.emplace_back(id, parse_value(id, token.substr(colon + 1)));
  }

  std::uint32_t parse_id(std::string_view text) const {
    const std::size_t offset = offset_of(text);
    if (text.starts_with('-')) {
      fail_at(offset, "feature id {} is negative; ids are whole numbers from 1 (or 0)",
              quote_text(text));
    }
    if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
      fail_at(offset, "feature id {} is not a whole number; {}", quote_text(text), kShape);
    }
    std::uint32_t id = 0;
    const auto status = std::from_chars(text.data(), text.data() + text.size(), id);
    if (status.ec != std::errc{} || id > kMaxFeatureId) {
      fail_at(offset, "huge feature id {}; ids go up to {}", quote_text(text), kMaxFeatureId);
    }
    return id;
  }

  float parse_value(std::uint32_t id, std::string_view text) const {
    const std::size_t offset = offset_of(text);
    if (text.empty()) {
      fail_at(offset, "feature {} has no value; the line may be cut short", id);
    }
    float value = 0;
    switch (parse_float(text, value)) {
      case NumberStatus::kNotANumber:
        fail_at(offset, "value {} of feature {} is not a number", quote_text(text), id);
      case NumberStatus::kInfinite:
        fail_at(offset,
                "value {} of feature {} is infinite; use a finite number, or nan for "
                "missing",
                quote_text(text), id);
      case NumberStatus::kTooLarge:
        fail_at(offset,
                "value {} of feature {} is too large; values are 32-bit floats, up to "
                "3.4e38",
                quote_text(text), id);
      case NumberStatus::kOk:
        break;
    }
    return value;
  }

  std::string_view line_;
  LinePlace place_;
  std::string_view content_;  // before the comment
  std::size_t at_ = 0;
};

}  // namespace

void parse_svmlight_line(std::string_view line, const LinePlace& place, SvmlightLine& out) {
  LineParser(line, place).parse(out);
}

std::string_view document_of_comment(std::string_view comment) {
  comment = trim_blanks(comment);
  if (!comment.starts_with("docid")) return comment;
  std::string_view rest = trim_blanks(comment.substr(5));
  if (!rest.starts_with('=')) return comment;
  rest = trim_blanks(rest.substr(1));
  const auto end = std::ranges::find_if(rest, is_blank);
  return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
}

bool is_valid_qid(std::string_view qid) {
  if (qid.empty()) return false;
  const bool negative = qid[0] == '-';
  const std::string_view digits = qid.substr(negative ? 1 : 0);
  if (digits.empty() || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) {
    return true;
  }
  std::uint64_t number = 0;
  const auto status = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return status.ec == std::errc{} && (!negative || number <= std::uint64_t{1} << 63);
}

}  // namespace glassrank
