#include "cli/memory_limit.h"

#include <algorithm>
#include <sys/resource.h>

#include "glassrank/base/error.h"

namespace glassrank::cli {

void limit_memory(std::uint64_t num_bytes) {
  if (num_bytes == 0) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) == 0) {
    limit.rlim_cur = std::min<rlim_t>(num_bytes, limit.rlim_max);
    if (::setrlimit(RLIMIT_DATA, &limit) == 0) return;
  }
  fail(ErrorKind::kUsage, "memory: the system does not take a limit of {} bytes", num_bytes);
}

std::string out_of_memory_text(const std::string& limit) {
  if (limit.empty()) return "glassrank: out of memory\n";
  return "glassrank: out of memory: more than --memory " + limit + " is needed\n";
}

}  // namespace glassrank::cli
