#pragma once
// A thread of its own, for what runs beside everything else; loops over data take Threads
// (threads.h), which makes do with what there is.

#include <system_error>
#include <thread>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {

// Throws Error{kIo} when the system gives no thread.
template <typename Work>
std::thread start_thread(Work&& work) {
  try {
    return std::thread(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    fail(ErrorKind::kIo, "cannot start a thread: {}", error.code().message());
  }
}

}  // namespace glassrank
