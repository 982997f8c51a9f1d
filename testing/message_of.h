#pragma once
// For tests: what an operation complains of.

#include <string>

#include "glassrank/base/error.h"

namespace glassrank {

// The whole message of the Error it throws, contexts first; "no error" when it throws none.
template <typename Operation>
std::string message_of(Operation&& operation) {
  try {
    operation();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace glassrank
