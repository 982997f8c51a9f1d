// The lines of gam_edit.h: reading and writing them.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/gam/gam_edit.h"
#include "glassrank/models/gam/gam_edit_check.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Nothing when the word is no range.
std::optional<EditRange> range_of(std::string_view word) {
  if (word == "missing") return EditRange{.missing = true};
  const std::size_t dots = word.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  EditRange range;
  const std::string_view low = word.substr(0, dots);
  const std::string_view high = word.substr(dots + 2);
  if (!low.empty() && !parse_number(low, range.low)) return std::nullopt;
  if (!high.empty() && !parse_number(high, range.high)) return std::nullopt;
  return range;
}

class EditReader {
 public:
  explicit EditReader(std::string_view text) : text_(text) {
    read_categories();
    words_ = split_words(text_);
  }

  GamEdit read() {
    read_verb();
    if (edit_.kind == EditKind::kClamp) read_limits();
    if (edit_.kind == EditKind::kSmooth) read_window();
    read_ranges();
    edit_.effect = fmt::format("{}", fmt::join(words_.begin() + first_, words_.end(), " "));
    if (edit_.effect.empty() && edit_.kind != EditKind::kPurify) {
      fail(ErrorKind::kUsage, "say which effect, for example 'drop price' or 'drop price x pages'");
    }
    check_edit(edit_);
    return edit_;
  }

 private:
  // "in {red, blue}" behind the effect, which the words are read without. The effect's own name may
  // hold such a text, too.
  void read_categories() {
    const std::size_t begin = text_.rfind(" in {");
    if (begin == std::string::npos) return;
    const std::size_t end = text_.find('}', begin);
    if (end == std::string::npos) return;
    const std::string_view after = trim_blanks(std::string_view(text_).substr(end + 1));
    if (!after.empty() && !after.starts_with("to ") && !after.starts_with("by ")) return;
    EditRange range;
    std::string_view list = std::string_view(text_).substr(begin + 5, end - begin - 5);
    while (true) {
      const std::size_t comma = list.find(',');
      range.categories.emplace_back(trim_blanks(list.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      list.remove_prefix(comma + 1);
    }
    edit_.ranges.push_back(std::move(range));
    text_.erase(begin, end + 1 - begin);
  }

  void read_verb() {
    const std::string_view verb = words_.empty() ? "" : words_[0];
    first_ = 1;
    if (verb == "flatten") {
      edit_.kind = EditKind::kFlatten;
    } else if (verb == "smooth") {
      edit_.kind = EditKind::kSmooth;
    } else if (verb == "clamp") {
      edit_.kind = EditKind::kClamp;
    } else if (verb == "drop") {
      edit_.kind = EditKind::kDrop;
    } else if (verb == "purify") {
      edit_.kind = EditKind::kPurify;
    } else if (verb == "monotone") {
      const std::string_view way = words_.size() > 1 ? words_[1] : "";
      if (way != "up" && way != "down") {
        fail(ErrorKind::kUsage, "'monotone' must be followed by up or down, not '{}'", way);
      }
      edit_.kind = way == "up" ? EditKind::kMonotoneUp : EditKind::kMonotoneDown;
      first_ = 2;
    } else {
      const std::array<std::string, 6> verbs = {"flatten", "smooth", "monotone",
                                                "clamp",   "drop",   "purify"};
      throw Error(ErrorKind::kUsage, unknown_name_message("edit", verb, verbs));
    }
  }

  // The last two words, "to LOW..HIGH".
  void read_limits() {
    const std::size_t size = words_.size();
    std::optional<EditRange> limits;
    if (size >= 3 && words_[size - 2] == "to") limits = range_of(words_[size - 1]);
    if (!limits || limits->missing) {
      fail(ErrorKind::kUsage, "'clamp' must end in 'to LOW..HIGH', the limits of its values");
    }
    edit_.limits = *limits;
    words_.resize(size - 2);
  }

  // The last two words, "by N", if they are that.
  void read_window() {
    const std::size_t size = words_.size();
    if (size < 3 || words_[size - 2] != "by") return;
    std::int32_t window = 0;
    if (!parse_number(words_[size - 1], window)) {
      fail(ErrorKind::kUsage, "'by' must be followed by a number of cells, not '{}'",
           words_[size - 1]);
    }
    edit_.window = window;
    words_.resize(size - 2);
  }

  // "RANGE" or "RANGE x RANGE" at the end.
  void read_ranges() {
    const auto range_at_end = [&]() -> std::optional<EditRange> {
      if (words_.size() < static_cast<std::size_t>(first_) + 2) return std::nullopt;
      return range_of(words_.back());
    };
    std::optional<EditRange> last = range_at_end();
    if (!last) return;
    words_.pop_back();
    if (words_.back() == "x" && words_.size() >= static_cast<std::size_t>(first_) + 3) {
      const std::string_view cross = words_.back();
      words_.pop_back();
      if (const std::optional<EditRange> first = range_at_end()) {
        words_.pop_back();
        edit_.ranges.push_back(*first);
      } else {
        words_.push_back(cross);
      }
    }
    edit_.ranges.push_back(*last);
  }

  std::string text_;
  std::vector<std::string_view> words_;
  std::ptrdiff_t first_ = 0;  // of the effect's name
  GamEdit edit_;
};

std::string_view verb_of(EditKind kind) {
  switch (kind) {
    case EditKind::kFlatten:
      return "flatten";
    case EditKind::kSmooth:
      return "smooth";
    case EditKind::kMonotoneUp:
      return "monotone up";
    case EditKind::kMonotoneDown:
      return "monotone down";
    case EditKind::kClamp:
      return "clamp";
    case EditKind::kPurify:
      return "purify";
    case EditKind::kDrop:
      break;
  }
  return "drop";
}

}  // namespace

GamEdit parse_edit(std::string_view text) { return EditReader(text).read(); }

std::string to_text(const EditRange& range) {
  if (range.missing) return "missing";
  if (!range.categories.empty()) {
    return fmt::format("in {{{}}}", fmt::join(range.categories, ","));
  }
  return fmt::format("{}..{}", range.low == -kInfinity ? "" : fmt::format("{}", range.low),
                     range.high == kInfinity ? "" : fmt::format("{}", range.high));
}

std::string to_text(const GamEdit& edit) {
  std::string text(verb_of(edit.kind));
  if (!edit.effect.empty()) text += fmt::format(" {}", edit.effect);
  for (std::size_t i = 0; i < edit.ranges.size(); ++i) {
    text += fmt::format("{} {}", i == 0 ? "" : " x", to_text(edit.ranges[i]));
  }
  if (edit.kind == EditKind::kClamp) text += fmt::format(" to {}", to_text(edit.limits));
  if (edit.kind == EditKind::kSmooth) text += fmt::format(" by {}", edit.window);
  return text;
}

}  // namespace glassrank
