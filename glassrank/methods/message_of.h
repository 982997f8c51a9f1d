#pragma once
// For tests: what an operation complains of.

#include <string>

#include "glassrank/base/error.h"

namespace glassrank::testing {

template <typename Operation>
std::string message_of(Operation&& operation) {
  try {
    operation();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace glassrank::testing
