#include "glassrank/data/io/scores.h"

#include <algorithm>
#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The line's one number; `text` and `name` are for messages.
double parse_score(std::string_view line, std::string_view text, const std::string& name) {
  const auto fail_here = [&](const char* where, std::string_view message) {
    fail_at(name, text, where, message);
  };
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    fail_here(line.data(), "an empty line; every line must be the score of one document");
  }
  line.remove_prefix(begin);
  line.remove_suffix(line.size() - line.find_last_not_of(kBlanks) - 1);
  const char* const last = line.data() + line.size();
  double score = 0;
  const char* const first = line.front() == '+' ? line.data() + 1 : line.data();
  const auto [end, error] = fast_float::from_chars(first, last, score);
  // Releases of fast_float differ in whether overflow is an error or an infinity.
  const bool has_digits = line.find_first_of("0123456789") != std::string_view::npos;
  if (error == std::errc::result_out_of_range || (std::isinf(score) && has_digits)) {
    fail_here(line.data(), fmt::format("{} is beyond the range of a double", quote_text(line)));
  }
  if (error != std::errc{}) {
    fail_here(line.data(), fmt::format("{} is not a number", quote_text(line)));
  }
  if (end != last) {
    const std::string_view rest(end, static_cast<std::size_t>(last - end));
    fail_here(end, fmt::format("{} after the score; a line is one number", quote_text(rest)));
  }
  if (std::isnan(score)) fail_here(line.data(), "the score is not a number (nan)");
  return score;
}

}  // namespace

std::vector<double> parse_scores(std::string_view text, const std::string& name,
                                 std::size_t num_documents) {
  std::vector<double> scores;
  scores.reserve(num_documents);
  std::string_view rest = text;
  while (!rest.empty()) {
    if (scores.size() == num_documents) {
      fail_at(name, text, rest.data(),
              fmt::format("more scores than documents; there are {} documents", num_documents));
    }
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    scores.push_back(parse_score(rest.substr(0, end), text, name));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (scores.size() < num_documents) {
    fail_at(name, text, text.data() + text.size(),
            fmt::format("the file ends after {} scores; there are {} documents", scores.size(),
                        num_documents));
  }
  return scores;
}

std::vector<double> read_scores(const std::string& path, std::size_t num_documents,
                                const Context& context) {
  const InputText input(path, context);
  return parse_scores(input.text(), input.name(), num_documents);
}

}  // namespace glassrank
