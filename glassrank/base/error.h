#pragma once
// The one error type of the engine.
//
// Thrown when an operation cannot go on. A message says what is wrong, where, and what would be
// right ("train.txt:1042:17: feature 139 after feature 140; features must ascend"). Callers on the
// way up add context with add_context(); what() reads from the outermost context to the message.
// Conditions a caller expects (a key that may be absent) are optionals or results, not errors;
// our own invariants are assert()s, never user input.

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace glassrank {

enum class ErrorKind {
  kUsage,        // the caller asked for something that does not exist or does not fit together
  kInput,        // the content of a file or array is wrong
  kIo,           // the system refused: no such file, disk full, permission
  kInterrupted,  // the user asked to stop
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message);

  ErrorKind kind() const { return kind_; }
  // The innermost message, without context.
  const std::string& message() const { return message_; }
  // Outermost first.
  const std::vector<std::string>& context() const { return context_; }
  Error& add_context(std::string where);
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::vector<std::string> context_;
  std::string what_;
};

template <typename... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

// "cannot open 'x': No such file or directory" from the current errno.
[[noreturn]] void fail_errno(std::string_view what, std::string_view path);

}  // namespace glassrank
