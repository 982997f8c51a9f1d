#include "glassrank/base/agree.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr char kMemory = 'm';  // in place of an error's kind: std::bad_alloc

// Kind, then message and contexts (innermost last), each ended by a 0.
std::string to_bytes(const Error& error) {
  std::string bytes(1, static_cast<char>(error.kind()));
  bytes.append(error.message()).push_back('\0');
  for (const std::string& where : error.context()) bytes.append(where).push_back('\0');
  return bytes;
}

std::string failure_of(FunctionRef<void()> work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return to_bytes(error);
  } catch (const std::bad_alloc&) {
    return {kMemory};
  }
  // Anything else is a defect: it ends the program, and with it the others.
}

// `where`: "" or " (on machine 2 of 4)".
[[noreturn]] void throw_from(const std::string& bytes, const std::string& where) {
  if (bytes[0] == kMemory) throw std::bad_alloc();
  std::vector<std::string> texts;
  for (std::size_t at = 1; at < bytes.size();) {
    texts.emplace_back(bytes.c_str() + at);
    at += texts.back().size() + 1;
  }
  Error error(static_cast<ErrorKind>(bytes[0]), texts[0] + where);
  for (std::size_t i = texts.size(); i > 1; --i) error.add_context(texts[i - 1]);
  throw error;
}

}  // namespace

void agree_on(const Communicator& communicator, FunctionRef<void()> work) {
  if (communicator.is_alone()) {
    work();
    return;
  }
  const std::string own = failure_of(work);
  if (!any_machine(communicator, !own.empty())) return;
  const auto all = communicator.gather(std::as_bytes(std::span(own)));
  const bool are_alike =
      std::ranges::all_of(all, [&](const auto& bytes) { return bytes == all[0]; });
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) continue;
    throw_from({reinterpret_cast<const char*>(all[rank].data()), all[rank].size()},
               are_alike ? "" : fmt::format(" (on machine {} of {})", rank + 1, all.size()));
  }
}

bool any_machine(const Communicator& communicator, bool own) {
  std::int64_t count = own ? 1 : 0;
  communicator.sum(std::span(&count, 1));
  return count > 0;
}

}  // namespace glassrank
