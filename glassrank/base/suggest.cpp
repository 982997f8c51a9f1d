#include "glassrank/base/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace glassrank {
namespace {

constexpr std::size_t kMostGuesses = 3;
constexpr std::size_t kMostListed = 20;  // names in one message

bool is_blank(char c) { return c == '-' || c == '_' || c == '.'; }

// Whether `word` is some of the words of "sample.num-queries", at least three letters of them.
bool has_word(std::string_view name, std::string_view word) {
  if (word.size() < 3) return false;
  for (std::size_t at = name.find(word); at != std::string_view::npos;
       at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || is_blank(name[at - 1])) && (end == name.size() || is_blank(name[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
  std::optional<std::string> best;
  int best_distance = std::max<int>(1, static_cast<int>(name.size()) / 3) + 1;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> guessed_names(std::string_view name, std::span<const std::string> known) {
  std::vector<std::string> guesses;
  if (const auto nearest = nearest_name(name, known)) {
    const int distance = edit_distance(name, *nearest);
    for (const std::string& candidate : known) {
      if (edit_distance(name, candidate) == distance) guesses.push_back(candidate);
    }
  } else {
    for (const std::string& candidate : known) {
      if (has_word(candidate, name)) guesses.push_back(candidate);
    }
  }
  guesses.resize(std::min(guesses.size(), kMostGuesses));
  return guesses;
}

std::string unknown_name_message(std::string_view what, std::string_view name,
                                 std::span<const std::string> known, std::string_view hint) {
  const std::vector<std::string> guesses = guessed_names(name, known);
  if (!guesses.empty()) {
    std::string text = fmt::format("'{}'", guesses.front());
    for (std::size_t i = 1; i < guesses.size(); ++i) {
      text += fmt::format("{}'{}'", i + 1 == guesses.size() ? " or " : ", ", guesses[i]);
    }
    return fmt::format("unknown {} '{}'; did you mean {}?", what, name, text);
  }
  if (known.size() <= kMostListed) {
    return fmt::format("unknown {} '{}'; known: {}", what, name, fmt::join(known, ", "));
  }
  if (!hint.empty()) return fmt::format("unknown {} '{}'; {}", what, name, hint);
  return fmt::format("unknown {} '{}'; known: {}, ... ({} in all)", what, name,
                     fmt::join(known.first(kMostListed), ", "), known.size());
}

}  // namespace glassrank
