#include "glassrank/base/error.h"

#include <cerrno>
#include <cstring>

namespace glassrank {

Error::Error(ErrorKind kind, std::string message)
    : kind_(kind), message_(std::move(message)), what_(message_) {}

Error& Error::add_context(std::string where) {
  what_ = where + ": " + what_;
  context_.insert(context_.begin(), std::move(where));
  return *this;
}

void fail_errno(std::string_view what, std::string_view path) {
  const int code = errno;
  throw Error(ErrorKind::kIo, fmt::format("cannot {} '{}': {}", what, path, std::strerror(code)));
}

}  // namespace glassrank
