#pragma once
// For tests: the message of the Error an action throws.

#include <functional>
#include <string>

#include "glassrank/base/error.h"

namespace glassrank {

inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace glassrank
