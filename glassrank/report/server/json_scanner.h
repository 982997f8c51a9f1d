#pragma once
// Walks over JSON text that nobody vouches for, without building it: for bodies of requests, which
// are mostly numbers. What is not numbers is given out as text, for a parser.
//
// Errors are Error{kInput} with the place: "character 217: ',' or ']' is expected". Nesting is
// bounded (json_text.h). Cost: one pass; a number takes a few nanoseconds (number_scanner.h).

#include <cstddef>
#include <string>
#include <string_view>

namespace glassrank {

class JsonScanner {
 public:
  // kScanSlack (number_scanner.h) bytes behind the text must be readable; it must stay.
  explicit JsonScanner(std::string_view text)
      : begin_(text.data()), p_(begin_), end_(p_ + text.size()) {}

  // The next character that is no blank, which stays; 0 at the end.
  char peek();
  // Takes the character if it is next.
  bool take(char c);
  // Throws if it is not.
  void expect(char c, std::string_view what);
  // A number, or null, which is NaN, as is NaN itself. Infinite ones and those beyond a float are
  // errors.
  float number();
  // A text with its escapes resolved.
  std::string string();
  // Any value, as it stands.
  std::string_view value();
  // Throws unless nothing follows.
  void expect_end();
  [[noreturn]] void fail_here(std::string_view message) const;

 private:
  std::string_view string_token();
  std::string_view word();

  const char* begin_;
  const char* p_;
  const char* end_;
};

}  // namespace glassrank
