#pragma once
// The lines of a native model file: what every kind of body is read and written with.
//
// One thing a line, by name or in a stated order, so that a model can be read, compared and kept
// under version control as text, and an error can name its line.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "glassrank/data/category_names.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {

// Backslash, tab, newline and carriage return become \\ \t \n \r.
void append_escaped(std::string& out, std::string_view text);

class NativeReader {
 public:
  explicit NativeReader(std::string_view text) : lines_(text) {}

  bool at_end() const { return lines_.at_end(); }
  // The next line; throws at the end.
  std::string_view line();
  // The next line is "key value" (or "key" alone: an empty value); gives the value.
  std::string_view value(std::string_view key);
  // Whether the next line begins with this word.
  bool comes(std::string_view key) const;
  // The same for a number of things to follow that take a line each.
  std::size_t count(std::string_view key);
  double number(std::string_view key);
  std::string unescape(std::string_view text) const;
  // Throws unless as many lines can follow; keeps an absurd count from being allocated.
  void check_count(std::size_t count) const;
  // Throws Error{kInput} "line N: problem" for the line read last.
  [[noreturn]] void fail_here(std::string_view problem) const;

 private:
  LineReader lines_;
};

// The words of one line, taken from left to right without a vector.
class NativeWords {
 public:
  explicit NativeWords(NativeReader& reader) : reader_(reader), rest_(reader.line()) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view next() {
    if (at_end()) reader_.fail_here("the line is too short");
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
    return word;
  }
  template <typename T>
  void read(T& value) {
    const std::string_view word = next();
    if (!parse_number(word, value)) reader_.fail_here(fmt::format("'{}' is not a number", word));
  }
  void finish() const {
    if (!at_end()) reader_.fail_here("the line is too long");
  }

 private:
  NativeReader& reader_;
  std::string_view rest_;
};

// "features N [named]" and the names, one a line: what every kind of body says of its features.
void write_native_features(std::string& out, std::size_t num_features,
                           std::span<const std::string> names);
void read_native_features(NativeReader& reader, std::size_t& num_features,
                          std::vector<std::string>& names);

// Only where some feature has names of categories: "categories N", then for each of those N
// "FEATURE COUNT" and COUNT lines with the names, by code. Nothing is read where nothing is there.
void write_native_categories(std::string& out, const CategoryNames& categories);
CategoryNames read_native_categories(NativeReader& reader, std::size_t num_features);

}  // namespace glassrank
