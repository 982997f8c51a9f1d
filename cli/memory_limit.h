#pragma once
// --memory: what the process may use at most.
//
// The system keeps the limit (RLIMIT_DATA): memory beyond it is refused, std::bad_alloc reaches
// main(), and the program ends with a message where without a limit the system might end it
// without one. Counted is what is allocated, with the stacks of threads; files that are mapped to
// be read are not.

#include <cstdint>
#include <string>

namespace glassrank::cli {

// 0: no limit. Throws Error{kUsage} where the system refuses.
void limit_memory(std::uint64_t num_bytes);

// The message of main(); `limit` as --memory gives it, empty: none.
std::string out_of_memory_text(const std::string& limit);

}  // namespace glassrank::cli
