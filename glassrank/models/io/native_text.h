#pragma once
// The lines of a native model file: what every kind of body is read and written with.

#include <cstddef>
#include <string>
#include <string_view>

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

}  // namespace glassrank
